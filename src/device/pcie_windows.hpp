// Windows of the host's address space on tiles (TLBs), each with a register that says where it points. As data: how many
// of which size, and where the fields of their registers are. Pages: PCIExpressTile/TLBs.md (Wormhole),
// PCIExpressTile/HostToDeviceTLBs.md (Blackhole).
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "arch/arch.hpp"
#include "device/device.hpp"

namespace tensim::device {

enum class Bar : std::uint8_t { bar0, bar2, bar4 };
inline constexpr unsigned bar_count = 3;

/// Windows of one size, one behind the other.
struct WindowClass {
  Bar bar;
  std::uint64_t base;  // of the first, in its BAR
  unsigned first;      // its register's number
  unsigned count;
  unsigned window_bits;   // 2 to the power of that is the size
  unsigned address_bits;  // of the register: the address, without its window_bits lowest; the other fields follow
};

struct WindowLayout {
  std::span<const WindowClass> classes;
  unsigned register_bytes;
  unsigned register_count;
  unsigned strided_count;  // words behind the registers, for multicasts that leave tiles out
  unsigned multicast_bit;  // behind the address
};

/// Behind the address, on both chips.
struct WindowFields {
  static constexpr unsigned x_end = 0;
  static constexpr unsigned y_end = 6;
  static constexpr unsigned x_start = 12;
  static constexpr unsigned y_start = 18;
  static constexpr unsigned coordinate_bits = 6;
  static constexpr unsigned noc = 24;
  static constexpr unsigned bits = 32;  // as many as are looked at
};

inline constexpr std::uint64_t window_registers = 0x1FC00000;  // in BAR0

const WindowLayout& window_layout(Arch arch);

/// Where an access through a window goes.
struct WindowTarget {
  bool is_multicast = false;
  unsigned noc = 0;
  Rectangle tiles;  // one tile: its end
  std::uint64_t address = 0;
  unsigned number = 0;  // of the window
};

/// All registers of a chip's windows, as bytes.
class Windows {
 public:
  explicit Windows(Arch arch);

  /// Whoever writes there tells touch().
  std::span<std::uint8_t> registers() { return std::span(registers_).first(register_bytes_); }
  void touch() { ++version_; }
  /// False if it is not one word of the registers.
  bool write_word(std::uint64_t at, std::span<const std::uint8_t> from) {
    constexpr std::size_t word = sizeof(std::uint32_t);
    if (from.size() != word || at > register_bytes_ - word) return false;
    if (std::memcmp(registers_.data() + at, from.data(), word) == 0) return true;
    std::memcpy(registers_.data() + at, from.data(), word);
    touch();
    return true;
  }
  /// Another one whenever a window may point elsewhere than before.
  std::uint64_t version() const { return version_; }
  /// Nothing if no window is there, or the access reaches beyond its end.
  std::optional<WindowTarget> target(Bar bar, std::uint64_t offset, std::uint64_t bytes) const;
  /// The window leaves tiles out of a multicast.
  bool is_strided(unsigned number) const;

 private:
  std::uint64_t field(unsigned number, unsigned bit, unsigned bits) const;

  const WindowLayout* layout_;
  std::size_t register_bytes_;
  std::uint64_t version_ = 1;
  std::vector<std::uint8_t> registers_;  // and room behind them, so that eight bytes can be taken anywhere
};

}  // namespace tensim::device
