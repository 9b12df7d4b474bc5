// Writes what the examples on several tiles find in DRAM, and what they are to leave there, to files: whole numbers as BF16, small enough
// that every sum is exact, in tiles of 32x32 (four faces of 16x16). Usage: tensim_example_operands DIRECTORY
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr unsigned tile_side = 32;
constexpr unsigned face_side = 16;
using Matrix = std::vector<std::vector<int>>;

Matrix random_matrix(unsigned rows, unsigned columns, int largest, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto values = static_cast<std::uint32_t>(2 * largest + 1);
  Matrix matrix(rows, std::vector<int>(columns));
  for (auto& row : matrix)
    for (int& element : row)
      element = static_cast<int>(random() % values) - largest;
  return matrix;
}

Matrix product(const Matrix& left, const Matrix& right) {
  Matrix result(left.size(), std::vector<int>(right[0].size()));
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right[0].size(); ++j)
      for (std::size_t k = 0; k < right.size(); ++k)
        result[i][j] += left[i][k] * right[k][j];
  return result;
}

Matrix sum(const Matrix& left, const Matrix& right) {
  Matrix result = left;
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < left[i].size(); ++j)
      result[i][j] += right[i][j];
  return result;
}

/// The upper half of a float: exact for whole numbers up to 256.
std::uint16_t bf16(int value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16U);
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix[0].size(), std::vector<int>(matrix.size()));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix[i].size(); ++j)
      result[j][i] = matrix[i][j];
  return result;
}

/// Tiles row by row, or column by column; elements of a tile row by row in either case.
enum class Order { rows, columns };
void write(const std::string& file, const Matrix& given, Order order = Order::rows) {
  const Matrix matrix = order == Order::rows ? given : transposed(given);
  std::ofstream stream(file, std::ios::binary);
  const auto put = [&](int value) {
    const std::uint16_t bits = bf16(value);
    stream.put(static_cast<char>(bits & 0xFFU)).put(static_cast<char>(bits >> 8U));
  };
  for (std::size_t top = 0; top < matrix.size(); top += tile_side)
    for (std::size_t left = 0; left < matrix[0].size(); left += tile_side)
      for (unsigned face = 0; face < 4; ++face)
        for (unsigned i = 0; i < face_side * face_side; ++i) {
          const std::size_t row = face / 2 * face_side + i / face_side;
          const std::size_t column = face % 2 * face_side + i % face_side;
          put(order == Order::rows ? matrix[top + row][left + column] : matrix[top + column][left + row]);
        }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: tensim_example_operands DIRECTORY\n", stderr), 2;
  const std::string directory = std::string(arguments[1]) + "/";
  const Matrix left = random_matrix(128, 512, 1, 1);
  const Matrix right = random_matrix(512, 128, 1, 2);
  write(directory + "matmul_left.bin", left);
  write(directory + "matmul_right.bin", right, Order::columns);
  write(directory + "matmul_product.bin", product(left, right));
  const Matrix one = random_matrix(32, 8 * 32, 100, 3);
  const Matrix other = random_matrix(32, 8 * 32, 100, 4);
  write(directory + "sum_left.bin", one);
  write(directory + "sum_right.bin", other);
  write(directory + "sum.bin", sum(one, other));
  return 0;
}
