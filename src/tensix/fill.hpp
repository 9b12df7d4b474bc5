// What state holds that nobody has initialised: hardware promises nothing, so a run may ask for zeros, ones or noise.
// The noise is SplitMix64 (state += 0x9E3779B97F4A7C15, then two xor-shift-multiply rounds with 0xBF58476D1CE4E5B9 and
// 0x94D049BB133111EB and shifts of 30, 27 and 31), its state at first the seed. Each item takes the upper bits of one
// output, in this order: GPRs by thread and number; configuration words by bank and number, those from
// config_global_base_word up for bank 0 only, as they have one value; thread configuration by thread and word; MopCfg
// words by thread; replay slots by thread; then value and maximum of each semaphore. A seed means the same everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tensim::tensix {

struct Coprocessor;

struct Fill {
  enum class Kind : std::uint8_t { zero, ones, random };
  Kind kind = Kind::zero;
  std::uint64_t seed = 0;

  friend constexpr bool operator==(const Fill&, const Fill&) = default;
};

/// "zero", "ones" or "random:SEED", the seed decimal or hexadecimal (0x).
std::optional<Fill> parse_fill(std::string_view text);

/// Of a coprocessor that has not run. What is filled does not count as written.
void fill(Coprocessor& coprocessor, const Fill& with);

/// One step of SplitMix64.
std::uint64_t splitmix64(std::uint64_t& state);

}  // namespace tensim::tensix
