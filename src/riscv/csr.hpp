// The control and status registers of Blackhole's cores (Wormhole's have none). Page: BabyRISCV/CSRs.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::riscv {

/// Numbers that code names; csrs() has them all.
enum CsrNumber : std::uint16_t {
  csr_fcsr = 0x003,
  csr_mstatus = 0x300,
  csr_misa = 0x301,
  csr_mcountinhibit = 0x320,
  csr_mhpmevent3 = 0x323,
  csr_mhpmevent4 = 0x324,
  csr_cfg0 = 0x7C0,
  csr_pmacfg0 = 0x7C1,
  csr_pmacfg1 = 0x7C2,
  csr_mcycle = 0xB00,
  csr_minstret = 0xB02,
  csr_mhpmcounter3 = 0xB03,
  csr_mhpmcounter4 = 0xB04,
  csr_mcycleh = 0xB80,
  csr_minstreth = 0xB82,
  csr_mhpmcounter3h = 0xB83,
  csr_mhpmcounter4h = 0xB84,
  csr_tt_cfg_qstatus = 0xBC0,
  csr_tt_cfg_bstatus = 0xBC1,
  csr_tt_cfg_sstatus0 = 0xBC2,
  csr_tt_cfg_sstatus7 = 0xBC9,
  csr_intp_restore_pc = 0xBCA,
  csr_cycle = 0xC00,
  csr_instret = 0xC02,
  csr_cycleh = 0xC80,
  csr_instreth = 0xC82,
  csr_mhartid = 0xF14,
};

/// Bits of cfg0 that change what the core does.
namespace cfg0 {
inline constexpr std::uint32_t dis_ld_buf_byp = 1U << 0U;
inline constexpr std::uint32_t dis_bp = 1U << 1U;
inline constexpr std::uint32_t dis_ic_prefetch = 1U << 2U;
inline constexpr std::uint32_t dis_low_cash = 1U << 3U;
inline constexpr std::uint32_t dis_pmc_wrap_arnd = 1U << 7U;
inline constexpr std::uint32_t pmc_clr_on_rd = 1U << 8U;
inline constexpr std::uint32_t sync_all_ops = 1U << 9U;
inline constexpr std::uint32_t dis_csr_sync = 1U << 10U;
inline constexpr std::uint32_t dis_st_merge = 1U << 12U;
inline constexpr unsigned st_merge_timer_low = 13;  // five bits
inline constexpr std::uint32_t dis_trisc_cache = 1U << 18U;
inline constexpr std::uint32_t dis_reg_forwarding = 1U << 20U;
inline constexpr std::uint32_t dis_low_cache_periodic_flush = 1U << 24U;
inline constexpr std::uint32_t dis_tt_status_reg = 1U << 29U;
inline constexpr std::uint32_t en_b_float = 1U << 30U;
inline constexpr std::uint32_t en_b_float_rtne = 1U << 31U;
inline constexpr std::uint32_t at_reset = 16U << st_merge_timer_low;
}  // namespace cfg0

struct CsrField {
  std::string_view name = {};
  std::uint8_t low = 0;
  std::uint8_t width = 1;
  std::string_view meaning = {};

  constexpr std::uint32_t get(std::uint32_t value) const {
    return (value >> low) & static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1U);
  }
};

struct Csr {
  /// Who changes the value besides CSR instructions.
  enum class Source : std::uint8_t {
    software,      // nobody
    constant,      // nobody, and CSR instructions do not either
    counter,       // the core, as it counts
    coprocessor,   // the Tensix coprocessor's state; frozen while cfg0's DisTTStatusReg is set
    scratch_on_b,  // of B and NC: nobody; elsewhere: a NoC Overlay stream
    interrupt,     // the core, as it takes an interrupt
    vector,        // T2's vector configuration
  };
  std::uint16_t number = 0;
  std::string_view name = {};
  Source source = Source::software;
  std::uint32_t reset = 0;
  std::uint32_t writable = 0;  // the bits a CSR instruction changes
  std::uint16_t alias_of = 0;  // the number of the CSR this is another name of; 0: none
  std::span<const CsrField> fields = {};
  std::string_view note = {};
};

/// All CSRs of an architecture, by number; empty for Wormhole.
std::span<const Csr> csrs(Arch arch);

/// The CSR with this number; null if there is none (what the hardware then does is not documented).
const Csr* find_csr(Arch arch, std::uint16_t number);

}  // namespace tensim::riscv
