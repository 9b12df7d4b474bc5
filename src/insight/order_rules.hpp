// What orders what, as rows: the race check asks these, and docs/races.md is made of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/named_rows.hpp"

namespace tensim::insight {

enum class Certainty : std::uint8_t {
  certain,        // a page or silicon says so, and nothing speaks against it
  likely,         // shipped kernels rely on it, or a maintainer says so
  assumed,        // nobody says so
  contradictory,  // evidence speaks for it and against it
};
inline constexpr NamedRows certainty_rows{std::array{
    NamedRow{Certainty::certain, "certain"},
    NamedRow{Certainty::likely, "likely"},
    NamedRow{Certainty::assumed, "assumed"},
    NamedRow{Certainty::contradictory, "contradictory"},
}};
static_assert(certainty_rows.cover(Certainty::contradictory));

enum class Severity : std::uint8_t { off, warning, error };
inline constexpr NamedRows severity_rows{std::array{
    NamedRow{Severity::off, "off"},
    NamedRow{Severity::warning, "warning"},
    NamedRow{Severity::error, "error"},
}};
static_assert(severity_rows.cover(Severity::error));

constexpr std::string_view name(Certainty certainty) {
  return certainty_rows.name(certainty);
}
constexpr std::string_view name(Severity severity) {
  return severity_rows.name(severity);
}

/// A row. What its severity is said of:
enum class RuleKind : std::uint8_t {
  orders,  // pairs that this rule alone orders: off unless somebody does not trust it
  lacks,   // pairs that lack what this rule asks for
};

struct OrderRule {
  std::string_view id;
  ArchSet archs;
  RuleKind kind;
  Certainty certainty;
  Severity severity;
  std::string_view text;
  std::string_view source;
};

std::span<const OrderRule> order_rules();

/// The index of a row; a row that is not there does not compile.
using RuleNumber = std::uint8_t;
consteval RuleNumber operator""_rule(const char* id, std::size_t length);
std::optional<RuleNumber> find_rule(std::string_view id);

/// What each row's pairs are reported as in a run.
class RuleSeverities {
 public:
  RuleSeverities();
  Severity operator[](RuleNumber rule) const { return severities_[rule]; }
  void set(RuleNumber rule, Severity severity) { severities_[rule] = severity; }
  /// "19a=error,14=warning". False if it is not that.
  bool read(std::string_view text);

 private:
  static constexpr std::size_t most_rules = 64;
  std::array<Severity, most_rules> severities_{};
};

namespace table {
using enum RuleKind;
using enum Certainty;
inline constexpr ArchSet both = ArchSet(Arch::wormhole) | Arch::blackhole;
inline constexpr std::array order_rules{
    OrderRule{
        "1", both, orders, certain, Severity::off,
        "The instructions of a thread pass its Wait Gate in the order of the program, and MOP and REPLAY expand in "
        "place. When they are done in different units says nothing.",
        "WaitGate.md"},
    OrderRule{
        "2", both, orders, certain, Severity::off,
        "An instruction comes behind all that its core did before it pushed it; of the core's stores only that they "
        "have been issued.",
        "PushTensixInstruction.md; checklist C25"},
    OrderRule{"3", both, orders, certain, Severity::off,
              "A unit carries out its instructions in order: matrix, vector, scalar, configuration, each unpacker, "
              "packers, mover; also those of several threads, where their issue is ordered.",
              "pages of the units"},
    OrderRule{
        "3b", ArchSet(Arch::blackhole), lacks, likely, Severity::warning,
        "An UNPACR_NOP that clears or sets dvalid may overtake an UNPACR that stands before it in the same unpacker.",
        "the vendor's tracker, seen on silicon; UNPACR_NOP.md says otherwise"},
    OrderRule{
        "3c", both, orders, certain, Severity::off,
        "ZEROACC, ZEROSRC and TRNSPSRCB take one cycle: whatever is issued behind them comes behind what they do.",
        "MatrixUnit.md, latencies"},
    OrderRule{"4", both, lacks, certain, Severity::error,
              "Work in a unit is done for those who wait for it: a STALLWAIT of the thread that issued it, with the "
              "unit's condition, from the first instruction on that its block mask catches.",
              "STALLWAIT.md; ruling 8"},
    OrderRule{"4a", both, orders, likely, Severity::off,
              "When the packers' condition is clear, what they wrote to L1 can be seen.",
              "LLK: STALLWAIT(STALL_THCON, PACK) before the STOREREG of a tile counter"},
    OrderRule{"6", both, orders, certain, Severity::off,
              "SRCx_CLR and SRCx_VLD prove the last hand-over of the bank under the pointer.", "STALLWAIT.md"},
    OrderRule{"8", both, lacks, certain, Severity::error,
              "TRISC_CFG proves that requests of the thread's own T core to GPRs, configuration and TDMA-RISC have "
              "landed. Not those of other cores, and nothing about L1, mailboxes or semaphores.",
              "STALLWAIT.md"},
    OrderRule{"9", both, lacks, certain, Severity::error, "A wait holds instructions, never loads or stores of a core.",
              "WaitGate.md; tt-llk#602"},
    OrderRule{"10", both, lacks, certain, Severity::error,
              "SEMPOST, SEMGET and ATRELM say what the thread has issued before them, not that it is done.",
              "SEMPOST.md"},
    OrderRule{"11", both, lacks, certain, Severity::error,
              "A wait for a semaphore is behind as many posts, or gets, as its value needs; whose they are it cannot "
              "tell.",
              "SyncUnit.md; checklist W33 to W37"},
    OrderRule{"12", both, lacks, certain, Severity::error,
              "ATGETM is behind the last ATRELM of its mutex. Between them, writes of the Configuration Unit are in "
              "order; work of other units is not.",
              "ATGETM.md, ATRELM.md"},
    OrderRule{"13", both, lacks, certain, Severity::error,
              "A Src bank is handed over: an instruction of the Matrix Unit that reads it is behind the unpacker that "
              "filled it, and an unpacker that writes it behind the instruction that gave it back.",
              "SrcASrcB.md; ruling 17"},
    OrderRule{"13a", both, lacks, certain, Severity::error,
              "MOVD2A, MOVD2B, MOVDBGA2D and ZEROSRC do not wait for the bank that they write, MOVB2A not for SrcA.",
              "pages of the instructions; checklist W47"},
    OrderRule{
        "14", both, orders, likely, Severity::off,
        "A block of Dst that the Matrix Unit has written is read by it, or packed, behind that, where the issue is "
        "ordered.",
        "Dst.md, silicon (ruling 13); for the packer: likely"},
    OrderRule{"14a", both, lacks, certain, Severity::error,
              "Nothing else orders accesses to Dst: not two threads, not an unpacker with anybody, not the Vector Unit "
              "with the Matrix Unit or the packers.",
              "Dst.md; LLK"},
    OrderRule{"15", ArchSet(Arch::blackhole), lacks, certain, Severity::error,
              "What the Scalar Unit writes to GPRs is not there for other units before a wait for THCON.",
              "ruling 12; tt-isa-documentation#58; tt-metal#9164"},
    OrderRule{"15a", ArchSet(Arch::blackhole), lacks, contradictory, Severity::off,
              "What RDCFG writes to a GPR is not there for the Scalar Unit before a wait for CFGEXU.",
              "RDCFG.md; LLK's matmul has ADDDMAREG right behind RDCFG in every round"},
    OrderRule{"15w", ArchSet(Arch::wormhole), orders, likely, Severity::off,
              "An instruction of the Scalar Unit, and RDCFG, close their thread's gate until they are done.",
              "ScalarUnit.md, RDCFG.md"},
    OrderRule{"16", both, lacks, certain, Severity::error,
              "What LOADIND, LOADREG and atomics bring into a GPR is there after a wait for THCON.", "ScalarUnit.md"},
    OrderRule{
        "17", both, lacks, certain, Severity::error,
        "What WRCFG and CFGSHIFTMASK write is seen from the second instruction on; the one behind them must not use "
        "it unless it is the Configuration Unit's.",
        "WRCFG.md, CFGSHIFTMASK.md"},
    OrderRule{"18", both, orders, certain, Severity::off,
              "The Matrix Unit and the Vector Unit read settings when an instruction is issued.", "tt-llk#1683"},
    OrderRule{"19", both, lacks, likely, Severity::warning, "A packer may read its settings until PACR is done.",
              "PACR.md; LLK"},
    OrderRule{"19a", both, lacks, contradictory, Severity::off, "A packer may read L1_Dest_addr until PACR is done.",
              "symptoms of conv3d on Wormhole; a comment in LLK says that it is read at issue"},
    OrderRule{"19b", both, lacks, certain, Severity::error, "A packer reads Pack_L1_Acc until PACR is done.",
              "tt-llk#1384, #1387; tt-metal#38839"},
    OrderRule{"19c", both, orders, certain, Severity::off, "A packer reads its strides when PACR is issued.",
              "tt-metal#48324"},
    OrderRule{"20", both, lacks, likely, Severity::warning, "An unpacker may read its settings until UNPACR is done.",
              "UNPACR.md"},
    OrderRule{"20a", both, orders, likely, Severity::off,
              "An unpacker reads base, offset, context and counters when UNPACR is issued, in its address phase.",
              "LLK: the UNPACK_SYNC protocol; lesson 5"},
    OrderRule{"21", both, lacks, certain, Severity::error,
              "MopCfg is read while a MOP expands: it may be written again after mop_sync or tensix_sync.",
              "MOPExpander.md; LLK"},
    OrderRule{"21a", both, orders, likely, Severity::off,
              "A MOP sees what its core stored to MopCfg before it pushed it.", "LLK, everywhere"},
    OrderRule{
        "22", both, orders, certain, Severity::off,
        "Two accesses of a core to one region are in order; a load that is used proves that earlier stores to its "
        "region have landed.",
        "MemoryOrdering.md"},
    OrderRule{
        "23", both, lacks, certain, Severity::error,
        "What a core stores to configuration or GPRs is there for an instruction that it pushes afterwards only "
        "behind a TRISC_CFG wait that catches the instruction, a load of what was stored, used before the push, or "
        "Auto TTSync.",
        "STALLWAIT.md; tt-metal#12855, #14694"},
    OrderRule{"23b", both, orders, assumed, Severity::off,
              "What a core stored to configuration or GPRs has landed when it has used what a later load from anywhere "
              "but L1 gave it, or has accessed the same region sixteen times since.",
              "LLK: packers are configured by stores, and no PACR waits for TRISC_CFG; its tests clear all GPRs and go "
              "on; ScalarUnit.md: usually there is time enough"},
    OrderRule{
        "24", both, lacks, certain, Severity::error,
        "A core may store to what an instruction uses when it has seen that the instruction is done: tensix_sync, "
        "used; BRISC's barrier; a semaphore or a word of L1.",
        "ManualTTSync.md; tt-metal#22298"},
    OrderRule{
        "25", both, orders, certain, Severity::off,
        "Whoever reads a mailbox or PCBuf is behind all that its writer did before; of the writer's stores to other "
        "regions only that they have been issued.",
        "MemoryOrdering.md"},
    OrderRule{"25a", both, orders, likely, Severity::off,
              "Whoever sees a counter of a circular buffer that a core has stored finds what it stored to L1 before.",
              "tt-metal: data that a core has made itself, and a push; MemoryOrdering.md promises nothing"},
    OrderRule{"26", both, lacks, assumed, Severity::error,
              "A load that polls a word of L1, an atomic and a counter of a circular buffer are behind the write whose "
              "value they see. All other L1 is data.",
              "how polling loops are recognised here"},
    OrderRule{"27", both, orders, certain, Severity::off,
              "A core that is let go is behind all that whoever let it go had done.", "SoftReset.md"},
    OrderRule{"28", both, lacks, certain, Severity::error,
              "What a read over the NoC fetches has landed, and its source has been read, when "
              "NIU_MST_RD_RESP_RECEIVED counts the last read that is under way, or its transaction id has none left.",
              "NoC/Counters.md, NoC/Ordering.md (noc 3)"},
    OrderRule{"29", both, lacks, certain, Severity::error,
              "What a write over the NoC brings has landed when NIU_MST_WR_ACK_RECEIVED counts the last "
              "acknowledgement that is under way, or its transaction id has none left. Of a posted write nothing says "
              "so.",
              "NoC/Counters.md, NoC/Ordering.md (noc 3)"},
    OrderRule{"29a", both, lacks, assumed, Severity::error,
              "The source of a write over the NoC may be changed when the write counts as sent "
              "(NIU_MST_..._WR_REQ_SENT), has none outgoing under its transaction id, or is acknowledged.",
              "tt-metal, everywhere; NoC/Counters.md says that it may count a little before its last read (noc 3)"},
    OrderRule{"29b", both, orders, likely, Severity::off,
              "A write over the NoC takes along what its core stored to L1 before it initiated the write.",
              "tt-metal, everywhere; MemoryOrdering.md promises nothing"},
    OrderRule{
        "30", both, lacks, certain, Severity::error,
        "Packets stay in order that go from one tile to another on the same NoC and the same virtual channel, fixed "
        "by VC_STATIC or VC_LINKED: bytes that both write, and a read behind a write. Nothing else does: what goes "
        "another way, a flag say, may overtake.",
        "NoC/Ordering.md (noc 6)"},
    OrderRule{"30a", both, orders, likely, Severity::off,
              "Whoever sees a word that a packet has written to L1 finds there what packets before it on the same way "
              "have written.",
              "tt-metal: a flag multicast behind its data; NoC/Ordering.md promises it of bytes that both write only"},
    OrderRule{"31", both, lacks, certain, Severity::error,
              "The old word of an atomic has landed when NIU_MST_ATOMIC_RESP_RECEIVED counts the last atomic that is "
              "under way, or its transaction id has none left.",
              "NoC/Atomics.md, NoC/Counters.md (noc 2, 3)"},
    OrderRule{
        "32", both, lacks, assumed, Severity::warning,
        "A host comes behind what it has seen: a word or a register that somebody has written before he was done. "
        "Cores come behind what the host wrote before the word that they poll, or before it let them go.",
        "PCIe keeps a host's accesses in order; what it reads, it may be waiting for"},
};
}  // namespace table

consteval RuleNumber operator""_rule(const char* id, std::size_t length) {
  for (std::size_t i = 0; i < table::order_rules.size(); ++i)
    if (table::order_rules[i].id == std::string_view(id, length)) return static_cast<RuleNumber>(i);
  throw "no such rule";
}

}  // namespace tensim::insight
