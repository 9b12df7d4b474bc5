#include "riscv/csr_file.hpp"

namespace tensim::riscv {
namespace {

std::size_t index_of(const Csr& csr) {
  return static_cast<std::size_t>(&csr - csrs(Arch::blackhole).data());
}

CsrKind kind_of_counter(const Csr& csr) {
  switch (csr.alias_of != 0 ? csr.alias_of : csr.number) {
    case 0xB00: return CsrKind::cycle_low;
    case 0xB80: return CsrKind::cycle_high;
    case 0xB02: return CsrKind::instret_low;
    case 0xB82: return CsrKind::instret_high;
    default: return CsrKind::not_modelled;
  }
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

CsrKind kind_of(const Csr& csr, bool is_t_core) {
  switch (csr.source) {
    case Csr::Source::constant: return CsrKind::constant;
    case Csr::Source::counter: return kind_of_counter(csr);
    case Csr::Source::coprocessor: return CsrKind::coprocessor;
    case Csr::Source::vector: return CsrKind::not_modelled;
    case Csr::Source::scratch_on_b: return is_t_core ? CsrKind::not_modelled : CsrKind::storage;
    case Csr::Source::software:
    case Csr::Source::interrupt: break;
  }
  return CsrKind::storage;
}

CsrFile::CsrFile() {
  for (const Csr& csr : csrs(Arch::blackhole))
    stored[index_of(csr)] = csr.reset;
}

std::uint32_t CsrFile::read(const Csr& csr, CsrKind kind, Cycle cycle, std::uint64_t retired) const {
  switch (kind) {
    case CsrKind::cycle_low: return low(cycle + cycle_offset);
    case CsrKind::cycle_high: return high(cycle + cycle_offset);
    case CsrKind::instret_low: return low(retired + instret_offset);
    case CsrKind::instret_high: return high(retired + instret_offset);
    default: return stored[index_of(csr)];
  }
}

void CsrFile::write(const Csr& csr, CsrKind kind, std::uint32_t value, Cycle cycle, std::uint64_t retired) {
  switch (kind) {
    case CsrKind::cycle_low: cycle_offset = with_low(cycle + cycle_offset, value) - cycle; return;
    case CsrKind::cycle_high: cycle_offset = with_high(cycle + cycle_offset, value) - cycle; return;
    case CsrKind::instret_low: instret_offset = with_low(retired + instret_offset, value) - retired; return;
    case CsrKind::instret_high: instret_offset = with_high(retired + instret_offset, value) - retired; return;
    case CsrKind::storage: break;
    default: return;
  }
  stored[index_of(csr)] = value & csr.writable;
  if (csr.number == 0x7C0) config = value;
  // pmacfg0 or pmacfg1, whichever this is, and the other
  const bool is_pmacfg = csr.number == 0x7C1 || csr.number == 0x7C2;
  if (is_pmacfg) ordering = (value | stored[index_of(*find_csr(Arch::blackhole, csr.number ^ 3U))]) & 1U;
}

}  // namespace tensim::riscv
