#include "riscv/csr.hpp"

#include <algorithm>
#include <array>

#include "riscv/csr_file.hpp"

namespace tensim::riscv {
namespace {

constexpr std::uint32_t all = 0xFFFF'FFFF;

// Resets other than zero are documented for mstatus, misa, cfg0 and vlenb; zero is assumed for the rest. Where the page
// does not say which bits can be written, the standard's are assumed (fcsr, mcountinhibit, vxsat, vxrm), and else all.

constexpr std::array cfg0_fields{
    CsrField{"DisLdBufByp", 0, 1, "loads wait in EX1 until the store queue is empty"},
    CsrField{"DisBp", 1, 1, "no branch predictor"},
    CsrField{"DisIcPrefetch", 2, 1, "no instruction cache prefetchers"},
    CsrField{"DisLowCash", 3, 1, "no L0 data cache"},
    CsrField{"DisableDataEcc", 4, 1, ""},
    CsrField{"DisPmcWrapArnd", 7, 1, "HPM counters stop when they would wrap"},
    CsrField{"PmcClrOnRd", 8, 1, "reading an HPM counter clears what was read"},
    CsrField{"SyncAllOps", 9, 1, "an instruction leaves the frontend only after the one before it has retired"},
    CsrField{"DisCsrSync", 10, 1, "csr*, vset*, fence, ecall and ebreak do not wait like that"},
    CsrField{"DisVec128b", 11, 1, ""},
    CsrField{"DisStMerge", 12, 1, "the store queue does not coalesce stores"},
    CsrField{"StMergeTimer", 13, 5, "cycles that an L1 store waits for another to coalesce with"},
    CsrField{"DisTriscCache", 18, 1, "no fusion of adjacent .ttinsn"},
    CsrField{"DisMultiMemLdOps", 19, 1, ""},
    CsrField{"DisRegForwarding", 20, 1, "operands come from the register file only"},
    CsrField{"DisLowCachePeriodicFlush", 24, 1, "the L0 data cache is not flushed now and then (about 0.8%)"},
    CsrField{"BpHistSel", 26, 2, ""},
    CsrField{"EnRespOrderFifo", 28, 1, ""},
    CsrField{"DisTTStatusReg", 29, 1, "tt_cfg_*status* are frozen"},
    CsrField{"EnBFloat", 30, 1, ".h instructions work on bfloat16"},
    CsrField{"EnBFloatRTNE", 31, 1, "bfloat16 rounds to nearest even, not towards zero"},
};

constexpr std::array fcsr_fields{
    CsrField{"fflags", 0, 5, "accrued exceptions"},
    CsrField{"frm", 5, 3, "rounding mode, ignored"},
};
constexpr std::array pmacfg_fields{
    CsrField{"enable", 0, 1, "every load and store acts as if a fence stood before it"},
    CsrField{"range", 1, 31, "meant to limit that to some addresses, but it never does"},
};
constexpr std::array qstatus_fields{
    CsrField{"tensix_issue_queue_status", 0, 11, "instruction types that this T core has in the Tensix frontend"},
    CsrField{"sfpu_cc", 11, 1, "some lane of the Vector Unit is enabled"},
    CsrField{"or_reduced_tensix_issue_queue_status", 13, 11, "the same for all T cores"},
    CsrField{"sfpu_cc_copy", 24, 1, "bit 11 again"},
};
constexpr std::array bstatus_fields{
    CsrField{"tensix_busy_status", 0, 11, "as in tt_cfg_qstatus, or executing in the backend"},
    CsrField{"or_reduced_tensix_busy_status", 11, 11, "the same for all T cores"},
};

using enum Csr::Source;

constexpr Csr sstatus(std::uint16_t number, std::string_view name, std::string_view note) {
  return {.number = number, .name = name, .source = scratch_on_b, .writable = all, .note = note};
}
constexpr Csr counter_row(std::uint16_t number, std::string_view name, std::uint16_t alias_of = 0) {
  return {.number = number, .name = name, .source = counter, .writable = all, .alias_of = alias_of};
}
constexpr Csr scratch(std::uint16_t number, std::string_view name) {
  return {.number = number, .name = name, .writable = all, .note = "scratch"};
}
constexpr std::string_view phase = "T cores: STREAM_CURR_PHASE_REG_INDEX of some NoC Overlay stream";
constexpr std::string_view messages = "T cores: STREAM_NUM_MSGS_RECEIVED_REG_INDEX of some NoC Overlay stream";

constexpr std::array blackhole_csrs{
    Csr{.number = 0x003, .name = "fcsr", .writable = 0xFF, .fields = fcsr_fields},
    Csr{.number = 0x008, .name = "vstart", .source = constant, .note = "always zero"},
    Csr{.number = 0x009, .name = "vxsat", .source = vector, .writable = 1},
    Csr{.number = 0x00A, .name = "vxrm", .source = vector, .writable = 3},
    Csr{.number = 0x300, .name = "mstatus", .source = constant, .reset = 0x8000'6600},
    Csr{.number = 0x301, .name = "misa", .source = constant, .reset = 0x4020'1123},
    Csr{.number = 0x320, .name = "mcountinhibit", .writable = 0x18, .note = "stops HPM counters 3 and 4 only"},
    Csr{.number = 0x323, .name = "mhpmevent3", .writable = all},
    Csr{.number = 0x324, .name = "mhpmevent4", .writable = all},
    Csr{.number = 0x7C0, .name = "cfg0", .reset = cfg0::at_reset, .writable = all, .fields = cfg0_fields},
    Csr{.number = 0x7C1, .name = "pmacfg0", .writable = all, .fields = pmacfg_fields},
    Csr{.number = 0x7C2, .name = "pmacfg1", .writable = all, .fields = pmacfg_fields},
    scratch(0x7C3, "cfg1"),
    scratch(0x7C4, "hwa_mask"),
    scratch(0x7C5, "hwa_cfg"),
    scratch(0x7C6, "vgsrc"),
    counter_row(0xB00, "mcycle"),
    counter_row(0xB02, "minstret"),
    counter_row(0xB03, "mhpmcounter3"),
    counter_row(0xB04, "mhpmcounter4"),
    counter_row(0xB80, "mcycleh"),
    counter_row(0xB82, "minstreth"),
    counter_row(0xB83, "mhpmcounter3h"),
    counter_row(0xB84, "mhpmcounter4h"),
    Csr{.number = 0xBC0, .name = "tt_cfg_qstatus", .source = coprocessor, .writable = all, .fields = qstatus_fields},
    Csr{.number = 0xBC1, .name = "tt_cfg_bstatus", .source = coprocessor, .writable = all, .fields = bstatus_fields},
    sstatus(0xBC2, "tt_cfg_sstatus0", phase),
    sstatus(0xBC3, "tt_cfg_sstatus1", phase),
    sstatus(0xBC4, "tt_cfg_sstatus2", phase),
    sstatus(0xBC5, "tt_cfg_sstatus3", phase),
    sstatus(0xBC6, "tt_cfg_sstatus4", messages),
    sstatus(0xBC7, "tt_cfg_sstatus5", messages),
    sstatus(0xBC8, "tt_cfg_sstatus6", messages),
    sstatus(0xBC9, "tt_cfg_sstatus7", messages),
    Csr{.number = 0xBCA,
        .name = "intp_restore_pc",
        .source = interrupt,
        .writable = all,
        .note = "a copy of where mret returns to; writing it does not change that"},
    counter_row(0xC00, "cycle", 0xB00),
    counter_row(0xC02, "instret", 0xB02),
    Csr{.number = 0xC20, .name = "vl", .source = vector, .writable = all},
    Csr{.number = 0xC21, .name = "vtype", .source = vector, .writable = all},
    Csr{.number = 0xC22, .name = "vlenb", .reset = 16, .writable = all, .note = "writing it changes only what is read"},
    counter_row(0xC80, "cycleh", 0xB80),
    counter_row(0xC82, "instreth", 0xB82),
    Csr{.number = 0xF14, .name = "mhartid", .source = constant, .note = "zero on every core"},
};

static_assert(std::ranges::is_sorted(blackhole_csrs, {}, &Csr::number) &&
              std::ranges::adjacent_find(blackhole_csrs, {}, &Csr::number) == blackhole_csrs.end());

}  // namespace

std::span<const Csr> csrs(Arch arch) {
  return on<std::span<const Csr>>(arch, {}, blackhole_csrs);
}

const Csr* find_csr(Arch arch, std::uint16_t number) {
  const auto all_of_arch = csrs(arch);
  const auto at = std::ranges::lower_bound(all_of_arch, number, {}, &Csr::number);
  return at != all_of_arch.end() && at->number == number ? &*at : nullptr;
}

}  // namespace tensim::riscv
