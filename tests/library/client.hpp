// A host's side of a library with libttsim's interface, as host software does it: one window, pointed anew for each
// access, and a clock after each read.
#pragma once

#include <cstdint>
#include <string>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "reference/device_map.hpp"
#include "reference/library.hpp"

namespace tensim::test {

class Client {
 public:
  Client(const std::string& file, Arch arch) : map_(&reference::device_map(arch)) {
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      ADD_FAILURE() << dlerror();
      return;
    }
    find("libttsim_init", calls.init);
    find("libttsim_exit", calls.exit);
    find("libttsim_clock", calls.clock);
    find("libttsim_pci_config_rd32", calls.config_read);
    find("libttsim_pci_mem_rd_bytes", calls.memory_read);
    find("libttsim_pci_mem_wr_bytes", calls.memory_write);
    find("libttsim_tile_rd_bytes", calls.tile_read);
    find("libttsim_tile_wr_bytes", calls.tile_write);
    find("libttsim_set_pci_dma_mem_callbacks", calls.set_dma_callbacks);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    if (library_ != nullptr) dlclose(library_);
  }

  void* symbol(const char* name) const { return dlsym(library_, name); }
  const reference::DeviceMap& map() const { return *map_; }

  void start() {
    calls.set_dma_callbacks(nullptr, nullptr);
    calls.init();
    EXPECT_EQ(calls.config_read(0, 0), map_->device_id);
    bar0_ = (calls.config_read(0, 0x10) & ~15U) | std::uint64_t{calls.config_read(0, 0x14)} << 32U;
  }

  void write(reference::Coordinates tile, std::uint32_t address, const void* from, std::uint32_t bytes) {
    calls.memory_write(place(tile, address), from, bytes);
  }
  void read(reference::Coordinates tile, std::uint32_t address, void* to, std::uint32_t bytes) {
    calls.memory_read(place(tile, address), to, bytes);
    calls.clock(1);
  }
  void write_word(reference::Coordinates tile, std::uint32_t address, std::uint32_t value) {
    write(tile, address, &value, sizeof value);
  }
  std::uint32_t read_word(reference::Coordinates tile, std::uint32_t address) {
    std::uint32_t value = 0;
    read(tile, address, &value, sizeof value);
    return value;
  }
  /// Polls; false if it does not come.
  bool wait_for(reference::Coordinates tile, std::uint32_t address, std::uint32_t value, unsigned polls = 100'000) {
    for (; polls != 0; --polls)
      if (read_word(tile, address) == value) return true;
    return false;
  }

  reference::Interface calls;

 private:
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(symbol(name));
    EXPECT_NE(function, nullptr) << name;
  }

  std::uint64_t place(reference::Coordinates tile, std::uint32_t address) {
    std::uint64_t rest = window_register(*map_, tile, address);
    for (unsigned word = 0; word < map_->register_words; ++word, rest >>= 32U) {
      const auto value = static_cast<std::uint32_t>(rest);
      calls.memory_write(bar0_ + map_->memory_window.register_offset + sizeof value * word, &value, sizeof value);
    }
    return bar0_ + map_->memory_window.base + (address & ((1U << map_->window_bits) - 1));
  }

  const reference::DeviceMap* map_;
  void* library_ = nullptr;
  std::uint64_t bar0_ = 0;
};

}  // namespace tensim::test
