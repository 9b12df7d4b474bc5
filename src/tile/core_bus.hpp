// What a core's engine is wired to: the tile it sits in (riscv/engine.hpp says what is asked of it).
#pragma once

#include "riscv/masked_bytes.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

struct CoreBus {
  static constexpr bool is_observed = false;
  static constexpr AccessFault misaligned = AccessFault::misaligned;
  static constexpr AccessFault not_atomic = AccessFault::not_atomic;

  /// How far a core may read ahead of the others.
  static constexpr Cycle reach = LoadHistory::reach;

  static constexpr std::uint32_t page_bytes = ReadAhead::page_bytes;

  using Key = time::Key;

  Tile& tile;

  Key next_write_of_others(const riscv::Core& core) const { return tile.next_write_of_others(core.number); }
  bool is_own_page(const riscv::Core& core, std::uint32_t address) const {
    return tile.time_.read_ahead.is_own(core.number, address);
  }
  void waits_to_read(const riscv::Core& core, std::uint32_t address) {
    tile.time_.read_ahead.has_waited(core.number, address);
  }
  /// When the core's oldest store to L1 leaves at the earliest.
  Cycle port_from(const riscv::Core& core) const {
    return tile.time_.l1_ports.wants(core.number) ? tile.time_.l1_ports.earliest(core.number) : 0;
  }
  /// A load from L1, in `cycle`.
  void takes_port(const riscv::Core& core, Cycle cycle) {
    tile.time_.l1_ports.load(L1Ports::port_of(core.number), cycle);
  }
  std::uint8_t* l1() { return tile.l1.data(); }
  const std::uint8_t* l1() const { return tile.l1.data(); }
  std::uint32_t l1_bytes() const { return static_cast<std::uint32_t>(tile.l1.size()); }
  const riscv::CoreTiming& timing() const { return tile.timing_->cores; }
  bool may_sleep() const { return !tile.lockstep_ && !tile.walks_; }
  bool disturbed() const { return tile.time_.look != 0; }

  static bool is_fault(const Answer& answer) { return answer.fault != AccessFault::none; }
  static bool recurs(const Answer& answer) { return (answer.watch & watch_time) == 0; }

  Answer load(const riscv::Core& core, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle cycle);
  Answer store(const riscv::Core& core, std::uint32_t address, std::uint32_t value, unsigned bytes, std::uint32_t pc,
               Cycle cycle);
  /// Words by .ttinsn. The FIFO takes all of them or none: it has to have come down to 28 words (errata 41).
  Answer push(const riscv::Core& core, const riscv::QueuedStore& store, Cycle cycle);
  /// For how many words the FIFO of the core's thread is sure to have room, whatever others do.
  int room_ahead(const riscv::Core& core) const;
  /// The same as push(), ahead of the others.
  void push_ahead(const riscv::Core& core, const riscv::QueuedStore& store, Cycle cycle);
  /// What others can see does not happen from this cycle on.
  Cycle window() const { return tile.time_.window; }
  Answer load_from_core(const Region& region, std::uint32_t address, unsigned bytes, Cycle cycle);
  Answer load_pc(const Region& region, std::uint32_t address, Cycle cycle);
  Answer store_to_core(const Region& region, std::uint32_t address, std::uint32_t value, unsigned bytes, Cycle cycle);
  void write_l1(const riscv::Core& core, std::uint32_t block, const std::uint8_t* bytes, std::uint16_t mask,
                Cycle cycle, time::Phase phase) {
    tile.l1.before_write(block);
    riscv::copy_masked(tile.l1.data() + block, bytes, mask);
    if (!tile.leaves_all_alone(core.number, block))
      tile.l1_changed(block, riscv::QueuedStore::block_bytes, {cycle, phase, core.number});
  }
  std::optional<std::uint32_t> fetch(const riscv::Core& core, std::uint32_t address) const;
  std::uint32_t status(const riscv::Core& core, unsigned csr) const;
  unsigned load_latency(const riscv::Core& core, std::uint32_t address) const;
  bool are_one_region(const riscv::Core& core, std::uint32_t a, std::uint32_t b) const;
  void report(const riscv::Core& core, const riscv::CoreReport& report);
  /// False if what the core polls has changed since it looked.
  bool falls_asleep(const riscv::Core& core);

  // ---- what an observer hears of ----
  bool notes_orders() const { return tile.notes_orders(); }
  bool notes_time() const { return tile.journal_.wants(event::wants_time); }
  void note(const event::CoreSpan& span) { tile.journal_.add(span); }
  /// The core does it in `cycle`, as its program has it.
  void note(const riscv::Core& core, Cycle cycle, const event::What& what) {
    if (cycle < core.told_until) return;
    tile.journal_.add(time::key(cycle, time::Phase::load, core.number), what);
  }
  /// A store that is not to L1 has been taken.
  void note_landing(const riscv::Core& core, std::uint32_t address, std::uint32_t value, unsigned bytes,
                    std::uint32_t pc, Cycle cycle);
  /// It was done for the core before its instruction of `cycle`, which may have been executed already.
  void note_first(const riscv::Core& core, Cycle cycle, const event::What& what) {
    tile.journal_.add_first(time::key(cycle, time::Phase::load, core.number), what);
  }
};

/// The same for a core of a tile whose listener wants to know what comes before what.
struct ObservedBus : CoreBus {
  static constexpr bool is_observed = true;
};

}  // namespace tensim::tile
