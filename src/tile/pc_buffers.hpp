// PCBufs: a FIFO of 16 words from B to each T core. B's load is a barrier: it comes back when the FIFO is empty, the T
// core waits to read it, and the T core's Tensix thread is idle. Page: BabyRISCV/PCBufs.md.
#pragma once

#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tensix/types.hpp"

namespace tensim::tile {

/// Ten bits per PCBuf of TRISC_PC_BUF_OVERRIDE; they also end waits of TTSync.
struct PcBufferOverride {
  bool enabled = false;
  bool busy = false;
  std::uint8_t value = 0;

  static constexpr PcBufferOverride of(std::uint32_t reg, unsigned thread) {
    const std::uint32_t bits = reg >> (10 * thread);
    return {(bits & 1U) != 0, (bits >> 1U & 1U) != 0, static_cast<std::uint8_t>(bits >> 2U)};
  }
  constexpr bool ends_waits() const { return enabled && busy; }
};

struct PcBuffers {
  static constexpr unsigned depth = size_of_both("pcbuf_entries"_size);

  struct Buffer {
    tensix::Fifo<std::uint32_t, depth> fifo;
    bool reader_waits = false;  // the T core's load has not been answered
  };
  std::array<Buffer, size_of_both("pcbufs"_size)> of;
};

}  // namespace tensim::tile
