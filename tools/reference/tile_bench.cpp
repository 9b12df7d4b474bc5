// Multiplies and adds tiles of random BF16 on a reference, checks them against sums in double, and says how long a tile
// takes. Usage: tensim-tile-bench LIBRARY [wormhole|blackhole] [TILES]
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "reference/reference_tile.hpp"
#include "tools/reference/tile_program.hpp"
#include "tools/reference/vector_program.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;

constexpr std::uint32_t tile_bytes = 2 * tile_datums;  // of BF16
using TileData = std::array<std::uint16_t, tile_datums>;

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

void expect(const std::optional<Error>& error) {
  if (error) fail(fmt::format("{}: {}", name(error->kind), error->text));
}

double value(std::uint16_t datum) {
  return std::bit_cast<float>(std::uint32_t{datum} << 16U);
}

unsigned place(unsigned row, unsigned column) {
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

TileData random_tile(std::mt19937& random) {
  TileData tile{};
  for (std::uint16_t& datum : tile)
    datum = static_cast<std::uint16_t>((random() & 0x8000U) | 126U << 7U | (random() & 0x7FU));
  return tile;
}

double expected(TileOperation operation, const TileData& left, const TileData& right, unsigned row, unsigned column) {
  const double a = value(left[place(row, column)]);
  const double b = value(right[place(row, column)]);
  if (operation == TileOperation::add) return a + b;
  if (operation == TileOperation::multiply_datums) return a * b;
  double sum = 0;
  for (unsigned k = 0; k < 32; ++k)
    sum += value(left[place(row, k)]) * value(right[place(k, column)]);
  return sum;
}

/// The largest difference, to show that the set-up is right: bits are compared elsewhere.
double largest_difference(TileOperation operation, const TileData& left, const TileData& right, const TileData& out) {
  double largest = 0;
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned column = 0; column < 32; ++column)
      largest =
          std::max(largest, std::abs(expected(operation, left, right, row, column) - value(out[place(row, column)])));
  return largest;
}

void write_tile(ReferenceTile& tile, std::uint32_t address, const TileData& data) {
  std::array<std::uint8_t, tile_bytes> bytes{};
  std::memcpy(bytes.data(), data.data(), bytes.size());
  expect(tile.write(address, bytes));
}

void run(ReferenceTile& tile, TileOperation operation, unsigned tiles, unsigned phases) {
  std::mt19937 random(1);
  std::vector<TileData> inputs(std::size_t{2} * tiles);
  constexpr std::uint32_t base = GuestLayout::free_base;
  const auto input = [&](unsigned i) { return base + i * tile_bytes; };
  const auto output = [&](unsigned i) { return base + (2 * tiles + i) * tile_bytes; };
  for (unsigned i = 0; i < 2 * tiles; ++i)
    write_tile(tile, input(i), inputs[i] = random_tile(random));
  expect(tile.run(tile_set_up(tile.arch(), operation)));
  AccessLists lists;
  for (unsigned i = 0; i < tiles; ++i)
    add_tile(lists, tile.arch(), operation, input(2 * i), input(2 * i + 1), output(i), phases);
  const auto start = std::chrono::steady_clock::now();
  expect(tile.run(lists));
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  double largest = 0;
  for (unsigned i = 0; i < tiles; ++i) {
    TileData out{};
    std::array<std::uint8_t, tile_bytes> bytes{};
    expect(tile.read(output(i), bytes));
    std::memcpy(out.data(), bytes.data(), bytes.size());
    largest = std::max(largest,
                       largest_difference(operation, inputs[std::size_t{2} * i], inputs[std::size_t{2} * i + 1], out));
  }
  constexpr std::array names{"multiply", "add", "subtract", "multiply datums"};
  fmt::print("{}, {} phases, {} tiles: {:.1f} us each, largest difference {}\n",
             names[static_cast<unsigned>(operation)], phases, tiles, time.count() / tiles, largest);
}

/// a * b + a on random words that are numbers of moderate size: host arithmetic has the same bits but for the last.
void run_vectors(ReferenceTile& tile, unsigned tiles) {
  std::mt19937 random(3);
  constexpr std::uint32_t base = GuestLayout::free_base;
  const auto place = [&](unsigned i) { return base + i * vector_tile_bytes; };
  std::vector<std::array<std::uint32_t, vector_tile_words>> inputs(std::size_t{2} * tiles);
  for (unsigned i = 0; i < 2 * tiles; ++i) {
    for (std::uint32_t& word : inputs[i])
      word = static_cast<std::uint32_t>((random() & 0x807FFFFFU) | (120U + random() % 16) << 23U);
    expect(tile.write_words(place(i), inputs[i]));
  }
  AccessLists lists;
  for (unsigned i = 0; i < tiles; ++i)
    add_vectors(lists, tile.arch(), "SFPMAD VA=L0, VB=L1, VC=L0, VD=L0\nSFPNOP", place(2 * i), place(2 * i + 1),
                place(2 * tiles + i));
  const auto start = std::chrono::steady_clock::now();
  expect(tile.run(lists));
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  unsigned others = 0;
  for (unsigned i = 0; i < tiles; ++i) {
    std::array<std::uint8_t, vector_tile_bytes> bytes{};
    expect(tile.read(place(2 * tiles + i), bytes));
    for (unsigned lane = 0; lane < vector_tile_words; ++lane) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + sizeof word * lane, sizeof word);
      const auto a = std::bit_cast<float>(inputs[std::size_t{2} * i][lane]);
      const auto b = std::bit_cast<float>(inputs[std::size_t{2} * i + 1][lane]);
      others += word != std::bit_cast<std::uint32_t>(std::fma(a, b, a)) ? 1U : 0U;
    }
  }
  fmt::print("SFPMAD {} tiles: {:.1f} us each, {} of {} lanes unlike a fused multiply-add\n", tiles,
             time.count() / tiles, others, tiles * vector_tile_words);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: tensim-tile-bench LIBRARY [wormhole|blackhole] [TILES]");
  const auto arch = parse_arch(argc > 2 ? argv[2] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  const unsigned tiles = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 100;
  auto opened = ReferenceTile::open({.library = argv[1], .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& tile = std::get<ReferenceTile>(opened);
  run(tile, TileOperation::add, tiles, 1);
  run(tile, TileOperation::multiply_datums, tiles, 4);
  for (unsigned phases = 1; phases <= 4; ++phases)
    run(tile, TileOperation::multiply, tiles, phases);
  expect(tile.reopen());
  expect(tile.run(vector_set_up(*arch)));
  run_vectors(tile, tiles);
  return 0;
}
