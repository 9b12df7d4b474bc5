// What a core reaches outside L1 and its local RAM: mailboxes, PCBufs, windows on the coprocessor, the tile's registers.
//
// In a cycle t first come the cores' loads of t, then the coprocessor's step of t, then the cores' stores of t: a load
// finds coprocessor.now == t, a store t + 1. An answer `wait` changes nothing but that a T core waits for its PCBuf,
// which B's barrier sees. The same access is asked again when Devices::woken has the core's bit, or when the coprocessor
// has changed.
#pragma once

#include <array>
#include <cstdint>

#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"
#include "tile/ethernet_control.hpp"
#include "tile/mailboxes.hpp"
#include "tile/memory_operation.hpp"
#include "tile/niu.hpp"
#include "tile/pc_buffers.hpp"
#include "tile/pic.hpp"
#include "tile/tdma_risc.hpp"
#include "tile/tile_control.hpp"

namespace tensim::tile {

struct Devices {
  explicit Devices(Arch chip);
  Devices(Arch chip, NocPlace place);

  Arch arch;
  /// An Ethernet tile has no coprocessor, and one core (Blackhole: two), which are here where BRISC (and NCRISC) are.
  bool is_ethernet;
  Mailboxes mailboxes;
  PcBuffers pc_buffers;
  TileControl control;
  TdmaRisc tdma;
  Pic pic;
  Nius nius;
  EthernetControl ethernet;
  /// What devices do to the tile's memories, in order; the tile takes each when it is due and carries it out.
  tensix::Fifo<MemoryOperation, 4> memory_operations;

  /// Cores (CoreBits) whose waiting accesses, or polled loads, may now be answered differently. Whoever reads it clears
  /// it.
  std::uint8_t woken = 0;
  /// Whose rows of the address map a core's accesses find.
  CoreBit view_of(CoreId core) const {
    if (!is_ethernet) [[likely]]
      return bit(core);
    return core == CoreId::brisc ? E0 : E1;
  }
  void wake(std::uint8_t cores) { woken |= cores; }
};

/// The router: finds the region, checks alignment, size and direction, asks what answers there.
Answer load(Devices& devices, tensix::Coprocessor& coprocessor, const Access& access);
Answer store(Devices& devices, tensix::Coprocessor& coprocessor, const Access& access);

/// What devices do by themselves in cycle `cycle`, right after the coprocessor's step of it.
void advance(Devices& devices, tensix::Coprocessor& coprocessor, Cycle cycle);
/// The next cycle in which advance() or a memory operation has something to do; `never` if there is none.
Cycle next_event(const Devices& devices, const tensix::Coprocessor& coprocessor);

/// The mover is done with what TDMA-RISC has told it in another cycle.
void postpone_move(Devices& devices, Cycle due);

}  // namespace tensim::tile
