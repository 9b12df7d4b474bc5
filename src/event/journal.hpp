// Events that have not been told yet: the stretch of a run that they are of may have to be repeated. They are told when it
// stands, in the tile's order, and dropped when it is repeated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "event/happening.hpp"

namespace tensim::event {

class Journal {
 public:
  /// Nobody has to be told of anything else.
  bool wants(Wanted kind) const { return (wanted_ & kind) != 0; }
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
    told_ = 0;
  }

 private:
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
  void tell(Listener& to, const Entry& entry) const {
    to.happened({entry.when, entry.what, std::span(accesses_).subspan(entry.accesses.first, entry.accesses.count)});
  }

  std::uint8_t wanted_ = 0;
  std::vector<Entry> entries_;
  std::vector<Access> accesses_;
  std::vector<Place> order_;
  std::size_t told_ = 0;
};

inline void Journal::hand_on(Listener& to) {
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
