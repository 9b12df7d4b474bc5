// Auto TTSync, in front of a thread's push FIFO on Blackhole (BabyRISCV/AutoTTSync.md): keeps the T core's accesses to
// GPRs, configuration and TDMA-RISC in program order with the instructions it pushes, both ways round.
//
// - A word that is pushed and uses a resource gets a record. Whatever comes of the word, be it the whole expansion of a
//   MOP, holds the record; it ends when the last of it has passed the Wait Gate, or was lost on the way. While a record
//   lives the core's conflicting accesses may not go out.
// - Operands are read at the gate or in the cycle after, sooner than any later store arrives; results land later. So what
//   an instruction of a record writes to GPRs or configuration stays with the core's conflicts until it has landed.
// - An access that has gone out and not been processed yet is pending. A record remembers the pending accesses it
//   conflicts with; its first word waits for them at the gate. They only ever get fewer, and the first word has passed
//   when there are none left: so later words of an expansion never wait.
//
// Which record a word belongs to stands in queues beside the frontend's own, kept only while Auto TTSync is on.
#pragma once

#include <array>
#include <cstdint>

#include "arch/arch.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tensix/frontend/tracked_resources.hpp"
#include "tensix/frontend/word_queue.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

class AutoTtSync {
 public:
  /// An access of the core that has gone out.
  using Ticket = std::uint8_t;
  static constexpr Ticket no_ticket = 0xFF;
  static constexpr unsigned max_pending = 32;  // far more than a core's Load/Store Unit has room for

  AutoTtSync() = default;
  AutoTtSync(Arch arch, std::uint8_t linger)
      : arch_(arch), linger_(linger), declarations_(default_declarations(linger)) {}

  bool is_on() const { return on_; }
  const TtSyncEnables& enables() const { return enables_; }
  const Declarations& declarations() const { return declarations_; }

  // ---- switched by SETC16 and SOFT_RESET_0 ----

  /// How many words stand in the frontend's FIFOs. Nothing is known of them: they are not tracked.
  struct WordsAhead {
    unsigned in_push_fifo = 0;
    unsigned in_replay_fifo = 0;
    unsigned in_gate_fifo = 0;
  };
  /// `bank`: what CFG_STATE_ID_StateID will be when all words ahead have passed.
  void enable(const TtSyncEnables& enables, const WordsAhead& ahead, unsigned bank);
  /// Forgets all records and declarations; what is on stays on.
  void reset(const WordsAhead& ahead, unsigned bank);

  // ---- the T core's accesses ----

  ResourceSet resources_of(TrackedRegion region, std::uint32_t offset) const {
    return resources_of_access(arch_, enables_, region, offset);
  }
  /// No pushed instruction still has to write any of `wanted`.
  bool may_load(ResourceSet wanted) const { return wanted == 0 || may_start(wanted & used().writes); }
  /// Nor to read it.
  bool may_store(ResourceSet wanted) const { return wanted == 0 || may_start(wanted & used().any()); }
  Ticket access_started(ResourceSet wanted, bool is_store);
  /// It was processed in `cycle`. `held`: in that cycle the candidate was held by held_until().
  void access_done(Ticket ticket, Cycle cycle, bool held);

  // ---- words on their way ----

  /// Sees a word before it enters the push FIFO. True if it goes no further: RESOURCEDECL.
  bool takes(Word word);
  void mop_expander_takes() {
    if (on_) in_mop_expander_ = push_fifo_.pop();
  }
  /// The word that the MOP Expander took, or one of its expansion, enters the replay FIFO.
  void mop_expander_gives() {
    if (on_) replay_fifo_.push(share(in_mop_expander_));
  }
  void brisc_gives() {
    if (on_) replay_fifo_.push(untracked);
  }
  /// Nothing more comes of the word it took.
  void mop_expander_is_done() {
    if (on_) drop(in_mop_expander_);
  }
  /// Soft reset of the T core: what has not reached the mux is lost.
  void discard_before_mux() {
    drop_all_but(0, push_fifo_);
    drop(in_mop_expander_);
  }
  void replay_expander_takes() {
    if (on_) in_replay_expander_ = replay_fifo_.pop();
  }
  void replay_expander_gives() {
    if (on_) gate_fifo_.push(share(in_replay_expander_));
  }
  void replay_expander_is_done() {
    if (on_) drop(in_replay_expander_);
  }

  // ---- the Wait Gate ----

  /// From which cycle on the candidate may pass; `never`: when accesses have been processed.
  Cycle held_until() const;
  /// Candidates have passed until `words` were left at the gate: said before the next word moves.
  void words_left_at_gate(unsigned words) {
    if (on_) drop_all_but(words, gate_fifo_);
  }

  // ---- results on their way ----

  /// The candidate is executed, and will write `writes`. Those of them that its record is declared to write, for
  /// write_landed().
  ResourceSet write_starts(ResourceSet writes);
  void write_landed(ResourceSet written);
  /// What has just landed is to be written again by what the operation has become.
  void write_goes_on(ResourceSet written) { count_landing(written); }

  /// What the candidate waits for.
  struct Awaited {
    ResourceSet resources = resources::none;
    unsigned loads = 0;
    unsigned stores = 0;
  };
  Awaited awaited() const;

 private:
  using RecordId = std::uint8_t;
  using AccessMask = std::uint32_t;
  static_assert(sizeof(AccessMask) * 8 == max_pending);
  static constexpr RecordId untracked = 0xFF;
  // More than there are places for words: 32 + 8 + 2 in FIFOs and one in each expander.
  static constexpr unsigned max_records = 64;

  struct Record {
    AccessMask waits_for = 0;
    ResourceUse use;
    std::uint8_t linger = 0;
    std::uint8_t holders = 0;  // words and expanders; 0: the record is free
  };
  struct Access {
    ResourceSet resources = resources::none;
    bool is_store = false;
  };

  void count_landing(ResourceSet writes);
  bool may_start(unsigned conflicts) const { return conflicts == 0 && pending_ != ~AccessMask{0}; }
  void restart(const WordsAhead& ahead, unsigned bank);
  /// What all live records and results on their way use together.
  ResourceUse used() const;
  RecordId record_of(Word word);
  AccessMask conflicting_accesses(const ResourceUse& use) const;
  RecordId share(RecordId record) {
    if (record != untracked) ++records_[record].holders;
    return record;
  }
  void drop(RecordId& record);
  template <class Records>
  void drop_all_but(unsigned last, Records& fifo) {
    while (fifo.size() > last) {
      RecordId record = fifo.pop();
      drop(record);
    }
  }

  bool on_ = false;
  Arch arch_ = Arch::wormhole;
  TtSyncEnables enables_;
  std::uint8_t bank_ = 0;  // StateID as of the last word pushed
  RecordId in_mop_expander_ = untracked;
  RecordId in_replay_expander_ = untracked;
  Fifo<RecordId, WordQueue::push_depth> push_fifo_;
  Fifo<RecordId, WordQueue::replay_depth> replay_fifo_;
  Fifo<RecordId, WordQueue::gate_depth> gate_fifo_;
  AccessMask pending_ = 0;
  std::uint64_t live_ = 0;                                // records with holders
  std::array<std::uint8_t, resources::count> landing_{};  // by resource: operations that have yet to write it
  Cycle lingers_until_ = 0;
  std::array<Record, max_records> records_{};
  std::array<Access, max_pending> accesses_{};
  std::uint8_t linger_ = 0;  // of every class, after reset
  Declarations declarations_{};
};

}  // namespace tensim::tensix
