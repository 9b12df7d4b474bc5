// The Tensix coprocessor: three frontends, nine units, one clock. docs/architecture/cycle.md says what a cycle is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/journal.hpp"
#include "event/stall.hpp"
#include "tensix/core_requests.hpp"
#include "tensix/data_issue.hpp"
#include "tensix/frontend/frontend.hpp"
#include "tensix/frontend/wait_gates.hpp"
#include "tensix/in_flight.hpp"
#include "tensix/l1_traffic.hpp"
#include "tensix/memory.hpp"
#include "tensix/operation.hpp"
#include "tensix/registers/adc.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/registers/dst.hpp"
#include "tensix/registers/gpr.hpp"
#include "tensix/registers/rwc.hpp"
#include "tensix/registers/src_banks.hpp"
#include "tensix/registers/src_registers.hpp"
#include "tensix/registers/streams.hpp"
#include "tensix/registers/written.hpp"
#include "tensix/types.hpp"
#include "tensix/unit_timing.hpp"
#include "tensix/units/configuration/unit.hpp"
#include "tensix/units/matrix/unit.hpp"
#include "tensix/units/mover/unit.hpp"
#include "tensix/units/packers/unit.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tensix/units/sync/unit.hpp"
#include "tensix/units/unpackers/unit.hpp"
#include "tensix/units/vector/unit.hpp"
#include "time/doing.hpp"

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
    semaphore_limit,  // SEMPOST at 15 or SEMGET at 0, of the semaphore `index`: nothing happened
    unused_bits,
    uninitialised_read,  // `place` says of what
    undefined_data,      // `issue` says what
    open_recording,      // of a REPLAY that did not get all its words; `index` says how many are missing
  };
  Category category;
  Cycle cycle = 0;
  unsigned thread = 0;
  Entry entry;
  Place place = Place::none;
  std::uint8_t owner = 0;  // the thread of a GPR, MopCfg word or replay slot; the bank of a configuration word
  std::uint16_t index = 0;
  DataIssue issue = DataIssue::none;
};

/// What stops a run for good.
struct Fault {
  enum class Category : std::uint8_t { undefined_instruction, not_modelled, frontend_only };
  Category category;
  Cycle cycle = 0;
  unsigned thread = 0;
  Entry entry;
  DataIssue issue = DataIssue::none;  // of what is not modelled
};

/// Whether condition `bit` of a STALLWAIT holds for the thread, by the chip's own numbering.
bool stall_condition_holds(const Coprocessor& coprocessor, unsigned thread, unsigned bit);

struct Coprocessor {
  explicit Coprocessor(Arch chip) : Coprocessor(unit_timing(chip)) {}
  explicit Coprocessor(std::shared_ptr<const UnitTiming> given);

  // ---- the clock ----

  /// Runs the cycle `now`, then moves on to the next. Between steps the state is that of the end of the last cycle, with
  /// all that landed in it: what a core loads in cycle `now` it loads before the step, what it stores it stores after it.
  void step() {
    if (vector_run_.bit != 0) [[unlikely]]
      return step_in_vector_run();
    step_any();
  }
  /// True if the last cycle changed anything: the next one may too.
  bool changed() const { return changed_; }
  /// The next cycle in which something can happen by itself; `never` if nothing will.
  Cycle next_event() const;
  /// Skips to cycle `to`, in which nothing happens before; every held cycle is accounted for.
  void skip_to(Cycle to);

  // ---- the T cores' and BRISC's side ----

  bool can_push(unsigned thread) const { return frontends[thread].can_push(); }
  void push(unsigned thread, Word word, std::uint32_t origin) {
    if (frontends[thread].push(word, origin)) moving_frontends_ |= 1U << thread;
    changed_ = true;
  }
  bool can_push_from_brisc(unsigned thread) const { return frontends[thread].can_push_from_brisc(); }
  void push_from_brisc(unsigned thread, Word word, std::uint32_t origin);
  /// A T core's store to the semaphore window; it waits for the semaphore group's slot (U4). One at a time.
  bool can_store_semaphore() const { return !semaphore_store_.has_value(); }
  void store_semaphore(unsigned core, unsigned semaphore, std::uint32_t value);
  /// False if there is no such register.
  bool store_stream(unsigned stream, unsigned index, std::uint32_t value);
  /// The core's own store has not landed yet. Accesses of one core to one region are processed in order
  /// (MemoryOrdering.md), so its loads of semaphores wait for it; those of other cores do not.
  bool has_semaphore_store(unsigned core) const { return semaphore_store_ && semaphore_store_->core == core; }
  /// Cores' requests, by number in the order of CoreBit: stores of the cycle just stepped, loads of the one to come.
  bool can_store_config(unsigned core) const { return core_requests.takes_config_store(core); }
  void store_config(unsigned core, const ConfigStore& write, AutoTtSync::Ticket ticket = AutoTtSync::no_ticket);
  bool can_store_gpr(unsigned core) const { return core_requests.takes_gpr_store(core); }
  void store_gpr(unsigned core, const CoreRequests::GprStore& write, AutoTtSync::Ticket ticket = AutoTtSync::no_ticket);
  void note_core_load(unsigned core, AutoTtSync::Ticket ticket = AutoTtSync::no_ticket);
  void note_core_store(unsigned core, AutoTtSync::Ticket ticket = AutoTtSync::no_ticket);
  /// Lets land what was due at the end of the cycle before `cycle`, if that is the one to come: loads of it see that.
  void settle(Cycle cycle);
  void discard_before_mop_expander(unsigned thread) { frontends[thread].discard_before_mux(); }
  /// Somebody outside has changed registers, configuration or Src banks: nothing may rely on the last cycle's look.
  void state_changed_from_outside() {
    gates.look = gates.recheck = all_threads;
    leave_vector_run();
    changed_ = true;
  }
  void write_mop_config(unsigned thread, unsigned word, Word value);

  // Auto TTSync (Blackhole), for the T core of `thread`. An access that counts for any resource asks whether it may go
  // out (if not: tile::Wait::auto_ttsync), says so when it does, and again when it has been processed.
  ResourceSet tracked_resources(unsigned thread, TrackedRegion region, std::uint32_t offset) const {
    return frontends[thread].auto_ttsync.resources_of(region, offset);
  }
  bool may_load(unsigned thread, ResourceSet wanted) const { return frontends[thread].auto_ttsync.may_load(wanted); }
  bool may_store(unsigned thread, ResourceSet wanted) const { return frontends[thread].auto_ttsync.may_store(wanted); }
  AutoTtSync::Ticket core_access_started(unsigned thread, ResourceSet wanted, bool is_store) {
    return frontends[thread].auto_ttsync.access_started(wanted, is_store);
  }
  /// `processed`: the cycle in which it was; the next may see its effect.
  void core_access_done(unsigned thread, AutoTtSync::Ticket ticket, Cycle processed);
  /// SOFT_RESET_0 bit 23.
  void reset_auto_ttsync();

  /// Nothing left in any frontend or unit; latched waits may remain (ruling 11).
  bool is_idle() const;

  /// Nothing of this thread's is left in its frontend or in any unit at the start of cycle `now` (C30). A latched wait
  /// with nothing behind it does not count (assumed).
  bool thread_is_idle(unsigned thread) const;

  /// The latch of a thread still has a condition that holds, at the start of the coming cycle.
  bool keeps_waiting(unsigned thread) const;
  /// What a latched STREAMWAIT looks at.
  std::uint32_t stream_count_of(const LatchedWait& latch) const;

  // ---- state: plain data, copying it is a snapshot ----

  Arch arch;
  std::shared_ptr<const UnitTiming> timing;  // of all tiles of a run
  Cycle now = 0;
  std::array<Frontend, thread_count> frontends;
  WaitGates gates;
  std::array<std::uint8_t, port_count> last_served;  // round-robin: the thread each port served last
  InFlight in_flight;
  L1Traffic l1_traffic;
  SyncUnit sync;
  ScalarUnit scalar;
  ConfigurationUnit configuration;
  MatrixUnit matrix;
  VectorUnit vector;
  Unpackers unpackers;
  Packers packers;
  Mover mover;
  SrcBanks src;
  SrcRegisters src_registers;
  Streams streams;
  Gprs gprs;
  BackendConfig config;
  Written written;
  Adcs adcs;
  Rwcs rwcs;
  Dst dst;
  CoreRequests core_requests;
  /// What writes of configuration did beyond being stored; whoever acts on it clears it.
  ConfigEffects config_effects = 0;
  std::array<event::StallAccount, thread_count> accounts{};
  std::vector<Report> reports;
  std::optional<Fault> fault;

  event::Journal* journal = nullptr;  // who wants to know what happens; null if nobody does
  Memory memory;

  /// In which order threads are looked at; no order changes a result, and a test shuffles it.
  void evaluate_in(const std::array<std::uint8_t, thread_count>& order) {
    leave_vector_run();
    evaluation_order_ = order;
    shuffled_order_ = order != std::array<std::uint8_t, thread_count>{0, 1, 2};
  }

  /// Not 0: gates stay closed for a while after each instruction, by amounts that this decides. Whatever is ordered by what the
  /// hardware guarantees comes out the same. The three highest bits are threads that are left alone. Only with a journal.
  std::uint32_t shake_seed = 0;
  /// Of the whole tile.
  time::Activity activity;
  static constexpr unsigned not_shaken_shift = 29;
  static constexpr Cycle longest_shake = 100;

  // ---- for the units ----

  /// Somebody wants to know what reads and writes what, and in which order.
  bool orders_are_noted() const { return journal != nullptr && journal->wants(event::wants_order); }
  /// Somebody wants to know who makes others go on.
  bool causes_are_noted() const { return journal != nullptr && journal->wants_events_of_order(); }
  time::Key key_of_now() const { return time::key(now, time::Phase::step, time::coprocessor_agent); }
  const Operation& operation(Word word) const { return timing->operations[isa::opcode_of(word)]; }
  /// SEMWAITs have to look at the semaphores again.
  void semaphores_changed() { gates.recheck = all_threads; }
  /// The unpacker's bank goes to the Matrix Unit, even if it comes back from there in this very cycle.
  void hand_to_matrix(Src which);
  /// CLEARDVALID with Reset: at the end of the cycle, whatever else happens in it.
  void reset_src_banks() { reset_src_banks_ = has_requests_ = true; }
  /// Only one thread issues in this cycle, and it is for the Vector Unit. Not all such cycles are known.
  bool in_vector_run() const { return vector_run_.bit != 0; }
  /// The next cycle is none of a run of vector instructions (step_in_vector_run()).
  void leave_vector_run() { vector_run_.bit = 0; }
  /// Puts the operation in flight for its latency, or for `latency` cycles.
  unsigned start(const Candidate& candidate, Record record, Cycle latency);
  /// The same for one that only takes its time there; what it does when it completes may be added.
  unsigned start(const Candidate& candidate, Occupancy where, Cycle latency);
  /// What an operation in flight writes to GPRs has landed, though the operation is not done.
  void tracked_writes_landed(unsigned slot);
  void close_gate(unsigned thread, event::Stall reason, Cycle cycles) { gates.closed[thread] = {reason, now + cycles}; }
  void report(Report::Category category, const Candidate& candidate, Place place = Place::none, unsigned owner = 0,
              unsigned index = 0);
  /// Recordings that are not complete: of interest when no word will come any more.
  std::vector<Report> open_recordings() const;
  /// What is undefined is reported, once for each instruction; what is not modelled stops the run.
  void data_issue(const Candidate& candidate, DataIssue issue);
  void report_uninitialised(const Candidate& candidate, Place place, unsigned owner, unsigned index);
  /// Reads of state that nobody initialised are reported, each place once.
  void reads_gprs(const Candidate& candidate, GprSet read) {
    if (const GprSet unknown = read.without(written.gprs[candidate.thread]); !unknown.empty())
      report_gprs(candidate, unknown);
  }
  void reads_config(const Candidate& candidate, unsigned bank, unsigned word);
  void reads_semaphores(const Candidate& candidate, std::uint8_t mask) {
    if (has_unknown_semaphores(mask)) report_semaphores(candidate, mask & ~unsigned{written.semaphores});
  }
  void write_config(const ConfigStore& write) { write_config(write, now); }
  /// In `cycle`, which may be over.
  void write_config(const ConfigStore& write, Cycle cycle) {
    const ConfigEffects effects = store(config, arch, write);
    config_effects |= effects;
    if ((effects & seeds_prng) != 0) {
      seed_generators();
      matrix.noise = packers.packer[0].noise;  // from the same seed
    }
    written.add_config(arch, write, effects);
    if (orders_are_noted()) note_config(write, cycle);
  }
  void write_thread_config(const ThreadConfigStore& write);
  /// From PRNG_SEED_Seed_Val.
  void seed_generators();
  bool has_unknown_semaphores(std::uint8_t mask) const { return (mask & ~unsigned{written.semaphores}) != 0; }
  bool occupied(Occupancy where, unsigned thread) const;
  bool occupied(Occupancy where) const;
  bool accepted_now(Occupancy where) const {
    return ((accepted_now_[0] | accepted_now_[1] | accepted_now_[2]) >> static_cast<unsigned>(where) & 1) != 0;
  }

 private:
  struct SemaphoreStore {
    std::uint8_t core;
    std::uint8_t semaphore;
    bool decrements;
  };
  static constexpr std::uint8_t riscv_requester = 3;

  using Ports = std::array<Port, thread_count>;
  static constexpr unsigned all_threads = WaitGates::all_threads;

  const Record& in_unit(const Candidate& candidate, Record& record, Cycle latency) const;
  void retire();
  void complete(const Record& record);
  void look_at_gate(unsigned thread);
  void look_at_gates();
  void look_at_gates_closely();
  void ask_auto_ttsync();
  void refuse(unsigned thread);
  unsigned decide();
  unsigned arbitrate();
  unsigned winner(const Ports& ports, unsigned thread) const;
  bool wins_mutex(unsigned thread, const Ports& ports) const;
  void arbitrate_matrix(Ports& ports);
  /// Threads of `mask`, in the order of evaluation. Each thread has code of its own, with its addresses worked out.
  template <class Visit>
  [[gnu::always_inline]] void for_each_thread(unsigned mask, Visit visit) const {
    if (shuffled_order_) {
      for (const std::uint8_t thread : evaluation_order_)
        if ((mask >> thread & 1U) != 0) visit(unsigned{thread});
      return;
    }
    if ((mask & 1U) != 0) visit(0U);
    if ((mask & 2U) != 0) visit(1U);
    if ((mask & 4U) != 0) visit(2U);
  }
  static_assert(thread_count == 3);
  void mark_accepted(unsigned issuing);
  /// What of a cycle goes into the journal.
  enum class Noted : std::uint8_t { nothing, last_issues, all };
  template <Noted noted>
  void drop_latches(unsigned candidates, unsigned issuing);
  void execute(unsigned issuing);
  void execute_together(unsigned issuing);
  void shake(unsigned issuing);
  void execute_one(unsigned thread);
  void execute_other(const Candidate& candidate);
  void has_executed(unsigned thread, Port port);
  void advance_units(unsigned issuing);
  void step_any();
  void step_noted();
  template <Noted noted>
  void run_cycle();
  void step_in_vector_run();
  void step_after_vector_run();
  void end_cycle_of_vector_run();
  void expand_in_vector_run();
  void retire_in_vector_run();
  template <bool may_be_held>
  void step_vector(const Entry& entry);
  bool does_nothing(unsigned thread) const;
  void look_for_vector_run(unsigned thread);
  void do_requests();
  void land_semaphore_store();
  void land_core_requests();
  event::Issued issue_of(unsigned thread) const;
  void note_issue(unsigned thread) const;
  void note_gates(unsigned issuing) const;
  void note_last_issues(unsigned issuing) const;
  void note_hold(unsigned thread, Cycle cycles) const;
  void note_completion(const Record& record) const;
  void note_config(const ConfigStore& write, Cycle cycle) const;
  void advance_frontends();
  bool expand(unsigned thread);
  void words_moved(unsigned thread) {
    changed_ = true;
    if (gates.held[thread].stall == event::Stall::empty) gates.look |= 1U << thread;
  }
  void report_notes(unsigned thread);
  void report_gprs(const Candidate& candidate, GprSet unknown);
  void report_semaphores(const Candidate& candidate, unsigned unknown);

  std::array<std::uint16_t, thread_count> accepted_now_{};  // what each thread's instruction of this cycle occupies
  unsigned moving_frontends_ = 0;                           // masks over the threads: words may move,
  std::uint8_t watched_ = 0;                                // Auto TTSync is on
  bool shuffled_order_ = false;                             // evaluation_order_ is not 0, 1, 2
  struct VectorRun {
    std::uint8_t bit = 0;  // of the thread; 0: there is none
    std::uint8_t thread = 0;
  } vector_run_;
  std::optional<SemaphoreStore> semaphore_store_;
  std::array<std::uint8_t, thread_count> evaluation_order_{0, 1, 2};
  bool group_taken_ = false;  // a thread used the semaphore group in this cycle; kept only while a store waits
  bool reset_src_banks_ = false;
  bool has_requests_ = false;  // any of the three above
  bool changed_ = false;
};

}  // namespace tensim::tensix
