// The Vector Unit's moves between registers and between lanes, and its configuration.
#include <algorithm>
#include <array>
#include <bit>

#include "number/vector_functions.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix::vector_data {

void nothing(VectorWork&) {}

// ---- SFPMOV ----

namespace {

constexpr unsigned lane_config_register = 15;
constexpr unsigned random_register = 9;
constexpr unsigned misc_register = 8;

/// What SFPMOV finds at the places where SFPCONFIG writes.
std::uint32_t special_register(VectorRegisters& registers, unsigned which, unsigned lane) {
  const LoadMacroConfig& macro = registers.macros[lane % lane_columns];
  if (which < 4) return macro.instruction[which];
  if (which < misc_register) return macro.sequence[which - 4];
  switch (which) {
    case misc_register: return macro.misc;
    case random_register: return registers.take_random(lane);
    case lane_config_register: return registers.lane_config[lane % lane_columns];
    default: return 0;
  }
}

}  // namespace

void move(VectorWork& work) {
  constexpr unsigned negates = 1;
  constexpr unsigned all_lanes_enabled = 2;
  constexpr unsigned from_special = 8;
  const LaneMask lanes = work.in.mod == all_lanes_enabled ? work.active : work.enabled;
  if ((work.in.mod & from_special) != 0) {
    Lanes results{};
    for (unsigned lane = 0; lane < lane_count; ++lane)
      if ((lanes >> lane & 1U) != 0) results[lane] = special_register(work.registers(), work.in.vc, lane);
    return work.write(work.in.vd, results, lanes);
  }
  const std::uint32_t turned = (work.in.mod & negates) != 0 ? number::lane_bits::sign : 0U;
  const Lanes& c = work.source(work.in.vc);
  work.write(work.in.vd, each_lane([&](unsigned lane) { return c[lane] ^ turned; }), lanes);
}

// ---- SFPSWAP ----

namespace {

/// Lanes in which VD shall have the minimum, by Mod1. From 9 on it has the maximum everywhere.
constexpr std::array<LaneMask, 16> vd_gets_minimum{0,           0xFFFF'FFFF, 0x0000'FFFF, 0x00FF'00FF, 0xFF00'00FF,
                                                   0x0000'00FF, 0x0000'FF00, 0x00FF'0000, 0xFF00'0000};

/// Registers from `limit` on keep what they have.
void swap_lanes(VectorUnit& vector, unsigned a, unsigned b, LaneMask lanes, unsigned limit) {
  auto& lreg = vector.registers.lreg;
  const Lanes of_a = lreg[a];
  if (a < limit) number::copy_lanes(lreg[a], lreg[b], lanes, vector.vectors);
  if (b < limit) number::copy_lanes(lreg[b], of_a, lanes, vector.vectors);
}

}  // namespace

/// Operands are compared in the first cycle and read again in the second: one that is not there yet in the first is
/// there when it comes to swapping.
void swap(VectorWork& work) {
  constexpr unsigned always = 0;
  constexpr unsigned index_lregs = 4;  // 4 to 7 belong to 0 to 3
  const unsigned vc = work.in.vc;
  const unsigned vd = work.in.vd;
  VectorRegisters& registers = work.registers();
  LaneMask swaps = every_lane;
  if (work.in.mod != always) {
    const Lanes& c = work.source(vc);
    const Lanes& d = work.source(vd);
    const LaneMask less = lanes_where([&](unsigned lane) { return number::sign_magnitude_less(c[lane], d[lane]); });
    swaps = less ^ ~vd_gets_minimum[work.in.mod] ^ registers.config.exchange_comparison;
  }
  swaps &= work.enabled;
  const LaneMask with_index = swaps & registers.config.dest_index;
  const Cycle latency = work.coprocessor.timing->swap;
  if (vc < general_lregs) work.keep_old(vc, latency);
  if (vd < general_lregs) work.keep_old(vd, latency);
  swap_lanes(work.unit(), vc, vd, swaps & ~with_index, general_lregs);
  if (with_index == 0) return;
  swap_lanes(work.unit(), vc, vd, with_index, index_lregs);
  work.keep_old(index_lregs + vc % index_lregs, latency);
  work.keep_old(index_lregs + vd % index_lregs, latency);
  swap_lanes(work.unit(), index_lregs + vc % index_lregs, index_lregs + vd % index_lregs, with_index, general_lregs);
}

// ---- SFPTRANSP ----

void transpose(VectorWork& work) {
  constexpr unsigned side = number::lane_rows;
  for (unsigned base = 0; base < general_lregs; base += side) {
    std::array<Lanes, side> rows;
    for (unsigned i = 0; i < side; ++i)
      rows[i] = work.source(base + i);
    for (unsigned i = 0; i < side; ++i) {
      Lanes column;
      for (unsigned row = 0; row < side; ++row)
        std::copy_n(rows[row].lane.begin() + std::size_t{i} * lane_columns, lane_columns,
                    column.lane.begin() + std::size_t{row} * lane_columns);
      work.write(base + i, column);
    }
  }
}

// ---- SFPSHFT2 ----

namespace {

/// LReg 1 to 3 move down one; LReg 3 becomes what is given.
void copy_down(VectorWork& work, const Lanes& last, bool late) {
  std::array<Lanes, 3> upper;
  for (unsigned i = 0; i < 3; ++i)
    upper[i] = work.source(i + 1);
  for (unsigned i = 0; i < 4; ++i) {
    if (late) work.keep_old(i, work.coprocessor.timing->shuffle);
    work.write(i, i < 3 ? upper[i] : last);
  }
}

/// The lane's left neighbour in its row of eight; the first lane's is the last.
constexpr unsigned neighbour(unsigned lane) {
  return lane % lane_columns != 0 ? lane - 1 : lane + lane_columns - 1;
}

Lanes rotated(const Lanes& lanes) {
  return each_lane([&](unsigned lane) { return lanes[neighbour(lane)]; });
}

void write_late(VectorWork& work, const Lanes& results) {
  if (!is_writable_lreg(work.in.vd)) return;
  work.keep_old(work.in.vd, work.coprocessor.timing->shuffle);
  work.write(work.in.vd, results);
}

void shift_lanes(VectorWork& work) {
  const bool shifts_in_rotated = on(work.coprocessor.arch, true, false);
  const Lanes c = work.source(work.in.vc);
  const Lanes& last_rotated = work.unit().rotated;
  write_late(work, each_lane([&](unsigned lane) {
               if (lane % lane_columns != 0) return c[lane - 1];
               return shifts_in_rotated ? last_rotated[neighbour(lane)] : 0U;  // zero was meant there, too
             }));
}

void shift_bits(VectorWork& work, unsigned vb, bool immediate) {
  const Lanes& b = work.source(vb);
  const Lanes& c = work.source(immediate ? vb : work.in.vc);
  const std::uint32_t distance = signed_imm12(work.in.word);
  work.write(work.in.vd,
             each_lane([&](unsigned lane) { return number::shifted(b[lane], immediate ? distance : c[lane], false); }));
}

}  // namespace

void shuffle_or_shift(VectorWork& work) {
  switch (work.in.mod) {
    case 0: return copy_down(work, Lanes{}, false);
    case 1: {
      const Lanes first = work.source(0);
      return copy_down(work, each_lane([&](unsigned lane) {
                         return lane + lane_columns < lane_count ? first[lane + lane_columns] : 0U;
                       }),
                       false);
    }
    case 2:
    case 3: {
      if (work.active == 0) return;
      const Lanes c = work.source(work.in.vc);
      if (work.in.vd < first_backdoor_vd) work.unit().rotated = c;
      return work.in.mod == 2 ? copy_down(work, rotated(c), true) : write_late(work, rotated(c));
    }
    case 4: return shift_lanes(work);
    case 5: return shift_bits(work, work.in.vb, false);
    // Without SFPLOADMACRO, VB and the distance are the same bits.
    case 6: return shift_bits(work, work.in.vb, true);
    default: return work.issue(DataIssue::vector_mode);
  }
}

// ---- SFPCONFIG ----

namespace {

constexpr unsigned immediate_is_value = 1;
constexpr unsigned immediate_is_mask = 8;

/// By bits 1 and 2 of Mod1: write, or, and, exclusive or.
constexpr std::uint32_t combined(unsigned mod, std::uint32_t old, std::uint32_t value) {
  switch (mod >> 1U & 3U) {
    case 0: return value;
    case 1: return old | value;
    case 2: return old & value;
    default: return old ^ value;
  }
}

/// SFPCONFIG has no room for 32 bits of immediate: these are what it writes to LReg 11 to 14 instead.
constexpr std::array<std::uint32_t, 4> default_constants{
    std::bit_cast<std::uint32_t>(-1.0F), std::bit_cast<std::uint32_t>(1.0F / 65536.0F),
    std::bit_cast<std::uint32_t>(-0.67487759F), std::bit_cast<std::uint32_t>(-0.34484843F)};

constexpr unsigned first_constant = 11;
constexpr std::uint32_t misc_bits = 0xFFF;
constexpr std::uint32_t lane_config_bits = 0x3'FFFF;

void write_column(VectorWork& work, unsigned column, std::uint32_t from_lreg) {
  VectorRegisters& registers = work.registers();
  LoadMacroConfig& macro = registers.macros[column];
  const unsigned mod = work.in.mod;
  const unsigned target = work.in.vd;
  const bool is_immediate = (mod & immediate_is_value) != 0;
  const std::uint32_t value = is_immediate ? vector_words::imm16.get(work.in.word) : from_lreg;
  if (target < 4) {
    macro.instruction[target] = from_lreg;
  } else if (target < misc_register) {
    macro.sequence[target - 4] = value;
  } else if (target == misc_register) {
    macro.misc = combined(mod, macro.misc, value) & misc_bits;
  } else if (target >= first_constant && target < lane_config_register) {
    const std::uint32_t constant = is_immediate ? default_constants[target - first_constant] : from_lreg;
    for (unsigned lane = column; lane < lane_count; lane += lane_columns)
      registers.lreg[target][lane] = constant;
  } else if (target == lane_config_register) {
    std::uint32_t& config = registers.lane_config[column];
    const std::uint32_t kept = is_immediate ? config & ~0xFFFFU : 0U;
    config = (combined(mod, config, value) | kept) & lane_config_bits;
  }
}

}  // namespace

void configure(VectorWork& work) {
  VectorRegisters& registers = work.registers();
  const LaneMask backdoors = registers.config.backdoor_disabled;
  // A template has 32 bits: its value is never an immediate.
  const bool takes_lreg = work.in.vd < 4 || (work.in.mod & immediate_is_value) == 0;
  const Lanes values = takes_lreg ? work.source(0) : Lanes{};
  for (unsigned column = 0; column < lane_columns; ++column) {
    const bool masked =
        (work.in.mod & immediate_is_mask) != 0 && (vector_words::imm16.get(work.in.word) >> (column * 2) & 1U) == 0;
    const bool off = ((registers.uses_flags & ~registers.flags) >> column & 1U) != 0;
    if (!masked && !off) write_column(work, column, values[column]);
  }
  if (work.in.vd <= misc_register) registers.macros_changed();
  if (work.in.vd != lane_config_register) return;
  registers.config = masks_of(registers.lane_config);
  work.coprocessor.matrix.blocked_move_columns = blocked_move_columns(registers.lane_config);
  if (registers.config.backdoor_disabled != backdoors) work.unit().backdoor_set_in = work.coprocessor.now + 1;
}

}  // namespace tensim::tensix::vector_data
