#include "reference/library.hpp"

#include <algorithm>

#include <dlfcn.h>
#include <fmt/format.h>

namespace tensim::reference {
namespace {

// PCI configuration space: type 0 header.
constexpr std::uint32_t config_id = 0x00;
constexpr std::uint32_t config_bar0_low = 0x10;
constexpr std::uint32_t config_bar0_high = 0x14;
constexpr std::uint32_t bar_flags = 0xF;

template <class Function>
bool find(void* library, const char* symbol, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  if (function == nullptr) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", symbol);
  return function != nullptr;
}

}  // namespace

std::variant<Interface, Error> open_library(const std::string& path) {
  // A name without a slash would be searched for in the system's directories.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Error{ErrorKind::cannot_load, dlerror()};
  Interface found;
  std::string missing;
  find(library, "libttsim_init", found.init, missing);
  find(library, "libttsim_exit", found.exit, missing);
  find(library, "libttsim_clock", found.clock, missing);
  find(library, "libttsim_pci_config_rd32", found.config_read, missing);
  find(library, "libttsim_pci_mem_rd_bytes", found.memory_read, missing);
  find(library, "libttsim_pci_mem_wr_bytes", found.memory_write, missing);
  find(library, "libttsim_tile_rd_bytes", found.tile_read, missing);
  find(library, "libttsim_tile_wr_bytes", found.tile_write, missing);
  find(library, "libttsim_set_pci_dma_mem_callbacks", found.set_dma_callbacks, missing);
  if (missing.empty()) return found;
  dlclose(library);
  return Error{ErrorKind::cannot_load, fmt::format("{}: lacks {}", path, missing)};
}

std::variant<Device, Error> Device::open(const Interface& library, Arch arch, std::optional<Coordinates> tile) {
  library.init();
  const DeviceMap& map = device_map(arch);
  if (const std::uint32_t id = library.config_read(0, config_id); id != map.device_id) {
    const auto* const other = std::ranges::find(device_maps, id, &DeviceMap::device_id);
    const std::string is = other == device_maps.end() ? fmt::format("an unknown device ({:#010x})", id)
                                                      : fmt::format("a {}", name(other->arch));
    return Error{ErrorKind::wrong_architecture, fmt::format("the library is {}, not a {}", is, name(arch))};
  }
  const std::uint64_t bar0 = (library.config_read(0, config_bar0_low) & ~bar_flags) |
                             std::uint64_t{library.config_read(0, config_bar0_high)} << 32U;
  const Device device(library, map, bar0);
  const Coordinates place = tile.value_or(map.first_tensix);
  device.point(map.memory_window, place, 0);
  device.point(map.register_window, place, map.register_base);
  return device;
}

void Device::point(const Window& window, Coordinates tile, std::uint32_t address) const {
  std::uint64_t rest = window_register(*map_, tile, address);
  for (unsigned word = 0; word < map_->register_words; ++word, rest >>= 32U) {
    const auto value = static_cast<std::uint32_t>(rest);
    library_.memory_write(bar0_ + window.register_offset + sizeof value * word, &value, sizeof value);
  }
}

std::uint64_t Device::place_of(std::uint32_t address) const {
  if (address >= map_->register_base) return bar0_ + map_->register_window.base + (address - map_->register_base);
  return bar0_ + map_->memory_window.base + address;
}

void Device::read(std::uint32_t address, void* to, std::uint32_t bytes) const {
  library_.memory_read(place_of(address), to, bytes);
}

void Device::write(std::uint32_t address, const void* from, std::uint32_t bytes) const {
  library_.memory_write(place_of(address), from, bytes);
}

std::uint32_t Device::read_word(std::uint32_t address) const {
  std::uint32_t value = 0;
  read(address, &value, sizeof value);
  return value;
}

void Device::write_word(std::uint32_t address, std::uint32_t value) const {
  write(address, &value, sizeof value);
}

}  // namespace tensim::reference
