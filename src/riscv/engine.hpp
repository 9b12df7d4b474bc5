// Runs a core: as far as it gets by itself, and through accesses to what it shares while they are its turn in the tile's
// order (`limit`). Everything before `horizon` happens, nothing at or after it: in lock-step the horizon is the next
// cycle. An instruction that cannot enter yet is left where it is, and is looked at again when it can.
//
// `Bus` is what the core is wired to; tile/core_bus.hpp is the one there is. After an access that may concern others
// (`disturbed`) the engine returns, so that they can be looked at.
#pragma once

#include <cstring>

#include "riscv/core.hpp"
#include "riscv/core_timing.hpp"
#include "riscv/decode.hpp"
#include "riscv/float.hpp"
#include "riscv/semantics.hpp"

namespace tensim::riscv {

inline constexpr std::uint32_t local_ram_base = 0xFFB00000;
inline constexpr std::uint32_t instruction_buffer = 0xFFE40000;

template <class Bus>
class Engine {
 public:
  Engine(Core& core, Bus& bus, Key limit, Cycle horizon)
      : core_(core), bus_(bus), timing_(core_timing(core.arch)), limit_(limit), horizon_(horizon) {}

  /// Executes until the core has to wait for its turn, for somebody, or for ever.
  void run() {
    while (core_.status == Core::Status::running && core_.clock < horizon_ && !yields_) {
      if (core_.retired == core_.loads.limit() && !pass_retire_queue()) continue;
      const Decoded* decoded = core_.icache.find(core_.pc);
      if (decoded == nullptr && !fetch(decoded)) return;
      if (decoded == nullptr) continue;
      if ((decoded->registers & core_.pending_x) != 0 && !operands_are_ready(*decoded)) continue;
      if (!execute(*decoded)) return;
    }
  }

  /// The oldest store leaves the queue, in `cycle`.
  void drain(Cycle cycle);
  /// Asks again for what loads wait for, in `cycle`.
  void retry_loads(Cycle cycle);

 private:
  // ---- the order ----
  bool is_its_turn() { return is_replaying() || key(core_.clock, Phase::load, core_.number) <= limit_; }

  // ---- fetch ----
  bool fetch(const Decoded*& decoded);
  bool fill_line();

  // ---- operands ----
  bool is_ready(unsigned index, std::uint32_t& pending, std::uint32_t bit);
  bool operands_are_ready(const Decoded& decoded);
  bool float_register_is_ready(const Instruction& in, std::uint8_t operand, unsigned index);
  bool float_operands_are_ready(const Instruction& in);
  bool pass_retire_queue();
  void wait_for_answer(CoreStall reason) {
    core_.status = Core::Status::waits_for_answer;
    core_.waiting = reason;
  }
  void wait_for_drain(CoreStall reason) {
    core_.status = Core::Status::waits_for_drain;
    core_.waiting = reason;
  }

  // ---- execution; false: not its turn, or the core has stopped ----
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
  void alu(const Instruction& in);
  void multiply(const Instruction& in);
  void divide(const Instruction& in);
  void branch(const Instruction& in);
  void jump(std::uint32_t target, unsigned rd, bool is_indirect);
  void go_to(std::uint32_t target, bool right_guess);
  bool load(const Instruction& in);
  bool store(std::uint32_t address, std::uint32_t value, unsigned bytes);
  bool store_l1(std::uint32_t address, std::uint32_t value, unsigned bytes);
  bool enqueue(const QueuedStore& store);
  void leave_to_queue(unsigned instructions);
  bool push_tensix(const Decoded* first);
  bool is_t_core() const { return core_.number >= 1 && core_.number <= 3; }
  bool fuses_pushes() const;
  bool csr(const Instruction& in);
  bool atomic(const Instruction& in);
  bool fence();
  void float_op(const Instruction& in);
  bool stop(CoreStop::Reason reason);
  bool stop_unmodelled(Op op);
  bool stop_at_access(std::uint32_t address, unsigned bytes, bool is_store, std::uint8_t fault);

  // ---- loads ----
  bool align(std::uint32_t& address, unsigned bytes, bool is_store);
  bool local_ram_is_cleared();
  bool load_local(const Instruction& in, std::uint32_t address, unsigned bytes);
  bool load_l1(const Instruction& in, std::uint32_t address, unsigned bytes);
  bool load_device(const Instruction& in, std::uint32_t address, unsigned bytes);
  bool drained_and_answered(CoreStall reason);
  bool knows_store_queue();
  std::uint32_t read_l1(std::uint32_t address, unsigned bytes) const;
  bool hit_l0(const Instruction& in, std::uint32_t address, unsigned bytes);
  void finish_load(const Instruction& in, std::uint32_t raw, std::uint32_t address, Cycle latency);
  void write_loaded(const Instruction& in, std::uint32_t raw, Cycle ready);
  void remember(const RecordedLoad& load) {
    if (core_.spin.is_looking) core_.spin.record.add(load);
  }

  // ---- spinning ----
  bool is_replaying();
  const RecordedLoad& replayed() { return core_.spin.record.loads[core_.spin.replay_next++]; }
  void arrive_at(std::uint32_t head, std::uint32_t jump);
  void fall_asleep();
  void take_snapshot(std::uint32_t head);
  LoopState loop_state() const;
  void does_not_recur() { core_.spin.is_dirty = true; }

  Core& core_;
  Bus& bus_;
  Decoded uncached_;  // code that no cache holds
  const CoreTiming& timing_;
  Key limit_;
  Cycle horizon_;
  bool yields_ = false;  // others should catch up before it goes on
};

}  // namespace tensim::riscv

#include "riscv/engine_execute.hpp"
#include "riscv/engine_memory.hpp"
#include "riscv/engine_spin.hpp"
