// What happens when in a network. Nearly everything is soon: what lies in the next cycles stands in a ring with a place for
// each cycle, and only the rest is sorted by time. A cycle is taken out whole, in an order that is the same whatever the order
// in which it was put in.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <utility>
#include <vector>

#include "noc/torus.hpp"

namespace tensim::noc {

struct Event {
  enum class Kind : std::uint8_t {
    link,     // `place` is a link: see Link::next_event()
    left,     // the packet `number`, which meets nobody, has left its NIU
    arrived,  // and is in the NIU that it was sent to
    enter,    // a packet, `number`, joins the ones its NIU has to send; `place` is the NIU's link, `order` its sequence
    head,     // the head of the leg `number` can leave its router
    look,     // `place` is a VC of a link: somebody may have it now
    answer,   // the leg `number` has its path reserved
    room,     // `place` is the link to a NIU, `order` what the NIU has room for again, `number` of which kind
  };
  Event() = default;
  Event(Cycle when, Kind kind, std::uint32_t place, std::uint32_t order = 0, std::int32_t what = -1)
      : time(when),
        rank(std::uint64_t{static_cast<std::uint8_t>(kind)} << 56U | std::uint64_t{place} << 32U | order),
        number(what) {}

  Kind kind() const { return static_cast<Kind>(rank >> 56U); }
  std::uint32_t place() const { return static_cast<std::uint32_t>(rank >> 32U & 0xFFFFFFU); }
  std::uint32_t order() const { return static_cast<std::uint32_t>(rank); }
  bool operator>(const Event& other) const { return time != other.time ? time > other.time : rank > other.rank; }

  Cycle time = 0;
  std::uint64_t rank = 0;  // kind, place and order: the order of what happens in a cycle
  std::int32_t number = -1;
};

class EventQueue {
 public:
  EventQueue() { first_.fill(-1); }

  void push(const Event& event) {
    next_ = std::min(next_, event.time);
    if (event.time - passed_ >= span) {
      far_.push_back(event);
      std::ranges::push_heap(far_, std::greater());
      return;
    }
    const auto place = static_cast<std::size_t>(event.time % span);
    std::int32_t number = free_;
    if (number < 0) {
      number = static_cast<std::int32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      free_ = entries_[static_cast<std::size_t>(number)].behind;
    }
    entries_[static_cast<std::size_t>(number)] = {event, first_[place]};
    first_[place] = number;
    occupied_[place / 64] |= std::uint64_t{1} << place % 64;
    words_ |= 1U << place / 64;
  }
  Cycle next() const { return next_; }
  /// Takes out everything of the cycle next(): handle(event) for each.
  template <class Handle>
  void take(Handle handle);
  /// Nothing will be put in before this cycle, and nothing before it is left.
  void pass(Cycle cycle) { passed_ = std::max(passed_, cycle); }

 private:
  static constexpr Cycle span = 512;
  struct Entry {
    Event event;
    std::int32_t behind = -1;  // another one of the cycle
  };

  Cycle next_near() const;
  Cycle next_far() const { return far_.empty() ? never : far_.front().time; }
  void collect(Cycle now, std::int32_t first);

  Cycle passed_ = 0;
  Cycle next_ = never;
  std::vector<Entry> entries_;
  std::int32_t free_ = -1;                           // the first entry that is not used; others are behind it
  std::array<std::int32_t, span> first_;             // by cycle
  std::array<std::uint64_t, span / 64> occupied_{};  // a bit for each cycle
  std::uint32_t words_ = 0;                          // a bit for each word of that
  std::vector<Event> taken_;                         // of a cycle, while it is handled
  std::vector<Event> far_;                           // a heap, earliest first
};

template <class Handle>
void EventQueue::take(Handle handle) {
  const Cycle now = next_;
  passed_ = now;
  const auto place = static_cast<std::size_t>(now % span);
  const std::int32_t first = first_[place];
  if (first >= 0) {
    first_[place] = -1;
    occupied_[place / 64] &= ~(std::uint64_t{1} << place % 64);
    if (occupied_[place / 64] == 0) words_ &= ~(1U << place / 64);
  }
  const bool is_only = first >= 0 && entries_[static_cast<std::size_t>(first)].behind < 0;
  if (is_only && next_far() != now) {  // as nearly always
    Entry& entry = entries_[static_cast<std::size_t>(first)];
    const Event event = entry.event;
    entry.behind = std::exchange(free_, first);
    next_ = std::min(next_near(), next_far());
    return handle(event);
  }
  collect(now, first);
  next_ = std::min(next_near(), next_far());
  for (const Event& event : taken_)
    handle(event);
}

inline void EventQueue::collect(Cycle now, std::int32_t first) {
  taken_.clear();
  while (first >= 0) {
    Entry& entry = entries_[static_cast<std::size_t>(first)];
    taken_.push_back(entry.event);
    const std::int32_t behind = std::exchange(entry.behind, free_);
    free_ = std::exchange(first, behind);
  }
  while (next_far() == now) {
    taken_.push_back(far_.front());
    std::ranges::pop_heap(far_, std::greater());
    far_.pop_back();
  }
  std::ranges::sort(taken_, {}, &Event::rank);
}

inline Cycle EventQueue::next_near() const {
  if (words_ == 0) return never;
  const auto start = static_cast<std::size_t>(passed_ % span);
  std::size_t word = start / 64;
  std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << start % 64);
  if (bits == 0) {
    const std::uint32_t later = words_ & (~1U << word);  // the rest of this word comes last, around the ring
    word = static_cast<std::size_t>(std::countr_zero(later != 0 ? later : words_));
    bits = occupied_[word];
  }
  const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  return passed_ + (place - start) % span;
}

}  // namespace tensim::noc
