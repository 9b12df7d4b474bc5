#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace config_fields_literals;

/// How an instruction uses the register that its VD field names.
enum class Destination : std::uint8_t { none, written, read, updated };

/// Registers as a mask. Lane flags and the unit's own configuration are none of the resources.
struct LregUse {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
};
constexpr std::uint32_t all_lregs = (1U << lreg_count) - 1;

/// VD of those that combine with it, whatever their Mod says.
Destination destination_of(Word word) {
  switch (isa::opcode_of(word)) {
    case "SFPSTORE"_op: return Destination::read;
    case "SFPADDI"_op:
    case "SFPMULI"_op:
    case "SFPIADD"_op:
    case "SFPSHFT"_op:
    case "SFPAND"_op:
    case "SFPOR"_op:
    case "SFPXOR"_op:
    case "SFPSETEXP"_op:
    case "SFPSETMAN"_op:
    case "SFPSETSGN"_op:
    case "SFPSWAP"_op:
    case "SFPLOADI"_op:  // one half may stay
    case "SFPLE"_op:
    case "SFPGT"_op: return Destination::updated;
    case "SFPSETCC"_op:
    case "SFPENCC"_op:
    case "SFPPUSHC"_op:
    case "SFPPOPC"_op:
    case "SFPCOMPC"_op:
    case "SFPNOP"_op: return Destination::none;
    default: return Destination::written;
  }
}

/// Mod1 of Blackhole's SFPMAD and its like: LReg 7 names the register.
bool may_be_indirect(Arch arch, std::uint8_t opcode) {
  switch (opcode) {
    case "SFPMAD"_op:
    case "SFPADD"_op:
    case "SFPMUL"_op:
    case "SFPADDI"_op:
    case "SFPMULI"_op: return arch == Arch::blackhole;
    default: return false;
  }
}

LregUse named_registers(Arch arch, Word word) {
  LregUse use;
  const isa::Form& form = *isa::forms_of(arch, isa::opcode_of(word)).front();
  const Destination destination = destination_of(word);
  for (const isa::Field& field : form.fields) {
    const std::uint32_t bit = 1U << (field.get(word) & (lreg_count - 1));
    if (field.name == "VA" || field.name == "VB" || field.name == "VC") use.reads |= bit;
    if (field.name != "VD") continue;
    if (destination == Destination::read || destination == Destination::updated) use.reads |= bit;
    if (destination == Destination::written || destination == Destination::updated) use.writes |= bit;
  }
  if (!may_be_indirect(arch, isa::opcode_of(word))) return use;
  constexpr std::uint32_t index_register = 1U << 7U;
  if ((word >> 2U & 1U) != 0) use.reads = all_lregs;
  if ((word >> 3U & 1U) != 0) {
    use.reads |= index_register;
    use.writes = all_lregs;
  }
  return use;
}

LregUse lreg_use(Arch arch, Word word) {
  LregUse use = named_registers(arch, word);
  switch (isa::opcode_of(word)) {
    case "SFPSWAP"_op: use.writes |= use.reads; break;
    case "SFPTRANSP"_op: return {0xFF, 0xFF};
    case "SFPLUT"_op: use.reads |= 0xF; break;
    case "SFPLUTFP32"_op: use.reads |= 0x7F; break;
    case "SFPCONFIG"_op: return {1U, use.writes & 0x7800U};  // VD 11 to 14 are registers, others configuration
    case "SFPSHFT2"_op:
      if ((word & 15U) == 0) return {0xF, 0xF};  // LReg 0 to 3 move down one
      if ((word & 15U) == 1) return {use.reads | 0xFU, use.writes | 0xFU};
      if ((word & 15U) >= 5) use.reads |= 1U << (word >> 12U & 15U);  // VB
      break;
    case "SFPLOADMACRO"_op: return {all_lregs, all_lregs};  // what it schedules is configuration
    default: break;
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

/// SFPLOAD, SFPSTORE and SFPLOADMACRO: an aligned group of four rows, then the address modifier without fidelity.
void add_dst(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate, bool write) {
  const Word word = candidate.entry.word;
  const Arch arch = coprocessor.arch;
  add_thread_field(footprint, arch, candidate.thread, "DEST_TARGET_REG_CFG_MATH_Offset"_thread_field);
  footprint.reads(Resource::rwc, candidate.thread, rwc_dst);
  const unsigned offset =
      thread_field(coprocessor.config, arch, candidate.thread, "DEST_TARGET_REG_CFG_MATH_Offset"_thread_field);
  const unsigned row =
      ((word & 0x3FFU) + coprocessor.rwcs.thread[candidate.thread].dst.value + offset) % dst_rows / 4 * 4;
  if (write)
    footprint.writes(Resource::dst, 0, row, 4);
  else
    footprint.reads(Resource::dst, 0, row, 4);
  const unsigned index = arch == Arch::wormhole ? field_of(Arch::wormhole, "SFPLOAD", "", "AddrMod").get(word)
                                                : field_of(Arch::blackhole, "SFPLOAD", "", "AddrMod").get(word);
  add_addr_mod(footprint, coprocessor, candidate.thread, index, false);
}

}  // namespace

Footprint units::vector_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  const std::uint8_t opcode = isa::opcode_of(word);
  const LregUse use = lreg_use(coprocessor.arch, word);
  add_registers(footprint, use.reads, false);
  add_registers(footprint, use.writes, true);
  if (opcode == "SFPLOAD"_op || opcode == "SFPSTORE"_op) {
    add_dst(footprint, coprocessor, candidate, opcode == "SFPSTORE"_op);
  } else if (opcode == "SFPLOADMACRO"_op) {
    add_dst(footprint, coprocessor, candidate, false);
    footprint.writes(Resource::dst, 0, 0, dst_rows);  // it may schedule a store
  }
  return footprint;
}

}  // namespace tensim::tensix
