// The usual cases of the Vector Unit's most frequent instructions, without any detour: all lanes are enabled, no setting
// asks for a closer look, and the host has vectors.
#pragma once

#include "number/vector_lanes_avx2.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix::vector_data {

/// SFPMAD, SFPADD and SFPMUL whose registers are all named by the instruction (none through LReg 7) and hold no result that
/// is still to come. False, with nothing done, in any other case.
[[gnu::always_inline]] inline bool multiply_add_at_once(Coprocessor& coprocessor, Word word) {
  constexpr unsigned turning = negates_product | negates_addend;
  constexpr unsigned indirect = indirect_va | indirect_vd;
  VectorUnit& vector = coprocessor.vector;
  const unsigned va = va_of(word);
  const unsigned vb = vb_of(word);
  const unsigned vc = vc_of(word);
  const unsigned vd = vd_of(word);
  const auto& until = vector.lreg_stale_until;
  const Cycle now = coprocessor.now;
  if ((mod1_of(word) & indirect) != 0 || vd >= general_lregs || !is_usual_cycle(coprocessor) || until[va] > now ||
      until[vb] > now || until[vc] > now) [[unlikely]]
    return false;
  auto& lreg = vector.registers.lreg;
  const Cycle readable = now + coprocessor.timing->multiply_add;
  vector.stale_until = vector.lreg_stale_until[vd] = readable;
  vector.result_lregs = 1U << vd;
  vector.result_names = in_sources(vd);
  switch (coprocessor.arch) {
    case Arch::wormhole:
      number::avx2::multiply_add_on_wormhole(lreg[va], lreg[vb], lreg[vc], lreg[vd], vector.stale[vd]);
      break;
    case Arch::blackhole:
      vector.result_from = readable;  // Wormhole has no interlock
      number::avx2::multiply_add_on_blackhole(lreg[va], lreg[vb], lreg[vc], lreg[vd], vector.stale[vd],
                                              mod1_of(word) & turning);
      break;
  }
  return true;
}

/// SFPLOAD and SFPSTORE, their usual cases first.
void execute_load(Coprocessor& coprocessor, const Candidate& candidate);
void execute_store(Coprocessor& coprocessor, const Candidate& candidate);

/// Any instruction that is over with its cycle, and nothing but its record.
void execute_in_general(Coprocessor& coprocessor, const Candidate& candidate);
void put_in_flight_for_a_cycle(Coprocessor& coprocessor, const Candidate& candidate);

}  // namespace tensim::tensix::vector_data
