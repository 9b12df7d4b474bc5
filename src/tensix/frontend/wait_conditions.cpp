// What keeps a latched wait alive, cycle by cycle: STALLWAIT's conditions and SEMWAIT's (W19-W37).
#include <bit>

#include "tensix/coprocessor.hpp"

namespace tensim::tensix {
namespace {

enum class Condition : std::uint8_t {
  scalar,
  scalar_memory,
  unpacker0,
  unpacker1,
  packer0,
  packer1,
  packer2,
  packer3,
  matrix,
  src_a_clear,
  src_b_clear,
  src_a_valid,
  src_b_valid,
  mover,
  core_config,
  vector,
  configuration,
};

// By bit, as numbered on each chip (errata 32).
constexpr std::array wormhole_conditions{Condition::scalar_memory, Condition::unpacker0,   Condition::unpacker1,
                                         Condition::packer0,       Condition::packer1,     Condition::packer2,
                                         Condition::packer3,       Condition::matrix,      Condition::src_a_clear,
                                         Condition::src_b_clear,   Condition::src_a_valid, Condition::src_b_valid,
                                         Condition::mover,         Condition::core_config, Condition::vector};
constexpr std::array blackhole_conditions{
    Condition::scalar,      Condition::unpacker0,   Condition::unpacker1,    Condition::packer0,     Condition::matrix,
    Condition::src_a_clear, Condition::src_b_clear, Condition::src_a_valid,  Condition::src_b_valid, Condition::mover,
    Condition::core_config, Condition::vector,      Condition::configuration};

bool holds(const Coprocessor& coprocessor, unsigned thread, Condition condition) {
  switch (condition) {
    // On Blackhole the unit itself counts, because its thread's gate stays open meanwhile (ruling 12).
    case Condition::scalar:
      return coprocessor.occupied(Occupancy::scalar_memory, thread) || coprocessor.occupied(Occupancy::scalar, thread);
    case Condition::scalar_memory: return coprocessor.occupied(Occupancy::scalar_memory, thread);
    case Condition::unpacker0: return coprocessor.occupied(Occupancy::unpacker0, thread);
    case Condition::unpacker1: return coprocessor.occupied(Occupancy::unpacker1, thread);
    case Condition::packer0: return coprocessor.occupied(Occupancy::packer0, thread);
    case Condition::packer1: return coprocessor.occupied(Occupancy::packer1, thread);
    case Condition::packer2: return coprocessor.occupied(Occupancy::packer2, thread);
    case Condition::packer3: return coprocessor.occupied(Occupancy::packer3, thread);
    case Condition::matrix: return coprocessor.occupied(Occupancy::matrix, thread);
    case Condition::src_a_clear: return !coprocessor.src.unpack_side_clear(Src::a);
    case Condition::src_b_clear: return !coprocessor.src.unpack_side_clear(Src::b);
    case Condition::src_a_valid: return !coprocessor.src.matrix_side_valid(Src::a);
    case Condition::src_b_valid: return !coprocessor.src.matrix_side_valid(Src::b);
    case Condition::mover:
      return coprocessor.occupied(Occupancy::mover) || coprocessor.now < coprocessor.mover.free_from;
    case Condition::core_config: return coprocessor.core_requests.any_of_thread(thread, coprocessor.now);
    case Condition::vector: return coprocessor.occupied(Occupancy::vector, thread);
    case Condition::configuration: return coprocessor.occupied(Occupancy::configuration);
  }
  return false;
}

}  // namespace

bool stall_condition_holds(const Coprocessor& coprocessor, unsigned thread, unsigned bit) {
  if (coprocessor.arch == Arch::wormhole)
    return bit < wormhole_conditions.size() && holds(coprocessor, thread, wormhole_conditions[bit]);
  return bit < blackhole_conditions.size() && holds(coprocessor, thread, blackhole_conditions[bit]);
}

std::uint32_t Coprocessor::stream_count_of(const LatchedWait& latch) const {
  const StreamCounts& counts = streams[latch.stream];
  return latch.condition_mask == 1 ? counts.phase : counts.messages;
}

bool Coprocessor::keeps_waiting(unsigned thread) const {
  const LatchedWait& latch = gates.latches[thread];
  switch (latch.kind) {
    case LatchedWait::Kind::none: return false;
    case LatchedWait::Kind::semaphore: return sync.keeps_waiting(latch.condition_mask);
    case LatchedWait::Kind::stream: return stream_count_of(latch) < latch.target;
    case LatchedWait::Kind::stall: break;
  }
  for (unsigned left = latch.condition_mask; left != 0; left &= left - 1)
    if (stall_condition_holds(*this, thread, static_cast<unsigned>(std::countr_zero(left)))) return true;
  return false;
}

}  // namespace tensim::tensix
