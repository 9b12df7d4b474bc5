#include "noc/workers.hpp"

#include <bit>

namespace tensim::noc {
namespace {

/// Columns and rows of a chip that has all of them.
constexpr WorkerGrid whole_grid(Arch arch) {
  return on(arch, WorkerGrid{8, 10}, WorkerGrid{14, 10});
}

}  // namespace

WorkerGrid worker_grid(const FloorPlan& plan) {
  WorkerGrid grid = whole_grid(plan.arch());
  unsigned WorkerGrid::* const what_is_off = on(plan.arch(), &WorkerGrid::rows, &WorkerGrid::columns);
  grid.*what_is_off -= static_cast<unsigned>(std::popcount(plan.off().tensix));
  return grid;
}

std::optional<Coordinates> worker(const FloorPlan& plan, Coordinates logical) {
  const WorkerGrid grid = worker_grid(plan);
  if (logical.x >= grid.columns || logical.y >= grid.rows) return std::nullopt;
  return plan.tile(worker_name(plan.arch(), logical));
}

std::optional<Coordinates> logical(const FloorPlan& plan, Coordinates raw) {
  if (!plan.has_tensix(raw)) return std::nullopt;
  const Coordinates name = plan.translated(raw);
  const WorkerNames names = worker_names(plan.arch());
  const unsigned column = name.x - names.first.x;
  return Coordinates{column < names.gap_at ? column : column - names.gap, name.y - names.first.y};
}

}  // namespace tensim::noc
