// For each rule that a race can lack: a kernel that lacks it, and the same with what puts it in order.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "insight/order_rules.hpp"

namespace tensim::insight {

struct RaceExample {
  std::string_view rule;
  std::string_view wrong;
  std::string_view right;
};

inline constexpr std::array race_examples{
    RaceExample{"3b", "UNPACR.Regular WhichUnpacker=0\nUNPACR_NOP WhichUnpacker=0 (that clears SrcA)",
                "UNPACR.Regular WhichUnpacker=0\nSTALLWAIT(STALL_UNPACK, UNPACK0)\nUNPACR_NOP WhichUnpacker=0"},
    RaceExample{"4", "T2: PACR (writes a tile to L1)\nT2: LOADIND (reads a word of it)",
                "T2: PACR\nT2: STALLWAIT(STALL_THCON, PACK)\nT2: LOADIND"},
    RaceExample{"8",
                "BRISC: store to configuration, then a word in L1 that TRISC0 polls\n"
                "T0: STALLWAIT(STALL_UNPACK, TRISC_CFG)\nT0: UNPACR",
                "BRISC: store to configuration, load it back and use it, then the word in L1\nT0: UNPACR"},
    RaceExample{"9", "T0: UNPACR\nT0: STALLWAIT(STALL_CFG, UNPACK)\nTRISC0: store to the unpacker's base",
                "T0: UNPACR\nTRISC0: tensix_sync\nTRISC0: store to the unpacker's base"},
    RaceExample{"10", "T1: ELWADD (writes Dst)\nT1: SEMPOST(MATH_PACK)\nT2: SEMWAIT(MATH_PACK); SFPLOAD",
                "T1: ELWADD\nT1: STALLWAIT(STALL_SYNC, MATH)\nT1: SEMPOST(MATH_PACK)\nT2: SEMWAIT(MATH_PACK); SFPLOAD"},
    RaceExample{
        "11", "T1: writes\nT2: reads",
        "T1: writes; STALLWAIT(STALL_SYNC, ...); SEMPOST\nT2: SEMWAIT, with a block mask that catches the reader; "
        "reads"},
    RaceExample{"12", "T0: WRCFG of a whole word\nT2: RMWCIB of bits of the same word",
                "T0: ATGETM; WRCFG; ATRELM\nT2: ATGETM; RMWCIB; ATRELM, or masked writes of different bits"},
    RaceExample{"13", "T1: MVMUL, which reads SrcA\nT0: SETDVALID, which hands its bank over without waiting for it",
                "T1: MVMUL\nT0: STALLWAIT(STALL_TDMA, SRCA_CLR)\nT0: SETDVALID"},
    RaceExample{"13a", "T1: MOVD2A\nT0: UNPACR into the same bank",
                "T1: STALLWAIT(STALL_MATH, MATH|SRCA_VLD)\nT1: MOVD2A"},
    RaceExample{"14a", "T1: ELWADD (writes Dst)\nT1: SFPLOAD of the same rows",
                "T1: ELWADD\nT1: STALLWAIT(STALL_SFPU, MATH)\nT1: SFPLOAD"},
    RaceExample{"15", "SETDMAREG of a GPR\nWRCFG of that GPR", "SETDMAREG\nSTALLWAIT(STALL_CFG, THCON)\nWRCFG"},
    RaceExample{"15a", "RDCFG into a GPR\nADDDMAREG of it", "RDCFG\nSTALLWAIT(STALL_THCON, CFGEXU)\nADDDMAREG"},
    RaceExample{"16", "LOADIND into a GPR\nADDDMAREG of it in another unit's instruction",
                "LOADIND\nSTALLWAIT(STALL_CFG, THCON)\nWRCFG"},
    RaceExample{"17", "WRCFG of a packer's setting\nPACR", "WRCFG\nNOP\nPACR"},
    RaceExample{"19", "PACR\nRMWCIB of the packer's format", "PACR\nSTALLWAIT(STALL_CFG, PACK)\nRMWCIB"},
    RaceExample{"19a", "PACR\nWRCFG of L1_Dest_addr", "PACR\nSTALLWAIT(STALL_CFG, PACK)\nWRCFG"},
    RaceExample{"19b", "PACR\nRMWCIB of Pack_L1_Acc", "PACR\nSTALLWAIT(STALL_CFG, PACK)\nRMWCIB"},
    RaceExample{"20", "UNPACR\nRMWCIB of the unpacker's format", "UNPACR\nSTALLWAIT(STALL_CFG, UNPACK)\nRMWCIB"},
    RaceExample{"21", "TRISC1: push MOP\nTRISC1: store to MopCfg",
                "TRISC1: push MOP\nTRISC1: mop_sync\nTRISC1: store to MopCfg"},
    RaceExample{"23", "TRISC0: store to the unpacker's base\nTRISC0: push UNPACR",
                "TRISC0: store to the unpacker's base\nTRISC0: push STALLWAIT(STALL_UNPACK, TRISC_CFG), UNPACR"},
    RaceExample{"24", "TRISC2: push PACR\nTRISC2: store to configuration that PACR reads",
                "TRISC2: push PACR\nTRISC2: tensix_sync\nTRISC2: store to configuration"},
    RaceExample{"26", "BRISC: stores data, then a flag\nTRISC0: reads the data without looking at the flag",
                "BRISC: stores data, then a flag\nTRISC0: polls the flag, then reads the data"},
    RaceExample{"28", "BRISC: noc_read(...) to a buffer\nBRISC: loads a word of the buffer",
                "BRISC: noc_read(...)\nBRISC: noc_read_barrier()\nBRISC: loads a word of the buffer"},
    RaceExample{"29", "BRISC: noc_write(...) to its own tile\nBRISC: loads what it has written",
                "BRISC: noc_write(...)\nBRISC: noc_write_barrier()\nBRISC: loads what it has written"},
    RaceExample{"29a", "BRISC: noc_write(...) from a buffer\nBRISC: stores to the buffer",
                "BRISC: noc_write(...)\nBRISC: noc_writes_sent()\nBRISC: stores to the buffer"},
    RaceExample{"30",
                "tile 0,0: noc_write(0, ...) of data, then noc_semaphore_inc(1, ...) on the other NoC\n"
                "tile 1,0: polls the semaphore, loads the data",
                "tile 0,0: noc_write(0, ...); noc_write_barrier(0); noc_semaphore_inc(1, ...)\n"
                "tile 1,0: polls the semaphore, loads the data"},
    RaceExample{"31", "BRISC: initiates an atomic that gives the old word back\nBRISC: loads the old word",
                "BRISC: initiates the atomic\nBRISC: noc_atomic_barrier()\nBRISC: loads the old word"},
    RaceExample{"32", "TRISC0: loads an argument\nthe host: writes the next argument",
                "TRISC0: loads an argument, then stores that it is done\n"
                "the host: reads that it is done, then writes the next argument"},
};

static_assert(std::ranges::all_of(table::order_rules, [](const OrderRule& rule) {
  return rule.kind == RuleKind::orders ||
         std::ranges::any_of(race_examples, [&](const RaceExample& example) { return example.rule == rule.id; });
}));

}  // namespace tensim::insight
