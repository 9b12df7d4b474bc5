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

/// Levenshtein distance, letters compared without case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (folded(a[i]) == folded(b[j]) ? 0U : 1U);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
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
