// What the check says beside races: things that are lost, or read too early, in this run. The check asks these rows, and
// docs/races.md is made of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/named_rows.hpp"

namespace tensim::insight {

enum class LintKind : std::uint8_t {
  lost_update,
  discarded_value,
  displaced_wait,
  mux_drop,
  uninitialised_read,
  stale_read,
  early_read,
};

struct LintRow {
  LintKind value;
  std::string_view name;
  ArchSet archs;
  std::string_view text;
  std::string_view source;
  // An example, and the same without it.
  std::string_view wrong;
  std::string_view right;
};

namespace table {
inline constexpr ArchSet every_chip = ArchSet(Arch::wormhole) | Arch::blackhole;
}  // namespace table

inline constexpr NamedRows lint_rows{std::array{
    LintRow{LintKind::lost_update, "lost-update", table::every_chip,
            "A SEMPOST at 15, a SEMGET at 0, or a core's store that amounts to one of them, changes nothing.",
            "SEMPOST.md, SEMGET.md; errata 11",
            "T2: SEMGET sem=MATH_PACK\nT1: SEMPOST sem=MATH_PACK, later: the post stays",
            "T2: SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_ZERO\nT2: SEMGET sem=MATH_PACK"},
    LintRow{LintKind::discarded_value, "discarded-value", table::every_chip,
            "A SEMINIT of a semaphore that has been posted or taken from since it got its last value, and is not back "
            "there: those posts or gets are forgotten.",
            "SEMINIT.md; checklist W37",
            "T1: SEMPOST sem=MATH_PACK\nT1: SEMINIT max=2, value=0, sem=MATH_PACK: T2 never sees the post",
            "T1: SEMINIT max=2, value=0, sem=MATH_PACK, before anybody posts\nT1: SEMPOST sem=MATH_PACK"},
    LintRow{
        LintKind::displaced_wait, "displaced-wait", ArchSet(Arch::wormhole),
        "A SEMWAIT takes the place of a wait that has held nothing yet, because nothing that its block mask catches "
        "stood between them: what that one waits for is not waited for. A block mask with STALL_SYNC catches the "
        "SEMWAIT.",
        "SEMWAIT.md; checklist W43, errata 25",
        "STALLWAIT block=STALL_PACK, cond=WAIT_SFPU\nSEMWAIT block=STALL_MATH, sem=MATH_PACK, cond=STALL_ON_MAX\n"
        "PACR, which does not wait for the Vector Unit",
        "STALLWAIT block=STALL_PACK|STALL_SYNC, cond=WAIT_SFPU\n"
        "SEMWAIT block=STALL_MATH, sem=MATH_PACK, cond=STALL_ON_MAX\nPACR"},
    LintRow{LintKind::mux_drop, "mux-drop", table::every_chip,
            "BRISC pushed a word to a thread in the cycle in which one of the T core's came to the same mux: that one "
            "is lost.",
            "checklist C25, ruling 10", "BRISC: push NOP to T1\nTRISC1: push SEMPOST sem=MATH_PACK, beside it",
            "BRISC: push NOP to T1, while TRISC1 is in reset, or waits for BRISC in a mailbox"},
    LintRow{
        LintKind::uninitialised_read, "uninitialised-read", table::every_chip,
        "A GPR, a word of configuration or of MopCfg, a replay slot or a semaphore is used before anybody has given "
        "it a value, or rows of Dst are loaded that ZEROACC has made undefined. Each place is named once. An RMWCIB, "
        "which leaves other bits of its word as they are, is a note.",
        "--fill shows what depends on it", "WRCFG InputReg=8, CfgIndex=1",
        "SETDMAREG.Immediate ... ResultHalfReg=16 and 17\nSTALLWAIT block=STALL_CFG, cond=THCON\n"
        "WRCFG InputReg=8, CfgIndex=1"},
    LintRow{LintKind::stale_read, "stale-read", ArchSet(Arch::blackhole),
            "A core's load gets what its L0 data cache has kept, and L1 holds something else.",
            "BabyRISCV/README.md; checklist P23, errata 18",
            "BRISC: load a word of L1, which TRISC0 then stores to\nBRISC: load it again",
            "BRISC: load a word of L1, which TRISC0 then stores to\nBRISC: fence, load it again"},
    LintRow{LintKind::early_read, "early-read", table::every_chip,
            "An instruction of the Vector Unit reads a register in the cycle before its result is there: on Wormhole "
            "right behind any that takes two cycles, on Blackhole where the interlock has its documented holes.",
            "VectorUnit.md, SFPMAD.md", "SFPMAD VA=0, VB=1, VC=2, VD=3\nSFPMOV VC=3, VD=4",
            "SFPMAD VA=0, VB=1, VC=2, VD=3\nSFPNOP\nSFPMOV VC=3, VD=4"},
}};
static_assert(lint_rows.cover(LintKind::early_read));

constexpr std::string_view name(LintKind kind) {
  return lint_rows.name(kind);
}

}  // namespace tensim::insight
