// How we know a fact. Truth comes in this order (docs/hardware/): silicon, our rulings, the ISA documentation, shipped
// headers and firmware. What nobody documents is chosen, and says so.
#pragma once

#include <cstdint>
#include <string_view>

namespace tensim {

enum class Evidence : std::uint8_t { documented, measured, assumed };

constexpr std::string_view name(Evidence evidence) {
  switch (evidence) {
    case Evidence::documented: return "documented";
    case Evidence::measured: return "measured";
    case Evidence::assumed: return "assumed";
  }
  return "?";
}

}  // namespace tensim
