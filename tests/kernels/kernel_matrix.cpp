#include "tests/kernels/kernel_matrix.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace tensim::test {
namespace {

constexpr unsigned face_size = 16;
constexpr unsigned tile_datums = tile_size * tile_size;
constexpr unsigned block_datums = 16;      // that share an exponent
constexpr unsigned exponent_of_one = 127;  // of BFP8's exponents
constexpr int bfp8_one = 64;               // a magnitude of seven bits

unsigned datum_bytes(Format format) {
  switch (format) {
    case Format::fp32:
    case Format::tf32:
    case Format::int32: return 4;
    case Format::fp16:
    case Format::bf16: return 2;
    case Format::bfp8:
    case Format::int8: return 1;
  }
  return 0;
}

unsigned exponent_bytes(Format format) {
  return format == Format::bfp8 ? tile_datums / block_datums : 0;
}

std::uint32_t sign_magnitude(double number, unsigned sign_bit) {
  const auto magnitude = static_cast<std::uint32_t>(std::abs(number));
  return magnitude | (number < 0 ? 1U << sign_bit : 0);
}
double from_sign_magnitude(std::uint32_t bits, unsigned sign_bit) {
  const std::uint32_t sign = 1U << sign_bit;
  const double magnitude = bits & (sign - 1);
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

/// Normal numbers only.
std::uint32_t fp16_bits(double number) {
  if (number == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(number), &exponent);  // 0.5 to 1
  const auto mantissa = static_cast<std::uint32_t>((fraction * 2 - 1) * 1024);
  return (number < 0 ? 0x8000U : 0U) | static_cast<std::uint32_t>(exponent + 14) << 10U | mantissa;
}
double from_fp16(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10U & 31U);
  if (exponent == 0) return 0;
  const double magnitude = std::ldexp(1.0 + (bits & 1023U) / 1024.0, exponent - 15);
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

std::uint32_t bits_of(double number, Format format) {
  switch (format) {
    case Format::fp32:
    case Format::tf32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    case Format::bf16: return std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16U;
    case Format::fp16: return fp16_bits(number);
    case Format::bfp8: return sign_magnitude(number * bfp8_one, 7);
    case Format::int32: return sign_magnitude(number, 31);
    case Format::int8: return sign_magnitude(number, 7);
  }
  return 0;
}

double number_of(std::uint32_t bits, unsigned exponent, Format format) {
  switch (format) {
    case Format::fp32:
    case Format::tf32: return std::bit_cast<float>(bits);
    case Format::bf16: return std::bit_cast<float>(bits << 16U);
    case Format::fp16: return from_fp16(bits);
    case Format::bfp8:
      return std::ldexp(from_sign_magnitude(bits, 7) / bfp8_one, static_cast<int>(exponent) - int{exponent_of_one});
    case Format::int32: return from_sign_magnitude(bits, 31);
    case Format::int8: return from_sign_magnitude(bits, 7);
  }
  return 0;
}

/// Where an element's tile begins, and which datum of it it is.
struct Place {
  std::size_t tile;
  unsigned datum;
};
Place place_of(const Matrix& matrix, unsigned row, unsigned column) {
  const std::size_t tile = std::size_t{row / tile_size} * (matrix.columns / tile_size) + column / tile_size;
  const unsigned r = row % tile_size;
  const unsigned c = column % tile_size;
  const unsigned face = r / face_size * 2 + c / face_size;
  return {tile, face * face_size * face_size + r % face_size * face_size + c % face_size};
}

template <class Action>
void for_each(const Matrix& matrix, Action action) {
  for (unsigned row = 0; row < matrix.rows; ++row)
    for (unsigned column = 0; column < matrix.columns; ++column)
      action(row, column);
}

}  // namespace

std::uint32_t tile_bytes(Format format) {
  return exponent_bytes(format) + tile_datums * datum_bytes(format);
}

Bytes to_tiles(const Matrix& matrix, Format format) {
  Bytes bytes(matrix.numbers.size() / tile_datums * tile_bytes(format));
  for_each(matrix, [&](unsigned row, unsigned column) {
    const Place place = place_of(matrix, row, column);
    std::uint8_t* const tile = bytes.data() + place.tile * tile_bytes(format);
    if (format == Format::bfp8) tile[place.datum / block_datums] = exponent_of_one;
    const std::uint32_t bits = bits_of(matrix.at(row, column), format);
    std::memcpy(tile + exponent_bytes(format) + std::size_t{place.datum} * datum_bytes(format), &bits,
                datum_bytes(format));
  });
  return bytes;
}

Matrix from_tiles(const Bytes& bytes, unsigned rows, unsigned columns, Format format) {
  Matrix matrix(rows, columns);
  for_each(matrix, [&](unsigned row, unsigned column) {
    const Place place = place_of(matrix, row, column);
    const std::uint8_t* const tile = bytes.data() + place.tile * tile_bytes(format);
    std::uint32_t bits = 0;
    std::memcpy(&bits, tile + exponent_bytes(format) + std::size_t{place.datum} * datum_bytes(format),
                datum_bytes(format));
    matrix.at(row, column) = number_of(bits, tile[place.datum / block_datums], format);
  });
  return matrix;
}

Bytes to_rows(const Matrix& matrix) {
  Bytes bytes;
  for (const double number : matrix.numbers) {
    const std::uint32_t bits = bits_of(number, Format::bf16);
    bytes.push_back(static_cast<std::uint8_t>(bits));
    bytes.push_back(static_cast<std::uint8_t>(bits >> 8U));
  }
  return bytes;
}

Matrix from_rows(const Bytes& bytes, unsigned rows, unsigned columns) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < matrix.numbers.size(); ++i)
    matrix.numbers[i] = number_of(bytes[2 * i] | std::uint32_t{bytes[2 * i + 1]} << 8U, 0, Format::bf16);
  return matrix;
}

Matrix numbers(unsigned rows, unsigned columns, std::uint32_t seed, int largest, double unit) {
  Matrix matrix(rows, columns);
  std::uint32_t state = seed;
  for (double& number : matrix.numbers) {
    state = state * 1664525U + 1013904223U;
    number = unit * (static_cast<int>((state >> 8U) % (2 * static_cast<unsigned>(largest) + 1)) - largest);
  }
  return matrix;
}

}  // namespace tensim::test
