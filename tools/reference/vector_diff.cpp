// Cases of the Vector Unit on a reference and on our tile: how many lanes differ, for each instruction and mode that the
// reference takes.
// LANES are compared for each instruction and mode, over all cases that have it.
// Usage: tensim-vector-diff LIBRARY [wormhole|blackhole] [LANES] [SEED] [NAME]
//        tensim-vector-diff LIBRARY ARCH --vectors   (rows for tests/vectors/vector.tsv)
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "reference/model_tile.hpp"
#include "reference/reference_tile.hpp"
#include "tools/reference/vector_cases.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

struct Comparison {
  std::uint64_t lanes = 0;
  std::uint64_t different = 0;
  std::string first;
  std::string error;
};

Comparison failed(const std::string& why) {
  Comparison found;
  found.error = why;
  return found;
}

void compare(Comparison& found, std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
             std::span<const std::uint32_t> ours, std::span<const std::uint32_t> theirs) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ++found.lanes;
    if (ours[i] == theirs[i]) continue;
    if (found.different++ == 0)
      found.first =
          fmt::format("L0 {:#010x}, L1 {:#010x}, L2 {:#010x}: {:#010x} here, {:#010x} in the reference", left[i],
                      right[i], right[i / vector_tile_words * vector_tile_words], ours[i], theirs[i]);
  }
}

Comparison run_case(ReferenceTile& reference, const VectorCase& one, std::uint64_t lanes, std::uint32_t seed) {
  Comparison found;
  const Arch arch = reference.arch();
  if (const auto error = reference.reopen()) return failed("reference: " + error->text);
  if (const auto error = reference.run(vector_case_set_up(arch))) return failed("reference: " + error->text);
  ModelTile model(arch);
  if (const auto error = model.run(vector_case_set_up(arch))) return failed("ours: " + error->text);
  while (found.lanes < lanes / one.share) {
    const auto left = vector_inputs(seed++, vector_layout::most_tiles);
    const auto right = vector_inputs(seed++, vector_layout::most_tiles);
    const auto theirs = vector_results(reference, arch, one, left, right);
    if (const auto* error = std::get_if<Error>(&theirs)) return failed("reference: " + error->text);
    const auto ours = vector_results(model, arch, one, left, right);
    if (const auto* error = std::get_if<Error>(&ours)) return failed("ours: " + error->text);
    compare(found, left, right, std::get<0>(ours), std::get<0>(theirs));
  }
  return found;
}

/// A row of expectations, taken from the reference.
void print_vectors(ReferenceTile& reference, const VectorCase& one) {
  constexpr std::uint32_t seed = 1;
  constexpr unsigned tiles = 2;
  const Arch arch = reference.arch();
  if (reference.reopen() || reference.run(vector_case_set_up(arch))) return;
  const auto left = vector_inputs(seed, tiles);
  const auto right = vector_inputs(seed + 1, tiles);
  const auto found = vector_results(reference, arch, one, left, right);
  if (std::holds_alternative<Error>(found)) return;
  const auto& words = std::get<0>(found);
  fmt::print("{}\t{}\t{}\t{:016x}", arch == Arch::wormhole ? "wormhole" : "blackhole", one.name, seed,
             hash_of_words(words));
  constexpr unsigned shown = 8;
  for (unsigned i = 0; i < shown; ++i)
    fmt::print("\t{:08x},{:08x},{:08x}", left[i], right[i], words[i]);
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: tensim-vector-diff LIBRARY [wormhole|blackhole] [LANES|--vectors] [SEED] [NAME]");
  const auto arch = parse_arch(argc > 2 ? argv[2] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  const bool vectors = argc > 3 && std::strcmp(argv[3], "--vectors") == 0;
  const std::uint64_t lanes = argc > 3 && !vectors ? std::strtoull(argv[3], nullptr, 10) : 100'000;
  const auto seed = argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)) : 1U;
  auto opened = ReferenceTile::open({.library = argv[1], .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& reference = std::get<ReferenceTile>(opened);
  for (const VectorCase& one : vector_cases()) {
    if (!is_on(one, *arch) || (argc > 5 && one.name.find(argv[5]) == std::string::npos)) continue;
    if (vectors) {
      print_vectors(reference, one);
      continue;
    }
    const Comparison found = run_case(reference, one, lanes, seed);
    fmt::print("{:<48} {:>8} lanes, {}\n", one.name, found.lanes,
               !found.error.empty()   ? found.error
               : found.different == 0 ? "the same"
                                      : fmt::format("{} differ; {}", found.different, found.first));
    std::fflush(stdout);
  }
  return 0;
}
