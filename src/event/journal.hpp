// Events that have not been told yet: the stretch of a run that they are of may have to be repeated. They are told when it
// stands, in the tile's order, and dropped when it is repeated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "event/happening.hpp"

namespace tensim::event {

class Journal {
 public:
  /// Nobody has to be told of anything else.
  bool wants(Wanted kind) const { return wants_any(kind); }
  bool wants_any(unsigned kinds) const { return (wanted_ & kinds) != 0; }
  /// What comes before what, with or without what units access.
  bool wants_events_of_order() const { return wants_any(wants_order | wants_causes); }
  void want(std::uint8_t wanted) { wanted_ = wanted; }
  bool wants_last_issues_only() const { return wanted_ == wants_last_issues; }

  void add(time::Key when, const What& what) { entries_.push_back({when, {}, what}); }
  /// Told before all else of its moment, even if that has been noted already.
  void add_first(time::Key when, const What& what) { entries_.push_back({when, {}, what, true}); }
  /// With the accesses that have been put into accesses() since the last event that had any.
  void add_with_accesses(time::Key when, const What& what) {
    const Range range{told_, accesses_.size() - told_};
    told_ = accesses_.size();
    entries_.push_back({when, range, what});
  }
  std::vector<Access>& accesses() { return accesses_; }
  /// A hold that goes on is one event, unless somebody wants to hear of every cycle.
  void add_hold(time::Key when, const Held& hold) {
    std::size_t& last = holds_[hold.thread];
    if (!wants(wants_gates) && last < entries_.size() && goes_on(entries_[last], when, hold)) {
      std::get<Held>(entries_[last].what).count += hold.count;
      return;
    }
    last = entries_.size();
    add(when, hold);
  }
  /// Where time of a core went. What goes on from its last span is one with it.
  void add(const CoreSpan& span) {
    if (!spans_.empty() && extends(spans_.back(), span))
      spans_.back().count += span.count;
    else
      spans_.push_back(span);
  }
  /// `rounds` of a loop were left out from `from` on, each as these spans, which are of an earlier one.
  void add_rounds(time::Cycle from, std::uint64_t rounds, std::span<const CoreSpan> round) {
    const time::Cycle later = from - round.front().from;
    spans_.push_back({.from = from,
                      .count = rounds,
                      .spans = static_cast<std::uint16_t>(round.size()),
                      .core = round.front().core,
                      .kind = CoreSpan::Kind::rounds});
    for (CoreSpan span : round) {
      span.from += later;
      spans_.push_back(span);
    }
    ends_rounds_ = spans_.size();
  }
  /// Takes the place of what its thread issued before; there is nothing else then.
  void set_last_issue(time::Key when, const Issued& issue) {
    for (Entry& entry : entries_)
      if (Issued* const before = std::get_if<Issued>(&entry.what);
          before != nullptr && before->thread == issue.thread) {
        entry.when = when;
        *before = issue;
        return;
      }
    add(when, issue);
  }

  void hand_on(Listener& to);
  void drop() {
    entries_.clear();
    accesses_.clear();
    spans_.clear();
    ends_rounds_ = 0;
    told_ = 0;
    holds_.fill(none);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t thread_count = 3;

  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  struct Entry {
    time::Key when;
    Range accesses;
    What what;
    bool is_first = false;
  };
  struct Place {
    time::Key when;
    bool is_not_first;
    std::size_t number;
    auto operator<=>(const Place&) const = default;
  };

  /// As they mostly are, if one agent alone is awake.
  bool is_in_order() const {
    return std::ranges::adjacent_find(entries_, [](const Entry& a, const Entry& b) {
             return a.when > b.when || (a.when == b.when && !a.is_first && b.is_first);
           }) == entries_.end();
  }
  static bool goes_on(const Entry& entry, time::Key when, const Held& hold) {
    const Held* const before = std::get_if<Held>(&entry.what);
    return before != nullptr && before->stall == hold.stall && before->word == hold.word &&
           before->origin == hold.origin && before->pusher == hold.pusher &&
           time::cycle_of(entry.when) + before->count == time::cycle_of(when);
  }
  /// The last span of a round that stands for several is not extended.
  bool extends(const CoreSpan& last, const CoreSpan& span) const {
    if (spans_.size() == ends_rounds_ || last.core != span.core || last.kind != span.kind || last.stall != span.stall ||
        last.from + last.count != span.from)
      return false;
    return span.pc ==
           (span.kind == CoreSpan::Kind::executed ? last.pc + static_cast<std::uint32_t>(4 * last.count) : last.pc);
  }
  void tell(Listener& to, const Entry& entry) const {
    to.happened({entry.when, entry.what, std::span(accesses_).subspan(entry.accesses.first, entry.accesses.count)});
  }

  std::uint8_t wanted_ = 0;
  std::vector<Entry> entries_;
  std::vector<Access> accesses_;
  std::vector<CoreSpan> spans_;
  std::size_t ends_rounds_ = 0;  // how many spans there were behind the last rounds
  std::vector<Place> order_;
  std::array<std::size_t, thread_count> holds_{none, none, none};  // each thread's last
  std::size_t told_ = 0;
};

inline void Journal::hand_on(Listener& to) {
  if (!spans_.empty()) to.passed(spans_);
  if (is_in_order()) {
    for (const Entry& entry : entries_)
      tell(to, entry);
    return drop();
  }
  order_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i)
    order_.push_back({entries_[i].when, !entries_[i].is_first, i});
  std::ranges::sort(order_);  // those of one moment stay as they were noted
  for (const Place& place : order_)
    tell(to, entries_[place.number]);
  drop();
}

}  // namespace tensim::event
