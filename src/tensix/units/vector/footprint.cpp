#include "tensix/footprint.hpp"

#include "arch/config_registers.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/vector/memory.hpp"
#include "tensix/units/vector/rows.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

/// SFPSHFT.
constexpr bool immediate_may_shift_vc(Arch arch) {
  return on(arch, false, true);
}

/// Registers as a mask. Lane flags and the unit's own configuration are none of the resources.
struct LregUse {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
};
constexpr std::uint32_t all_lregs = (1U << lreg_count) - 1;
constexpr std::uint32_t general = (1U << general_lregs) - 1;

constexpr std::uint32_t bit(unsigned lreg) {
  return 1U << (lreg & (lreg_count - 1));
}

/// SFPSHFT2, by mode.
LregUse shuffle_use(const VectorInstruction& in) {
  constexpr std::uint32_t moved_down = 0xF;
  switch (in.mod) {
    case 0:
    case 1: return {moved_down, moved_down};
    case 2: return {bit(in.vc) | (moved_down & ~1U), moved_down};
    case 5: return {bit(in.vb) | bit(in.vc), bit(in.vd)};
    case 6: return {bit(in.vb), bit(in.vd)};
    default: return {bit(in.vc), bit(in.vd)};
  }
}

/// By the bits of the instruction alone: what LReg 7 may name is everything.
LregUse named_registers(const VectorInstruction& in) {
  const bool fields_of_mad = (vector_row_of[in.opcode].fields & sees_va) != 0;
  switch (in.opcode) {
    case "SFPLOAD"_op: return {0, bit(in.vd)};
    case "SFPLOADI"_op: return {bit(in.vd), bit(in.vd)};  // one half may stay
    case "SFPSTORE"_op: return {bit(in.vd), 0};
    case "SFPLUT"_op: return {0xF, bit(in.vd)};
    case "SFPLUTFP32"_op: return {0x7F, bit(in.vd)};
    case "SFPSETCC"_op: return {bit(in.vc), 0};
    case "SFPENCC"_op:
    case "SFPPUSHC"_op:
    case "SFPPOPC"_op:
    case "SFPCOMPC"_op:
    case "SFPNOP"_op: return {};
    case "SFPTRANSP"_op: return {general, general};
    case "SFPSWAP"_op: return {bit(in.vc) | bit(in.vd), bit(in.vc) | bit(in.vd)};
    case "SFPSHFT2"_op: return shuffle_use(in);
    case "SFPCONFIG"_op: return {1U, bit(in.vd) & 0x7800U};  // VD 11 to 14 are registers, others configuration
    case "SFPLOADMACRO"_op: return {all_lregs, all_lregs};   // what it schedules is configuration
    default: return {(fields_of_mad ? bit(in.va) : 0U) | bit(in.vb) | bit(in.vc), bit(in.vd)};
  }
}

/// Registers in the fields of an instruction that it does not read: VB in modes that do not use it, and VD where it only
/// stands for a VB that does not exist.
std::uint32_t unread(const VectorInstruction& in, Arch arch) {
  const bool vb_is_vd = (vector_row_of[in.opcode].fields & has_vb) == 0;
  const bool ignores = [&] {
    switch (in.opcode) {
      case "SFPABS"_op:
      case "SFPMOV"_op:
      case "SFPNOT"_op:
      case "SFPLZ"_op:
      case "SFPCAST"_op:
      case "SFPDIVP2"_op:
      case "SFPEXEXP"_op:
      case "SFPEXMAN"_op: return true;
      case "SFPIADD"_op:
      case "SFPSETEXP"_op:
      case "SFPSETMAN"_op:
      case "SFPSETSGN"_op: return (in.mod & 1U) != 0;
      case "SFPSHFT"_op: return immediate_may_shift_vc(arch) && (in.mod & 5U) == 5;
      default: return false;
    }
  }();
  return vb_is_vd && ignores && in.vb != in.vc ? bit(in.vb) : 0U;
}

LregUse lreg_use(Arch arch, const VectorInstruction& in) {
  LregUse use = named_registers(in);
  use.reads &= ~unread(in, arch);
  const std::uint16_t fields = vector_row_of[in.opcode].fields;
  if ((fields & may_be_indirect) != 0 && (fields & sees_va) != 0 && (in.mod & indirect_va) != 0) use.reads = all_lregs;
  if (is_indirect_vd(in)) {
    use.reads |= bit(index_lreg);
    use.writes = all_lregs;
  }
  return use;
}

void add_registers(Footprint& footprint, std::uint32_t mask, bool write) {
  for (unsigned reg = 0; reg < lreg_count; ++reg) {
    if ((mask >> reg & 1U) == 0) continue;
    const unsigned first = reg;
    while (reg + 1 < lreg_count && (mask >> (reg + 1) & 1U) != 0)
      ++reg;
    if (write)
      footprint.writes(Resource::lreg, 0, first, reg + 1 - first);
    else
      footprint.reads(Resource::lreg, 0, first, reg + 1 - first);
  }
}

/// A field of the thread's bank of Config, if the chip has it.
void add_field(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, const ConfigField& field) {
  const ConfigField::Place& place = field.on(coprocessor.arch);
  if (place.exists()) add_config(footprint, coprocessor, thread, static_cast<unsigned>(place.word), 1, false);
}

/// SFPLOAD, SFPSTORE and SFPLOADMACRO: an aligned group of four rows, in 32 bits with their lower halves, then the address
/// modifier without fidelity.
void add_dst(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate,
             const VectorInstruction& in, bool write) {
  using namespace vector_memory;
  const unsigned thread = candidate.thread;
  add_thread_field(footprint, coprocessor.arch, thread, "DEST_TARGET_REG_CFG_MATH_Offset"_thread_config);
  footprint.reads(Resource::rwc, thread, rwc_dst);
  add_field(footprint, coprocessor, thread, "DEST_REGW_BASE_Base"_config);
  if (in.mod == srcb) add_field(footprint, coprocessor, thread, "ALU_ACC_CTRL_SFPU_Fp32_enabled"_config);
  const unsigned format = resolved_format(coprocessor, thread, in.mod);
  const bool steps_down = !write && format == int32_all && has_vector_stack(coprocessor.arch);
  const unsigned pointer = steps_down ? stepped_down(coprocessor, thread) : coprocessor.vector.stack_pointer[thread];
  const unsigned row = dst_address(coprocessor, thread, in.word, format, pointer) & ~(number::lane_rows - 1);
  const bool wide = write ? is_wide_store(format) : is_wide_load(format);
  const DstAddressing addressing =
      DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves);
  const unsigned first = wide ? addressing.row32(row) : addressing.row16(row);
  for (const unsigned half : {first, first + Dst::low_half}) {
    if (half != first && !wide) continue;
    if (write)
      footprint.writes(Resource::dst, 0, half, number::lane_rows);
    else
      footprint.reads(Resource::dst, 0, half, number::lane_rows);
  }
  add_addr_mod(footprint, coprocessor, thread, addr_mod_of(coprocessor.arch, in.word), false);
}

}  // namespace

Footprint units::vector_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const VectorInstruction in = take_apart(coprocessor.arch, candidate.entry.word);
  const LregUse use = lreg_use(coprocessor.arch, in);
  add_registers(footprint, use.reads, false);
  add_registers(footprint, use.writes, true);
  if (in.opcode == "SFPLOAD"_op || in.opcode == "SFPSTORE"_op) {
    add_dst(footprint, coprocessor, candidate, in, in.opcode == "SFPSTORE"_op);
  } else if (in.opcode == "SFPLOADMACRO"_op) {
    add_dst(footprint, coprocessor, candidate, in, false);
    footprint.writes(Resource::dst, 0, 0, dst_rows);  // it may schedule a store
  }
  return footprint;
}

}  // namespace tensim::tensix
