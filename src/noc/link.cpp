#include "noc/link.hpp"

#include <algorithm>

namespace tensim::noc {

Cycle Link::join_time(Cycle now) {
  bring_to(now);
  stand_aside(now);
  return now + turns_.size();
}

Cycle Link::join(Cycle now, Transfer transfer) {
  transfer.head = join_time(now);
  turns_.push_back(transfer);
  find_next_event();
  return transfer.head;
}

void Link::tail_comes(Cycle now, std::int32_t leg, Cycle tail_here) {
  bring_to(now);
  for (auto* const list : {&turns_, &aside_})
    for (Transfer& transfer : *list)
      if (transfer.leg == leg) transfer.tail_here = tail_here;
  if (next_event_ > now) find_next_event();  // otherwise step() is still to come in this cycle
}

void Link::step(Cycle now, std::vector<Transfer>& ended) {
  bring_to(now);
  if (turns_.size() == 1 && aside_.empty() && turns_.front().remaining == 0) {  // as nearly always
    ended.push_back(turns_.front());
    turns_.clear();
    next_event_ = never;
    return;
  }
  std::erase_if(turns_, [&](const Transfer& transfer) {
    if (transfer.remaining == 0) ended.push_back(transfer);
    return transfer.remaining == 0;
  });
  stand_aside(now);
  std::erase_if(aside_, [&](const Transfer& transfer) {
    if (transfer.tail_here <= now) turns_.push_back(transfer);
    return transfer.tail_here <= now;
  });
  find_next_event();
}

/// Gives the cycles before `now` to those whose turn it is. No event lies between.
void Link::bring_to(Cycle now) {
  const Cycle given = now - clock_;
  clock_ = now;
  if (turns_.empty() || given == 0) return;
  if (turns_.size() == 1) {
    Transfer& only = turns_.front();
    const bool may_end = only.tail_here < now;
    const Cycle most = may_end ? only.remaining : only.remaining - 1;
    only.remaining -= static_cast<std::uint32_t>(std::min(given, most));
    return;
  }
  const auto rounds = static_cast<std::uint32_t>(given / turns_.size());
  const auto more = static_cast<std::ptrdiff_t>(given % turns_.size());
  for (auto transfer = turns_.begin(); transfer != turns_.end(); ++transfer)
    transfer->remaining -= rounds + (transfer - turns_.begin() < more ? 1 : 0);
  std::rotate(turns_.begin(), turns_.begin() + more, turns_.end());
}

/// Those that wait for their last flit alone take no turns.
void Link::stand_aside(Cycle now) {
  if (turns_.empty()) return;
  std::erase_if(turns_, [&](const Transfer& transfer) {
    const bool waits = transfer.remaining == 1 && transfer.tail_here > now;
    if (waits) aside_.push_back(transfer);
    return waits;
  });
}

void Link::find_next_event() {
  next_event_ = never;
  const Cycle round = turns_.size();
  for (std::size_t place = 0; place < turns_.size(); ++place) {
    const Transfer& transfer = turns_[place];
    const Cycle last = clock_ + (transfer.remaining - 1) * round + place;
    if (transfer.tail_here <= last)
      next_event_ = std::min(next_event_, last + 1);
    else if (round > 1)  // the flit before the last, and then it stands aside
      next_event_ = std::min(next_event_, std::max(clock_ + 1, last + 1 - round));
    else if (transfer.tail_here != never)
      next_event_ = transfer.tail_here + 1;
  }
  for (const Transfer& transfer : aside_)
    if (transfer.tail_here != never) next_event_ = std::min(next_event_, transfer.tail_here);
}

}  // namespace tensim::noc
