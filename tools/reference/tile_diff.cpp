// Tiles of random numbers and of random bits on a reference and on our own tile: how many words of the results differ,
// for each format and operation that the reference takes. With --vectors: a line for tests/vectors/tiles.tsv of each.
// Usage: tensim-tile-diff LIBRARY [wormhole|blackhole] [TILES] [SEED] [--vectors]
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "reference/compare.hpp"
#include "reference/model_tile.hpp"
#include "reference/reference_tile.hpp"
#include "tools/reference/tile_cases.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;
using Results = std::variant<std::vector<std::uint8_t>, Error>;

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

std::string verdict(const Results& ours, const Results& theirs, unsigned tiles, std::uint32_t tile_words) {
  if (const auto* error = std::get_if<Error>(&theirs)) return "reference: " + error->text;
  if (const auto* error = std::get_if<Error>(&ours)) return "ours: " + error->text;
  const Differences found = differences(std::get<0>(ours), std::get<0>(theirs), {});
  if (found.count == 0) return "the same";
  return fmt::format("{} of {} words differ, the first in tile {} word {}: {:#010x} here, {:#010x} in the reference",
                     found.count, tiles * tile_words, found.first / tile_place_bytes,
                     found.first % tile_place_bytes / 4, found.ours, found.theirs);
}

}  // namespace

int main(int argc, char** argv) {
  const bool makes_vectors = argc > 1 && std::strcmp(argv[argc - 1], "--vectors") == 0;
  if (makes_vectors) --argc;
  if (argc < 2) fail("usage: tensim-tile-diff LIBRARY [wormhole|blackhole] [TILES] [SEED] [--vectors]");
  const auto arch = parse_arch(argc > 2 ? argv[2] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  const unsigned tiles = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 20;
  std::uint32_t seed = argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)) : 1;
  auto opened = ReferenceTile::open({.library = argv[1], .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& reference = std::get<ReferenceTile>(opened);
  for (const FormatCase& format : format_cases())
    for (const OperationCase& operation : operation_cases())
      for (const bool all_bits : {false, true}) {
        const auto inputs = tile_inputs(++seed, format.formats, tiles, all_bits);
        if (const auto error = reference.reopen()) fail(error->text);
        const Results theirs = tile_results(reference, format, operation, inputs, tiles);
        if (makes_vectors) {
          if (const auto* bytes = std::get_if<0>(&theirs))
            fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{:016x}\n", name(*arch), format.name, operation.name,
                       all_bits ? "any bits" : "moderate", tiles, seed, hash_of(*bytes));
          continue;
        }
        ModelTile model(*arch);
        const Results ours = tile_results(model, format, operation, inputs, tiles);
        fmt::print("{:<26} {:<10} {:<8} {}\n", format.name, operation.name, all_bits ? "any bits" : "moderate",
                   verdict(ours, theirs, tiles, bytes_of_tile(format.formats.out) / 4));
      }
  return 0;
}
