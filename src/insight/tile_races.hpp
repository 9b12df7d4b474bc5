// The race check of a tile: hears what happens in it, and keeps what is known to be before what (insight/clocks.hpp); who has touched
// what is its checked state (insight/checked_state.hpp). docs/architecture/races.md says how.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "event/happening.hpp"
#include "insight/checked_state.hpp"
#include "insight/counted_banks.hpp"
#include "insight/counted_semaphore.hpp"
#include "insight/l1_flags.hpp"
#include "insight/polls.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tile/access.hpp"
#include "tile/tile.hpp"

namespace tensim::insight {

class TileRaces : public event::Listener {
 public:
  /// Number `number` of the tiles that are checked together.
  TileRaces(RaceContext& context, TileNumber number, IsPoll is_poll);

  void happened(const event::Event& event) override;
  /// What it keeps of who has touched what.
  std::size_t shadow_bytes() const { return state_.bytes() + flags_.bytes(); }

  /// How things are at the start.
  void start(const tile::Tile& tile);

  // ---- the NoC's side (tile_races_noc.cpp) ----
  ActorNumber core_actor(unsigned core) const { return actor_of_core(first_, core); }
  /// Who initiated the request that an NIU has taken up, as he was then; null if that is not known.
  std::shared_ptr<const Snapshot> initiator(const noc::Message& message) const;
  /// He knows now that it is under way.
  void sent(unsigned core, const NocRequest& request);
  /// A packet reads or writes L1.
  void packet_touches(const Current& current, const event::Access& access) {
    state_.touch(current, access, Span::until_done);
  }
  /// What came with a packet is there: who polls a word of it finds out what its sender had done.
  void packet_landed(const Actor& sender, std::uint32_t address, std::uint32_t bytes);
  /// A packet adds to a word, or exchanges it: behind all who did before it.
  void packet_updated(Actor sender, std::uint32_t address);
  /// Somebody outside reads memory or registers, and learns what those have done who wrote what is there.
  void read_from_outside(Actor& reader, std::uint32_t address, std::uint32_t bytes);
  /// A packet has been stored to a register.
  void packet_stored(const Actor& sender, std::uint32_t address);

 private:
  using Lanes = std::array<std::uint32_t, tensix::thread_count>;

  /// What a wait has proved, from the first instruction on that its block mask catches.
  struct Proved {
    std::uint16_t block_mask = 0;
    Proof done = {};
    std::vector<Snapshot> behind = {};
  };
  /// A wait that is latched, with what its thread knew then: what passes it meanwhile might have come behind its end.
  struct Wait {
    tensix::LatchedWait latch = {};
    bool is_latched = false;
    Snapshot at = {};
    Proof done = {};  // if it ends
  };
  struct Push {
    std::uint8_t number = 0;  // modulo tensix::Entry::push_numbers
    std::uint32_t origin = 0;
    std::shared_ptr<const Snapshot> snapshot = {};
  };
  /// An operation in a unit that something later speaks of by the cycle of its acceptance.
  struct InUnit {
    std::uint64_t accepted = 0;
    std::uint32_t number = 0;
    std::uint32_t ordinal = 0;
    SiteNumber site = 0;
    std::shared_ptr<const Snapshot> snapshot = {};
  };
  struct Thread {
    explicit Thread(ActorNumber number) : actor(number) {}
    Actor actor;
    std::uint32_t ordinal = 0;
    bool has_auto_ttsync = false;
    Wait wait = {};
    std::vector<Proved> proved = {};
    std::shared_ptr<const Snapshot> joined = {};          // what its pusher knew, last
    std::array<std::deque<Push>, 2> pushes = {};          // of its T core, and of BRISC
    std::array<std::uint8_t, 2> pushed = {};              // how many so far
    std::array<Lanes, tensix::occupancy_count> others{};  // of each unit: what others had issued there at the last own
    std::array<std::deque<InUnit>, tensix::occupancy_count> recent = {};
    Proof closed_for = {};  // the instruction that keeps the gate closed until it is done
  };
  /// What a load brings when it is used.
  struct Brought {
    std::vector<Snapshot> behind = {};
    Proof done = {};
  };
  struct Core {
    explicit Core(ActorNumber number) : actor(number) {}
    Actor actor;
    std::map<unsigned, Brought> loads = {};  // by register
    struct Said {
      std::uint32_t address;
      std::shared_ptr<const Snapshot> snapshot;
    };
    std::deque<Said> said = {};  // stores that others may learn from, and that have not landed
    std::array<std::deque<std::uint32_t>, lanes_per_actor> not_landed = {};  // numbers of stores, for reports alone
    struct Waiting {
      std::uint32_t address;
      SiteNumber site;
      std::uint32_t number;
      std::shared_ptr<const Snapshot> snapshot;
    };
    std::deque<Waiting> waiting = {};  // with Auto TTSync: stores that wait for instructions before them
  };

  // ---- threads (tile_races.cpp) ----
  void issued(const event::Event& event, const event::Issued& issue);
  void touched(const event::Event& event, const event::Touched& touched);
  void update_flags(Thread& thread, const event::Event& event, bool acquires);
  void moved(const event::Moved& moved);
  void acquire_push(Thread& thread, const event::Issued& issue);
  static void know_landed(Thread& thread, const Snapshot& pusher);
  void use_proofs(Thread& thread, tensix::Word word);
  void synchronise(Thread& thread, const event::Issued& issue, std::uint32_t number);
  void change_semaphore(unsigned semaphore, bool decrements, const Actor& by, Lane lane, std::uint32_t number);
  void acquire_banks(Thread& thread, const event::Event& event);
  void wait_over(const event::WaitOver& over);
  void latch(unsigned thread, tensix::Word word);
  Proved proof_of(const Wait& wait) const;
  void add_unit_proof(Proof& done, unsigned thread, std::string_view condition) const;
  void add_bank_proof(Proved& proved, const Wait& wait, std::string_view condition) const;
  void bank_filled(const event::Event& event, const event::BankFilled& filled);
  void config_written(const event::ConfigWritten& written);
  void banks_returned(const event::BanksReturned& returned);
  void left(const event::Event& event, const event::Left& left);
  const InUnit* in_unit(unsigned thread, tensix::Occupancy unit, std::uint64_t accepted) const;

  // ---- cores (tile_races_cores.cpp) ----
  void stored(const event::Event& event, const event::Stored& store);
  void landed(const event::Event& event, const event::Landed& landed);
  void loaded(const event::Event& event, const event::Loaded& load);
  bool polls(unsigned core, std::uint32_t pc);
  static void add_flag(Brought& brought, const Snapshot& writer, bool is_of_packet);
  static void add_answered(const Actor& core, Brought& brought);
  static void learn(Actor& actor, const Brought& brought);
  void used(const event::Used& used);
  void updated(const event::Event& event, const event::Updated& update);
  void released(const event::Released& released);
  void released_from_outside(const event::Released& released);
  void semaphore_stored(const event::SemaphoreStored& stored);
  void pushed(const event::Event& event, const event::Stored& store, const Region& region);
  bool has_auto_ttsync(unsigned core) const;
  void landed_behind_instructions(const event::Event& event, const event::Landed& landed, const Region& region);
  void end_stores(Core& core, CoreLane lane, unsigned count, std::uint64_t cycle);
  static std::shared_ptr<const Snapshot> snapshot_of(const Core& core);
  static std::shared_ptr<const Snapshot> take_said(Core& core, std::uint32_t address);
  Brought whole_thread(unsigned thread) const;
  void access_of_core(const event::Event& event, Core& core, CoreLane lane, const Site& site,
                      std::span<const event::Access> accesses);

  // ---- numbers ----
  ActorNumber thread_actor(unsigned thread) const { return actor_of_thread(first_, thread); }
  Lane lane_of_unit(unsigned thread, tensix::Occupancy unit) const {
    return lane_of(thread_actor(thread), static_cast<unsigned>(unit));
  }
  const Region* region_at(unsigned core, std::uint32_t address) const;

  /// A request that a core has initiated, and that its NIU may not have taken up.
  struct Initiated {
    std::uint8_t core;
    std::uint64_t cycle;
    std::shared_ptr<const Snapshot> snapshot;
  };
  void add_counter(Brought& brought, const Snapshot& writer) const;
  void add_flags(Brought& brought, std::uint32_t address, std::uint32_t bytes, unsigned reader = L1Flag::no_core);
  void niu_stored(unsigned core, std::uint32_t address, std::uint32_t value, const event::Event& event);
  void niu_loaded(const Region& region, const event::Loaded& load, Brought& brought) const;

  RaceContext& context_;
  TileNumber number_;
  ActorNumber first_;
  std::array<CoreBit, tile::core_count> views_{};  // whose rows of the address map are the cores'
  Arch arch_;
  IsPoll is_poll_;
  std::map<std::pair<unsigned, std::uint32_t>, bool> polls_;  // what it has said
  tensix::BackendConfig config_;                              // as it is
  std::vector<Thread> threads_;
  std::vector<Core> cores_;
  std::array<CountedSemaphore, 8> semaphores_;
  std::array<int, 8> values_{};
  std::map<unsigned, Snapshot> mutexes_;
  std::array<std::array<HandOver, 2>, 2> filled_;    // by file and bank: who handed it to the Matrix Unit,
  std::array<std::array<HandOver, 2>, 2> returned_;  // and who gave it back
  std::array<CountedBanks, 2> banks_;                // by file
  std::map<std::tuple<unsigned, unsigned>, std::deque<Snapshot>> mailboxes_;  // from, to
  std::array<std::deque<Snapshot>, tensix::thread_count> pc_buffers_;
  L1Flags flags_{static_cast<unsigned>(CoreLane::l1)};
  std::deque<Initiated> initiated_;
  std::shared_ptr<const Snapshot> outside_;    // whoever has stored to a register of the tile last
  std::map<std::uint32_t, Snapshot> streams_;  // registers of the overlay, by address
  CheckedState state_;
  std::array<std::uint32_t, lanes_per_tile> next_to_leave_{};
};

}  // namespace tensim::insight
