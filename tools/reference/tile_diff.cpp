// Tiles of random numbers and of random bits on a reference and on our own tile: how many words of the results differ,
// for each format and operation that the reference takes.
// Usage: tensim-tile-diff LIBRARY [wormhole|blackhole] [TILES] [SEED]
#include <cstdio>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "reference/compare.hpp"
#include "reference/model_tile.hpp"
#include "reference/reference_tile.hpp"
#include "tools/reference/tile_program.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;
using enum DataFormat;

struct FormatCase {
  const char* name;
  TileFormats formats;
};

const std::array format_cases{
    FormatCase{"bf16", TileFormats::all(bf16)},
    FormatCase{"bf16, Dst fp32, out fp32", {bf16, bf16, bf16, bf16, fp32, fp32, true}},
    FormatCase{"bf16, Dst fp32, out bf16", {bf16, bf16, bf16, bf16, bf16, bf16, true}},
    FormatCase{"bf16, out bfp8", {bf16, bf16, bf16, bf16, bf16, bfp8}},
    FormatCase{"bf16, out bfp4", {bf16, bf16, bf16, bf16, bf16, bfp4}},
    FormatCase{"bf16, out bfp2", {bf16, bf16, bf16, bf16, bf16, bfp2}},
    FormatCase{"bf16, out fp32", {bf16, bf16, bf16, bf16, bf16, fp32}},
    FormatCase{"fp16", TileFormats::all(fp16)},
    FormatCase{"fp16, out bf16", {fp16, fp16, fp16, fp16, fp16, bf16}},
    FormatCase{"fp16, Dst fp32, out fp16", {fp16, fp16, fp16, fp16, fp32, fp16, true}},
    FormatCase{"bfp8", TileFormats::all(bfp8)},
    FormatCase{"bfp8, out bf16", {bfp8, bfp8, bfp8, bfp8, bf16, bf16}},
    FormatCase{"bfp4, out bf16", {bfp4, bfp4, bfp4, bfp4, bf16, bf16}},
    FormatCase{"bfp2, out bf16", {bfp2, bfp2, bfp2, bfp2, bf16, bf16}},
    FormatCase{"fp32 as tf32, Dst fp32", {fp32, fp32, tf32, tf32, fp32, fp32, true}},
    FormatCase{"fp32 as bf16", {fp32, fp32, bf16, bf16, bf16, bf16}},
    FormatCase{"fp32 as fp16", {fp32, fp32, fp16, fp16, fp16, fp16}},
    FormatCase{"fp8, out fp16", {fp8, fp8, fp8, fp8, fp16, fp16}},
    FormatCase{"int8, out int32", {int8, int8, int8, int8, int32, int32, true, true}},
    FormatCase{"int8, out int8", {int8, int8, int8, int8, int8, int8, true, true}},
    FormatCase{"bf16 and bfp8", {bf16, bfp8, bf16, bfp8, bf16, bf16}},
};

struct OperationCase {
  const char* name;
  TileOperation operation;
  unsigned phases;
};

constexpr std::array operation_cases{
    OperationCase{"MVMUL", TileOperation::multiply, 1},
    OperationCase{"MVMUL x4", TileOperation::multiply, 4},
    OperationCase{"ELWADD", TileOperation::add, 1},
    OperationCase{"ELWSUB", TileOperation::subtract, 1},
    OperationCase{"ELWMUL", TileOperation::multiply_datums, 1},
    OperationCase{"ELWMUL x4", TileOperation::multiply_datums, 4},
};

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

constexpr std::uint32_t base = GuestLayout::free_base;
constexpr std::uint32_t place_bytes = 4096 + 64;  // of the largest tile

/// Numbers that are neither tiny nor huge: products of random bits are infinite more often than not.
std::uint32_t moderate(DataFormat format, std::uint32_t word, std::uint32_t bits) {
  constexpr std::uint32_t exponent_words = 16;  // of block formats
  const std::uint32_t exponents = (bits & 0x07070707U) | 0x78787878U;
  switch (format) {
    case fp32: return (bits & 0x807FFFFFU) | (120U + (bits >> 23U & 15U)) << 23U;
    case bf16: return (bits & 0x87FF87FFU) | 0x3C003C00U;
    case fp16: return (bits & 0x9FFF9FFFU) | 0x20002000U;
    // A block format's negative zero is minus infinity: no magnitude is 0.
    case bfp8: return word < exponent_words ? exponents : bits | 0x01010101U;
    case bfp4: return word < exponent_words ? exponents : bits | 0x11111111U;
    case bfp2: return word < exponent_words ? exponents : bits | 0x55555555U;
    default: return bits;
  }
}

std::vector<std::uint32_t> random_inputs(std::mt19937& random, const TileFormats& formats, unsigned tiles,
                                         bool all_bits) {
  constexpr std::uint32_t place_words = place_bytes / 4;
  std::vector<std::uint32_t> inputs(std::size_t{2} * tiles * place_words);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const DataFormat format = i / place_words % 2 == 0 ? formats.left : formats.right;
    inputs[i] = all_bits ? bits : moderate(format, static_cast<std::uint32_t>(i % place_words), bits);
  }
  return inputs;
}

/// The same on any tile: inputs, set-up, tiles; then all that was written to.
template <class Tile>
std::variant<std::vector<std::uint8_t>, Error> results(Tile& tile, const FormatCase& format,
                                                       const OperationCase& operation,
                                                       std::span<const std::uint32_t> inputs, unsigned tiles) {
  if (auto error = tile.write_words(base, inputs)) return *error;
  if (auto error = tile.run(tile_set_up(tile.arch(), operation.operation, format.formats))) return *error;
  AccessLists lists;
  for (unsigned i = 0; i < tiles; ++i)
    add_tile(lists, tile.arch(), operation.operation, base + 2 * i * place_bytes, base + (2 * i + 1) * place_bytes,
             base + (2 * tiles + i) * place_bytes, operation.phases);
  if (auto error = tile.run(lists)) return *error;
  std::vector<std::uint8_t> bytes(std::size_t{tiles} * place_bytes);
  if (auto error = tile.read(base + 2 * tiles * place_bytes, bytes)) return *error;
  return bytes;
}

std::string verdict(const std::variant<std::vector<std::uint8_t>, Error>& ours,
                    const std::variant<std::vector<std::uint8_t>, Error>& theirs, unsigned tiles,
                    std::uint32_t tile_words) {
  if (const auto* error = std::get_if<Error>(&theirs)) return "reference: " + error->text;
  if (const auto* error = std::get_if<Error>(&ours)) return "ours: " + error->text;
  const Differences found = differences(std::get<0>(ours), std::get<0>(theirs), {});
  if (found.count == 0) return "the same";
  return fmt::format("{} of {} words differ, the first in tile {} word {}: {:#010x} here, {:#010x} in the reference",
                     found.count, tiles * tile_words, found.first / place_bytes, found.first % place_bytes / 4,
                     found.ours, found.theirs);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: tensim-tile-diff LIBRARY [wormhole|blackhole] [TILES] [SEED]");
  const auto arch = parse_arch(argc > 2 ? argv[2] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  const unsigned tiles = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 20;
  std::mt19937 random(argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)) : 1);
  auto opened = ReferenceTile::open({.library = argv[1], .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& reference = std::get<ReferenceTile>(opened);
  for (const FormatCase& format : format_cases)
    for (const OperationCase& operation : operation_cases)
      for (const bool all_bits : {false, true}) {
        const auto inputs = random_inputs(random, format.formats, tiles, all_bits);
        if (const auto error = reference.reopen()) fail(error->text);
        ModelTile model(*arch);
        const auto theirs = results(reference, format, operation, inputs, tiles);
        const auto ours = results(model, format, operation, inputs, tiles);
        fmt::print("{:<26} {:<10} {:<8} {}\n", format.name, operation.name, all_bits ? "any bits" : "moderate",
                   verdict(ours, theirs, tiles, bytes_of_tile(format.formats.out) / 4));
      }
  return 0;
}
