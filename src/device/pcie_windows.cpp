#include "device/pcie_windows.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tensim::device {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

constexpr std::array wormhole_classes{
    WindowClass{.bar = Bar::bar0, .base = 0, .first = 0, .count = 156, .window_bits = 20, .address_bits = 16},
    WindowClass{
        .bar = Bar::bar0, .base = 156 * mebibyte, .first = 156, .count = 10, .window_bits = 21, .address_bits = 15},
    WindowClass{
        .bar = Bar::bar0, .base = 176 * mebibyte, .first = 166, .count = 20, .window_bits = 24, .address_bits = 12},
};

constexpr std::array blackhole_classes{
    WindowClass{.bar = Bar::bar0, .base = 0, .first = 0, .count = 202, .window_bits = 21, .address_bits = 43},
    WindowClass{.bar = Bar::bar4, .base = 0, .first = 202, .count = 8, .window_bits = 32, .address_bits = 32},
};

constexpr std::array layouts{
    WindowLayout{.classes = wormhole_classes,
                 .register_bytes = 8,
                 .register_count = 186,
                 .strided_count = 0,
                 .multicast_bit = 25},
    WindowLayout{.classes = blackhole_classes,
                 .register_bytes = 12,
                 .register_count = 210,
                 .strided_count = 32,
                 .multicast_bit = 26},
};

}  // namespace

const WindowLayout& window_layout(Arch arch) {
  static_assert(layouts.size() == all_archs.size());
  return layouts[static_cast<std::size_t>(arch)];
}

Windows::Windows(Arch arch)
    : layout_(&window_layout(arch)),
      register_bytes_(std::size_t{layout_->register_count} * layout_->register_bytes +
                      std::size_t{layout_->strided_count} * sizeof(std::uint32_t)),
      registers_(register_bytes_ + sizeof(std::uint64_t)) {}

/// `bits` bits, at most 57, from bit `bit` on of a window's register.
std::uint64_t Windows::field(unsigned number, unsigned bit, unsigned bits) const {
  const std::size_t first = std::size_t{number} * layout_->register_bytes + bit / 8;
  std::uint64_t value = 0;
  std::memcpy(&value, registers_.data() + first, sizeof value);  // guest and host are little-endian
  return value >> (bit % 8) & ((std::uint64_t{1} << bits) - 1);
}

bool Windows::is_strided(unsigned number) const {
  if (number >= layout_->strided_count) return false;
  const std::size_t strided = std::size_t{layout_->register_count} * layout_->register_bytes;
  const auto word = std::span(registers_).subspan(strided + sizeof(std::uint32_t) * number, sizeof(std::uint32_t));
  return std::ranges::any_of(word, [](std::uint8_t byte) { return byte != 0; });
}

std::optional<WindowTarget> Windows::target(Bar bar, std::uint64_t offset, std::uint64_t bytes) const {
  for (const WindowClass& row : layout_->classes) {
    const std::uint64_t size = std::uint64_t{1} << row.window_bits;
    if (bar != row.bar || offset < row.base || offset - row.base >= size * row.count) continue;
    const std::uint64_t within = (offset - row.base) & (size - 1);
    if (bytes > size - within) return std::nullopt;
    const unsigned number = row.first + static_cast<unsigned>((offset - row.base) >> row.window_bits);
    const std::uint64_t rest = field(number, row.address_bits, WindowFields::bits);
    const auto coordinate = [rest](unsigned bit) {
      return static_cast<std::uint32_t>(rest >> bit & ((1U << WindowFields::coordinate_bits) - 1));
    };
    return WindowTarget{.is_multicast = (rest >> layout_->multicast_bit & 1U) != 0,
                        .noc = static_cast<unsigned>(rest >> WindowFields::noc & 1U),
                        .tiles = {.start = {coordinate(WindowFields::x_start), coordinate(WindowFields::y_start)},
                                  .end = {coordinate(WindowFields::x_end), coordinate(WindowFields::y_end)}},
                        .address = field(number, 0, row.address_bits) << row.window_bits | within,
                        .number = number};
  }
  return std::nullopt;
}

}  // namespace tensim::device
