// The L1 that the coprocessor's units reach. Whoever steps the coprocessor attaches it: the coprocessor itself is plain
// data, and copying it must not share memory. Without one (scenarios of threads alone) no data moves, and transfers take
// the time the parameters say.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "time/paged_memory.hpp"

namespace tensim::tensix {

struct Memory {
  /// A stretch that was written in the last step; its reader empties the list.
  struct Change {
    std::uint32_t address;
    std::uint32_t bytes;
  };

  std::span<std::uint8_t> l1;
  time::PagedMemory* pages = nullptr;  // what it is part of, if that can go back
  std::vector<Change> changes;

  bool is_attached() const { return !l1.empty(); }
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address <= l1.size() && bytes <= l1.size() - address;
  }
  void attach(time::PagedMemory& memory) {
    l1 = memory;
    pages = &memory;
  }
  void write(std::uint32_t address, const std::uint8_t* from, std::uint32_t bytes) {
    if (pages != nullptr && bytes != 0) pages->before_write(address, bytes);
    std::memcpy(l1.data() + address, from, bytes);
    changes.push_back({address, bytes});
  }
};

}  // namespace tensim::tensix
