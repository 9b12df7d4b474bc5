// A field of the coprocessor's configuration, by the vendor's name. All names and places are those of the vendor's
// tensix_regs.json of either chip.
#pragma once

#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim {

struct ConfigField {
  struct Place {
    std::int16_t word = -1;  // -1: the chip does not have it
    std::uint8_t shift = 0;
    std::uint8_t width = 0;

    constexpr bool exists() const { return word >= 0; }
    constexpr std::uint32_t mask() const { return width == 32 ? ~0U : (1U << width) - 1U; }
    constexpr std::uint32_t bits() const { return mask() << shift; }  // of its word
    constexpr std::uint32_t get(std::uint32_t value) const { return value >> shift & mask(); }
  };

  std::string_view name;
  Place wormhole;
  Place blackhole;

  constexpr const Place& on(Arch arch) const { return *tensim::on(arch, &wormhole, &blackhole); }
};

}  // namespace tensim
