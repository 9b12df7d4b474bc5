// The tracks of a tile in a Perfetto trace, made of what the tile tells: of each core where its time went and what it exchanges with
// others, of each thread what is pushed and what its gate does, of each unit what is in it; and values of semaphores, Src banks and
// FIFOs. Flows lead from who did something to who had waited for it. All of it is of this tile alone, so tiles may tell at once.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/address_map.hpp"
#include "arch/semaphores.hpp"
#include "event/happening.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tensix/in_flight.hpp"
#include "tile/tile.hpp"
#include "trace/perfetto_core.hpp"
#include "trace/perfetto_track.hpp"
#include "trace/perfetto_unit.hpp"

namespace tensim::trace {

/// What an exchange is about: Mark::reason.
enum class Exchange : std::uint8_t {
  sends_mail,       // to core `word`
  takes_mail,       // from core `word`
  sends_work,       // through the PCBuf of thread `word`
  takes_work,       // of it
  posts_semaphore,  // `word`
  gets_semaphore,
  sees_semaphore,
  asks_noc,  // `word`: which
  lets_go,   // the cores of the mask `word`
};

class PerfettoTile : public event::Listener {
 public:
  /// Number `number` of the trace's tiles. The tile is as it is before it runs.
  PerfettoTile(const PerfettoLimits& limits, std::uint32_t number, const tile::Tile& tile, bool is_on_chip);

  void happened(const event::Event& event) override;
  void passed(std::span<const event::CoreSpan> spans) override;

  /// Something that was found out afterwards.
  void note_race(time::Cycle cycle, const std::string& text);
  /// The run has left the tile like this.
  void finish(const tile::Tile& tile);

  /// Not all of them have something on them.
  std::vector<PerfettoTrack>& tracks() { return tracks_; }
  Arch arch() const { return arch_; }

  static constexpr std::uint32_t most_tracks = 64;  // with those of its NIUs, the last two
  /// Of the store of a core that initiates a request: the trace of packets ends it.
  static std::uint64_t request_flow(std::uint32_t tile, unsigned core, unsigned noc, time::Cycle cycle) {
    return std::uint64_t{1} << 63U | std::uint64_t{tile} << 54U | std::uint64_t{core} << 51U |
           std::uint64_t{noc} << 50U | cycle;
  }

 private:
  using Cycle = time::Cycle;

  /// What somebody may have waited for.
  struct Cause {
    std::uint64_t flow = 0;
    Cycle cycle = 0;
  };
  struct Hold {
    event::Stall stall = event::Stall::empty;
    Cycle from = 0;
    Cycle until = 0;
    Mark mark = {};
  };
  struct Issue {
    Cycle cycle = 0;
    Mark mark = {};  // of its unit
  };
  static constexpr std::size_t push_numbers = tensix::Entry::push_numbers;
  struct Thread {
    std::vector<Hold> holds = {};  // of the instruction at the gate
    Mark at_gate = {};
    tensix::LatchedWait latch = {};
    Mark latch_mark = {};
    Cycle latched_in = 0;
    Cause released = {};                                                 // what the latched wait has waited for
    std::array<std::array<std::uint64_t, push_numbers>, 2> pushes = {};  // flows, by who pushed and the number
    std::array<std::uint8_t, 2> pushed = {};                             // how many
    std::array<std::uint8_t, 2> issued = {};
    std::deque<Issue> issues = {};  // the last ones
  };
  struct Waiting {  // flows of a job that is about to leave its unit
    std::uint8_t thread = 0;
    Cycle accepted = time::never;
    Flows flows = {};
    std::uint8_t banks = 0;
    Cycle woken = 0;
  };

  void issued(const event::Issued& issue, Cycle cycle);
  void held(const event::Held& hold, Cycle cycle);
  void end_holds(unsigned thread, Cycle until);
  void write_gate(unsigned thread, Cycle from, Cycle until, bool is_issued, const Flows& flows);
  std::uint64_t cause_of(unsigned thread);
  std::uint64_t synchronise(const event::Issued& issue, Cycle cycle);
  void wait_is_over(unsigned thread);
  void left(const event::Left& left, Cycle cycle);
  void bank_filled(const event::BankFilled& filled, Cycle cycle);
  void banks_returned(const event::BanksReturned& returned, Cycle cycle);
  void set_bank(unsigned file, unsigned bank, bool is_full, Cycle cycle);
  void set_semaphore(unsigned semaphore, unsigned value, Cycle cycle);
  void stored(const event::Stored& store, Cycle cycle);
  void landed(const event::Landed& landed, Cycle cycle);
  void loaded(const event::Loaded& load, Cycle cycle);
  void semaphore_stored(const event::SemaphoreStored& stored, Cycle cycle);
  void count_waiting(unsigned thread, Cycle cycle);
  void exchange(unsigned core, Exchange what, std::uint32_t with, std::uint32_t pc, Cycle cycle, const Flows& flows);
  const Issue* issue_at(unsigned thread, Cycle cycle) const;
  std::uint64_t new_flow() { return ++last_flow_; }
  static std::uint64_t take(Cause& cause, Cycle since);

  std::uint32_t number_;
  Arch arch_;
  bool is_on_chip_;
  std::array<CoreBit, tile::core_count> views_{};
  std::vector<PerfettoTrack> tracks_;
  std::vector<PerfettoCore> cores_;
  std::vector<PerfettoUnit> units_;
  std::uint64_t last_flow_;
  std::array<Thread, tensix::thread_count> threads_;
  std::array<Waiting, tensix::occupancy_count> waiting_;
  std::array<Cause, semaphore_count> semaphores_;
  std::array<unsigned, semaphore_count> values_{};
  std::array<Cause, 8> mutexes_;
  std::array<Cause, 2> filled_;
  std::array<std::array<Cause, 2>, 2> returned_;
  std::array<std::array<bool, 2>, 2> is_full_{};
  std::map<std::pair<unsigned, unsigned>, std::deque<std::uint64_t>> mail_;
  std::array<std::deque<std::uint64_t>, tensix::thread_count> work_;
  std::array<std::map<std::uint32_t, std::uint32_t>, tile::core_count> seen_;  // semaphores, by address
  std::array<std::uint32_t, tile::core_count> landed_pc_{};                    // of its last store that was not to L1
};

}  // namespace tensim::trace
