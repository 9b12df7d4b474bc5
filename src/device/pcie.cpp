#include "device/pcie.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tensim::device {
namespace {

/// What differs between the cards.
struct Card {
  std::uint32_t id;  // of device, then of vendor
  std::array<std::uint64_t, bar_count> bar_bytes;
  std::optional<std::uint64_t> bar4_shows;  // Wormhole: BAR4 is this part of BAR0
  std::uint64_t iatu;                       // in BAR2
};
constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
constexpr std::array cards{
    Card{.id = 0x401E1E52,
         .bar_bytes = {512 * mebibyte, mebibyte, 32 * mebibyte},
         .bar4_shows = 480 * mebibyte,
         .iatu = 0x1200},
    Card{.id = 0xB1401E52,
         .bar_bytes = {512 * mebibyte, mebibyte, 32768 * mebibyte},
         .bar4_shows = std::nullopt,
         .iatu = 0x1000},
};
static_assert(cards.size() == all_archs.size());
const Card& card(Arch arch) {
  return cards[static_cast<std::size_t>(arch)];
}

constexpr std::uint32_t bar_is_64_bit = 0x4;
constexpr std::uint32_t nobody = 0xFFFFFFFF;
constexpr std::uint8_t all_ones = 0xFF;  // a read that failed

// Configuration space, type 0 header.
constexpr std::uint32_t config_id = 0x00;
constexpr std::uint32_t config_command = 0x04;
constexpr std::uint32_t config_class = 0x08;
constexpr std::uint32_t config_first_bar = 0x10;
constexpr std::uint32_t config_bytes = 0x100;
constexpr std::uint32_t command_memory_and_master = 0x6;
constexpr std::uint32_t class_accelerator = 0x12000000;

/// Parts of BAR0 that always show the same: a tile's registers or memory, as that NoC sees them.
struct FixedWindow {
  std::uint64_t base;
  std::uint64_t bytes;
  Coordinates (FloorPlan::*tile)() const;
  unsigned noc;
  std::uint64_t address;
};
// ARCTile/README.md: its memory, its registers.
constexpr std::array wormhole_fixed{
    FixedWindow{0x1FE8'0000, 0x8'0000, &FloorPlan::arc, 0, 0x8'1000'0000},
    FixedWindow{0x1FF0'0000, 0x10'0000, &FloorPlan::arc, 0, 0x8'8000'0000},
};
// PCIExpressTile/README.md: its own NIUs. ARC is not there: it is behind the chip's other PCIe tile.
constexpr std::array blackhole_fixed{
    FixedWindow{0x1FD0'4000, 0x2000, &FloorPlan::pcie, 0, 0xFFFF'FFFF'FF00'0000},
    FixedWindow{0x1FD1'4000, 0x2000, &FloorPlan::pcie, 1, 0xFFFF'FFFF'FF00'0000},
};
std::span<const FixedWindow> fixed_windows(Arch arch) {
  return on<std::span<const FixedWindow>>(arch, wormhole_fixed, blackhole_fixed);
}

}  // namespace

Pcie::Pcie(Device& device) : device_(&device), windows_(device.arch()), iatu_(outbound_bytes) {
  device.host = this;
}

Pcie::~Pcie() {
  if (device_->host == this) device_->host = nullptr;
}

std::uint32_t Pcie::read_config(std::uint32_t bus_device_function, std::uint32_t offset) {
  if (bus_device_function != 0) return nobody;
  if (offset % 4 != 0 || offset >= config_bytes) {
    device_->add_host_fault(std::nullopt, fmt::format("the host reads {:#x} of configuration space", offset));
    return nobody;
  }
  if (offset == config_id) return card(device_->arch()).id;
  if (offset == config_command) return command_memory_and_master;
  if (offset == config_class) return class_accelerator;
  const std::uint32_t word = (offset - config_first_bar) / 4;
  if (offset < config_first_bar || word >= 2 * bar_count) return 0;
  const std::uint64_t base = bar_bases[word / 2];
  return word % 2 == 0 ? static_cast<std::uint32_t>(base) | bar_is_64_bit : static_cast<std::uint32_t>(base >> 32U);
}

void Pcie::write_config(std::uint32_t bus_device_function, std::uint32_t offset) {
  device_->add_host_fault(
      std::nullopt, fmt::format("the host writes to {:#x} of configuration space of device {:#x}: not modelled", offset,
                                bus_device_function));
}

std::optional<Pcie::Place> Pcie::place_of(std::uint64_t address, std::size_t bytes) const {
  const Card& here = card(device_->arch());
  for (unsigned bar = 0; bar < bar_count; ++bar) {
    const std::uint64_t offset = address - bar_bases[bar];
    if (address < bar_bases[bar] || offset >= here.bar_bytes[bar] || bytes > here.bar_bytes[bar] - offset) continue;
    if (static_cast<Bar>(bar) == Bar::bar4 && here.bar4_shows) return Place{Bar::bar0, offset + *here.bar4_shows};
    return Place{static_cast<Bar>(bar), offset};
  }
  return std::nullopt;
}

std::span<std::uint8_t> Pcie::registers_at(const Place& place, std::size_t bytes) {
  const auto part = [&](std::span<std::uint8_t> all, std::uint64_t base) -> std::span<std::uint8_t> {
    if (place.offset < base || place.offset - base >= all.size() || bytes > all.size() - (place.offset - base))
      return {};
    return all.subspan(place.offset - base, bytes);
  };
  if (place.bar == Bar::bar0) return part(windows_.registers(), window_registers);
  if (place.bar == Bar::bar2) return part(iatu_, card(device_->arch()).iatu);
  return {};
}

std::optional<WindowTarget> Pcie::target_of(const Place& place, std::size_t bytes) const {
  const auto target = windows_.target(place.bar, place.offset, bytes);
  if (target || place.bar != Bar::bar0) return target;
  for (const FixedWindow& window : fixed_windows(device_->arch())) {
    const std::uint64_t within = place.offset - window.base;
    if (place.offset < window.base || within >= window.bytes || bytes > window.bytes - within) continue;
    const FloorPlan& plan = device_->plan();
    const Coordinates tile = plan.translated((plan.*window.tile)());  // the same on both NoCs
    return WindowTarget{.noc = window.noc, .tiles = {.start = tile, .end = tile}, .address = window.address + within};
  }
  return std::nullopt;
}

std::optional<std::string> Pcie::read_host(std::uint64_t address, std::span<std::uint8_t> to) {
  if (host_memory_.read == nullptr) return "no host memory is behind it";
  const auto target = outbound_address(device_->arch(), iatu_, address, to.size());
  if (!target) return "not modelled yet";
  host_memory_.read(*target, to.data(), static_cast<std::uint32_t>(to.size()));
  return std::nullopt;
}

std::optional<std::string> Pcie::write_host(std::uint64_t address, std::span<const std::uint8_t> from) {
  if (host_memory_.write == nullptr) return "no host memory is behind it";
  const auto target = outbound_address(device_->arch(), iatu_, address, from.size());
  if (!target) return "not modelled yet";
  host_memory_.write(*target, from.data(), static_cast<std::uint32_t>(from.size()));
  return std::nullopt;
}

void Pcie::fault(const char* what, std::uint64_t address, std::size_t bytes) {
  const auto place = place_of(address, bytes);
  device_->add_host_fault(std::nullopt,
                          !place ? fmt::format("the host {} {:#x} ({} bytes): not in a BAR", what, address, bytes)
                                 : fmt::format("the host {} BAR{} at {:#x} ({} bytes): neither inside one window nor a "
                                               "register that is modelled",
                                               what, 2 * static_cast<unsigned>(place->bar), place->offset, bytes));
}

void Pcie::read_fault(std::uint64_t address, std::span<std::uint8_t> to) {
  std::ranges::fill(to, all_ones);
  fault("reads from", address, to.size());
}

void Pcie::read_anywhere(std::uint64_t address, std::span<std::uint8_t> to) {
  if (to.empty()) return;
  const auto place = place_of(address, to.size());
  if (!place) return read_fault(address, to);
  if (const auto registers = registers_at(*place, to.size()); !registers.empty()) {
    std::ranges::copy(registers, to.begin());
    return;
  }
  const auto target = target_of(*place, to.size());
  if (!target) return read_fault(address, to);
  if (!target->is_multicast) {
    last_ = {windows_.version(), address, to.size(), target->tiles.end, target->noc, target->address};
    device_->read(target->tiles.end, target->address, to, target->noc);
    return;
  }
  std::ranges::fill(to, all_ones);
  device_->add_host_fault(std::nullopt,
                          fmt::format("the host reads through window {}, which is set to multicast", target->number));
}

void Pcie::write_anywhere(std::uint64_t address, std::span<const std::uint8_t> from) {
  if (from.empty()) return;
  const auto place = place_of(address, from.size());
  if (!place) return fault("writes to", address, from.size());
  if (const auto registers = registers_at(*place, from.size()); !registers.empty()) {
    std::ranges::copy(from, registers.begin());
    windows_.touch();
    return;
  }
  const auto target = target_of(*place, from.size());
  if (!target) return fault("writes to", address, from.size());
  if (!target->is_multicast) {
    device_->write(target->tiles.end, target->address, from, target->noc);
    return;
  }
  if (windows_.is_strided(target->number))
    return device_->add_host_fault(
        std::nullopt,
        fmt::format("the host writes through window {}: a multicast that leaves tiles out is not modelled yet",
                    target->number));
  device_->multicast(target->tiles, target->address, from, target->noc);
}

}  // namespace tensim::device
