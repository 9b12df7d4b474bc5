// The words that a core goes round a loop for, and what would let it out of the loop, as far as the loop's own code says it:
// one round is followed, with the values that its registers have, up to the branch that would go elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tile/tile.hpp"

namespace tensim::explain {

/// What a word would have to be, in the bits of the mask.
struct Need {
  enum class Relation : std::uint8_t {
    equal,
    not_equal,
    at_least,  // or, where the program counts modulo something, to come to this value
    below,
  };
  Relation relation = Relation::equal;
  std::uint32_t value = 0;
  std::uint32_t mask = ~0U;

  bool operator==(const Need&) const = default;
};

/// Something that a core polls.
struct AwaitedWord {
  std::uint32_t address = 0;
  std::uint8_t size_bytes = 4;
  std::uint32_t value = 0;  // what it gives each time
  bool is_l1 = false;
  std::optional<Need> need = {};  // none: the loop does not say it in a way that is understood

  bool operator==(const AwaitedWord&) const = default;
};

/// Of a core that is asleep, each once, in the order of its loads. None if it polls nothing.
std::vector<AwaitedWord> awaited_words(const tile::Tile& tile, tile::CoreId core);

/// A value that the word would have if that which is needed had come.
std::uint32_t satisfied(const Need& need, std::uint32_t value);

}  // namespace tensim::explain
