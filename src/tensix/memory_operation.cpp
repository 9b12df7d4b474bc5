#include "tensix/memory_operation.hpp"

#include <algorithm>
#include <cmath>

#include "arch/sizes.hpp"
#include "tensix/unit_timing.hpp"

namespace tensim::tensix {
namespace {

using Source = MemoryOperation::Source;
using Target = MemoryOperation::Target;

constexpr std::uint32_t config_window_bytes = 0x10000;
constexpr std::uint32_t iram_window = 0x40000;
constexpr std::uint32_t iram_window_bytes = 0x10000;
constexpr std::uint32_t unit_bytes = MemoryOperation::unit_bytes;

std::uint64_t iram_bytes(Arch arch) {
  return static_cast<std::uint64_t>(size(arch, "iram_bytes_nc"_size));
}

}  // namespace

MemoryOperation plan_move(const MoveOrder& order) {
  MemoryOperation operation{
      .from = order.from * unit_bytes, .to = order.to * unit_bytes, .size = order.size * unit_bytes};
  operation.source = (order.direction & 1U) != 0 ? Source::l1 : Source::zeros;
  if (order.direction == MoveOrder::zeros_to_l1 || order.direction == MoveOrder::l1_to_l1) return operation;
  operation.target = Target::nowhere;
  if (operation.to < config_window_bytes) operation.target = Target::config;
  if (operation.to >= iram_window && operation.to - iram_window < iram_window_bytes) {
    operation.target = Target::iram;
    operation.to -= iram_window;
  }
  return operation;
}

Cycle move_cycles(const UnitTiming& timing, const MemoryOperation& operation) {
  double per_unit = timing.move_zeros_elsewhere;
  if (operation.source == Source::l1)
    per_unit = timing.move_copy;
  else if (operation.target == Target::l1)
    per_unit = timing.move_zeros_to_l1;
  return std::max<Cycle>(1, static_cast<Cycle>(std::ceil(per_unit * operation.size / unit_bytes)));
}

bool leaves_memory(Arch arch, const MemoryOperation& operation) {
  const auto l1_bytes = static_cast<std::uint64_t>(size(arch, "l1_bytes"_size));
  const std::uint64_t to_end = std::uint64_t{operation.to} + operation.size;
  if (operation.source == Source::l1 && std::uint64_t{operation.from} + operation.size > l1_bytes) return true;
  switch (operation.target) {
    case Target::l1: return to_end > l1_bytes;
    case Target::iram: return to_end > iram_bytes(arch);
    case Target::config: return to_end > config_window_bytes;
    case Target::nowhere: return false;
  }
  return false;
}

}  // namespace tensim::tensix
