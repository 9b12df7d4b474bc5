// The store queue of the Load/Store Unit: four entries, drained in order, one request per cycle; L1 takes one every five
// cycles unless it is a whole 16-byte block. Blackhole merges neighbouring stores to one block of L1 while they wait
// (BabyRISCV/README.md, MemoryOrdering.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "arch/sizes.hpp"
#include "time/order.hpp"

namespace tensim::riscv {

using time::Cycle;
using time::never;

enum class Target : std::uint8_t {
  l1,
  device,
  // Those that may leave without anybody having to look:
  local,   // already written: the entry only takes its place in the queue, and leaves it unseen
  tensix,  // up to four Tensix words, by .ttinsn
};

struct QueuedStore {
  static constexpr unsigned block_bytes = 16;
  static constexpr std::uint16_t whole_block = 0xFFFF;

  Target target = Target::device;
  std::uint8_t size_bytes = 4;
  std::uint16_t mask = 0;        // of L1: which bytes of the block at `address`
  std::uint32_t address = 0;     // of L1: of the block
  std::uint32_t last_start = 0;  // of L1: where the store merged last begins
  std::uint32_t value = 0;
  std::uint32_t pc = 0;
  std::uint8_t merged = 0;  // of L1: how many stores it is of; kept by an observed core only
  Cycle earliest = 0;       // when it may leave
  std::array<std::uint8_t, block_bytes> bytes{};

  static constexpr std::uint32_t block_of(std::uint32_t address) { return address & ~(block_bytes - 1); }

  bool overlaps(std::uint32_t from, unsigned size) const {
    if (target == Target::local) return false;
    if (target != Target::l1) return from < address + size_bytes && address < from + size;
    if (block_of(from) != address) return false;
    return (mask >> (from & (block_bytes - 1)) & ((1U << size) - 1)) != 0;
  }
  void add_bytes(std::uint32_t from, std::uint32_t new_value, unsigned size) {
    const unsigned at = from & (block_bytes - 1);
    if (size == sizeof new_value)
      std::memcpy(bytes.data() + at, &new_value, sizeof new_value);  // by far the most
    else
      std::memcpy(bytes.data() + at, &new_value, size);
    mask = static_cast<std::uint16_t>(mask | ((1U << size) - 1) << at);
    last_start = from;
  }
};

class StoreQueue {
 public:
  static constexpr unsigned capacity = size_of_both("store_queue_entries"_size);

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity; }
  unsigned size() const { return size_; }
  const QueuedStore& front() const { return entries_[head_]; }
  const QueuedStore& operator[](unsigned i) const { return entries_[(head_ + i) % capacity]; }

  /// When the oldest entry leaves; `never` while its target does not take it. One for L1 may leave later still.
  Cycle next_drain() const {
    const Cycle next = front_ready();
    return next != never && front().target == Target::l1 ? std::max(next, l1_from_) : next;
  }
  /// The oldest entry that others may see, and when it is ready to leave.
  struct Shared {
    const QueuedStore* store = nullptr;
    Cycle ready = never;
    bool is_l1() const { return store != nullptr && store->target == Target::l1; }
  };
  Shared oldest_shared() const {
    Cycle ready = front_ready();
    if (ready == never) return {};
    if (front().target != Target::local) return {&front(), ready};
    for (unsigned i = 1; i < size_; ++i) {
      const QueuedStore& store = (*this)[i];
      ready = std::max(store.earliest, ready + 1);
      if (store.target != Target::local) return {&store, ready};
    }
    return {};
  }
  /// When the oldest entry that others may see leaves, as next_drain() says it of the oldest.
  Cycle next_shared_drain() const {
    const Shared oldest = oldest_shared();
    return oldest.is_l1() ? std::max(oldest.ready, l1_from_) : oldest.ready;
  }
  /// Forgets entries of the local RAM that have left before `cycle`.
  void pass_local(Cycle cycle) {
    while (size_ != 0 && front().target == Target::local && next_drain() < cycle)
      pop(next_drain(), 1);
  }

  bool overlaps(std::uint32_t address, unsigned size) const {
    for (unsigned i = 0; i < size_; ++i)
      if ((*this)[i].overlaps(address, size)) return true;
    return false;
  }

  /// The bytes of the block of L1 at `address` that are still to be written, a bit each.
  std::uint32_t bytes_to_come(std::uint32_t address) const {
    const std::uint32_t block = QueuedStore::block_of(address);
    std::uint32_t bytes = 0;
    for (unsigned place = 0; place < capacity; ++place)
      if (blocks_[place] == block) bytes |= entries_[place].mask;
    return bytes;
  }

  /// Whether a store would go into the youngest entry.
  bool can_merge(std::uint32_t address) const {
    if (empty() || youngest_block_ != QueuedStore::block_of(address)) return false;
    const auto distance = static_cast<std::int32_t>(address - (*this)[size_ - 1U].last_start);
    return distance <= 4 && distance >= -4;
  }
  /// The store goes into the youngest entry, which can_merge() it. When that leaves does not change: StMergeTimer runs from
  /// the first store of a block (assumed). Each further one would start it anew by the letter of CSRs.md, and a core that keeps
  /// storing to one block would never get it to L1; but MemoryOrdering.md guarantees that the queue makes progress.
  void merge(std::uint32_t address, std::uint32_t value, unsigned bytes) { back().add_bytes(address, value, bytes); }
  /// The youngest entry is new; and a store has gone into it.
  void start_count() { back().merged = 0; }
  void count_merged() { ++back().merged; }
  /// Nothing more can be merged with what is there: it leaves as soon as it can, from `cycle` on.
  void close(Cycle cycle) {
    if (!std::exchange(is_open_, false) || empty()) return;
    back().earliest = std::min(back().earliest, cycle);
  }
  /// Adds an entry for a device, whose other fields the caller fills in. There is room, here as below.
  QueuedStore& push_device(std::uint32_t address, unsigned bytes, Cycle earliest) {
    QueuedStore& store = push(Target::device, address, bytes, earliest);
    store.bytes = {};
    return store;
  }
  /// Adds an entry that only takes its place.
  void push_local(Cycle earliest) { push(Target::local, 0, 0, earliest).bytes = {}; }
  /// Adds an entry for the block of L1 at `address`. It waits `merge_cycles` for more, or until it is closed.
  QueuedStore& push_block(std::uint32_t block, std::uint32_t pc, Cycle earliest, Cycle merge_cycles) {
    const unsigned place = (head_ + size_) % capacity;
    QueuedStore& store = push(Target::l1, block, 0, earliest);
    store.bytes = {};
    store.earliest += merge_cycles;
    is_open_ = merge_cycles != 0;
    blocks_[place] = youngest_block_ = block;
    store.pc = pc;
    return store;
  }
  /// Adds an entry for the coprocessor: `count` words, at `address`, by the instruction at `pc` in `cycle`.
  template <class WordAt>
  void push_words(std::uint32_t address, unsigned count, std::uint32_t pc, Cycle cycle, WordAt word_at) {
    QueuedStore& store = push(Target::tensix, address, 4 * count, cycle + 1);
    store.pc = pc;
    std::array<std::uint32_t, QueuedStore::block_bytes / 4> words{};
    for (unsigned i = 0; i < count; ++i)
      words[i] = word_at(i);
    std::memcpy(store.bytes.data(), words.data(), sizeof words);
  }
  /// The oldest entry left in `cycle`, and the next leaves `interval` later at the earliest. Stores to local RAM that came
  /// after that have found an empty queue, and have not taken a place.
  void pop(Cycle cycle, Cycle interval) {
    const bool was_l1 = front().target == Target::l1;
    drop_front();
    while (size_ != 0 && front().target == Target::local && front().earliest > cycle + 1)
      drop_front();
    if (was_l1) l1_from_ = 0;
    port_free_ = cycle + interval;
    blocked_ = false;
  }
  /// The oldest entry for L1, which others may have to let pass, cannot leave before `cycle`.
  void wait_for_l1(Cycle cycle) { l1_from_ = cycle; }
  void block() { blocked_ = true; }
  bool is_blocked() const { return blocked_; }
  bool may_leave_unseen() const { return size_ != 0 && front().target >= Target::local; }
  /// Whether the youngest entry may yet leave earlier than it says: it waits for more to be merged with it.
  bool is_open() const { return is_open_; }
  bool front_is_push() const { return size_ != 0 && front().target == Target::tensix; }
  /// From when on the oldest entry would leave, if its target took it.
  Cycle front_from() const { return std::max(front().earliest, port_free_); }
  /// Its target may take the oldest entry from `cycle` on.
  void retry(Cycle cycle) {
    if (!blocked_) return;
    blocked_ = false;
    port_free_ = std::max(port_free_, cycle);
  }
  void clear() { *this = StoreQueue{}; }

  /// Whether everything in it leaves as what was in it `cycles` before `now` did; what it writes may differ.
  bool recurs(const StoreQueue& before, Cycle cycles, Cycle now) const {
    const auto is_alike = [&](Cycle at, Cycle was) { return std::max(at, now) == std::max(was + cycles, now); };
    if (size_ != before.size_ || blocked_ || before.blocked_ || !is_alike(port_free_, before.port_free_) ||
        !is_alike(l1_from_, before.l1_from_))
      return false;
    for (unsigned i = 0; i < size_; ++i) {
      const QueuedStore& store = (*this)[i];
      const QueuedStore& was = before[i];
      if (store.target != was.target || !is_alike(store.earliest, was.earliest)) return false;
      if (store.target != Target::local &&
          (store.address != was.address || store.mask != was.mask || store.last_start != was.last_start))
        return false;
    }
    return true;
  }
  /// Moves all times on by `cycles`: what its core has skipped.
  void shift(Cycle cycles) {
    for (unsigned i = 0; i < size_; ++i)
      entries_[(head_ + i) % capacity].earliest += cycles;
    port_free_ += cycles;
    l1_from_ += cycles;
  }

 private:
  /// Closes the youngest entry and adds one behind it, which leaves from `earliest` on. All but its bytes is set.
  QueuedStore& push(Target target, std::uint32_t address, unsigned bytes, Cycle earliest) {
    close(earliest);
    QueuedStore& store = entries_[(head_ + size_++) % capacity];
    store.target = target;
    store.size_bytes = static_cast<std::uint8_t>(bytes);
    store.mask = 0;
    store.address = address;
    store.value = 0;
    store.earliest = earliest;
    youngest_block_ = no_block;
    return store;
  }
  void drop_front() {
    blocks_[head_] = no_block;
    head_ = static_cast<std::uint8_t>((head_ + 1U) % capacity);
    --size_;
  }
  Cycle front_ready() const { return empty() || blocked_ ? never : front_from(); }
  QueuedStore& back() { return entries_[(head_ + size_ - 1U) % capacity]; }

  std::array<QueuedStore, capacity> entries_{};
  std::uint8_t head_ = 0;
  std::uint8_t size_ = 0;
  bool blocked_ = false;
  bool is_open_ = false;  // the youngest entry may wait for more to be merged with it
  Cycle port_free_ = 0;
  Cycle l1_from_ = 0;
  static constexpr std::uint32_t no_block = 1;
  std::array<std::uint32_t, capacity> blocks_{no_block, no_block, no_block, no_block};  // of L1, by place in `entries_`
  std::uint32_t youngest_block_ = no_block;                                             // of L1
};

}  // namespace tensim::riscv
