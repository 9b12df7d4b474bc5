#include "trace/perfetto_unit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tensim::trace {

using time::Cycle;

void PerfettoUnit::add(const Operation& operation) {
  Busy added{operation.first, operation.last, {}};
  while (!open_.empty() && open_.back().last + 1 >= added.first) {
    Busy before = std::move(open_.back());
    open_.pop_back();
    added.first = std::min(added.first, before.first);
    added.last = std::max(added.last, before.last);
    before.operations.insert(before.operations.end(), std::make_move_iterator(added.operations.begin()),
                             std::make_move_iterator(added.operations.end()));
    added.operations = std::move(before.operations);
  }
  added.operations.push_back(operation);
  open_.push_back(std::move(added));
  if (open_.size() < most_open) return;
  write(open_.front());
  open_.pop_front();
}

void PerfettoUnit::finish() {
  for (const Busy& busy : open_)
    write(busy);
  open_.clear();
}

void PerfettoUnit::write(const Busy& busy) {
  Cycle from = busy.first;
  const auto end = busy.operations.end();
  for (auto each = busy.operations.begin(); each != end; ++each) {
    while (from < each->first) {  // one that leaves later was there by itself
      const auto other = std::find_if(each, end, [&](const Operation& later) { return later.first <= from; });
      Cycle until = each->first;
      for (auto later = each; later != other; ++later)
        until = std::min(until, later->first);
      track_.slice(from, until, other->mark);
      from = until;
    }
    const Cycle until = std::max(from, each->last + 1);
    if (each->woken > from) {  // it has waited there
      const Cycle woken = std::min(each->woken, until);
      track_.begin(from, until, each->mark, {.begins = each->flows.begins, .passes = each->flows.passes});
      track_.slice(woken, until, each->mark, {.ends = each->flows.ends});
      track_.end(from, until);
    } else {
      track_.slice(from, until, each->mark, each->flows);
    }
    from = until;
  }
}

}  // namespace tensim::trace
