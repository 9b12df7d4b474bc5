// Vector Unit (SFPU): 32 lanes (VectorUnit.md). One instruction a cycle over all threads, and beside it those that
// SFPLOADMACRO has scheduled.
//
// Registers change when an instruction is accepted. What takes two cycles leaves the old values behind for the cycle
// after, in which they are what a reader gets that no interlock holds back.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "number/vector_lanes.hpp"
#include "tensix/operation.hpp"
#include "tensix/registers/lreg.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;

/// Who executes an instruction. The last four take what SFPLOADMACRO schedules, in this order of its bytes.
enum class VectorSubUnit : std::uint8_t { simple, mad, round, store, load };
inline constexpr unsigned scheduling_sub_units = size_of_both("sfploadmacro_scheduled_max"_size);

/// An instruction with its fields taken apart. SFPLOADMACRO replaces some of them.
struct VectorInstruction {
  Word word = 0;
  std::uint8_t opcode = 0;
  std::uint8_t va = 0;
  std::uint8_t vb = 0;
  std::uint8_t vc = 0;
  std::uint8_t vd = 0;
  std::uint8_t mod = 0;
  bool scheduled = false;     // by SFPLOADMACRO
  bool vb_replaced = false;   // by the register that it loads
  std::uint8_t thread = 0;    // of the SFPLOADMACRO
  std::uint16_t address = 0;  // that it loads from: a scheduled SFPSTORE stores to it
  std::uint32_t origin = 0;
};

/// What SFPLOADMACRO has scheduled: for each sub-unit, an instruction for each delay.
struct VectorSchedule {
  static constexpr unsigned delays = 8;
  std::array<std::array<VectorInstruction, delays>, scheduling_sub_units> slot{};
  std::array<std::uint8_t, scheduling_sub_units> occupied{};         // bit n: something waits with delay n
  std::array<std::uint8_t, scheduling_sub_units> by_instructions{};  // of those, whose delays count instructions

  bool any() const { return std::bit_cast<std::uint32_t>(occupied) != 0; }
  /// Delays go down with each instruction, not with each cycle: all of them do if one that still waits asks for it.
  bool counts_instructions() const { return (std::bit_cast<std::uint32_t>(by_instructions) & ~0x0101'0101U) != 0; }
  /// Something scheduled will be executed even if no further instruction comes.
  bool advances() const {
    const auto all = std::bit_cast<std::uint32_t>(occupied);
    return (all & 0x0101'0101U) != 0 || (all != 0 && !counts_instructions());
  }
};

struct VectorUnit {
  Cycle only_nop_until = 0;        // SFPSWAP and some SFPSHFT2 bar everything but SFPNOP for a cycle
  Cycle result_from = 0;           // first cycle in which the result of the last two-cycle instruction can be read
  std::uint32_t result_lregs = 0;  // the registers that the interlock takes that result to go to
  std::uint32_t result_names = 0;  // that instruction's VD, as in_sources() has it
  Cycle round_is_busy_in = never;  // Wormhole: the cycle after a shuffle
  Cycle unusual_until = 0;         // until then the shortcuts of at_once.hpp may not be taken
  Cycle backdoor_set_in = never;   // the cycle after SFPCONFIG changed DISABLE_BACKDOOR_LOAD
  /// Whether an instruction of cycle `now` may be held; some pass all the same.
  bool may_hold(Cycle now) const { return now < only_nop_until || now < result_from; }

  VectorRegisters registers;
  std::array<std::uint16_t, thread_count> stack_pointer{};  // RWCs.Sp (Blackhole)
  Lanes rotated{};                                          // what Wormhole's SFPSHFT2 shifts in by mistake

  Cycle stale_until = 0;  // until then some register has old values beside the new ones
  std::array<Cycle, all_lreg_count> lreg_stale_until{};
  std::array<Lanes, all_lreg_count> stale{};

  VectorSchedule schedule;
  // The cycle in which scheduled instructions are executed beside the issued one, and what holds in it.
  Cycle together_in = never;
  unsigned taken_sub_units = 0;  // by the scheduled ones
  LaneMask enabled_at_start = 0;
  unsigned stale_at_start = 0;                   // registers of which old values are read
  std::array<Lanes, all_lreg_count> at_start{};  // the registers as all of them read them

  number::HostVectors vectors = number::host_vectors();
};

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// What SFPLOADMACRO has scheduled for this cycle, before the cycle's own instructions. `issues`: a thread
/// issues one to the Vector Unit.
void advance_vector(Coprocessor& coprocessor, bool issues);

}  // namespace units

}  // namespace tensim::tensix
