// The race check of a tile: hears what happens in it, and keeps what is known to be before what (insight/clocks.hpp) and who
// has touched what (insight/shadow.hpp). docs/architecture/races.md says how.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "event/happening.hpp"
#include "insight/counted_semaphore.hpp"
#include "insight/order_rules.hpp"
#include "insight/races.hpp"
#include "insight/shadow.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tile/access.hpp"

namespace tensim::insight {

/// Actors of a tile by number: its cores, as tile::CoreId has them, and its threads.
constexpr ActorNumber actor_of_core(unsigned core) {
  return static_cast<ActorNumber>(core);
}
constexpr ActorNumber actor_of_thread(unsigned thread) {
  return static_cast<ActorNumber>(tile::core_count + thread);
}
constexpr bool is_thread(ActorNumber actor) {
  return actor % actors_per_tile >= tile::core_count;
}

/// Lanes of a thread are units (tensix::Occupancy), and the MOP Expander; those of a core are regions.
inline constexpr unsigned frontend_lane = tensix::occupancy_count;
/// The last two are none: how many of the stores to configuration and GPRs came before a load that has been answered.
enum class CoreLane : std::uint8_t {
  l1,
  push,
  mop_config,
  config,
  gpr,
  tdma,
  semaphores,
  mailbox,
  stream,
  niu,
  other,
  config_answered,
  gpr_answered
};

class TileRaces : public event::Listener {
 public:
  /// Whether the load at `pc` of the core polls (order rule 26).
  using IsPoll = std::function<bool(unsigned core, std::uint32_t pc)>;
  TileRaces(Arch arch, RuleSeverities severities, IsPoll is_poll);

  void happened(const event::Event& event) override;
  const Races& races() const { return races_; }
  std::size_t shadow_bytes() const { return shadow_.bytes(); }

  /// The values that semaphores have at the start.
  void start(const tensix::Coprocessor& coprocessor);

  /// How long an access lasts, seen by those who come behind it.
  enum class Span : std::uint8_t {
    until_done,
    at_issue,         // over when the instruction is issued
    after_next,       // over behind the next instruction of the thread (rule 17)
    pack_setting,     // until PACR is done, as far as is known (rule 19)
    pack_address,     // 19a
    pack_accumulate,  // 19b
    unpack_setting,   // 20
  };

 private:
  using Lanes = std::array<std::uint32_t, tensix::thread_count>;

  /// Something that is being done now.
  struct Current {
    const Actor& actor;
    Lane lane;
    std::uint32_t number;
    SiteNumber site;
    std::uint64_t cycle;
    std::uint32_t ordinal;  // of the thread's instructions
  };

  /// What a wait has proved, from the first instruction on that its block mask catches.
  struct Proved {
    std::uint16_t block_mask = 0;
    Proof done = {};
    std::vector<Snapshot> behind = {};
  };
  struct Wait {
    tensix::LatchedWait latch = {};
    bool is_latched = false;
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
  struct Bank {
    std::shared_ptr<const Snapshot> snapshot = {};
    Lane lane = 0;
    std::uint32_t number = 0;
  };
  struct Thread {
    explicit Thread(unsigned thread) : actor(actor_of_thread(thread)) {}
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
    std::uint32_t last_flip = 0;  // the last instruction of the Matrix Unit that gives a bank back
    Proof closed_for = {};        // the instruction that keeps the gate closed until it is done
  };
  /// What a load brings when it is used.
  struct Brought {
    std::vector<Snapshot> behind = {};
    Proof done = {};
  };
  struct Core {
    explicit Core(unsigned core) : actor(actor_of_core(core)) {}
    Actor actor;
    std::map<unsigned, Brought> loads = {};  // by register
    struct Said {
      std::uint32_t address;
      std::shared_ptr<const Snapshot> snapshot;
    };
    std::deque<Said> said = {};  // stores that others may learn from, and that have not landed
    struct L1Store {
      std::uint32_t address;
      std::uint8_t bytes;
      std::shared_ptr<const Snapshot> snapshot;
    };
    std::deque<L1Store> under_way = {};
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
  Proved proof_of(unsigned thread, const tensix::LatchedWait& latch) const;
  void add_stall_proof(Proved& proved, unsigned thread, std::string_view condition) const;
  bool pointer_is_known(unsigned thread, const tensix::LatchedWait& latch) const;
  void add_unit(Proved& proved, unsigned thread, tensix::Occupancy unit) const;
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
  static void add_flag(Brought& brought, const Snapshot& writer);
  static void add_answered(const Actor& core, Brought& brought);
  static void learn(Actor& actor, const Brought& brought);
  void used(const event::Used& used);
  void updated(const event::Event& event, const event::Updated& update);
  void released(const event::Released& released);
  void semaphore_stored(const event::SemaphoreStored& stored);
  void pushed(const event::Event& event, const event::Stored& store, const Region& region);
  bool has_auto_ttsync(unsigned core) const;
  void landed_behind_instructions(const event::Event& event, const event::Landed& landed, const Region& region);
  void landed_in_l1(Core& core, const event::Landed& landed);
  static std::shared_ptr<const Snapshot> snapshot_of(const Core& core);
  static std::shared_ptr<const Snapshot> take_said(Core& core, std::uint32_t address);
  Brought whole_thread(unsigned thread) const;
  void access_of_core(const event::Event& event, Core& core, CoreLane lane, const Site& site,
                      std::span<const event::Access> accesses);

  // ---- state (tile_races_state.cpp) ----
  /// Bits of a word of configuration that are not read until the instruction is done, or are known to be.
  struct Settings {
    std::uint32_t pack_address = 0;
    std::uint32_t pack_accumulate = 0;
    std::uint32_t at_issue = 0;
  };
  static std::vector<Settings> look_up_settings(Arch arch);
  void touch_l1(const Current& current, const event::Access& access, Span span);
  void report(const Mark& first, const Current& second, const event::Access& access, std::uint32_t index,
              std::uint32_t common);
  void touch(const Current& current, const event::Access& access, Span span);
  void touch_cell(const Current& current, const event::Access& access, std::uint32_t index, std::uint32_t mask,
                  Span span);
  static Span span_of(tensix::Occupancy unit, tensix::Word word, const event::Access& access);
  std::optional<RuleNumber> unordered(const Mark& first, const Current& second, const event::Access& access) const;
  std::optional<RuleNumber> ordered_by(RuleNumber rule) const;
  std::optional<RuleNumber> behind_instruction(const Mark& first, const Current& second,
                                               const event::Access& access) const;
  RuleNumber missing_between_instructions(const Mark& first, const Current& second, const event::Access& access,
                                          bool is_issued) const;
  bool overtakes(const Mark& first, const Current& second) const;
  bool closes_gate(tensix::Occupancy unit, tensix::Word word) const;
  bool is_likely_landed(const Mark& first, const Current& second) const;
  RuleNumber missing(const Mark& first, const Current& second, const event::Access& access, bool is_issued) const;
  Distance distance(const Mark& first, const Current& second) const;
  void note_time(Lane lane, std::uint32_t number);

  struct Times {
    std::uint32_t number = 0;
    std::uint64_t over = 0;  // 0: not yet
  };
  static constexpr std::size_t kept_times = 256;

  Arch arch_;
  std::shared_ptr<const tensix::UnitTiming> timing_;
  RuleSeverities severities_;
  IsPoll is_poll_;
  std::map<std::pair<unsigned, std::uint32_t>, bool> polls_;  // what it has said
  std::vector<Settings> settings_;                            // by word
  bool arch_closes_gate_;                                     // rule 15w
  bool nops_overtake_;                                        // rule 3b
  tensix::BackendConfig config_;                              // as it is
  std::vector<Thread> threads_;
  std::vector<Core> cores_;
  std::array<CountedSemaphore, 8> semaphores_;
  std::array<int, 8> values_{};
  std::map<unsigned, Snapshot> mutexes_;
  std::array<std::array<Bank, 2>, 2> filled_;    // by file and bank: who handed it to the Matrix Unit,
  std::array<std::array<Bank, 2>, 2> returned_;  // and who gave it back
  std::map<std::tuple<unsigned, unsigned>, std::deque<Snapshot>> mailboxes_;  // from, to
  std::array<std::deque<Snapshot>, tensix::thread_count> pc_buffers_;
  std::array<Bank, 2> last_filled_;  // by file, whichever bank it was
  std::array<Bank, 2> last_returned_;
  std::map<std::uint32_t, std::shared_ptr<const Snapshot>> flags_;  // words of L1: who wrote what is there
  std::map<std::uint32_t, Snapshot> streams_;                       // registers of the overlay, by address
  Shadow shadow_;
  Races races_;
  std::vector<std::array<Times, kept_times>> times_{lanes_per_tile};
  std::array<std::uint32_t, lanes_per_tile> next_to_leave_{};
};

}  // namespace tensim::insight
