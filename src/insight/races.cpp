#include "insight/races.hpp"

#include <algorithm>

namespace tensim::insight {

SiteNumber Races::site(const Site& site) {
  const auto [known, is_new] = numbers_.try_emplace(site, static_cast<SiteNumber>(sites_.size()));
  if (is_new) sites_.push_back(site);
  return known->second;
}

void Race::add(const Race& other) {
  count += other.count;
  overlapped += other.overlapped;
  reversed += other.reversed;
  cycle = std::min(cycle, other.cycle);
  if (other.closest) closest = std::min(closest.value_or(*other.closest), *other.closest);
}

std::size_t Races::errors() const {
  return static_cast<std::size_t>(std::ranges::count(found_, Severity::error, &Race::severity));
}

void Races::add(const Race& race, std::uint32_t first_number, std::uint32_t second_number, const Distance& distance) {
  const auto [known, is_new] = known_.try_emplace(Pair{race.first, race.second, race.what.resource, race.rule},
                                                  Known{found_.size(), first_number, second_number});
  if (is_new)
    found_.push_back(race);
  else if (known->second.first_number == first_number || known->second.second_number == second_number)
    return;  // the same again, in another cell or in another round of a loop that reads it
  known->second.first_number = first_number;
  known->second.second_number = second_number;
  Race& entry = found_[known->second.index];
  ++entry.count;
  if (distance.reversed)
    ++entry.reversed;
  else if (distance.overlapped)
    ++entry.overlapped;
  else
    entry.closest = std::min(entry.closest.value_or(distance.cycles), distance.cycles);
}

}  // namespace tensim::insight
