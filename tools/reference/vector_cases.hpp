// Cases of the Vector Unit, and words for their lanes: what vector_diff compares with a reference, and what the hashes in
// tests/vectors/vector.tsv are of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/access_list.hpp"
#include "reference/error.hpp"

namespace tensim::reference {

/// Assembly that turns L0 and L1 into L0. L2 holds 32 words that all groups of a tile share.
struct VectorCase {
  std::string name;
  std::string text;
  enum class Chips : std::uint8_t { both, wormhole, blackhole } chips = Chips::both;
  unsigned share = 1;  // so many cases have this instruction and mode
};

std::span<const VectorCase> vector_cases();
bool is_on(const VectorCase& one, Arch arch);

/// Words for `tiles` tiles: any bits, numbers near one, small integers, special values.
std::vector<std::uint32_t> vector_inputs(std::uint32_t seed, unsigned tiles);

/// What the lists for some tiles leave in L1, one after the other. `Tile` is a ReferenceTile or a ModelTile.
template <class Tile>
std::variant<std::vector<std::uint32_t>, Error> vector_results(Tile& tile, Arch arch, const VectorCase& one,
                                                               std::span<const std::uint32_t> left,
                                                               std::span<const std::uint32_t> right);

std::uint64_t hash_of_words(std::span<const std::uint32_t> words);

}  // namespace tensim::reference

#include "tools/reference/vector_results.hpp"  // IWYU pragma: export
