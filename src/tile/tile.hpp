// A Tensix tile: L1, five cores, the coprocessor and what lies between them, on one clock. docs/architecture/tile.md says
// how agents are run ahead of each other without changing a result. A tile is plain data: copying it is a snapshot.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "riscv/core.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"
#include "tile/devices.hpp"
#include "tile/l1_ports.hpp"
#include "tile/print_ring.hpp"
#include "tile/read_ahead.hpp"
#include "tile/script.hpp"
#include "tile/tile_timing.hpp"
#include "tile/words_ahead.hpp"

namespace tensim::tile {

/// A report, and the core that it is about.
struct TileReport {
  CoreId core;
  riscv::CoreReport report;
};

class Tile {
 public:
  explicit Tile(Arch chip) : Tile(tile_timing(chip)) {}
  /// Without L1 no data moves: transfers take as long as rows of the timing say, and a core that is let go has nothing to
  /// run, so that it stays where it is.
  enum class Memory : std::uint8_t { l1, none };
  explicit Tile(const std::shared_ptr<const TileTiming>& timing, Memory memory = Memory::l1);

  enum class Halt : std::uint8_t {
    reached,       // the cycle asked for
    met,           // every word of stop_when() has its value
    core_stopped,  // ebreak or a fault; see stopped_core(), and Script::fault() of scripted ones
    coprocessor_fault,
    nothing_left,  // no agent will ever do anything again
  };

  /// Everything before cycle `end` happens, unless something stops it earlier, or has done so in an earlier run.
  Halt run_until(Cycle end);
  /// After `nothing_left`: time goes on to `end`, and cores that go round in loops with it.
  void idle_until(Cycle end);
  /// The cycle to come.
  Cycle now() const { return now_; }
  /// Walks every cycle with every agent and lets nobody sleep. Changes no result.
  void walk_in_lockstep(bool lockstep) { lockstep_ = lockstep; }

  /// The run ends in the cycle in which this word of L1, and every other one named so, has its value.
  void stop_when(std::uint32_t address, std::uint32_t value) { stop_words_.push_back({address, value}); }
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

  // ---- state ----
  Arch arch;
  std::vector<std::uint8_t> l1;
  std::vector<std::uint8_t> iram;  // Wormhole's NCRISC
  std::array<riscv::Core, core_count> cores;
  Devices devices;
  tensix::Coprocessor coprocessor;
  std::vector<TileReport> reports;
  PrintRings print_rings;
  Script script;

 private:
  friend struct CoreBus;
  static constexpr unsigned coprocessor_agent = core_count;
  static constexpr unsigned devices_agent = core_count + 1;  // after the cores' stores
  static constexpr unsigned script_agent = core_count + 2;   // feeds threads; its cores have the numbers of cores
  static constexpr unsigned agent_count = core_count + 3;
  static constexpr unsigned all_agents = (1U << agent_count) - 1;  // masks over the agents
  static constexpr unsigned coprocessor_and_devices = 1U << coprocessor_agent | 1U << devices_agent;  // and the script
  static constexpr std::uint32_t page_bytes = ReadAhead::page_bytes;
  using Key = riscv::Key;

  /// Who did something that others may see, and when.
  struct Moment {
    Cycle cycle;
    riscv::Phase phase;
    unsigned agent;
  };

  /// What has ended the run for good.
  std::optional<Halt> ended() const;
  Halt walk(Cycle end);
  Halt run_without_cores(Cycle end);
  Halt run_ahead(Cycle end);
  Halt advance(Cycle end);
  Halt advance_from(Tile& checkpoint, Cycle& end);
  void run_to_horizon();
  void look_up_keys(unsigned agents);
  void look_up_key(const riscv::Core& core);
  bool ask_core(const riscv::Core& core);
  void plan_port(unsigned port);
  Key next_write_of(unsigned agent) const;
  Key next_write_of_others(unsigned agent) const;
  Key key_of_coprocessor() const;
  Key key_of_devices() const;
  bool coprocessor_has_next_event() const;
  bool has_next_event() const;
  void run_core(riscv::Core& core, Key first, Key limit);
  void run_port(unsigned port, Key limit);
  bool port_is_taken(unsigned port) const;
  bool waits_for_transfer(unsigned port);
  void hold_up_transfers(unsigned port, Cycle hold);
  void run_coprocessor(Key limit);
  void run_devices(Cycle cycle);
  void step_coprocessor();
  Key key_of_script() const;  // script.cpp
  void run_script(Key key);
  void feed_threads(Cycle cycle);
  void catch_up(Cycle cycle);
  void tell_of_l1_changes();

  // ---- words for the coprocessor (feeding.cpp) ----
  void take_words(Cycle cycle);
  void push(unsigned thread, const PushedWords& words);
  Key feed(Key limit);
  Key feed(riscv::Core& core, Key limit);
  void push_front(const riscv::Core& core, unsigned thread, Cycle cycle);
  void forget_to_feed(const riscv::Core& core);

  void answer_scalar_unit();
  Answer access_of_scalar_unit(const Access& access);
  bool do_memory_operation(const MemoryOperation& operation, const Moment& moment);
  void settle_sleepers();
  Cycle last_activity() const;

  // ---- who has to look again ----
  void coprocessor_stepped();
  void devices_changed(const Moment& moment);
  void l1_changed(std::uint32_t address, std::uint32_t bytes, const Moment& moment);
  /// Whether nobody has to be told of a write by the agent within the page of `address`.
  bool leaves_all_alone(unsigned agent, std::uint32_t address) const {
    return !print_rings.any && stop_words_.empty() && watched_[address / page_bytes] == 0 &&
           coprocessor.scalar.wait != tensix::ScalarUnit::Wait::comparison &&
           read_ahead_.leaves_as_is(agent, address / page_bytes);
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
  void look_again_at(unsigned agents) { look_ |= agents; }

  std::shared_ptr<const TileTiming> timing_;
  L1Ports l1_ports_;
  ReadAhead read_ahead_;
  std::array<Key, agent_count + L1Ports::port_count> keys_{};  // when each agent does something next, and each port
  Cycle now_ = 0;
  Cycle horizon_ = 0;
  Cycle active_ = 0;  // after the last cycle in which an agent was looked at
  bool lockstep_ = false;
  bool walks_ = false;                         // every agent stops at every cycle
  unsigned look_ = 0;                          // agents that may have something to do earlier than they thought
  std::optional<Cycle> conflict_;              // something in this cycle concerns cores that have run ahead of it
  std::optional<std::uint32_t> misread_page_;  // a page that a core has read ahead, and another has written
  struct StopWord {
    std::uint32_t address;
    std::uint32_t value;
  };
  std::vector<StopWord> stop_words_;
  std::optional<Cycle> met_;          // when all of them had their values
  std::uint8_t sleepers_ = 0;         // cores asleep,
  std::uint8_t device_sleepers_ = 0;  // those that poll more than L1
  std::uint8_t held_ = all_cores;     // in reset, as last seen
  std::uint32_t debug_bus_ = 0;       // threads that it feeds, as last seen
  WordsAhead words_ahead_;
  std::uint8_t waiting_ = 0;  // cores with an access that is not answered, but for those that are fed
  std::uint8_t fed_ = 0;      // T cores that wait until there is room for their next words: see feed()
  std::array<std::optional<std::uint32_t>, core_count> start_pcs_{};  // instead of reset vectors, during release()
  std::vector<std::uint8_t> watched_;                                 // by page of L1: sleepers that poll it
};

}  // namespace tensim::tile
