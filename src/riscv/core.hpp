// A baby RISC-V core: registers, pipeline state and private memories, as plain data. engine.hpp runs it; what it shares
// with others it reaches through the tile. Pages: BabyRISCV/README.md of either chip.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arch/arch.hpp"
#include "riscv/account.hpp"
#include "riscv/branch_predictor.hpp"
#include "riscv/csr_file.hpp"
#include "riscv/instruction_cache.hpp"
#include "riscv/l0_cache.hpp"
#include "riscv/load_queue.hpp"
#include "riscv/spin.hpp"
#include "riscv/store_queue.hpp"
#include "time/order.hpp"

namespace tensim::tile {
enum class AccessFault : std::uint8_t;  // tile/access.hpp: a core only carries it
}

namespace tensim::riscv {

inline constexpr std::uint32_t local_ram_base = 0xFFB00000;

/// What ended a core's program for good.
struct CoreStop {
  enum class Reason : std::uint8_t {
    ebreak,  // a guest's assertion
    ecall,
    undefined_instruction,
    not_modelled,              // RISC-V vectors, interrupts
    no_such_core_instruction,  // another core of the chip has it
    fetch_unmapped,
    misaligned_jump,
    access,  // a load or store that means nothing; `access_fault` says why
    no_csr,
  };
  Reason reason;
  Cycle cycle = 0;
  std::uint32_t pc = 0;
  std::uint32_t word = 0;     // the instruction
  std::uint32_t address = 0;  // of an access
  bool is_store = false;
  std::uint8_t size_bytes = 4;
  tile::AccessFault access_fault{};  // none, unless it was an access
};

/// Something its author should know that does not stop the core.
struct CoreReport {
  enum class Category : std::uint8_t {
    stale_read,    // the L0 data cache held an old value
    rounded_down,  // Wormhole: a misaligned access went to the aligned address below
    noc_request,   // a request to the NoC that is carried out; `value` says what is wrong with it (noc::Refusal)
  };
  Category category;
  Cycle cycle = 0;
  std::uint32_t pc = 0;
  std::uint32_t address = 0;
  std::uint32_t value = 0;   // what the core got
  std::uint32_t memory = 0;  // what is there
};

struct CoreTiming;

struct Core {
  enum class Status : std::uint8_t {
    in_reset,
    running,
    waits_for_drain,   // of the store queue
    waits_for_answer,  // a load it needs has not been answered
    asleep,            // goes round a loop in which nothing changes
    stopped,           // see `stop`
  };
  static constexpr std::size_t largest_local_ram = 8192;

  Core() = default;
  struct Sizes {
    std::uint32_t icache_bytes;
    std::uint32_t local_bytes;
    std::uint32_t branch_guesses;
  };
  Core(Arch chip, unsigned which, const Sizes& sizes)
      : arch(chip),
        number(which),
        local_bytes(sizes.local_bytes),
        icache(sizes.icache_bytes),
        predictor(sizes.branch_guesses) {}

  /// Held in reset from `cycle` on. What it has waited for until then it has not got.
  void hold(Cycle cycle) {
    if (status == Status::waits_for_drain || status == Status::waits_for_answer) stall(waiting, cycle);
    clock = std::max(clock, cycle);
    status = Status::in_reset;
  }
  /// Out of reset in `cycle`, at `start`. Registers, caches and guesses are as new; counts go on.
  void release(std::uint32_t start, Cycle cycle, const CoreTiming& timing, bool keeps_local_ram);

  /// Whether the loop that the core sleeps over loads from L1 in `cycle`: then its port is taken.
  bool loads_asleep(Cycle cycle) const {
    return status == Status::asleep && cycle >= spin.since && spin.loads_in(cycle);
  }

  /// Something that the sleeping core's loop loads changes at the end of cycle `changed`: the core is put at the start of
  /// the round which that cycle falls into.
  void wake(Cycle changed);

  /// All that decides how the core goes on, but for its stores, its branch guesses and settings.
  LoopState loop_state() const;

  /// The core has gone round its loop `rounds` more times: everything is that much later, but for its stores.
  void pass(Cycle rounds, const Lap& lap);

  /// How many places in the pipeline have been taken: fewer than instructions retired where words are fused.
  std::uint64_t entered() const { return account[CoreStall::none]; }

  /// The core can do nothing before `to`.
  void stall(CoreStall reason, Cycle to) {
    if (to <= clock) return;
    account[reason] += to - clock;
    clock = to;
  }

  /// The oldest store has left in `cycle`; the next can `interval` cycles later.
  void store_left(Cycle cycle, Cycle interval) {
    const QueuedStore& left = stores.front();
    stores.pop(cycle, interval);
    if (l0.awaits_stores() && left.target == Target::l1)
      l0.store_left(left.address, left.bytes.data(), left.mask, cycle,
                    [&] { return stores.bytes_to_come(left.address) == 0; });
    if (status != Status::waits_for_drain) return;
    status = Status::running;
    stall(waiting, cycle + 1);
  }

  Arch arch = Arch::blackhole;
  unsigned number = 0;
  std::uint32_t local_bytes = 0;
  Status status = Status::in_reset;

  std::array<std::uint32_t, 32> x{};
  std::array<std::uint32_t, 32> f{};
  std::uint32_t pc = 0;
  CsrFile csrs;
  std::uint64_t retired = 0;  // instructions, counted as they enter

  Cycle clock = 0;              // when the next instruction enters, at the earliest
  std::uint32_t pending_x = 0;  // registers whose ready time may be to come
  std::uint32_t pending_f = 0;
  std::array<Cycle, 64> ready{};  // of x, then of f
  StoreQueue stores;
  LoadQueue loads;
  LoadSlots load_slots;
  bool waits_to_read = false;  // the next instruction is a load from L1 whose turn has not come
  std::uint64_t unused = 0;    // registers, x and then f, that nobody has needed since a load; kept if observed
  Cycle told_until = 0;        // what it did before that, asleep, is not told any more; kept if observed
  Cycle spanned = 0;           // where its time went before that has been noted; kept if that is wanted
  Cycle loads_back = 0;        // when the loads answered so far are
  Cycle retry = never;         // when loads that wait are asked again
  L0Cache l0;
  InstructionCache icache;
  std::uint32_t fills = 0;
  Cycle fill_ready_tenths = 0;  // when the line filled last was there
  Cycle redirected = 0;         // when the last wrong guess was put right: nothing has been read ahead from before
  BranchPredictor predictor;
  SpinWatch spin;
  CoreStall waiting = CoreStall::none;  // why it waits, unless it runs

  CoreAccount account;
  std::optional<CoreStop> stop;
  Cycle local_ready = 0;  // when the local RAM has cleared itself
  std::array<std::uint8_t, largest_local_ram> local_ram{};
};

}  // namespace tensim::riscv
