// The Tensix coprocessor: three frontends, nine units, one clock. docs/architecture/cycle.md says what a cycle is.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "insight/observer.hpp"
#include "insight/stall.hpp"
#include "tensix/frontend/frontend.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tensix/in_flight.hpp"
#include "tensix/operation.hpp"
#include "tensix/parameters.hpp"
#include "tensix/registers/adc.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/registers/gpr.hpp"
#include "tensix/registers/rwc.hpp"
#include "tensix/registers/src_banks.hpp"
#include "tensix/types.hpp"
#include "tensix/units/configuration.hpp"
#include "tensix/units/matrix.hpp"
#include "tensix/units/mover.hpp"
#include "tensix/units/packers.hpp"
#include "tensix/units/scalar.hpp"
#include "tensix/units/sync.hpp"
#include "tensix/units/unpackers.hpp"
#include "tensix/units/vector.hpp"

namespace tensim::tensix {

/// Something the author of a kernel should know that does not stop the run.
struct Report {
  enum class Category : std::uint8_t {
    mux_drop,          // BRISC's word displaced one of the T core's
    rdcfg_dropped,     // Wormhole: simultaneous RDCFGs, all but one lost
    inline_mop_count,  // a MOP with its own loop counts
    replay_count,      // REPLAY above 32
    semwait_no_condition,
    foreign_release,  // ATRELM of a mutex that the thread does not hold
    semaphore_limit,  // SEMPOST at 15 or SEMGET at 0: nothing happened
    src_not_owned,    // a bank was given back that the Matrix Unit did not own
    unused_bits,
  };
  Category category;
  Cycle cycle = 0;
  unsigned thread = 0;
  Entry entry;
};

/// What stops a run for good.
struct Fault {
  enum class Category : std::uint8_t { undefined_instruction, not_modelled, frontend_only };
  Category category;
  Cycle cycle = 0;
  unsigned thread = 0;
  Entry entry;
};

/// Whether condition `bit` of a STALLWAIT holds for the thread, by the chip's own numbering.
bool stall_condition_holds(const Coprocessor& coprocessor, unsigned thread, unsigned bit);

struct Coprocessor {
  explicit Coprocessor(Arch arch, const Parameters& parameters = {});

  // ---- the clock ----

  /// Runs the cycle `now`, then moves on to the next.
  void step();
  /// True if the last cycle changed anything: the next one may too.
  bool changed() const { return changed_; }
  /// The next cycle in which something can happen by itself; `never` if nothing will.
  Cycle next_event() const;
  /// Skips to cycle `to`, in which nothing happens before; every held cycle is accounted for.
  void skip_to(Cycle to);

  // ---- the T cores' and BRISC's side ----

  bool can_push(unsigned thread) const { return frontends[thread].can_push(); }
  void push(unsigned thread, Word word, std::uint32_t origin);
  bool can_push_from_brisc(unsigned thread) const { return frontends[thread].can_push_from_brisc(); }
  void push_from_brisc(unsigned thread, Word word, std::uint32_t origin);
  /// A T core's store to the semaphore window; it waits for the semaphore group's slot (U4). One at a time.
  bool can_store_semaphore() const { return !semaphore_store_.has_value(); }
  void store_semaphore(unsigned semaphore, std::uint32_t value);
  /// A core's store to configuration: processed by the Configuration Unit when its group has a free cycle. One at a
  /// time; `thread`: the T core whose C10 it keeps alive.
  bool can_store_config() const { return !config_store_.has_value(); }
  void store_config(const ConfigStore& write, std::optional<unsigned> thread);
  void write_mop_config(unsigned thread, unsigned word, Word value);

  /// Nothing left in any frontend or unit; latched waits may remain (ruling 11).
  bool is_idle() const;
  bool thread_is_idle(unsigned thread) const;

  /// The latch of a thread still has a condition that holds, at the start of the coming cycle.
  bool keeps_waiting(unsigned thread) const;

  // ---- state: plain data, copying it is a snapshot ----

  Arch arch;
  const OperationTable* operations;
  Parameters parameters;
  Cycle now = 0;
  std::array<Frontend, thread_count> frontends;
  std::array<LatchedWait, thread_count> latches{};
  std::array<Held, thread_count> held{};  // of the last cycle
  /// By the thread's own unfinished instruction, until `until`.
  std::array<Held, thread_count> gate_closed = all_open();
  std::array<std::uint8_t, port_count> last_served;  // round-robin: the thread each port served last
  InFlight in_flight;
  SyncUnit sync;
  ScalarUnit scalar;
  ConfigurationUnit configuration;
  MatrixUnit matrix;
  VectorUnit vector;
  Unpackers unpackers;
  Packers packers;
  Mover mover;
  SrcBanks src;
  Gprs gprs;
  BackendConfig config;
  Adcs adcs;
  Rwcs rwcs;
  /// Requests of each T core to GPRs, configuration or TDMA-RISC that have not been processed (C10).
  std::array<std::uint32_t, thread_count> core_requests{};
  std::array<insight::StallAccount, thread_count> accounts{};
  std::vector<Report> reports;
  std::optional<Fault> fault;

  insight::Observer* observer = nullptr;

  /// In which order threads are looked at; no order changes a result, and a test shuffles it.
  std::array<std::uint8_t, thread_count> evaluation_order{0, 1, 2};

  // ---- for the units ----

  const Operation& operation(Word word) const { return (*operations)[isa::opcode_of(word)]; }
  /// The unpacker's bank goes to the Matrix Unit, even if it comes back from there in this very cycle.
  void hand_to_matrix(Src which);
  /// CLEARDVALID with Reset: at the end of the cycle, whatever else happens in it.
  void reset_src_banks() { reset_src_banks_ = true; }
  /// A wait instruction of this cycle; it takes effect from the next (W38).
  void latch(unsigned thread, const LatchedWait& wait) { latches[thread] = wait; }
  /// Puts the operation in flight for its latency, or for `latency` cycles.
  unsigned start(const Candidate& candidate, Record record, Cycle latency);
  void close_gate(unsigned thread, insight::Stall reason, Cycle cycles) {
    gate_closed[thread] = {reason, now + cycles};
  }
  void report(Report::Category category, const Candidate& candidate);
  bool occupied(Occupancy where, unsigned thread) const;
  bool occupied(Occupancy where) const;
  bool accepted_now(Occupancy where) const {
    return ((accepted_now_[0] | accepted_now_[1] | accepted_now_[2]) >> static_cast<unsigned>(where) & 1) != 0;
  }

 private:
  struct SemaphoreStore {
    std::uint8_t semaphore;
    bool decrements;
  };
  static constexpr std::uint8_t riscv_requester = 3;

  using Ports = std::array<Port, thread_count>;

  static constexpr std::array<Held, thread_count> all_open() {
    std::array<Held, thread_count> open{};
    for (Held& held : open)
      held.until = 0;
    return open;
  }

  void retire();
  void complete(const Record& record);
  Held look_at_gate(unsigned thread);
  unsigned decide();
  unsigned arbitrate(Ports& ports, unsigned passing);
  unsigned winner(const Ports& ports, unsigned thread) const;
  bool wins_mutex(unsigned thread, const Ports& ports) const;
  void arbitrate_matrix(Ports& ports);
  void mark_accepted(unsigned issuing);
  unsigned dropped_latches() const;
  void execute(unsigned issuing);
  void execute_one(unsigned thread);
  void do_core_requests();
  void land_core_config_store();
  void account(unsigned issuing);
  void advance_frontends();
  void note(unsigned thread, const FrontendNotes& notes);

  std::array<std::uint16_t, thread_count> accepted_now_{};  // what each thread's instruction of this cycle occupies
  std::uint8_t moving_frontends_ = 0;                       // bit per thread: words may move
  std::optional<SemaphoreStore> semaphore_store_;
  struct PendingConfig {
    ConfigStore write;
    std::optional<unsigned> thread;
  };
  std::optional<PendingConfig> config_store_;
  bool group_taken_ = false;  // a thread used the semaphore group in this cycle; kept only while a store waits
  bool reset_src_banks_ = false;
  bool changed_ = false;
};

}  // namespace tensim::tensix
