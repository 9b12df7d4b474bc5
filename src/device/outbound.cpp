#include "device/outbound.hpp"

#include <cstring>

namespace tensim::device {
namespace {

/// Registers of a region (DesignWare's iATU; tt-umd, TTSimTTDevice::configure_iatu_region).
struct Region {
  static constexpr std::size_t control = 0x04;
  static constexpr std::uint32_t is_on = 1U << 31U;
  static constexpr std::size_t base_low = 0x08;
  static constexpr std::size_t base_high = 0x0C;
  static constexpr std::size_t limit_low = 0x10;
  static constexpr std::size_t target_low = 0x14;
  static constexpr std::size_t target_high = 0x18;
  static constexpr std::size_t limit_high = 0x1C;  // Blackhole; Wormhole's limit has the base's upper half
};

// Wormhole: 4 GiB but for the last 128 KiB.
constexpr std::uint64_t wormhole_base = 0x8'0000'0000;
constexpr std::uint64_t wormhole_bytes = 0xFFFE'0000;
// Blackhole: 64 windows. The first four go past the iATU, the next four through it; the others are not modelled.
constexpr unsigned blackhole_window_bits = 58;
constexpr std::uint64_t blackhole_direct_windows = 4;
constexpr std::uint64_t blackhole_windows = 8;

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::uint64_t pair_at(std::span<const std::uint8_t> bytes, std::size_t low, std::size_t high) {
  return std::uint64_t{word_at(bytes, high)} << 32U | word_at(bytes, low);
}

std::uint64_t translated(Arch arch, std::span<const std::uint8_t> iatu, std::uint64_t address, std::size_t bytes) {
  for (; !iatu.empty(); iatu = iatu.subspan(outbound_region_bytes)) {
    if ((word_at(iatu, Region::control) & Region::is_on) == 0) continue;
    const std::uint64_t base = pair_at(iatu, Region::base_low, Region::base_high);
    const std::uint64_t limit = pair_at(iatu, Region::limit_low, on(arch, Region::base_high, Region::limit_high));
    if (address >= base && address <= limit && bytes - 1 <= limit - address)
      return pair_at(iatu, Region::target_low, Region::target_high) + (address - base);
  }
  return address;
}

/// At an address of its own; otherwise several, one behind the other from 0.
constexpr bool has_one_outbound_window(Arch arch) {
  return on(arch, true, false);
}

/// Whether [address, address + bytes) is within `size`.
bool fits(std::uint64_t address, std::size_t bytes, std::uint64_t size) {
  return bytes != 0 && address < size && bytes <= size - address;
}

}  // namespace

std::optional<std::uint64_t> outbound_address(Arch arch, std::span<const std::uint8_t> iatu, std::uint64_t noc_address,
                                              std::size_t bytes) {
  if (has_one_outbound_window(arch)) {
    const std::uint64_t offset = noc_address - wormhole_base;
    if (noc_address < wormhole_base || !fits(offset, bytes, wormhole_bytes)) return std::nullopt;
    return translated(arch, iatu, offset, bytes);
  }
  constexpr std::uint64_t window_bytes = std::uint64_t{1} << blackhole_window_bits;
  const std::uint64_t window = noc_address >> blackhole_window_bits;
  const std::uint64_t offset = noc_address & (window_bytes - 1);
  if (window >= blackhole_windows || !fits(offset, bytes, window_bytes)) return std::nullopt;
  return window < blackhole_direct_windows ? offset : translated(arch, iatu, offset, bytes);
}

}  // namespace tensim::device
