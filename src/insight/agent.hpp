// Who can wait, or be waited for.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "tile/access.hpp"

namespace tensim::insight {

struct Agent {
  enum class Kind : std::uint8_t { thread, unpacker, packer, scalar_unit, core };
  Kind kind = Kind::thread;
  /// Of the thread, the unpacker or the core (tile::CoreId). Whoever asks a register for the Scalar Unit has none.
  std::optional<unsigned> number = {};

  static constexpr Agent of_thread(unsigned thread) { return {Kind::thread, thread}; }
  static constexpr Agent of_unpacker(unsigned unpacker) { return {Kind::unpacker, unpacker}; }
  static constexpr Agent of_core(tile::CoreId core) { return {Kind::core, static_cast<unsigned>(core)}; }

  /// A job of that unpacker, not the request of one to a register.
  constexpr bool is_unpacker() const { return kind == Kind::unpacker && number.has_value(); }

  friend constexpr auto operator<=>(const Agent&, const Agent&) = default;
};

}  // namespace tensim::insight
