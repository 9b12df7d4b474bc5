// Tensix tiles as tt-metal's users count them ("logical"): from (0, 0), x to the right and y downwards, over those that work. A
// logical tile has the same name (translated coordinates) on every chip of an architecture, because names of tiles that are off come
// last (noc 5).
#pragma once

#include <optional>

#include "noc/floor_plan.hpp"

namespace tensim::noc {

struct WorkerGrid {
  unsigned columns = 0;
  unsigned rows = 0;
  friend constexpr bool operator==(const WorkerGrid&, const WorkerGrid&) = default;
};
WorkerGrid worker_grid(const FloorPlan& plan);

/// How logical coordinates become names: `first` is (0, 0)'s, and columns from `gap_at` on are `gap` further to the right.
struct WorkerNames {
  Coordinates first;
  unsigned gap_at;
  unsigned gap;
};
constexpr WorkerNames worker_names(Arch arch) {
  return on(arch, WorkerNames{{18, 18}, 8, 0}, WorkerNames{{1, 2}, 7, 2});
}
constexpr Coordinates worker_name(Arch arch, Coordinates logical) {
  const WorkerNames names = worker_names(arch);
  return {names.first.x + logical.x + (logical.x < names.gap_at ? 0 : names.gap), names.first.y + logical.y};
}

/// NoC 0's own coordinates; nothing if the chip has no such tile.
std::optional<Coordinates> worker(const FloorPlan& plan, Coordinates logical);
/// And back; nothing if it is not a Tensix tile that works.
std::optional<Coordinates> logical(const FloorPlan& plan, Coordinates raw);

}  // namespace tensim::noc
