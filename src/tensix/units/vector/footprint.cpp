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

/// Registers, state of the lanes and LoadMacro slots, as masks.
struct VectorUse {
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;
  std::uint32_t state_reads = 0;
  std::uint32_t state_writes = 0;
  std::uint32_t macro_reads = 0;
  std::uint32_t macro_writes = 0;

  void add(const VectorUse& other) {
    reads |= other.reads;
    writes |= other.writes;
    state_reads |= other.state_reads;
    state_writes |= other.state_writes;
    macro_reads |= other.macro_reads;
    macro_writes |= other.macro_writes;
  }
};

constexpr std::uint32_t bit(unsigned index) {
  return 1U << index;
}
constexpr std::uint32_t named_lregs = 0xFFFF;  // those that LReg 7 can name
constexpr std::uint32_t general = bit(general_lregs) - 1;
constexpr std::uint32_t writable = general | bit(macro_lreg);
/// Which lanes are enabled.
constexpr std::uint32_t enables = bit(lane_flags) | bit(lane_config);

// ---- registers ----

VectorUse computes(std::uint32_t reads, std::uint32_t writes) {
  return {.reads = reads, .writes = writes & writable, .state_reads = enables};
}

/// Flags follow the result, in registers that can have one.
VectorUse sets_flags(VectorUse use, const VectorInstruction& in, bool really) {
  if (really && in.vd < general_lregs) use.state_writes |= bit(lane_flags);
  return use;
}

/// SFPSHFT2, by mode.
VectorUse shuffle_use(Arch arch, const VectorInstruction& in) {
  constexpr std::uint32_t moved_down = 0xF;
  const auto rotates = [&](VectorUse use) {
    if (in.vd < first_backdoor_vd || in.vd == macro_lreg) use.state_writes |= bit(lanes_rotated);
    return use;
  };
  switch (in.mod) {
    case 0: return computes(moved_down & ~1U, moved_down);
    case 1: return computes(moved_down, moved_down);
    case 2: return rotates(computes(bit(in.vc) | (moved_down & ~1U), moved_down));
    case 3: return rotates(computes(bit(in.vc), bit(in.vd)));
    case 4: {
      VectorUse use = computes(bit(in.vc), bit(in.vd));
      if (on(arch, true, false)) use.state_reads |= bit(lanes_rotated);
      return use;
    }
    case 5: return computes(bit(in.vb) | bit(in.vc), bit(in.vd));
    case 6: return computes(bit(in.vb), bit(in.vd));
    default: return computes(0, 0);
  }
}

/// Behind LReg 0 to 3 stand 4 to 7, where the lanes keep an index.
VectorUse swap_use(const Coprocessor& coprocessor, const VectorInstruction& in) {
  std::uint32_t lregs = bit(in.vc) | bit(in.vd);
  if (coprocessor.vector.registers.config.dest_index != 0) lregs |= bit(4 + in.vc % 4) | bit(4 + in.vd % 4);
  return computes(lregs, lregs);
}

VectorUse rounds(const VectorInstruction& in) {
  const unsigned mode = in.mod & 7U;
  const bool takes_vb = (mode == 4 || mode == 5) && (in.mod & 8U) == 0;
  VectorUse use = computes(bit(in.vc) | (takes_vb ? bit(in.vb) : 0U), bit(in.vd));
  use.state_reads |= bit(lane_random);
  use.state_writes |= bit(lane_random);
  return use;
}

VectorUse casts(Arch arch, const VectorInstruction& in) {
  constexpr unsigned stochastic = 1;
  VectorUse use = computes(bit(in.vc), bit(in.vd));
  if ((in.mod & on(arch, stochastic, 3U)) != stochastic) return use;
  use.state_reads |= bit(lane_random);
  use.state_writes |= bit(lane_random);
  return use;
}

/// Bit 3 of Mod1: not a register, but what SFPCONFIG writes.
VectorUse moves(const VectorInstruction& in) {
  constexpr unsigned from_special = 8;
  constexpr unsigned random_register = 9;
  constexpr unsigned last_macro = 8;
  if ((in.mod & from_special) == 0) return computes(bit(in.vc), bit(in.vd));
  VectorUse use = computes(0, bit(in.vd));
  if (in.vc <= last_macro) use.macro_reads = bit(in.vc);
  if (in.vc != random_register) return use;
  use.state_reads |= bit(lane_random);
  use.state_writes |= bit(lane_random);
  return use;
}

VectorUse looks_up(const VectorInstruction& in, std::uint32_t tables) {
  VectorUse use = computes(tables, bit(in.vd));
  if ((in.mod & indirect_vd) == 0 || in.vd == macro_lreg) return use;
  use.reads |= bit(index_lreg);
  use.writes = general;
  return use;
}

/// VA and VD may be those that LReg 7 names.
VectorUse multiplies(const VectorInstruction& in) {
  const std::uint16_t fields = vector_row_of[in.opcode].fields;
  VectorUse use = computes(bit(in.vb) | bit(in.vc), bit(in.vd));
  if ((fields & sees_va) != 0)
    use.reads |= (in.mod & indirect_va) != 0 ? named_lregs : bit(in.va);
  else
    use.reads = bit(in.vc);
  if ((in.mod & indirect_vd) == 0 || in.vd == macro_lreg) return use;
  use.reads |= bit(index_lreg);
  use.writes = general;
  return use;
}

/// SFPLE and SFPGT: what they change is by Mod1.
VectorUse compares(const VectorInstruction& in) {
  constexpr unsigned changes_stack = 2;
  constexpr unsigned sets_vd = 8;
  VectorUse use = computes(bit(in.vb) | bit(in.vc), (in.mod & sets_vd) != 0 ? bit(in.vd) : 0);
  if ((in.mod & 1U) != 0) use.state_writes |= bit(lane_flags);
  if ((in.mod & changes_stack) == 0) return use;
  use.state_reads |= bit(lane_flag_stack);
  use.state_writes |= bit(lane_flag_stack);
  return use;
}

/// Of two operands, the second may be an immediate.
VectorUse of_vc_and_vb(const VectorInstruction& in, bool takes_vb) {
  return computes(bit(in.vc) | (takes_vb ? bit(in.vb) : 0U), bit(in.vd));
}

VectorUse shifts(Arch arch, const VectorInstruction& in) {
  constexpr unsigned by_immediate = 1;
  constexpr unsigned immediate_shifts_vc = 4;
  const unsigned mod = in.mod & on(arch, by_immediate, ~0U);
  if ((mod & by_immediate) == 0) return of_vc_and_vb(in, true);
  return computes((mod & immediate_shifts_vc) != 0 ? bit(in.vc) : bit(in.vb), bit(in.vd));
}

// ---- flags and configuration ----

VectorUse of_flags(std::uint32_t reads, std::uint32_t writes) {
  return {.state_reads = enables | reads, .state_writes = writes};
}

VectorUse sets_from_register(const VectorInstruction& in) {
  constexpr unsigned immediate_or_clears = 9;
  VectorUse use = of_flags(0, bit(lane_flags));
  if ((in.mod & immediate_or_clears) == 0) use.reads = bit(in.vc);
  return use;
}

/// SFPCONFIG: by VD, templates, sequences, Misc, constants or LaneConfig. Some of it is combined with what is there.
VectorUse configures(const VectorInstruction& in) {
  constexpr unsigned templates = 4;
  constexpr unsigned misc = 8;
  constexpr unsigned first_constant = 11;
  constexpr unsigned lane_config_register = 15;
  VectorUse use{.state_reads = bit(lane_flags)};
  if (in.vd < templates || (in.mod & 1U) == 0) use.reads = bit(0);
  if (in.vd <= misc) {
    use.macro_writes = bit(in.vd);
    if (in.vd == misc) use.macro_reads = bit(misc);
  } else if (in.vd == lane_config_register) {
    use.state_reads |= bit(lane_config);
    use.state_writes |= bit(lane_config);
  } else if (in.vd >= first_constant) {
    use.writes = bit(in.vd);
  }
  return use;
}

VectorUse immediate(const VectorInstruction& in) {
  constexpr unsigned upper = 8;
  constexpr unsigned lower = 10;
  const bool keeps_half = in.mod == upper || in.mod == lower;
  return computes(keeps_half ? bit(in.vd) : 0U, in.vd < general_lregs ? bit(in.vd) : 0U);
}

/// All but what SFPLOAD, SFPSTORE and SFPLOADMACRO do beyond their registers.
VectorUse use_of(const Coprocessor& coprocessor, const VectorInstruction& in) {
  const Arch arch = coprocessor.arch;
  constexpr std::uint32_t stack = bit(lane_flag_stack);
  constexpr std::uint32_t flags = bit(lane_flags);
  switch (in.opcode) {
    case "SFPMAD"_op:
    case "SFPADD"_op:
    case "SFPMUL"_op:
    case "SFPMUL24"_op:
    case "SFPADDI"_op:
    case "SFPMULI"_op: return multiplies(in);
    case "SFPLUT"_op: return looks_up(in, 0xF);
    case "SFPLUTFP32"_op: return looks_up(in, 0x7F);
    case "SFPLOADI"_op: return immediate(in);
    case "SFPNOP"_op: return {};
    case "SFPSETCC"_op: return sets_from_register(in);
    case "SFPENCC"_op: return of_flags(0, flags);
    case "SFPPUSHC"_op:
    case "SFPPOPC"_op: return of_flags(stack, stack | flags);
    case "SFPCOMPC"_op: return of_flags(stack, flags);
    case "SFPTRANSP"_op: return computes(general, general);
    case "SFPSWAP"_op: return swap_use(coprocessor, in);
    case "SFPSHFT2"_op: return shuffle_use(arch, in);
    case "SFPCONFIG"_op: return configures(in);
    case "SFPSTOCHRND"_op: return rounds(in);
    case "SFPCAST"_op: return casts(arch, in);
    case "SFPMOV"_op: return moves(in);
    case "SFPLE"_op:
    case "SFPGT"_op: return compares(in);
    case "SFPSHFT"_op: return shifts(arch, in);
    case "SFPIADD"_op: return sets_flags(of_vc_and_vb(in, (in.mod & 1U) == 0), in, (in.mod & 12U) != 4);
    case "SFPLZ"_op:
    case "SFPEXEXP"_op: return sets_flags(of_vc_and_vb(in, false), in, (in.mod & 10U) != 0);
    case "SFPABS"_op:
    case "SFPNOT"_op:
    case "SFPDIVP2"_op:
    case "SFPEXMAN"_op: return of_vc_and_vb(in, false);
    case "SFPSETEXP"_op:
    case "SFPSETMAN"_op:
    case "SFPSETSGN"_op: return of_vc_and_vb(in, (in.mod & 1U) == 0);
    case "SFPARECIP"_op: return of_vc_and_vb(in, in.mod == 1);
    case "SFPAND"_op:
    case "SFPOR"_op: {
      const bool names_vb = !has_use_vb(arch) || (in.mod & 1U) != 0;
      return computes(bit(in.vc) | bit(names_vb ? in.vb : in.vd), bit(in.vd));
    }
    default: return of_vc_and_vb(in, true);  // SFPXOR
  }
}

// ---- Dst ----

struct VectorSettings {
  Settings where_in_dst;
  Settings format;
};

const VectorSettings& settings_of(Arch arch) {
  static const std::array by_arch = for_each_arch([](Arch each) {
    return VectorSettings{Settings(each)
                              .add("DEST_REGW_BASE_Base"_config)
                              .add("DEST_SP_BASE_Base"_config)
                              .add("DEST_ACCESS_CFG_remap_addrs"_config)
                              .add("DEST_ACCESS_CFG_swizzle_32b"_config)
                              .add_thread("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config),
                          Settings(each)
                              .add("ALU_ACC_CTRL_SFPU_Fp32_enabled"_config)
                              .add("ALU_FORMAT_SPEC_REG_SrcB_override"_config)
                              .add("ALU_FORMAT_SPEC_REG_SrcB_val"_config)
                              .add("ALU_FORMAT_SPEC_REG1_SrcB"_config)};
  });
  return by_arch[static_cast<std::size_t>(arch)];
}

/// An aligned group of four rows, in 32 bits with their lower halves.
void add_group(Footprint& footprint, const Coprocessor& coprocessor, unsigned address, bool wide, bool write) {
  const unsigned row = address & ~(number::lane_rows - 1);
  const DstAddressing addressing =
      DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves);
  const unsigned first = wide ? addressing.row32(row) : addressing.row16(row);
  footprint.add(Resource::dst, 0, first, number::lane_rows, write);
  if (wide) footprint.add(Resource::dst, 0, first + Dst::low_half, number::lane_rows, write);
}

struct MemoryUse {
  unsigned format = 0;
  unsigned address = 0;
};

/// Where SFPLOAD, SFPSTORE and SFPLOADMACRO work, and the counters that they move.
MemoryUse add_place(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, const VectorInstruction& in,
                    bool write) {
  using namespace vector_memory;
  const Arch arch = coprocessor.arch;
  const unsigned bank = config_bank_of(coprocessor.config, arch, thread);
  const VectorSettings& settings = settings_of(arch);
  footprint.reads(settings.where_in_dst, bank, thread);
  if (in.mod == srcb) footprint.reads(settings.format, bank, thread);
  const unsigned format = resolved_format(coprocessor, thread, in.mod);
  unsigned pointer = coprocessor.vector.stack_pointer[thread];
  if (has_vector_stack(arch)) {
    footprint.reads(Resource::rwc, thread, rwc_stack);
    if (format == int32_all) {
      footprint.writes(Resource::rwc, thread, rwc_stack);
      add_thread_field(footprint, arch, thread, "SFPU_STACK_Incr"_thread_config);
      if (!write) pointer = stepped_down(coprocessor, thread);
    }
  }
  add_addr_mod(footprint, coprocessor, thread, addr_mod_of(arch, in.word), false);
  return {format, dst_address(coprocessor, thread, in.word, format, pointer)};
}

/// The lanes of a load may keep where it came from, four registers further.
VectorUse load_use(const Coprocessor& coprocessor, const VectorInstruction& in) {
  constexpr unsigned index_lregs = 4;
  const LaneConfigMasks& config = coprocessor.vector.registers.config;
  VectorUse use = computes(0, bit(in.vd));
  if ((config.dest_index & config.capture_index) != 0 && in.vd < index_lregs) use.writes |= bit(in.vd + index_lregs);
  return use;
}

VectorUse load(Footprint& footprint, const Coprocessor& coprocessor, const VectorInstruction& in, MemoryUse place) {
  if (in.vd >= general_lregs) return {};
  add_group(footprint, coprocessor, place.address, vector_memory::is_wide_load(place.format), false);
  return load_use(coprocessor, in);
}

VectorUse store(Footprint& footprint, const Coprocessor& coprocessor, const VectorInstruction& in, MemoryUse place) {
  add_group(footprint, coprocessor, place.address, vector_memory::is_wide_store(place.format), true);
  return {.reads = bit(in.vd), .state_reads = enables};
}

// ---- SFPLOADMACRO ----

VectorUse load_macro(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread,
                     const VectorInstruction& in) {
  constexpr unsigned first_sequence = 4;
  constexpr unsigned misc = 8;
  const MemoryUse place = add_place(footprint, coprocessor, thread, in, false);
  VectorUse use = load(footprint, coprocessor, in, place);
  use.macro_reads |= bit(first_sequence + vector_words::macro_index.get(in.word)) | bit(misc);
  for (unsigned sub_unit = 0; sub_unit < scheduling_sub_units; ++sub_unit) {
    if (const auto from = vector_data::scheduled_template(coprocessor, in, sub_unit)) use.macro_reads |= bit(*from);
    const auto later = vector_data::scheduled_instruction(coprocessor, in, sub_unit, place.address);
    if (!later) continue;
    if (later->opcode != "SFPSTORE"_op) {
      use.add(use_of(coprocessor, *later));
      continue;
    }
    if (later->mod == vector_memory::srcb)
      footprint.reads(settings_of(coprocessor.arch).format,
                      config_bank_of(coprocessor.config, coprocessor.arch, thread), thread);
    use.add(store(footprint, coprocessor, *later,
                  {vector_memory::resolved_format(coprocessor, thread, later->mod), later->address}));
  }
  return use;
}

// ---- templates ----

/// VD from 12 on: in lanes that do not say otherwise the instruction is stored, not executed.
bool stores_template(const VectorInstruction& in) {
  return in.vd >= first_backdoor_vd && (vector_row_of[in.opcode].fields & has_no_vd) == 0;
}

VectorUse use_of_issued(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread,
                        const VectorInstruction& in, bool executes) {
  if (in.opcode == "SFPLOADMACRO"_op) return load_macro(footprint, coprocessor, thread, in);
  const bool loads = in.opcode == "SFPLOAD"_op;
  if (!loads && in.opcode != "SFPSTORE"_op) return executes ? use_of(coprocessor, in) : VectorUse{};
  const MemoryUse place = add_place(footprint, coprocessor, thread, in, !loads);
  if (!executes) return {};
  return loads ? load(footprint, coprocessor, in, place) : store(footprint, coprocessor, in, place);
}

}  // namespace

namespace {

/// SFPMAD and its like whose registers are all named by the instruction: most of what kernels have.
bool add_plain_multiply(Footprint& footprint, Word word) {
  constexpr unsigned indirect = indirect_va | indirect_vd;
  const bool has_three = vector_row_of[isa::opcode_of(word)].fields == vector_rows_detail::three_sources;
  if (!has_three || (mod1_of(word) & indirect) != 0 || vd_of(word) >= general_lregs) return false;
  footprint.reads(Resource::lreg, 0, va_of(word));
  footprint.reads(Resource::lreg, 0, vb_of(word));
  footprint.reads(Resource::lreg, 0, vc_of(word));
  footprint.writes(Resource::lreg, 0, vd_of(word));
  footprint.reads(Resource::lane_flags, 0, lane_flags, 2);
  static_assert(enables == 3U << lane_flags);
  return true;
}

}  // namespace

void units::vector_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  if (add_plain_multiply(footprint, candidate.entry.word)) return;
  const VectorInstruction in = take_apart(coprocessor.arch, candidate.entry.word);
  VectorUse use;
  if (!stores_template(in)) [[likely]] {
    use = use_of_issued(footprint, coprocessor, candidate.thread, in, true);
  } else {
    const bool executes = coprocessor.vector.registers.config.backdoor_disabled != 0;
    use = use_of_issued(footprint, coprocessor, candidate.thread, in, executes);
    use.state_reads |= enables;
    use.macro_writes |= bit(in.vd - first_backdoor_vd);
  }
  footprint.add_runs(Resource::lreg, 0, use.reads, false);
  footprint.add_runs(Resource::lreg, 0, use.writes, true);
  footprint.add_runs(Resource::lane_flags, 0, use.state_reads, false);
  if (use.state_writes != 0) footprint.add_runs(Resource::lane_flags, 0, use.state_writes, true);
  if (use.macro_reads != 0) footprint.add_runs(Resource::load_macro, 0, use.macro_reads, false);
  if (use.macro_writes != 0) footprint.add_runs(Resource::load_macro, 0, use.macro_writes, true);
}

}  // namespace tensim::tensix
