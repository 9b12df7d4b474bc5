#include "device/fault.hpp"

#include <array>

#include <fmt/format.h>

namespace tensim::device {

std::string_view name(Fault::Kind kind) {
  constexpr std::array<std::string_view, 3> names{"host_access", "core_stopped", "coprocessor"};
  return names[static_cast<std::size_t>(kind)];
}

std::string text_of(const Fault& fault) {
  std::string text = fmt::format("cycle {}", fault.cycle);
  if (fault.tile) text += fmt::format(", tile {},{}", fault.tile->x, fault.tile->y);
  std::string_view separator = ": ";
  for (const std::string& line : fault.lines) {
    text += fmt::format("{}{}", separator, line);
    separator = "\n  ";
  }
  return text;
}

}  // namespace tensim::device
