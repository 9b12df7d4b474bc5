#include "isa/assembler/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tensim::isa {
namespace {

char folded(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// How many letters were left out, added, replaced or swapped with their neighbour; without case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char left = folded(a[i - 1]);
      const char right = folded(b[j - 1]);
      row[j] = std::min({last[j - 1] + (left == right ? 0U : 1U), row[j - 1] + 1, last[j] + 1});
      const bool are_swapped = i > 1 && j > 1 && left == folded(b[j - 2]) && right == folded(a[i - 2]);
      if (are_swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view text, std::span<const std::string_view> known) {
  constexpr std::size_t longest = 64;  // a pathological name gets no suggestion, and costs nothing
  constexpr std::size_t few = 12;
  if (text.size() > longest || known.empty()) return {};
  const auto nearest = std::ranges::min_element(known, {}, [&](std::string_view k) { return distance(text, k); });
  const std::size_t near = text.size() < 4 ? 1 : std::max<std::size_t>(2, text.size() / 3);
  if (distance(text, *nearest) <= near) return fmt::format("; did you mean '{}'?", *nearest);
  if (known.size() <= few) return fmt::format("; expected one of {}", fmt::join(known, ", "));
  return {};
}

}  // namespace tensim::isa
