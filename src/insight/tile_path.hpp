// What made everything in a tile happen when it did: for each thread, core and unit a chain of causes (insight/chains.hpp). Whoever
// had to wait goes on from what he waited for last, if that came after he had begun to wait; else from what he did himself.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "arch/address_map.hpp"
#include "event/happening.hpp"
#include "insight/chains.hpp"
#include "insight/polls.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tensix/in_flight.hpp"
#include "tile/tile.hpp"

namespace tensim::insight {

class TilePath : public event::Listener {
 public:
  /// Number `number` of the tiles that are followed together. The tile stays where it is as long as it tells.
  TilePath(Chains& chains, std::uint32_t number, const tile::Tile& tile);

  void happened(const event::Event& event) override;
  void passed(std::span<const event::CoreSpan> spans) override;

  /// The chain that has come furthest by `end`, when all before it has been told.
  Chain last(time::Cycle end);
  /// Of who has written a word of L1 last; nothing if that is not known any more.
  Chain writer_of(std::uint32_t address) const;

  // ---- the NoC's side ----
  /// The store of a core that initiated a request in that cycle; nothing if that is not known any more.
  Chain initiator(unsigned core, time::Cycle cycle) const;
  /// A response has arrived: counters of the NIU have changed.
  void answered(unsigned noc, const Chain& chain) { nius_[noc] = chain; }
  /// A packet has written memory, or a register.
  void packet_wrote(std::uint32_t address, std::uint32_t bytes, const Chain& chain);

 private:
  using Cycle = time::Cycle;

  // ---- threads (tile_path.cpp) ----
  struct Hold {
    event::Stall stall = event::Stall::empty;
    Cycle until = 0;
    std::uint32_t word = 0;
    std::uint32_t origin = 0;
    bool is_from_brisc = false;
    std::uint8_t push = 0;
  };
  struct Issue {
    Cycle cycle = 0;
    Chain chain = {};
    std::uint32_t word = 0;
    std::uint32_t origin = 0;
    bool is_from_brisc = false;
    std::uint8_t waiting = 0;  // words that its core had pushed behind it
  };
  /// The last ones.
  class Issues {
   public:
    void add(Issue issue) {
      issues_.push_back(std::move(issue));
      if (issues_.size() > most) issues_.pop_front();
    }
    const Issue* at(Cycle cycle) const;
    /// The last before `cycle`.
    const Issue* before(Cycle cycle) const;

   private:
    static constexpr std::size_t most = 256;  // an UNPACR may stand in its queue for long
    std::deque<Issue> issues_;
  };
  static constexpr std::size_t push_numbers = tensix::Entry::push_numbers;
  struct Thread {
    Chain chain = {};  // up to its last issue, or hold
    std::optional<Hold> hold = {};
    tensix::LatchedWait latch = {};
    std::uint32_t latch_word = 0;
    std::uint32_t latch_origin = 0;
    bool latch_from_brisc = false;
    Chain released = {};                                         // what its latched wait has waited for
    std::array<std::array<Chain, push_numbers>, 2> pushes = {};  // by who pushed it, and its number
    std::array<std::uint8_t, 2> pushed = {};                     // how many
    Issues issues = {};
  };

  void issued(const event::Issued& issue, Cycle cycle);
  void held(const event::Held& hold, Cycle cycle);
  void end_hold(unsigned thread);
  const Chain* cause_of(unsigned thread, const Hold& hold) const;
  const Chain& push_of(unsigned thread, const Hold& hold) const;
  void synchronise(const event::Issued& issue);
  void wait_is_over(unsigned thread);
  const Chain& condition_cause(unsigned thread, std::string_view condition) const;
  void left(const event::Left& left, Cycle cycle);
  void bank_filled(const event::BankFilled& filled, Cycle cycle);
  void banks_returned(const event::BanksReturned& returned, Cycle cycle);
  Chain in_unit(const Issue& issue, unsigned thread, tensix::Occupancy unit, const Chain& since, Cycle until) const;
  Step gate_step(unsigned thread, event::Stall stall, std::uint32_t word, std::uint32_t origin,
                 bool is_from_brisc) const;
  const Chain& whole_thread(unsigned thread) const;

  // ---- cores (tile_path_cores.cpp) ----
  struct Poll {
    std::uint32_t address = 0;
    std::uint32_t value = 0;
    Cycle cycle = 0;
    std::uint64_t stored = 0;  // Core::stored
    bool is_poll = false;      // by the code around it
  };
  struct UnderWay {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t pc = 0;
    Chain chain = {};
  };
  struct Core {
    Chain chain = {};
    std::deque<event::CoreSpan> spans = {};  // that it has not gone through
    Cycle held_since = 0;                    // of the last span in which it was
    std::uint32_t last_pc = 1;
    bool is_parked = false;
    std::unordered_map<std::uint32_t, Poll> polls = {};  // by pc
    std::uint64_t stored = 0;                            // how many times it has
    std::deque<UnderWay> l1_stores = {};
    std::deque<UnderWay> other_stores = {};
    Chain landed = {};  // its last store that was not to L1
  };
  struct Written {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    Chain chain = {};
  };

  void go_to(unsigned core, Cycle cycle);
  void go_through(unsigned core, const event::CoreSpan& span, Cycle until);
  void go_round(unsigned core);
  void waited_for_room(unsigned core, const event::CoreSpan& span);
  /// The core goes on from `cause` in `cycle`, if that came after `since`.
  void go_on_from(unsigned core, const Chain& cause, Cycle since, const Step& step, Cycle cycle);
  void stored(const event::Stored& store, Cycle cycle);
  void landed(const event::Landed& landed, Cycle cycle);
  void loaded(const event::Loaded& load, Cycle cycle);
  Chain source_of(const event::Loaded& load, const Region& region);
  void updated(const event::Updated& update, Cycle cycle);
  void released(const event::Released& released, Cycle cycle);
  void touched(const event::Event& event, const event::Touched& touched);
  void semaphore_stored(const event::SemaphoreStored& stored, Cycle cycle);
  void moved(const event::Moved& moved, Cycle cycle);
  Chain take_store(std::deque<UnderWay>& stores, unsigned core, std::uint32_t address, Cycle cycle);
  void written(std::uint32_t address, std::uint32_t bytes, const Chain& chain);
  Step core_step(unsigned core, event::CoreStall stall, std::uint32_t pc, std::uint32_t count = 0) const;
  const Region* region_at(unsigned core, std::uint32_t address) const;

  std::uint32_t number_;
  Arch arch_;
  bool has_script_;
  std::size_t l1_bytes_;
  const Region* l1_;
  std::shared_ptr<const tensix::UnitTiming> timing_;
  IsPoll is_poll_;
  std::array<CoreBit, tile::core_count> views_{};
  std::array<Thread, tensix::thread_count> threads_;
  std::array<Core, tile::core_count> cores_;
  std::array<std::array<Chain, tensix::thread_count>, tensix::occupancy_count> left_;  // who was in a unit last,
  std::array<Chain, tensix::occupancy_count> left_last_;                               // of any thread
  std::array<Chain, 8> semaphores_;
  std::array<Chain, 8> mutexes_;
  std::array<std::array<Chain, 2>, 2> filled_;  // by file and bank
  std::array<std::array<Chain, 2>, 2> returned_;
  std::array<Chain, 2> filled_last_;
  std::array<Chain, 2> returned_last_;
  std::array<Chain, tile::core_count> settings_;  // what the core has stored to configuration and GPRs
  std::map<std::pair<unsigned, unsigned>, std::deque<Chain>> mailboxes_;
  std::array<std::deque<Chain>, tensix::thread_count> pc_buffers_;
  std::map<std::uint32_t, Chain> registers_;  // others, by address
  struct Initiated {
    std::uint8_t core = 0;
    Cycle cycle = 0;
    Chain chain = {};
  };
  static constexpr std::size_t most_initiated = 64;
  std::deque<Initiated> initiated_;
  std::array<Chain, 2> nius_;
  Chain outside_;  // who has stored to a register of the tile over the NoC last
  static constexpr std::size_t most_written = 1024;
  std::deque<Written> written_;  // what has been written to L1 last
};

}  // namespace tensim::insight
