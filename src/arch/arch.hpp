// The chips tensim knows. Everything that differs between them is data in arch/ or rows in isa/table/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tensim {

enum class Arch : std::uint8_t { wormhole, blackhole };

inline constexpr std::array all_archs{Arch::wormhole, Arch::blackhole};

/// The chip's of these values. One more chip is one more value, and does not compile where that is missing.
template <class T>
constexpr T on(Arch arch, T wormhole, T blackhole) {
  switch (arch) {
    case Arch::wormhole: return wormhole;
    case Arch::blackhole: return blackhole;
  }
  __builtin_unreachable();
}

/// Calls `function` with the chip as its template argument: what it asks of tables is then known at compile time.
template <class Function>
[[gnu::always_inline]] constexpr decltype(auto) with_arch(Arch arch, Function&& function) {
  switch (arch) {
    case Arch::wormhole: return function.template operator()<Arch::wormhole>();
    case Arch::blackhole: return function.template operator()<Arch::blackhole>();
  }
  __builtin_unreachable();
}

constexpr std::string_view name(Arch arch) {
  return on<std::string_view>(arch, "wormhole", "blackhole");
}

/// Accepts the full name and the customary short one ("wh", "bh").
constexpr std::optional<Arch> parse_arch(std::string_view text) {
  if (text == "wormhole" || text == "wh") return Arch::wormhole;
  if (text == "blackhole" || text == "bh") return Arch::blackhole;
  return std::nullopt;
}

/// Which architectures a row applies to.
class ArchSet {
 public:
  constexpr ArchSet() = default;
  constexpr ArchSet(Arch arch) : bits_(bit(arch)) {}  // NOLINT(google-explicit-constructor): a row names one arch

  constexpr bool contains(Arch arch) const { return (bits_ & bit(arch)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr ArchSet operator|(ArchSet a, ArchSet b) {
    ArchSet both;
    both.bits_ = a.bits_ | b.bits_;
    return both;
  }

 private:
  static constexpr unsigned bit(Arch arch) { return 1U << static_cast<unsigned>(arch); }
  unsigned bits_ = 0;
};

}  // namespace tensim
