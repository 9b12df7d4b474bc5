// Conditional execution: the flags of lanes, and the stack they are saved on.
#include "number/vector_functions.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix::vector_data {
namespace {

/// What SFPPUSHC and SFPPOPC make of two flags, by Mod1 from 1 to 12.
constexpr LaneMask combined(unsigned mod, LaneMask a, LaneMask b) {
  switch (mod) {
    case 1: return b;
    case 2: return ~b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a & ~b;
    case 6: return a | ~b;
    case 7: return ~a & b;
    case 8: return ~a | b;
    case 9: return ~a & ~b;
    case 10: return ~a | ~b;
    case 11: return a ^ b;
    default: return ~(a ^ b);
  }
}
constexpr unsigned last_combination = 12;
constexpr unsigned inverts = 13;
constexpr unsigned all_true = 14;

/// The stack has one depth: lanes for which the instruction is but a template would have another.
bool concerns_all(const VectorWork& work) {
  if (work.active != 0 && work.active != every_lane) work.issue(DataIssue::vector_stack_lanes);
  return work.active == every_lane;
}

/// By Mod1 of SFPSETCC: negative, not zero, not negative, zero.
LaneMask compared_with_zero(const Lanes& c, unsigned mod) {
  constexpr std::uint32_t sign = number::lane_bits::sign;
  switch (mod) {
    case 0: return lanes_where([&](unsigned lane) { return (c[lane] & sign) != 0; });
    case 2: return lanes_where([&](unsigned lane) { return c[lane] != 0; });
    case 4: return lanes_where([&](unsigned lane) { return (c[lane] & sign) == 0; });
    default: return lanes_where([&](unsigned lane) { return c[lane] == 0; });
  }
}

void push(VectorWork& work) {
  VectorRegisters& registers = work.registers();
  FlagStack& stack = registers.stack;
  if (stack.full()) return work.issue(DataIssue::vector_stack_full);
  stack.flags[stack.depth] = registers.flags;
  stack.uses_flags[stack.depth] = registers.uses_flags;
  ++stack.depth;
}

/// Blackhole: the top is replaced or changed.
void change_top(VectorWork& work) {
  VectorRegisters& registers = work.registers();
  FlagStack& stack = registers.stack;
  if (stack.empty()) return work.issue(DataIssue::vector_stack_empty);
  LaneMask& flags = stack.flags[stack.depth - 1];
  LaneMask& uses_flags = stack.uses_flags[stack.depth - 1];
  if (work.in.mod <= last_combination) {
    flags = combined(work.in.mod, flags, registers.flags);
    uses_flags = registers.uses_flags;
  } else if (work.in.mod == inverts) {
    flags = registers.flags = ~registers.flags;
    uses_flags = registers.uses_flags;
  } else {
    flags = work.in.mod == all_true ? every_lane : 0U;
    uses_flags = every_lane;
  }
}

}  // namespace

void set_flags(VectorWork& work) {
  constexpr unsigned from_immediate = 1;
  constexpr unsigned clears = 8;
  LaneMask values = 0;
  if ((work.in.mod & clears) != 0)
    values = 0;
  else if ((work.in.mod & from_immediate) != 0)
    values = vector_words::imm1.get(work.in.word) != 0 ? every_lane : 0U;
  else
    values = compared_with_zero(work.source(work.in.vc), work.in.mod);
  // Lanes that do not use their flag lose it.
  work.set_flags(values & work.registers().uses_flags, work.enabled);
}

void enable_flags(VectorWork& work) {
  constexpr unsigned inverts_use = 1;
  constexpr unsigned sets_use = 2;
  constexpr unsigned sets_flags = 8;
  VectorRegisters& registers = work.registers();
  const unsigned immediate = vector_words::imm2.get(work.in.word);
  LaneMask use = registers.uses_flags;
  if ((work.in.mod & sets_use) != 0)
    use = (immediate & 1U) != 0 ? every_lane : 0U;
  else if ((work.in.mod & inverts_use) != 0)
    use = ~use;
  const bool flag = (work.in.mod & sets_flags) == 0 || (immediate & 2U) != 0;
  registers.uses_flags = (registers.uses_flags & ~work.active) | (use & work.active);
  work.set_flags(flag ? every_lane : 0U, work.active);
}

/// SFPPUSHC with a modifier.
constexpr bool push_may_change_top(Arch arch) {
  return on(arch, false, true);
}
/// To the flags that SFPPOPC combines: documented as a bug.
constexpr bool full_stack_loses_bottom(Arch arch) {
  return on(arch, true, false);
}

void push_flags(VectorWork& work) {
  if (!concerns_all(work)) return;
  if (work.in.mod == 0 || !push_may_change_top(work.coprocessor.arch))
    push(work);
  else
    change_top(work);
}

void pop_flags(VectorWork& work) {
  if (!concerns_all(work)) return;
  VectorRegisters& registers = work.registers();
  FlagStack& stack = registers.stack;
  const unsigned top = stack.depth - 1;
  const LaneMask flags = stack.empty() ? 0U : stack.flags[top];
  const LaneMask uses_flags = stack.empty() ? 0U : stack.uses_flags[top];
  if (work.in.mod == 0) {
    if (stack.empty())
      work.issue(DataIssue::vector_stack_empty);
    else
      --stack.depth;
    registers.flags = flags;
    registers.uses_flags = uses_flags;
    return;
  }
  if (stack.full() && full_stack_loses_bottom(work.coprocessor.arch)) {
    stack.flags[0] = flags;
    stack.uses_flags[0] = uses_flags;
  }
  if (work.in.mod <= last_combination) {
    registers.flags = combined(work.in.mod, registers.flags, flags);
    registers.uses_flags = uses_flags;
  } else if (work.in.mod == inverts) {
    registers.flags = ~registers.flags;
  } else {
    registers.flags = work.in.mod == all_true ? every_lane : 0U;
    registers.uses_flags = every_lane;
  }
}

void complement_flags(VectorWork& work) {
  VectorRegisters& registers = work.registers();
  const FlagStack& stack = registers.stack;
  const LaneMask flags = stack.empty() ? every_lane : stack.flags[stack.depth - 1];
  const LaneMask uses_flags = stack.empty() ? every_lane : stack.uses_flags[stack.depth - 1];
  work.set_flags(flags & ~registers.flags & uses_flags & registers.uses_flags, work.active);
}

// ---- comparisons (Blackhole) ----

namespace {

void compare(VectorWork& work, bool greater) {
  constexpr unsigned sets_flags = 1;
  constexpr unsigned changes_stack = 2;
  constexpr unsigned joins_stack = 4;
  constexpr unsigned sets_vd = 8;
  const Lanes& b = work.source(work.in.vb);
  const Lanes& c = work.source(work.in.vc);
  const LaneMask c_is_less = lanes_where([&](unsigned lane) { return number::sign_magnitude_less(c[lane], b[lane]); });
  const LaneMask holds = greater ? c_is_less : ~c_is_less;
  if ((work.in.mod & sets_vd) != 0)
    work.write(work.in.vd, each_lane([&](unsigned lane) { return 0U - (holds >> lane & 1U); }));
  if ((work.in.mod & sets_flags) != 0) work.set_flags(holds, work.enabled);
  FlagStack& stack = work.registers().stack;
  if ((work.in.mod & changes_stack) == 0 || stack.empty()) return;
  LaneMask& top = stack.flags[stack.depth - 1];
  const LaneMask changed = (work.in.mod & joins_stack) != 0 ? top | holds : top & holds;
  top = (top & ~work.active) | (changed & work.active);
}

}  // namespace

void compare_greater(VectorWork& work) {
  compare(work, true);
}
void compare_less_or_equal(VectorWork& work) {
  compare(work, false);
}

}  // namespace tensim::tensix::vector_data
