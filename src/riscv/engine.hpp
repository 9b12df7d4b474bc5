// Runs a core: as far as it gets by itself, and through accesses to what it shares while they are its turn in the tile's
// order. Everything before `horizon` happens, nothing at or after it: in lock-step the horizon is the next
// cycle. An instruction that cannot enter yet is left where it is, and is looked at again when it can.
//
// `Bus` is what the core is wired to; tile/core_bus.hpp is the one there is. After an access that may concern others
// (`disturbed`) the engine returns, so that they can be looked at. A bus that is observed (`is_observed`) is told what the
// core does to what it shares (event/happening.hpp); nothing is asked for that in the code for one that is not.
#pragma once

#include <cstring>
#include <utility>

#include "event/happening.hpp"
#include "riscv/core.hpp"
#include "riscv/core_timing.hpp"
#include "riscv/decode.hpp"
#include "riscv/float.hpp"
#include "riscv/semantics.hpp"

namespace tensim::riscv {

using time::Key;
using time::Phase;

struct Stretch;
enum class Step : std::uint8_t;

/// Settings that decide what this loop may do itself. Instructions that it leaves to others may have changed them.
struct StraightSettings {
  const std::uint8_t* l1;
  Cycle far_until;             // a line that is entered before that is gone through before the horizon
  std::uint32_t plain_loads;   // from so many bytes of L1: they need no record and no barrier
  std::uint32_t plain_stores;  // the same
  std::uint32_t merge_timer;   // how long a store waits for others
  bool merges_stores;
  bool learns_branches;
  bool caches_loads;
};

template <class Bus>
class Engine {
 public:
  /// `others`: the key of whoever else acts next.
  Engine(Core& core, Bus& bus, Key others, Cycle horizon)
      : core_(core),
        bus_(bus),
        timing_(bus.timing()),
        l1_bytes_(bus.l1_bytes()),
        horizon_(horizon),
        own_until_(core.retry),
        others_until_(last_load_before(others)) {}

  /// Executes until the core has to wait for its turn, for somebody, or for ever.
  [[gnu::always_inline]] void run() {
    core_.waits_to_read = false;
    note_wait();
    if (bus_.may_sleep()) return run_straight();
    while (take_step() && goes_on()) {
    }
  }

  /// The oldest store that others may see leaves the queue, in `cycle`; it is not one to L1.
  void drain(Cycle cycle);
  bool refill_queue();
  /// Asks again for what loads wait for, in `cycle`.
  void retry_loads(Cycle cycle);

 private:
  // ---- the order ----
  struct Place {
    std::uint32_t pc;
    Cycle now;
  };
  Place here() const { return {core_.pc, core_.clock}; }

  Cycle last_load_before(Key other) const { return other < core_.number ? 0 : time::cycle_of(other - core_.number); }
  bool is_its_turn() {
    return (core_.clock <= others_until_ && core_.clock <= own_until()) || continue_replay(core_.clock);
  }
  /// Nobody else uses the page (tile/read_ahead.hpp).
  bool is_read_ahead(std::uint32_t address, Cycle now) {
    if (now > others_until_ + Bus::reach) return false;
    const std::uint32_t page = address / Bus::page_bytes;
    if (page == own_page_) return true;
    if (!bus_.is_own_page(core_, address)) return false;
    own_page_ = page;
    return true;
  }
  bool may_read(std::uint32_t address, Cycle now);
  Cycle own_until();
  void ask_port();

  // ---- straight on (engine_straight.hpp) ----
  void run_straight();
  void go_straight();
  Step execute_straight(Stretch& stretch);
  StraightSettings settings() const;
  Place place_of(const Stretch& stretch) const;
  void settle(Stretch& stretch);
  bool enter(Stretch& stretch, std::uint32_t pc);
  bool go_on(Stretch& stretch);
  void stall_straight(Stretch& stretch, CoreStall reason, Cycle to);
  bool is_far_from_horizon(Cycle cycle) const;
  Cycle end_of_room() const;
  bool wait_straight(Stretch& stretch, std::uint32_t late);
  bool branch_straight(Stretch& stretch, bool is_taken);
  bool loaded_straight(unsigned rd, std::uint32_t value, Cycle ready);
  std::uint32_t word_straight(std::uint32_t address) const;
  bool reads_straight(std::uint32_t address, Cycle now);
  bool hit_straight(const Instruction& in, std::uint32_t address, std::uint32_t line, Place place);
  bool load_straight(const Stretch& stretch);
  bool find_place_straight(Stretch& stretch, bool may_merge);
  void store_l1_straight(const Stretch& stretch, std::uint32_t address, std::uint32_t value, bool merges);
  bool store_straight(Stretch& stretch);
  Step other_arithmetic_straight(const Instruction& in);
  Step multiply_straight(Stretch& stretch);
  bool push_straight(Stretch& stretch);

  // ---- fetch ----
  bool fetch(const Decoded*& decoded);
  bool fill_line();

  // ---- operands ----
  bool float_is_ready(unsigned index);
  bool operands_are_ready(const Decoded& decoded);
  bool float_register_is_ready(const Instruction& in, std::uint8_t operand, unsigned index);
  bool float_operands_are_ready(const Instruction& in);
  bool pass_retire_queue();
  void wait_for_answer(CoreStall reason) {
    core_.status = Core::Status::waits_for_answer;
    core_.waiting = reason;
  }
  void wait_for_drain(CoreStall reason);

  // ---- what an observer hears of (engine_notes.hpp) ----
  std::uint8_t name() const { return static_cast<std::uint8_t>(core_.number); }
  void note_uses(const Instruction& in, Place place);
  void note_float_uses(const Instruction& in);
  void note_used(std::uint64_t registers, std::uint64_t overwritten, Place place);
  void note_barrier(Place place);
  void note_order(Place place);
  void note_store(std::uint32_t address, std::uint32_t value, unsigned bytes, Place place);
  void note_push(const Decoded* first, unsigned count, Place place);
  void note_load(const Instruction& in, std::uint32_t raw, std::uint32_t address, Place place);
  void note_late_load(const LoadInFlight& load, std::uint32_t raw, Cycle cycle);
  void note_update(const Instruction& in, std::uint32_t address, std::uint32_t found, std::uint32_t left);

  // ---- where its cycles go, of a core that is observed (engine_time.hpp) ----
  bool notes_order() const;
  bool notes_time() const;
  void add_span(event::CoreSpan::Kind kind, CoreStall stall, std::uint32_t pc, std::uint64_t count);
  void note_wait();
  void note_step();
  void note_straight(const Stretch& stretch, std::uint32_t end);
  bool take_step();

  bool goes_on() const { return core_.status == Core::Status::running && core_.clock < horizon_ && !yields_; }

  // ---- execution; false: not its turn, or the core has stopped ----
  bool step();
  bool execute(const Decoded& decoded);
  void retire_at_once(std::uint32_t next_pc) {
    core_.pc = next_pc;
    ++core_.retired;
    ++core_.clock;
    ++core_.account[CoreStall::none];
  }
  void write_x(unsigned rd, std::uint32_t value) {
    core_.x[rd] = value;
    core_.x[0] = 0;
  }
  void mark_pending_x(unsigned rd, Cycle ready) {
    if (rd == 0) return;
    core_.ready[rd] = ready;
    core_.pending_x |= 1U << rd;
  }
  void mark_pending_f(unsigned rd, Cycle ready) {
    core_.ready[32 + rd] = ready;
    core_.pending_f |= 1U << rd;
  }
  [[gnu::always_inline]] void alu_result(const Instruction& in) {
    // An instruction has rs2 or an immediate; the field that it does not have is 0.
    core_.x[in.rd] = compute(in.op, core_.x[in.rs1], core_.x[in.rs2] + static_cast<std::uint32_t>(in.imm));
  }
  void multiply(const Instruction& in);
  void divide(const Instruction& in);
  void branch(const Instruction& in);
  void jump(std::uint32_t target, unsigned rd, bool is_indirect);
  void go_to(std::uint32_t target, bool right_guess);
  bool load(const Instruction& in);
  bool store(std::uint32_t address, std::uint32_t value, unsigned bytes);
  bool store_l1(std::uint32_t address, std::uint32_t value, unsigned bytes, Place place, bool may_merge);
  bool store_local(std::uint32_t address, std::uint32_t value, unsigned bytes, Place place);
  bool pushes_to_coprocessor(std::uint32_t address, unsigned bytes) const {
    return address - timing_.instruction_buffer < timing_.instruction_buffer_bytes && bytes == 4 && is_t_core();
  }
  bool store_word_of_tensix(std::uint32_t address, std::uint32_t value, Place place);
  bool store_device(std::uint32_t address, std::uint32_t value, unsigned bytes, Place place);
  bool has_room();
  void leave_to_queue();
  bool push_tensix(const Decoded* first);
  unsigned fused_pushes(const Decoded* first, std::uint32_t pc) const;
  void enqueue_push(const Decoded* first, unsigned count, Place place);
  /// Takes out of the queue what has left it before `now` without anybody having to look.
  void pass_left(Cycle now) {
    if (!core_.stores.may_leave_unseen()) return;
    core_.stores.pass_local(now);
    if (core_.stores.front_is_push()) push_ahead(now);
  }
  void push_ahead(Cycle now);
  bool is_t_core() const { return core_.number >= 1 && core_.number <= 3; }
  bool fuses_pushes() const;
  bool csr(const Instruction& in);
  bool atomic(const Instruction& in);
  bool fence();
  void float_op(const Instruction& in);
  bool stop(CoreStop::Reason reason);
  bool stop_unmodelled(Op op);
  bool stop_at_access(std::uint32_t address, unsigned bytes, bool is_store, tile::AccessFault fault);

  // ---- loads ----
  bool align(std::uint32_t& address, unsigned bytes, bool is_store);
  bool local_ram_is_cleared();
  bool load_local(const Instruction& in, std::uint32_t address, unsigned bytes);
  bool load_l1(const Instruction& in, std::uint32_t address, unsigned bytes);
  bool load_device(const Instruction& in, std::uint32_t address, unsigned bytes);
  bool drained_and_answered(CoreStall reason);
  bool knows_store_queue(Cycle now);
  std::uint32_t read_l1(std::uint32_t address, unsigned bytes) const;
  void count_l0_hit();
  std::uint32_t hit_l0(const L0Cache::Line& line, std::uint32_t address, unsigned bytes, Place place);
  std::uint32_t miss_l0(std::uint32_t address, unsigned bytes, Place place, bool is_cached);
  void finish_load(const Instruction& in, std::uint32_t raw, std::uint32_t address, Cycle latency);
  void write_loaded(const Instruction& in, std::uint32_t raw, Cycle ready);
  void remember(const RecordedLoad& load) {
    if (core_.spin.is_looking) core_.spin.record.add(load);
  }

  // ---- spinning ----
  bool continue_replay(Cycle now);
  const RecordedLoad& replayed() { return core_.spin.record.loads[core_.spin.replay_next++]; }
  void arrive_at(std::uint32_t head, std::uint32_t jump);
  void look_again_after_store();
  void fall_asleep();
  void take_snapshot(std::uint32_t head);
  void does_not_recur() { core_.spin.is_dirty = true; }

  Core& core_;
  Bus& bus_;
  Decoded uncached_;  // code that no cache holds
  const CoreTiming& timing_;
  std::uint32_t l1_bytes_;
  std::uint32_t own_page_ = ~0U;  // one that is known to be the core's own
  Cycle horizon_;
  // Loads up to these cycles come before
  Cycle own_until_;     // what the core's own queues do next (own_until()),
  Cycle others_until_;  // what others do next,
  static constexpr Cycle unknown = never;
  Cycle writes_until_ = unknown;  // and what others may write to L1 next
  bool knows_stores_ = false;     // own_until_ does
  bool knows_port_ = false;       // the store queue does
  bool knows_room_ = false;
  int room_ahead_ = 0;   // words for which the FIFO is sure to have room
  bool yields_ = false;  // others should catch up before it goes on
  StraightSettings settings_;
  // Of a core whose time is noted: as all was before the instruction.
  std::uint32_t step_pc_ = 0;
  CoreAccount step_account_;
};

}  // namespace tensim::riscv

#include "riscv/engine_execute.hpp"
#include "riscv/engine_memory.hpp"
#include "riscv/engine_notes.hpp"
#include "riscv/engine_spin.hpp"
#include "riscv/engine_straight.hpp"
#include "riscv/engine_time.hpp"
