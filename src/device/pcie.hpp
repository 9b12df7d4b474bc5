// A device as a PCIe card: configuration space, and three BARs with windows on tiles. Pages: PCIExpressTile/README.md of
// either chip.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/outbound.hpp"
#include "device/pcie_windows.hpp"

namespace tensim::device {

/// The host's memory, for whom the chip reaches it: addresses as the bus has them.
struct HostMemory {
  void (*read)(std::uint64_t address, void* to, std::uint32_t bytes) = nullptr;
  void (*write)(std::uint64_t address, const void* from, std::uint32_t bytes) = nullptr;
};

class Pcie final : public HostPort {
 public:
  explicit Pcie(Device& device);
  Pcie(const Pcie&) = delete;
  Pcie& operator=(const Pcie&) = delete;
  ~Pcie() override;

  std::uint32_t read_config(std::uint32_t bus_device_function, std::uint32_t offset);
  void write_config(std::uint32_t bus_device_function, std::uint32_t offset);
  /// Addresses are those of the BARs in configuration space. What is not there is a fault of the device, and all ones.
  void read(std::uint64_t address, std::span<std::uint8_t> to) {
    // Clients poll: the same read again, through a window that is pointed to the same place again.
    if (address == last_.address && to.size() == last_.bytes && windows_.version() == last_.version)
      device_->read(last_.tile, last_.tile_address, to, last_.noc);
    else
      read_anywhere(address, to);
  }
  void write(std::uint64_t address, std::span<const std::uint8_t> from) {
    // Clients point a window anew for every access, a word at a time: those writes are short work.
    if (!windows_.write_word(address - (bar_bases[0] + window_registers), from)) write_anywhere(address, from);
  }

  void set_host_memory(const HostMemory& memory) { host_memory_ = memory; }
  /// What is written to the PCIe tile, or read from it, by way of the outbound iATU.
  std::optional<std::string> read_host(std::uint64_t address, std::span<std::uint8_t> to) override;
  std::optional<std::string> write_host(std::uint64_t address, std::span<const std::uint8_t> from) override;

 private:
  // Where the BARs are is ours to choose; a BAR lies at a multiple of its size.
  static constexpr std::array<std::uint64_t, bar_count> bar_bases{0x10'0000'0000, 0x10'2000'0000, 0x18'0000'0000};

  struct Place {
    Bar bar;
    std::uint64_t offset;
  };
  std::optional<Place> place_of(std::uint64_t address, std::size_t bytes) const;
  /// The plain registers there: windows' or those of the outbound iATU.
  std::span<std::uint8_t> registers_at(const Place& place, std::size_t bytes);
  std::optional<WindowTarget> target_of(const Place& place, std::size_t bytes) const;
  void fault(const char* what, std::uint64_t address, std::size_t bytes);
  void write_anywhere(std::uint64_t address, std::span<const std::uint8_t> from);
  void read_anywhere(std::uint64_t address, std::span<std::uint8_t> to);
  void read_fault(std::uint64_t address, std::span<std::uint8_t> to);

  Device* device_;
  Windows windows_;
  std::vector<std::uint8_t> iatu_;  // outbound
  HostMemory host_memory_;
  /// Where the last read through a window went.
  struct LastRead {
    std::uint64_t version = 0;  // of the windows; none has this one
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    Coordinates tile;
    unsigned noc = 0;
    std::uint64_t tile_address = 0;
  };
  LastRead last_;
};

}  // namespace tensim::device
