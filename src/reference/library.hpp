// A library with the C interface of libttsim, opened at run time, and one of its tiles. A library may end the process
// it lives in: only child.hpp uses this, inside a process of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "reference/device_map.hpp"
#include "reference/error.hpp"

namespace tensim::reference {

/// The nine functions of the interface.
struct Interface {
  void (*init)() = nullptr;
  void (*exit)() = nullptr;
  void (*clock)(std::uint32_t clocks) = nullptr;
  std::uint32_t (*config_read)(std::uint32_t device, std::uint32_t offset) = nullptr;
  void (*memory_read)(std::uint64_t address, void* to, std::uint32_t bytes) = nullptr;
  void (*memory_write)(std::uint64_t address, const void* from, std::uint32_t bytes) = nullptr;
  void (*tile_read)(std::uint32_t x, std::uint32_t y, std::uint64_t address, void* to, std::uint32_t bytes) = nullptr;
  void (*tile_write)(std::uint32_t x, std::uint32_t y, std::uint64_t address, const void* from,
                     std::uint32_t bytes) = nullptr;
  void (*set_dma_callbacks)(void (*read)(std::uint64_t address, void* to, std::uint32_t bytes),
                            void (*write)(std::uint64_t address, const void* from, std::uint32_t bytes)) = nullptr;
};

/// Opens the library and finds its functions. It stays open.
std::variant<Interface, Error> open_library(const std::string& path);

/// One tile of a device, through its two windows.
class Device {
 public:
  /// Initialises the library and points the windows at the tile; without coordinates at the first Tensix tile.
  static std::variant<Device, Error> open(const Interface& library, Arch arch, std::optional<Coordinates> tile);

  void read(std::uint32_t address, void* to, std::uint32_t bytes) const;
  void write(std::uint32_t address, const void* from, std::uint32_t bytes) const;
  std::uint32_t read_word(std::uint32_t address) const;
  void write_word(std::uint32_t address, std::uint32_t value) const;
  void clock(std::uint32_t clocks) const { library_.clock(clocks); }

 private:
  Device(const Interface& library, const DeviceMap& map, std::uint64_t bar0)
      : library_(library), map_(&map), bar0_(bar0) {}
  void point(const Window& window, Coordinates tile, std::uint32_t address) const;
  std::uint64_t place_of(std::uint32_t address) const;

  Interface library_;
  const DeviceMap* map_;
  std::uint64_t bar0_;
};

}  // namespace tensim::reference
