// A thread-id of the protocol.
#pragma once

#include <optional>
#include <string_view>

#include "debug/packet.hpp"
#include "tile/access.hpp"

namespace tensim::debug {

struct ThreadChoice {
  std::optional<tile::CoreId> core;  // nothing: all of them, or any
};

/// "-1" and "0" choose no particular one; nothing if there is no such thread.
inline std::optional<ThreadChoice> thread_choice(std::string_view text) {
  if (text == "-1") return ThreadChoice{};
  const auto id = whole_number(text);
  if (!id || *id > tile::core_count) return std::nullopt;
  if (*id == 0) return ThreadChoice{};
  return ThreadChoice{static_cast<tile::CoreId>(*id - 1)};
}

}  // namespace tensim::debug
