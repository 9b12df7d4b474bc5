// A Tensix tile: L1, five cores, the coprocessor and what lies between them, on one clock. docs/architecture/tile.md says
// how agents are run ahead of each other without changing a result. A tile is plain data: copying it is a snapshot.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "event/journal.hpp"
#include "riscv/core.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"
#include "tile/beat.hpp"
#include "tile/devices.hpp"
#include "tile/print_ring.hpp"
#include "tile/schedule.hpp"
#include "tile/script.hpp"
#include "tile/tile_timing.hpp"
#include "time/copied_pointer.hpp"
#include "time/paged_memory.hpp"

namespace tensim::tile {

/// A report, and the core that it is about.
struct TileReport {
  CoreId core;
  riscv::CoreReport report;
};

/// All of a tile but its L1.
struct TileState {
  explicit TileState(const std::shared_ptr<const TileTiming>& timing);
  TileState(const std::shared_ptr<const TileTiming>& timing, NocPlace place);

  Arch arch;
  std::vector<std::uint8_t> iram;  // Wormhole's NCRISC
  std::array<riscv::Core, core_count> cores;
  Devices devices;
  tensix::Coprocessor coprocessor;
  std::vector<TileReport> reports;
  PrintRings print_rings;
  Script script;
  std::optional<NocFault> noc_fault;

  /// A page that was taken for one core's is not, from the start.
  void share(std::uint32_t page) { time_.read_ahead.share(page); }

 protected:
  Schedule time_;
};

class Tile : public TileState {
 public:
  explicit Tile(Arch chip) : Tile(tile_timing(chip)) {}
  /// Without L1 no data moves: transfers take as long as rows of the timing say, and a core that is let go has nothing to
  /// run, so that it stays where it is.
  enum class Memory : std::uint8_t { l1, none };
  explicit Tile(const std::shared_ptr<const TileTiming>& timing, Memory memory = Memory::l1);
  /// A tile of a chip.
  Tile(const std::shared_ptr<const TileTiming>& timing, NocPlace place);

  enum class Halt : std::uint8_t {
    reached,       // the cycle asked for
    met,           // every word of stop_when() has its value
    core_stopped,  // ebreak or a fault; see stopped_core(), and Script::fault() of scripted ones
    coprocessor_fault,
    noc_fault,     // something that came over the NoC; see TileState::noc_fault
    nothing_left,  // no agent will ever do anything again
  };

  /// Everything before cycle `end` happens, unless something stops it earlier, or has done so in an earlier run.
  Halt run_until(Cycle end);
  /// The same for all that can be seen from outside the cores: L1 and registers. Cores may be somewhere behind `end`, and
  /// what belongs to them alone cannot be looked at before settle(). It costs nothing to end a window, however short it is.
  Halt run_window(Cycle end) { return run_window(end, never); }
  /// The same, but it ends early: `reach` cycles behind the first message that the tile sends.
  Halt run_window(Cycle end, Cycle reach);
  /// The same again, but it can be taken back, as long as nothing has been taken of what it sends: by take_back() to any cycle from
  /// where it began on, and not behind `end`, or keep(). It may end early by itself, without a message: then nobody is to go further.
  Halt run_tentatively(Cycle end, Cycle reach);
  /// What it did at `cycle` and behind has not happened.
  Halt take_back(Cycle cycle);
  /// All of it has; `halt` is how it ended.
  void keep(Halt halt);
  /// Of messages that have not been taken: when the first one is taken up.
  Cycle first_outgoing() const;
  /// After run_window(): everybody is where run_until() would have left him.
  void settle();
  /// After `nothing_left`, if nothing has come for long: gives back the host's memory that a mark takes.
  void rest();
  /// After `nothing_left`: time goes on to `end`, and cores that go round in loops with it.
  void idle_until(Cycle end);
  /// Whether a core goes round a loop that is the same in every round but for what it stores, nobody else does anything, and
  /// nothing is known to come: then any time can be left out, and made up for in one go, at little cost.
  bool beats();
  /// Whether that is about to be found out, in windows that are not taken back.
  bool seeks_beat() { return !is_marked_ && (beat_.stage != Beat::Stage::none || starts_to_seek()); }
  /// How many cycles have been left out like that.
  Cycle left_out() const { return beat_.left_out; }
  /// The cycle to come.
  Cycle now() const { return time_.now; }
  /// Walks every cycle with every agent and lets nobody sleep. Changes no result.
  void walk_in_lockstep(bool lockstep) { lockstep_ = lockstep; }
  /// In windows a listener that wants to know the order of things is told, at each multiple of so many cycles, all that was before.
  static constexpr Cycle observed_cycles = 1'024;
  /// From now on `listener` is told what happens, some time after it has happened, and before run_until() or settle() ends.
  void tell(event::Listener* listener) {
    listener_ = listener;
    journal_.want(listener == nullptr ? 0 : listener->wanted());
  }

  /// The run ends in the cycle in which this word of L1, and every other one named so, has its value.
  void stop_when(std::uint32_t address, std::uint32_t value) { time_.stop_words.push_back({address, value}); }
  /// Takes back every stop_when(); a run that one of them has ended can go on.
  void forget_stop_words();

  /// The core that stopped first.
  std::optional<CoreId> stopped_core() const;

  // ---- the host's side, between runs ----
  bool read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) const;
  bool write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes);
  /// A word of a register, as the NoC reaches it. If a core is put into reset, the fault or ebreak that has stopped it is
  /// forgotten.
  Answer read_register(std::uint32_t address);
  Answer write_register(std::uint32_t address, std::uint32_t value);
  /// Lets a core go, at `pc` instead of its reset vector: a store to SOFT_RESET_0 that also says where.
  void release(CoreId core, std::uint32_t pc);
  riscv::Core& core(CoreId id) { return cores[static_cast<unsigned>(id)]; }
  const riscv::Core& core(CoreId id) const { return cores[static_cast<unsigned>(id)]; }

  // ---- the network's side ----
  /// What the NIUs have sent, in order, each message once.
  std::vector<Outgoing> take_outgoing();
  /// A message has arrived completely at the end of `cycle`, which is to come. Said in the order of cycles.
  void deliver(Cycle cycle, noc::MessagePointer message);
  void give_room(const noc::Credit& credit);

  time::PagedMemory l1;

 private:
  friend struct CoreBus;
  static constexpr unsigned coprocessor_agent = time::coprocessor_agent;
  static_assert(coprocessor_agent == core_count);
  static constexpr unsigned devices_agent = core_count + 1;  // after the cores' stores
  static constexpr unsigned script_agent = core_count + 2;   // feeds threads; its cores have the numbers of cores
  static constexpr unsigned agent_count = Schedule::agent_count;
  static constexpr unsigned all_agents = (1U << agent_count) - 1;  // masks over the agents
  static constexpr unsigned coprocessor_and_devices = 1U << coprocessor_agent | 1U << devices_agent;  // and the script
  static constexpr std::uint32_t page_bytes = ReadAhead::page_bytes;
  using Key = time::Key;

  /// Who did something that others may see, and when.
  struct Moment {
    Cycle cycle;
    time::Phase phase;
    unsigned agent;
  };

  // ---- the clock (clock.cpp) ----
  /// What has ended the run for good, before cycle `end`.
  std::optional<Halt> ended(Cycle end) const;
  Halt walk(Cycle end);
  Halt run_without_cores(Cycle end);
  Halt run_stretch(Cycle end);
  Halt run_marked(Cycle end);
  Halt advance(Cycle end);
  Halt advance_window(Cycle end, Cycle horizon);
  void mark();
  void forget_mark();
  Halt nothing_is_left();
  void go_back();
  void go_back_to(Cycle cycle);
  void hand_on_events();
  void leave_out_sleepers();
  bool is_ahead() const;
  void come_to_now();
  void wake_everybody();
  bool has_anything_to_do_before(Cycle end);
  void stop_with(const riscv::Core& core);
  void settle_sleepers();
  Cycle last_activity() const;

  // ---- a core that goes round alone (beat.cpp) ----
  std::optional<Halt> beat_on(Cycle end);
  riscv::Core* lone_core();
  bool touches_nobody(const riscv::Core& core, const riscv::Round& round) const;
  bool starts_to_seek();
  void note_start(const riscv::Core& core);
  std::optional<riscv::Round> comes_round(riscv::Core& core);
  Halt seek_beat(riscv::Core& core, Cycle end);
  Halt go_round(riscv::Core& core, Cycle limit, Cycle end);
  void leave_out(riscv::Core& core, const riscv::Round& round, Cycle laps);
  Halt walk_beside_sleepers(Cycle end);
  void lose_beat();

  // ---- the order (tile.cpp) ----
  void run_to_window();
  void run_agent(Key first, Key limit);
  void look_up_keys(unsigned agents);
  void look_up_key(const riscv::Core& core);
  static Key key_to_go_on(const riscv::Core& core);
  bool tell_port(const riscv::Core& core, const riscv::StoreQueue::Shared& oldest);
  bool ask_core(const riscv::Core& core);
  void plan_port(unsigned port);
  Key next_write_of(unsigned agent) const;
  Key next_write_of_others(unsigned agent) const;
  Key key_of_coprocessor() const;
  Key key_of_devices() const;
  bool coprocessor_has_next_event() const;
  bool has_next_event() const;
  void run_turn(riscv::Core& core, Key first, Key limit);
  void run_core(riscv::Core& core, Key first, Key limit);
  void run_observed(riscv::Core& core, Key first, Key limit);  // observed.cpp
  void run_ports(Key limit);
  /// Whose store has left, if one has, and whether the core has waited for that.
  struct Gone {
    riscv::Core* core = nullptr;
    bool has_waited = false;
  };
  Gone let_store_go(unsigned port, Key limit);
  unsigned first_port() const;
  bool port_has_load(unsigned port) const;
  bool waits_for_transfer(unsigned port);
  void hold_up_transfers(unsigned port, Cycle hold);
  void run_coprocessor(Key limit);
  void run_devices(Cycle cycle);
  void step_coprocessor();
  Key key_of_script() const;  // script.cpp
  void run_script(Key key);
  void feed_threads(Cycle cycle);
  void attach();
  void catch_up(Cycle cycle);
  void tell_of_l1_changes();

  // ---- words for the coprocessor (feeding.cpp) ----
  void take_words(Cycle cycle);
  Key feed(Key limit);
  Key feed(riscv::Core& core, Key limit);
  void push_front(const riscv::Core& core, unsigned thread, Cycle cycle);
  void forget_to_feed(const riscv::Core& core);
  bool refill_queue(riscv::Core& core);
  bool refill_observed(riscv::Core& core);  // observed.cpp

  // ---- the NoC (niu_traffic.cpp) ----
  /// A message, or news of room in the network.
  struct Arrival {
    Cycle cycle = 0;
    noc::MessagePointer message = {};
    noc::Credit credit = {};
  };
  void add_to_inbox(Arrival arrival);
  Cycle next_arrival() const;
  void forget_arrivals();
  bool run_nius(const Moment& moment);
  Cycle end_of_reach() const;
  void run_niu(unsigned noc, const Moment& moment);
  void accept(unsigned noc, const Moment& moment);
  bool arrive(const noc::MessagePointer& message, const Moment& moment);
  void serve(Niu& niu, const noc::Message& read, const Moment& moment);
  void carry_out_atomic(const noc::Message& message, const Moment& moment);
  std::vector<std::uint8_t> read_source(const noc::Message& message, std::uint64_t address, const Moment& moment);
  std::vector<std::uint8_t> read_for_noc(const noc::Message& message, std::uint64_t address, const Moment& moment);
  void store_header(const noc::Message& message, const Moment& moment);
  bool write_for_noc(const noc::Message& message, const Moment& moment);
  void write_inline(const noc::Message& message, const Moment& moment);
  void stop_with(const NocFault& fault);
  Answer load_register(std::uint32_t address, const Moment& moment);
  Answer store_register(std::uint32_t address, std::uint32_t value, const Moment& moment, const noc::Issuer& issuer);

  void answer_scalar_unit();
  Answer access_of_scalar_unit(const Access& access);
  bool do_memory_operation(const MemoryOperation& operation, event::Moved::By by, const Moment& moment);

  // ---- what a listener hears of (observed.cpp) ----
  bool notes_orders() const { return journal_.wants_events_of_order(); }
  bool observes_cores() const { return notes_orders() || journal_.wants(event::wants_time); }
  void note_rounds(riscv::Core& core, Cycle from);
  void note_time_until(riscv::Core& core, Cycle cycle);
  static Key key_of(const Moment& moment);
  void note_block(const riscv::Core& core, Cycle cycle);
  void note_move(const MemoryOperation& operation, event::Moved::By by, const Moment& moment);
  void note_register(const tensix::Record& request, const Access& access, const Answer& answer, const Moment& moment);
  void note_release(std::uint8_t released, const Moment& moment);
  void note_scripted_store(unsigned core, const ScriptedAccess& access, Key when);
  void note_scripted_load(unsigned core, const ScriptedAccess& access, std::uint32_t value, Key when);
  void note_fed(unsigned thread, const Script::Word& fed, Cycle cycle);

  // ---- who has to look again ----
  void coprocessor_stepped();
  void devices_changed(const Moment& moment);
  void l1_changed(std::uint32_t address, std::uint32_t bytes, const Moment& moment);
  /// Whether nobody has to be told of a write by the agent within the page of `address`.
  bool leaves_all_alone(unsigned agent, std::uint32_t address) const {
    return !print_rings.any && time_.stop_words.empty() && time_.watched[address / page_bytes] == 0 &&
           coprocessor.scalar.wait != tensix::ScalarUnit::Wait::comparison &&
           time_.read_ahead.leaves_as_is(agent, address / page_bytes);
  }
  void misjudged(std::uint32_t page, unsigned owner, const Moment& moment);
  void wake_core(riscv::Core& core, const Moment& moment);
  void wake_device_sleepers(const Moment& moment);
  bool sees_the_same(const riscv::Core& core, Cycle cycle);
  void watch(const riscv::Core& core, bool on);
  void retry_accesses(riscv::Core& core, const Moment& moment);
  void retry_script(std::uint8_t named, const Moment& moment);  // script.cpp
  void ask_again();
  void look_at_stop_words(Cycle cycle);
  bool require_exact(Cycle cycle);
  void apply_config_effects(Cycle cycle);
  void apply_tile_control(const Moment& moment);  // soft_reset.cpp
  void apply_debug_bus(const Moment& moment);
  void look_again_at(unsigned agents) { time_.look |= agents; }

  std::shared_ptr<const TileTiming> timing_;
  bool lockstep_ = false;
  bool walks_ = false;    // every agent stops at every cycle
  bool is_exact_ = true;  // nobody is behind `now`
  bool is_marked_ = false;
  bool is_tentative_ = false;  // the mark is not forgotten, whatever comes
  Beat beat_;
  Cycle stretch_end_ = 0;                // of windows since the mark
  Cycle reach_ = never;                  // how far it may go on behind a message that it sends
  time::CopiedPointer<TileState> mark_;  // how all but L1 was
  event::Listener* listener_ = nullptr;
  event::Journal journal_;      // since the mark
  std::vector<Arrival> inbox_;  // what has arrived since the mark, and what will; in the order of cycles
  std::uint32_t sent_ = 0;      // messages that have been taken
  std::array<std::optional<std::uint32_t>, core_count> start_pcs_{};  // instead of reset vectors, during release()
};

}  // namespace tensim::tile
