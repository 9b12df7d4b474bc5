// Lists in the order in which users want them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tensim::report {

/// Those with the most first; of equals, the one that came first.
template <class Each, class Count>
std::vector<Each> most_first(std::vector<Each> all, Count count) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    order.emplace_back(~std::uint64_t{count(all[i])}, i);
  std::ranges::sort(order);
  std::vector<Each> sorted;
  sorted.reserve(all.size());
  for (const auto& [most, i] : order)
    sorted.push_back(std::move(all[i]));
  return sorted;
}

}  // namespace tensim::report
