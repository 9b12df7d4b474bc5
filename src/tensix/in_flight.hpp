// Operations between acceptance and completion. STALLWAIT's conditions, hazards and completion effects all ask these
// records, so they cannot disagree. An operation accepted in cycle t with latency L is in its unit in cycles t to t+L-1;
// what it does to the machine lands at the end of its last cycle.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "tensix/types.hpp"

namespace tensim::tensix {

/// Where an operation counts as being: the things STALLWAIT can wait for.
enum class Occupancy : std::uint8_t {
  scalar,
  scalar_memory,
  unpacker0,
  unpacker1,
  packer0,
  packer1,
  packer2,
  packer3,
  matrix,
  vector,
  configuration,
  mover,
  miscellaneous,
  sync,
};
inline constexpr std::size_t occupancy_count = static_cast<std::size_t>(Occupancy::sync) + 1;

/// What lands when the operation completes.
enum class Effect : std::uint8_t {
  none,
  gpr_write,       // destination: GPR of the thread; values[0]
  config_write,    // destination: word of bank `bank`; `values`, one or four of them
  src_return,      // bits of `destination`: 0 A bank 0, 1 A bank 1, 2 B bank 0, 3 B bank 1 go back to the unpackers
  unpack_done,     // destination: which unpacker
  pack_done,       // destination: which packer
  gpr_half_write,  // destination: GPR half of the thread; values[0]
  l1_request,      // of the Scalar Unit, at `address`; `word` says what, `values` with what
  src_store,       // STOREIND: destination: row, with bit 7 for SrcB; bank; address: first column; values
  adc_write,       // REG2FLOP: values[0]; `word` says where
};

struct Record {
  Cycle accepted = 0;
  Cycle last = 0;  // the last cycle in the unit; `never` while that is not known
  Word word = 0;
  std::uint32_t source = 0;  // Entry::source()
  std::uint8_t thread = 0;
  Occupancy where = Occupancy::scalar;
  Effect effect = Effect::none;
  std::uint8_t bank = 0;
  std::uint8_t value_count = 1;
  std::uint8_t tracked_writes = 0;  // ResourceSet: what Auto TTSync keeps the core from until the operation is done
  std::uint16_t destination = 0;
  std::uint32_t address = 0;  // in bytes
  std::array<std::uint32_t, 4> values{};
};

class InFlight {
 public:
  static constexpr unsigned capacity = 64;

  /// Slot of the new record. There is always room: pipelines hold a few, and the Scalar Unit bounds its requests.
  unsigned add(const Record& record) {
    const auto slot = static_cast<unsigned>(std::countr_one(used_));
    records_[slot & (capacity - 1)] = record;
    used_ |= std::uint64_t{1} << slot;
    slots_[static_cast<std::size_t>(record.where)][record.thread] |= std::uint64_t{1} << slot;
    next_completion_ = std::min(next_completion_, record.last);
    return slot;
  }

  /// add() for an operation without an effect: the fields of the slot that describe effects are left as they were.
  [[gnu::always_inline]] unsigned add_without_effect(const Record& record) {
    const std::uint64_t bit = ~used_ & (used_ + 1);
    put_without_effect(record, bit);
    used_ |= bit;
    slots_[static_cast<std::size_t>(record.where)][record.thread] |= bit;
    next_completion_ = std::min(next_completion_, record.last);
    return static_cast<unsigned>(std::countr_zero(bit));
  }

  /// add_without_effect() in place of the one record in flight, if that is of the same unit and thread and completes in
  /// this cycle. It is removed now instead of at the end of the cycle: only for callers who know that nobody looks in
  /// between. False, with nothing done, if something else is in flight.
  [[gnu::always_inline]] bool replace_without_effect(const Record& record) {
    std::uint64_t& own = slots_[static_cast<std::size_t>(record.where)][record.thread];
    if (used_ != own || next_completion_ != record.accepted || (used_ & (used_ - 1)) != 0) return false;
    const std::uint64_t bit = used_ == 1 ? 2 : 1;  // the first free slot
    put_without_effect(record, bit);
    used_ = own = bit;
    next_completion_ = record.last;
    return true;
  }

  bool is_empty() const { return used_ == 0; }
  bool holds(Occupancy where, unsigned thread) const { return slots_[static_cast<std::size_t>(where)][thread] != 0; }
  bool holds(Occupancy where) const {
    const auto& by_thread = slots_[static_cast<std::size_t>(where)];
    return (by_thread[0] | by_thread[1] | by_thread[2]) != 0;
  }

  /// Whether at least `count` operations are there.
  bool holds_at_least(Occupancy where, unsigned count) const {
    const auto& by_thread = slots_[static_cast<std::size_t>(where)];
    std::uint64_t left = by_thread[0] | by_thread[1] | by_thread[2];
    for (; count > 1 && left != 0; --count)
      left &= left - 1;
    return left != 0;
  }

  /// The last cycle of the operation that completes first.
  Cycle next_completion() const { return next_completion_; }

  void set_last(unsigned slot, Cycle last) {
    records_[slot].last = last;
    next_completion_ = std::min(next_completion_, last);
  }
  /// The operation ends later than was said when it was added.
  void postpone(unsigned slot, Cycle last) {
    records_[slot].last = last;
    next_completion_ = never;
    for_each([this](const Record& record) { next_completion_ = std::min(next_completion_, record.last); });
  }
  void set_gpr_write(unsigned slot, std::uint8_t reg, std::uint32_t value) {
    records_[slot].effect = Effect::gpr_write;
    records_[slot].destination = reg;
    records_[slot].values[0] = value;
  }
  /// What lands when the operation completes.
  void set_effect(unsigned slot, const Record& from) {
    Record& record = records_[slot];
    record.effect = from.effect;
    record.bank = from.bank;
    record.value_count = from.value_count;
    record.destination = from.destination;
    record.address = from.address;
    record.values = from.values;
  }
  void clear_tracked_writes(unsigned slot) { records_[slot].tracked_writes = 0; }
  const Record& operator[](unsigned slot) const { return records_[slot]; }

  /// A Src bank that would go back to the unpackers at the end of `cycle` stays with the Matrix Unit. Says whether one would.
  bool cancel_src_return(Cycle cycle, unsigned bank) {
    bool cancelled = false;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
      Record& record = records_[static_cast<unsigned>(std::countr_zero(left))];
      if (record.effect != Effect::src_return || record.last != cycle || (record.destination >> bank & 1U) == 0)
        continue;
      record.destination &= static_cast<std::uint16_t>(~(1U << bank));
      cancelled = true;
    }
    return cancelled;
  }

  template <class Visitor>
  void for_each(Visitor visitor) const {
    for (std::uint64_t left = used_; left != 0; left &= left - 1)
      visitor(records_[static_cast<unsigned>(std::countr_zero(left))]);
  }

  /// Removes every record whose last cycle is over at `now`, oldest slot first, after handing it to `complete`.
  template <class Complete>
  void retire(Cycle now, Complete complete) {
    if (next_completion_ >= now) return;
    next_completion_ = never;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(left));
      const Record& record = records_[slot];
      if (record.last >= now) {
        next_completion_ = std::min(next_completion_, record.last);
        continue;
      }
      used_ &= ~(std::uint64_t{1} << slot);
      slots_[static_cast<std::size_t>(record.where)][record.thread] &= ~(std::uint64_t{1} << slot);
      complete(record);
    }
  }

  /// retire() while only operations without an effect complete, of which nobody keeps count: false at the first other
  /// one, which is left to retire().
  [[gnu::always_inline]] bool retire_without_effects(Cycle now) {
    Cycle next = never;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(left));
      const Record& record = records_[slot];
      if (record.last >= now) {
        next = std::min(next, record.last);
        continue;
      }
      if (record.effect != Effect::none || record.tracked_writes != 0) return false;
      used_ &= ~(std::uint64_t{1} << slot);
      slots_[static_cast<std::size_t>(record.where)][record.thread] &= ~(std::uint64_t{1} << slot);
    }
    next_completion_ = next;
    return true;
  }

 private:
  [[gnu::always_inline]] void put_without_effect(const Record& record, std::uint64_t bit) {
    Record& place = records_[static_cast<std::size_t>(std::countr_zero(bit)) & (capacity - 1)];
    place.accepted = record.accepted;
    place.last = record.last;
    place.word = record.word;
    place.source = record.source;
    place.thread = record.thread;
    place.where = record.where;
    place.effect = Effect::none;
    place.tracked_writes = 0;
  }

  std::array<Record, capacity> records_{};
  std::uint64_t used_ = 0;
  std::array<std::array<std::uint64_t, thread_count>, occupancy_count> slots_{};
  Cycle next_completion_ = never;
};

}  // namespace tensim::tensix
