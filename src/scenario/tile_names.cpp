#include "scenario/tile_names.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "noc/workers.hpp"

namespace tensim::scenario {
namespace {

using noc::Coordinates;

struct Range {
  unsigned first = 0;
  unsigned last = 0;
};

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// "3" or "0-3".
std::optional<Range> range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

std::string grid_text(const noc::FloorPlan& plan) {
  const noc::WorkerGrid grid = noc::worker_grid(plan);
  return fmt::format("its Tensix tiles that work are counted from 0,0 to {},{}", grid.columns - 1, grid.rows - 1);
}

/// Columns and rows that a word of the text means.
std::optional<std::pair<Range, Range>> block(const noc::WorkerGrid& grid, std::string_view word) {
  if (word == "all") return std::pair{Range{0, grid.columns - 1}, Range{0, grid.rows - 1}};
  const std::size_t comma = word.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto x = range(word.substr(0, comma));
  const auto y = range(word.substr(comma + 1));
  if (!x || !y) return std::nullopt;
  return std::pair{*x, *y};
}

/// One word of the text. Empty, or what is wrong with it.
std::string add(const noc::FloorPlan& plan, std::string_view word, std::vector<Coordinates>& tiles) {
  const noc::WorkerGrid grid = noc::worker_grid(plan);
  const auto meant = block(grid, word);
  if (!meant) return fmt::format("'{}' names no tiles: expected X,Y or ranges as in 0-3,0-3, or all", word);
  const auto& [x, y] = *meant;
  if (x.last >= grid.columns || y.last >= grid.rows)
    return fmt::format("the chip has no tile {},{}: {}", x.last, y.last, grid_text(plan));
  for (unsigned row = y.first; row <= y.last; ++row)
    for (unsigned column = x.first; column <= x.last; ++column)
      if (std::ranges::find(tiles, Coordinates{column, row}) == tiles.end()) tiles.push_back({column, row});
  return "";
}

bool is_row_major_before(Coordinates a, Coordinates b) {
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

std::string text_of(Range range) {
  return range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
}

}  // namespace

NamedTiles named_tiles(const noc::FloorPlan& plan, std::string_view text) {
  NamedTiles named;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end != 0) named.problem = add(plan, text.substr(0, end), named.tiles);
    if (!named.problem.empty()) return named;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (named.tiles.empty()) named.problem = "no tiles are named: expected X,Y or ranges as in 0-3,0-3, or all";
  std::ranges::sort(named.tiles, is_row_major_before);
  return named;
}

std::string tile_list(std::vector<Coordinates> tiles) {
  std::ranges::sort(tiles, is_row_major_before);
  std::string text;
  const auto has = [&](unsigned x, unsigned y) { return std::ranges::find(tiles, Coordinates{x, y}) != tiles.end(); };
  while (!tiles.empty()) {
    // As wide as the first row goes, then as far down as all of that is there.
    Range x{tiles.front().x, tiles.front().x};
    Range y{tiles.front().y, tiles.front().y};
    while (has(x.last + 1, y.first))
      ++x.last;
    const auto has_row = [&](unsigned row) {
      for (unsigned column = x.first; column <= x.last; ++column)
        if (!has(column, row)) return false;
      return true;
    };
    while (has_row(y.last + 1))
      ++y.last;
    text += fmt::format("{}{},{}", text.empty() ? "" : " ", text_of(x), text_of(y));
    std::erase_if(
        tiles, [&](Coordinates at) { return x.first <= at.x && at.x <= x.last && y.first <= at.y && at.y <= y.last; });
  }
  return text;
}

}  // namespace tensim::scenario
