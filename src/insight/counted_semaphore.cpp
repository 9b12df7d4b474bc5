#include "insight/counted_semaphore.hpp"

#include <algorithm>

namespace tensim::insight {
namespace {
constexpr std::size_t most_kept = 64;  // a semaphore counts to 15

std::uint32_t issued_known(const Snapshot& actor, Lane lane) {
  return actor_of(lane) == actor.actor ? actor.issued[which_of(lane)] : actor.known->issued(lane);
}
}  // namespace

void CountedSemaphore::start(unsigned value, unsigned maximum) {
  *this = {};
  initial_ = static_cast<int>(value);
  maximum_ = static_cast<int>(maximum);
}

void CountedSemaphore::add(ByActor& changes, const Actor& by, Lane lane, std::uint32_t number) {
  Changes& own = changes[by.number()];
  own.lane = lane;
  own.kept.push_back({number, by.release()});
  if (own.kept.size() <= most_kept) return;
  own.kept.pop_front();
  ++own.forgotten;
}

/// How many of them are before what the actor does next.
std::uint64_t CountedSemaphore::known(const ByActor& changes, const Snapshot& actor) {
  std::uint64_t sum = 0;
  for (const auto& [number, own] : changes) {
    const auto first_unknown = std::ranges::upper_bound(own.kept, issued_known(actor, own.lane), {}, &Change::number);
    sum += own.forgotten + static_cast<std::uint64_t>(first_unknown - own.kept.begin());
  }
  return sum;
}

/// At least `needed` of them have been: of each actor so many as the others cannot have done.
std::vector<Snapshot> CountedSemaphore::at_least(const ByActor& changes, std::int64_t needed) {
  std::int64_t all = 0;
  for (const auto& [number, own] : changes)
    all += static_cast<std::int64_t>(own.count());
  std::vector<Snapshot> found;
  for (const auto& [number, own] : changes) {
    const auto others = all - static_cast<std::int64_t>(own.count());
    const std::int64_t certain = needed - others - static_cast<std::int64_t>(own.forgotten);
    if (certain > 0 && !own.kept.empty())
      found.push_back(own.kept[std::min(static_cast<std::size_t>(certain), own.kept.size()) - 1].snapshot);
  }
  return found;
}

std::vector<Snapshot> CountedSemaphore::was_at_least(const Snapshot& actor, int value) const {
  return at_least(posts_, static_cast<std::int64_t>(known(gets_, actor)) + value - initial_);
}

std::vector<Snapshot> CountedSemaphore::was_at_most(const Snapshot& actor, int value) const {
  return at_least(gets_, static_cast<std::int64_t>(known(posts_, actor)) + initial_ - value);
}

std::vector<Snapshot> CountedSemaphore::was(const Snapshot& reader, int value) const {
  std::vector<Snapshot> found = was_at_least(reader, value);
  for (Snapshot& each : was_at_most(reader, value))
    found.push_back(std::move(each));
  return found;
}

}  // namespace tensim::insight
