#include "insight/store_history.hpp"

#include <algorithm>
#include <ranges>

namespace tensim::insight {

void StoreHistory::stored(const Actor& core) {
  Snapshot now = core.release();
  if (pieces_.empty() || pieces_.back().changes.size() >= most_changes)
    pieces_.push_back({now.issued[which_], now, {}});
  else
    add_changes(now);
  last_ = std::move(now);
}

void StoreHistory::add_changes(const Snapshot& now) {
  const std::uint32_t number = now.issued[which_];
  for (unsigned which = 0; which < lanes_per_actor; ++which)
    if (which != which_ && last_.issued[which] != now.issued[which])
      add(number, What::own_issued, lane_of(now.actor, which), now.issued[which]);
  if (last_.known == now.known) return;
  last_.known->for_each_change(*now.known, [&](Lane lane, const Clock::OfLane& before, const Clock::OfLane& behind) {
    if (behind.done != before.done) add(number, What::done, lane, behind.done);
    // What is done has been issued.
    if (behind.issued > std::max(before.issued, behind.done)) add(number, What::issued, lane, behind.issued);
  });
}

void StoreHistory::add(std::uint32_t number, What what, Lane lane, std::uint32_t value) {
  auto& changes = pieces_.back().changes;
  const auto last = std::ranges::find_if(
      std::views::reverse(changes), [&](const Change& change) { return change.lane == lane && change.what == what; });
  if (last != changes.rend() && last->count == 1) {
    last->number_step = number - last->number;
    last->value_step = value - last->value;
    last->count = 2;
    return;
  }
  if (last != changes.rend() && number == last->number + last->count * last->number_step &&
      value == last->value + last->count * last->value_step) {
    ++last->count;
    return;
  }
  changes.push_back({number, value, 0, 0, 1, lane, what});
}

std::shared_ptr<const Snapshot> StoreHistory::at(std::uint32_t number) {
  if (asked_ != nullptr && asked_number_ == number) return asked_;
  const Piece& piece = *std::prev(std::ranges::upper_bound(pieces_, number, {}, &Piece::first));
  auto snapshot = std::make_shared<Snapshot>(piece.start);
  auto known = std::make_shared<Clock>(*piece.start.known);
  for (const Change& change : piece.changes) {
    if (change.number > number) continue;
    const std::uint32_t value = change.at(number);
    switch (change.what) {
      case What::own_issued: snapshot->issued[which_of(change.lane)] = value; break;
      case What::issued: known->know_issued(change.lane, value); break;
      case What::done: known->know_done(change.lane, value); break;
    }
  }
  snapshot->issued[which_] = number;
  snapshot->known = std::move(known);
  asked_number_ = number;
  asked_ = std::move(snapshot);
  return asked_;
}

void StoreHistory::keep(std::span<const std::uint32_t> numbers, std::uint32_t first_kept) {
  std::deque<Piece> kept;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const bool is_last = i + 1 == pieces_.size();
    const auto next = std::ranges::lower_bound(numbers, pieces_[i].first);
    const bool is_asked_for = next != numbers.end() && (is_last || *next < pieces_[i + 1].first);
    if (is_last || is_asked_for || pieces_[i + 1].first > first_kept) kept.push_back(std::move(pieces_[i]));
  }
  pieces_ = std::move(kept);
}

std::size_t StoreHistory::bytes() const {
  std::size_t bytes = 0;
  for (const Piece& piece : pieces_)
    bytes += sizeof piece + Clock::bytes_of_change + piece.changes.capacity() * sizeof(Change);
  return bytes;
}

}  // namespace tensim::insight
