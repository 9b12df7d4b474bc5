// One instruction of the Vector Unit at work: which lanes it concerns, what it reads and where its results go.
#pragma once

#include <array>
#include <optional>

#include "tensix/coprocessor.hpp"

namespace tensim::tensix {

struct VectorWork {
  Coprocessor& coprocessor;
  const Candidate& candidate;
  const VectorInstruction& in;
  LaneMask active = every_lane;   // lanes for which it is more than a template: VD < 12 || DISABLE_BACKDOOR_LOAD
  LaneMask enabled = every_lane;  // of those, the ones that LaneEnabled names
  bool reads_early = false;

  VectorUnit& unit() const { return coprocessor.vector; }
  VectorRegisters& registers() const { return coprocessor.vector.registers; }
  void issue(DataIssue what) const { coprocessor.data_issue(candidate, what); }

  /// What an instruction of this cycle reads in a register: the old value, while a two-cycle result is under way.
  const Lanes& source(unsigned lreg) {
    const VectorUnit& vector = unit();
    if (vector.together_in == coprocessor.now) [[unlikely]] {
      reads_early = reads_early || (vector.stale_at_start >> lreg & 1U) != 0;
      return vector.at_start[lreg];
    }
    if (vector.stale_until > coprocessor.now && vector.lreg_stale_until[lreg] > coprocessor.now) {
      reads_early = true;
      return vector.stale[lreg];
    }
    return registers().lreg[lreg];
  }

  /// Said before an instruction of `latency` cycles, two or more, writes its register: until then readers get the old value.
  void keep_old(unsigned lreg, Cycle latency) const {
    VectorUnit& vector = unit();
    vector.stale[lreg] = vector.registers.lreg[lreg];
    vector.stale_until = vector.lreg_stale_until[lreg] = coprocessor.now + latency;
  }

  /// Writes the enabled lanes of a register; nothing if it is one that cannot be written.
  void write(unsigned lreg, const Lanes& results) const { write(lreg, results, enabled); }
  void write(unsigned lreg, const Lanes& results, LaneMask lanes) const {
    if (!is_writable_lreg(lreg)) return;
    if (lanes == every_lane)
      registers().lreg[lreg] = results;
    else
      number::copy_lanes(registers().lreg[lreg], results, lanes, unit().vectors);
  }

  void set_flags(LaneMask values, LaneMask lanes) const {
    registers().flags = (registers().flags & ~lanes) | (values & lanes);
  }
};

/// The bit of each lane in a mask.
inline constexpr std::array<LaneMask, lane_count> bit_of_lane = [] {
  std::array<LaneMask, lane_count> bits{};
  for (unsigned lane = 0; lane < lane_count; ++lane)
    bits[lane] = LaneMask{1} << lane;
  return bits;
}();

/// Lanes for which `test` of the lane's number is true. Without branches and shifts, so that compilers use vectors for it.
template <class Test>
constexpr LaneMask lanes_where(Test test) {
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < lane_count; ++lane)
    mask |= (0U - LaneMask{test(lane)}) & bit_of_lane[lane];
  return mask;
}

/// Results of `function` in every lane.
template <class Function>
Lanes each_lane(Function function) {
  Lanes results;
  for (unsigned lane = 0; lane < lane_count; ++lane)
    results[lane] = function(lane);
  return results;
}

/// All lanes are enabled, nothing is scheduled, no setting or neighbour asks for a closer look, and the host has vectors.
[[gnu::always_inline]] inline bool is_usual_cycle(const Coprocessor& coprocessor) {
  const VectorUnit& vector = coprocessor.vector;
  return vector.registers.are_usual() && vector.unusual_until <= coprocessor.now &&
         vector.vectors == number::HostVectors::avx2;
}

/// What the instructions do; by opcode in vector_rows.hpp.
namespace vector_data {

using Action = void (*)(VectorWork&);

// ---- bits and integers ----
void absolute(VectorWork& work);
void bit_and(VectorWork& work);
void bit_or(VectorWork& work);
void bit_xor(VectorWork& work);
void bit_not(VectorWork& work);
void leading_zeros(VectorWork& work);
void add_integers(VectorWork& work);
void shift(VectorWork& work);
void multiply_24(VectorWork& work);

// ---- fields of FP32 ----
void divide_by_power(VectorWork& work);
void extract_exponent(VectorWork& work);
void extract_mantissa(VectorWork& work);
void set_exponent(VectorWork& work);
void set_mantissa(VectorWork& work);
void set_sign(VectorWork& work);

// ---- floating point ----
void multiply_add(VectorWork& work);
void add_immediate(VectorWork& work);
void multiply_immediate(VectorWork& work);
void look_up_8(VectorWork& work);
void look_up_32(VectorWork& work);
void approximate(VectorWork& work);
void cast(VectorWork& work);
void round(VectorWork& work);

// ---- between registers and lanes ----
void move(VectorWork& work);
void swap(VectorWork& work);
void transpose(VectorWork& work);
void shuffle_or_shift(VectorWork& work);

// ---- flags ----
void set_flags(VectorWork& work);
void enable_flags(VectorWork& work);
void push_flags(VectorWork& work);
void pop_flags(VectorWork& work);
void complement_flags(VectorWork& work);
void compare_greater(VectorWork& work);
void compare_less_or_equal(VectorWork& work);

// ---- to and from elsewhere ----
void load(VectorWork& work);
/// load(); returns the address in Dst.
unsigned load_and_step(VectorWork& work);
void load_immediate(VectorWork& work);
void store(VectorWork& work);
void load_macro(VectorWork& work);
/// What an SFPLOADMACRO that loads from `address` makes a sub-unit execute later, with the registers it replaces: nothing if
/// the sequence names nothing, or what is undefined. Then which template that comes from, if any.
std::optional<VectorInstruction> scheduled_instruction(const Coprocessor& coprocessor, const VectorInstruction& load,
                                                       unsigned sub_unit, unsigned address);
std::optional<unsigned> scheduled_template(const Coprocessor& coprocessor, const VectorInstruction& load,
                                           unsigned sub_unit);
void configure(VectorWork& work);
void nothing(VectorWork& work);

}  // namespace vector_data

}  // namespace tensim::tensix
