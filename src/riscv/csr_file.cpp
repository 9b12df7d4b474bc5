#include "riscv/csr_file.hpp"

#include <algorithm>

namespace tensim::riscv {
namespace {

constexpr CsrInfo no_csr{0xFFFF, "?", CsrKind::none};

constexpr std::array csrs{
    CsrInfo{0x003, "fcsr", CsrKind::storage, 0, 0xFF},
    CsrInfo{0x008, "vstart", CsrKind::constant},
    CsrInfo{0x009, "vxsat", CsrKind::not_modelled},
    CsrInfo{0x00a, "vxrm", CsrKind::not_modelled},
    CsrInfo{0x300, "mstatus", CsrKind::constant, 0x80006600},
    CsrInfo{0x301, "misa", CsrKind::constant, 0x40201123},
    CsrInfo{0x320, "mcountinhibit", CsrKind::storage, 0, 0x18},
    CsrInfo{0x323, "mhpmevent3", CsrKind::not_modelled},
    CsrInfo{0x324, "mhpmevent4", CsrKind::not_modelled},
    CsrInfo{0x7c0, "cfg0", CsrKind::storage, cfg0::at_reset},
    CsrInfo{0x7c1, "pmacfg0", CsrKind::storage},
    CsrInfo{0x7c2, "pmacfg1", CsrKind::storage},
    CsrInfo{0x7c3, "cfg1", CsrKind::storage},
    CsrInfo{0x7c4, "hwa_mask", CsrKind::storage},
    CsrInfo{0x7c5, "hwa_cfg", CsrKind::storage},
    CsrInfo{0x7c6, "vgsrc", CsrKind::storage},
    CsrInfo{0xb00, "mcycle", CsrKind::cycle_low},
    CsrInfo{0xb02, "minstret", CsrKind::instret_low},
    CsrInfo{0xb03, "mhpmcounter3", CsrKind::not_modelled},
    CsrInfo{0xb04, "mhpmcounter4", CsrKind::not_modelled},
    CsrInfo{0xb80, "mcycleh", CsrKind::cycle_high},
    CsrInfo{0xb82, "minstreth", CsrKind::instret_high},
    CsrInfo{0xb83, "mhpmcounter3h", CsrKind::not_modelled},
    CsrInfo{0xb84, "mhpmcounter4h", CsrKind::not_modelled},
    CsrInfo{0xbc0, "tt_cfg_qstatus", CsrKind::coprocessor},
    CsrInfo{0xbc1, "tt_cfg_bstatus", CsrKind::coprocessor},
    CsrInfo{0xbc2, "tt_cfg_sstatus0", CsrKind::storage},
    CsrInfo{0xbc3, "tt_cfg_sstatus1", CsrKind::storage},
    CsrInfo{0xbc4, "tt_cfg_sstatus2", CsrKind::storage},
    CsrInfo{0xbc5, "tt_cfg_sstatus3", CsrKind::storage},
    CsrInfo{0xbc6, "tt_cfg_sstatus4", CsrKind::storage},
    CsrInfo{0xbc7, "tt_cfg_sstatus5", CsrKind::storage},
    CsrInfo{0xbc8, "tt_cfg_sstatus6", CsrKind::storage},
    CsrInfo{0xbc9, "tt_cfg_sstatus7", CsrKind::storage},
    CsrInfo{0xbca, "intp_restore_pc", CsrKind::storage},
    CsrInfo{0xc00, "cycle", CsrKind::cycle_low},
    CsrInfo{0xc02, "instret", CsrKind::instret_low},
    CsrInfo{0xc20, "vl", CsrKind::not_modelled},
    CsrInfo{0xc21, "vtype", CsrKind::not_modelled},
    CsrInfo{0xc22, "vlenb", CsrKind::storage, 16},
    CsrInfo{0xc80, "cycleh", CsrKind::cycle_high},
    CsrInfo{0xc82, "instreth", CsrKind::instret_high},
    CsrInfo{0xf14, "mhartid", CsrKind::constant},
};
static_assert(csrs.size() <= CsrFile::capacity);
static_assert(std::ranges::is_sorted(csrs, {}, &CsrInfo::number));

std::size_t index_of(const CsrInfo& info) {
  return static_cast<std::size_t>(&info - csrs.data());
}

constexpr std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
constexpr std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32U);
}
constexpr std::uint64_t with_low(std::uint64_t value, std::uint32_t part) {
  return (value & ~std::uint64_t{0xFFFFFFFF}) | part;
}
constexpr std::uint64_t with_high(std::uint64_t value, std::uint32_t part) {
  return (value & 0xFFFFFFFF) | std::uint64_t{part} << 32U;
}

}  // namespace

const CsrInfo& csr_info(std::uint32_t number) {
  const auto* const found = std::ranges::lower_bound(csrs, number, {}, &CsrInfo::number);
  return found == csrs.end() || found->number != number ? no_csr : *found;
}

CsrFile::CsrFile() {
  for (std::size_t i = 0; i < csrs.size(); ++i)
    stored[i] = csrs[i].reset;
}

std::uint32_t CsrFile::read(const CsrInfo& info, Cycle cycle, std::uint64_t retired) const {
  switch (info.kind) {
    case CsrKind::cycle_low: return low(cycle + cycle_offset);
    case CsrKind::cycle_high: return high(cycle + cycle_offset);
    case CsrKind::instret_low: return low(retired + instret_offset);
    case CsrKind::instret_high: return high(retired + instret_offset);
    default: return stored[index_of(info)];
  }
}

void CsrFile::write(const CsrInfo& info, std::uint32_t value, Cycle cycle, std::uint64_t retired) {
  switch (info.kind) {
    case CsrKind::cycle_low: cycle_offset = with_low(cycle + cycle_offset, value) - cycle; return;
    case CsrKind::cycle_high: cycle_offset = with_high(cycle + cycle_offset, value) - cycle; return;
    case CsrKind::instret_low: instret_offset = with_low(retired + instret_offset, value) - retired; return;
    case CsrKind::instret_high: instret_offset = with_high(retired + instret_offset, value) - retired; return;
    case CsrKind::storage: break;
    default: return;
  }
  stored[index_of(info)] = value & info.writable;
  if (info.number == 0x7c0) config = value;
  if (info.number == 0x7c1 || info.number == 0x7c2)
    ordering = (stored[index_of(csr_info(0x7c1))] | stored[index_of(csr_info(0x7c2))]) & 1U;
}

}  // namespace tensim::riscv
