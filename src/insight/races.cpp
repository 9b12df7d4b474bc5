#include "insight/races.hpp"

#include <algorithm>

namespace tensim::insight {

namespace {

constexpr SiteNumber free_place = ~0U;

std::size_t hash(const Site& site) {
  const std::uint64_t parts = (std::uint64_t{site.origin} << 32U | site.word) ^ std::uint64_t{site.actor} << 20U ^
                              static_cast<unsigned>(site.kind);
  return static_cast<std::size_t>((parts * 0x9E3779B97F4A7C15U) >> 24U);
}

}  // namespace

SiteNumber Races::site(const Site& site) {
  if (sites_.size() * 2 >= numbers_.size()) make_room();
  std::size_t at = hash(site) & (numbers_.size() - 1);
  for (; numbers_[at] != free_place; at = (at + 1) & (numbers_.size() - 1))
    if (sites_[numbers_[at]] == site) return numbers_[at];
  numbers_[at] = static_cast<SiteNumber>(sites_.size());
  sites_.push_back(site);
  return numbers_[at];
}

void Races::make_room() {
  constexpr std::size_t least = 256;  // a power of two, as all sizes are
  numbers_.assign(std::max(least, numbers_.size() * 2), free_place);
  for (SiteNumber number = 0; number < sites_.size(); ++number) {
    std::size_t at = hash(sites_[number]) & (numbers_.size() - 1);
    while (numbers_[at] != free_place)
      at = (at + 1) & (numbers_.size() - 1);
    numbers_[at] = number;
  }
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
