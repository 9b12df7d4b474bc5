#include "scenario/core_access.hpp"

#include <bit>

#include "isa/table.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::scenario {

tile::CoreId core_id(CoreBit core) {
  return static_cast<tile::CoreId>(std::countr_zero(static_cast<unsigned>(core)));
}

namespace {

/// The region that a store reaches.
const Region* stored_to(Arch arch, const CoreAction& action) {
  return action.is_store ? find_region(arch, action.core, action.address) : nullptr;
}

}  // namespace

tile::Access access_of(const CoreAction& action, tensix::Cycle cycle) {
  return {.core = core_id(action.core),
          .is_store = action.is_store,
          .address = action.address,
          .value = action.value,
          .origin = no_origin,
          .cycle = cycle};
}

std::optional<isa::Word> semaphore_instruction(Arch arch, const CoreAction& action) {
  using namespace isa::literals;
  const Region* region = stored_to(arch, action);
  if (region == nullptr || region->kind != Region::Kind::semaphores) return std::nullopt;
  const isa::Word opcode = (action.value & 1U) != 0 ? "SEMGET"_op : "SEMPOST"_op;  // U10, U11
  return opcode << isa::parameter_bits | tensix::sync_words::semaphores.put(1U << (action.address - region->base) / 4);
}

std::optional<unsigned> pushed_thread(Arch arch, const CoreAction& action) {
  const Region* region = stored_to(arch, action);
  if (region == nullptr) return std::nullopt;
  if (region->kind == Region::Kind::instruction_buffer_own) return tile::thread_of(core_id(action.core));
  if (region->kind == Region::Kind::instruction_buffer_brisc) return region->index;
  return std::nullopt;
}

}  // namespace tensim::scenario
