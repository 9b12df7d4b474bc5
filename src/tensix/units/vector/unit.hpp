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

/// Instructions on their way: each sub-unit's in the order of their delays.
struct VectorSchedule {
  static constexpr unsigned delays = 8;
  std::array<std::array<VectorInstruction, delays>, scheduling_sub_units> slot{};
  std::array<std::uint8_t, scheduling_sub_units> occupied{};         // bit n: something waits with delay n
  std::array<std::uint8_t, scheduling_sub_units> by_instructions{};  // of those, the ones that count instructions

  bool any() const { return std::bit_cast<std::uint32_t>(occupied) != 0; }
  /// Delays of instructions are counted, not of cycles: of all, if it is so for one that still waits.
  bool counts_instructions() const { return (std::bit_cast<std::uint32_t>(by_instructions) & ~0x0101'0101U) != 0; }
  /// Something will happen without a further instruction.
  bool advances() const {
    const auto all = std::bit_cast<std::uint32_t>(occupied);
    return (all & 0x0101'0101U) != 0 || (all != 0 && !counts_instructions());
  }
};

struct VectorUnit {
  Cycle only_nop_until = 0;        // SFPSWAP and some SFPSHFT2 bar everything but SFPNOP for a cycle
  Cycle result_from = 0;           // first cycle in which the result of the last two-cycle instruction can be read
  std::uint32_t result_lregs = 0;  // where the interlock takes it to go
  std::uint32_t result_names = 0;  // the same as the instruction had it in VD: in VA, VB and VC
  Cycle round_is_busy_in = never;  // Wormhole: the cycle after a shuffle
  Cycle unusual_until = 0;         // instructions beside each other, or after a shuffle: who is quick has to look twice
  Cycle backdoor_set_in = never;   // the cycle after SFPCONFIG changed DISABLE_BACKDOOR_LOAD
  /// Some instruction may have to wait.
  bool may_hold(Cycle now) const { return now < only_nop_until || now < result_from; }

  VectorRegisters registers;
  std::array<std::uint16_t, thread_count> stack_pointer{};  // RWCs.Sp (Blackhole)
  Lanes rotated{};                                          // what Wormhole's SFPSHFT2 shifts in by mistake

  Cycle stale_until = 0;  // until then some register has old values beside the new ones
  std::array<Cycle, all_lreg_count> lreg_stale_until{};
  std::array<Lanes, all_lreg_count> stale{};

  VectorSchedule schedule;
  Cycle together_in = never;     // the cycle for which the following holds
  unsigned taken_sub_units = 0;  // by scheduled instructions
  LaneMask enabled_at_start = 0;
  unsigned stale_at_start = 0;                   // registers whose old values it is that are read
  std::array<Lanes, all_lreg_count> at_start{};  // what all instructions of the cycle read

  number::HostVectors vectors = number::host_vectors();
};

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// What SFPLOADMACRO has scheduled for this cycle, before the cycle's own instructions. `issues`: a thread
/// issues one to the Vector Unit.
void advance_vector(Coprocessor& coprocessor, bool issues);

}  // namespace units

}  // namespace tensim::tensix
