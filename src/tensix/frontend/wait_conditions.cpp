// What keeps a latched wait alive, cycle by cycle: STALLWAIT's conditions and SEMWAIT's (W19-W37).
#include "tensix/frontend/wait_conditions.hpp"

#include <bit>

#include "tensix/coprocessor.hpp"

namespace tensim::tensix {
namespace {

using Kind = StallCondition::Kind;

constexpr StallCondition in_unit(Occupancy where) {
  return {.kind = Kind::occupied, .where = where, .also = where};
}
constexpr StallCondition in_unit_of_any(Occupancy where) {
  return {.kind = Kind::occupied, .where = where, .also = where, .of_any_thread = true};
}
constexpr StallCondition src_clear(Src src) {
  return {.kind = Kind::src_clear, .src = src};
}
constexpr StallCondition src_valid(Src src) {
  return {.kind = Kind::src_valid, .src = src};
}
constexpr StallCondition core_requests{.kind = Kind::core_requests};

// By bit, as numbered on each chip (errata 32).
constexpr std::array wormhole_conditions{
    in_unit(Occupancy::scalar_memory),
    in_unit(Occupancy::unpacker0),
    in_unit(Occupancy::unpacker1),
    in_unit(Occupancy::packer0),
    in_unit(Occupancy::packer1),
    in_unit(Occupancy::packer2),
    in_unit(Occupancy::packer3),
    in_unit(Occupancy::matrix),
    src_clear(Src::a),
    src_clear(Src::b),
    src_valid(Src::a),
    src_valid(Src::b),
    in_unit_of_any(Occupancy::mover),
    core_requests,
    in_unit(Occupancy::vector),
};
constexpr std::array blackhole_conditions{
    // The unit itself counts, because its thread's gate stays open meanwhile (ruling 12).
    StallCondition{.kind = Kind::occupied, .where = Occupancy::scalar_memory, .also = Occupancy::scalar},
    in_unit(Occupancy::unpacker0),
    in_unit(Occupancy::unpacker1),
    in_unit(Occupancy::packer0),
    in_unit(Occupancy::matrix),
    src_clear(Src::a),
    src_clear(Src::b),
    src_valid(Src::a),
    src_valid(Src::b),
    in_unit_of_any(Occupancy::mover),
    core_requests,
    in_unit(Occupancy::vector),
    in_unit_of_any(Occupancy::configuration),
};

bool is_occupied(const Coprocessor& coprocessor, unsigned thread, const StallCondition& condition) {
  if (!condition.of_any_thread)
    return coprocessor.occupied(condition.where, thread) ||
           (condition.also != condition.where && coprocessor.occupied(condition.also, thread));
  if (condition.where == Occupancy::mover && coprocessor.now < coprocessor.mover.free_from) return true;
  return coprocessor.occupied(condition.where);
}

bool holds(const Coprocessor& coprocessor, unsigned thread, const StallCondition& condition) {
  switch (condition.kind) {
    case Kind::occupied: return is_occupied(coprocessor, thread, condition);
    case Kind::src_clear: return !coprocessor.src.unpack_side_clear(condition.src);
    case Kind::src_valid: return !coprocessor.src.matrix_side_valid(condition.src);
    case Kind::core_requests: return coprocessor.core_requests.any_of_thread(thread, coprocessor.now);
  }
  return false;
}

}  // namespace

const StallCondition* stall_condition(Arch arch, unsigned bit) {
  const auto conditions = on<std::span<const StallCondition>>(arch, wormhole_conditions, blackhole_conditions);
  return bit < conditions.size() ? &conditions[bit] : nullptr;
}

bool stall_condition_holds(const Coprocessor& coprocessor, unsigned thread, unsigned bit) {
  const StallCondition* condition = stall_condition(coprocessor.arch, bit);
  return condition != nullptr && holds(coprocessor, thread, *condition);
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
