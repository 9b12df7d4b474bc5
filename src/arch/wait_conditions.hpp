// The conditions a STALLWAIT can wait on, C0 upwards: each keeps the wait alive while it is true (W19-W31, W32).
// Bit numbers differ between the chips (errata 32); names are the vendor's p_stall constants (W45).
#pragma once

#include "arch/arch.hpp"
#include "arch/symbol.hpp"

namespace tensim {

inline constexpr SymbolSet stall_conditions_blackhole{
    SymbolSet::Kind::mask,
    {
        {0x0001, "THCON", "C0: ThCon holds an instruction of this thread, or a memory request has not come back yet"},
        {0x0002, "UNPACK0", "C1: unpacker 0 holds an instruction of this thread"},
        {0x0004, "UNPACK1", "C2: unpacker 1 holds an instruction of this thread"},
        {0x0008, "PACK0", "C3: the packer holds an instruction of this thread"},
        {0x0010, "MATH", "C4: the FPU holds an instruction of this thread"},
        {0x0020, "SRCA_CLR", "C5: the SrcA bank unpacker 0 points at does not belong to the unpackers"},
        {0x0040, "SRCB_CLR", "C6: the SrcB bank unpacker 1 points at does not belong to the unpackers"},
        {0x0080, "SRCA_VLD", "C7: the SrcA bank the FPU points at does not belong to the FPU"},
        {0x0100, "SRCB_VLD", "C8: the SrcB bank the FPU points at does not belong to the FPU"},
        {0x0200, "XMOV", "C9: the mover has requests outstanding, whoever started them"},
        {0x0400, "TRISC_CFG", "C10: this thread's T core has a GPR, config or TDMA-RISC request on its way"},
        {0x0800, "WAIT_SFPU", "C11: the SFPU holds an instruction of this thread"},
        {0x1000, "CFGEXU", "C12: the Configuration Unit holds an instruction of any thread"},
    },
    {{0x0006, "UNPACK"}, {0x0008, "PACK"}, {0x0800, "SFPU1"}, {0x021F, "ALL_THREAD_RES"}},
};

inline constexpr SymbolSet stall_conditions_wormhole{
    SymbolSet::Kind::mask,
    {
        {0x0001, "THCON", "C0: a ThCon memory request of this thread has not come back yet"},
        {0x0002, "UNPACK0", "C1: unpacker 0 holds an instruction of this thread"},
        {0x0004, "UNPACK1", "C2: unpacker 1 holds an instruction of this thread"},
        {0x0008, "PACK0", "C3: packer 0 holds an instruction of this thread"},
        {0x0010, "PACK1", "C4: packer 1 holds an instruction of this thread"},
        {0x0020, "PACK2", "C5: packer 2 holds an instruction of this thread"},
        {0x0040, "PACK3", "C6: packer 3 holds an instruction of this thread"},
        {0x0080, "MATH", "C7: the FPU holds an instruction of this thread"},
        {0x0100, "SRCA_CLR", "C8: the SrcA bank unpacker 0 points at does not belong to the unpackers"},
        {0x0200, "SRCB_CLR", "C9: the SrcB bank unpacker 1 points at does not belong to the unpackers"},
        {0x0400, "SRCA_VLD", "C10: the SrcA bank the FPU points at does not belong to the FPU"},
        {0x0800, "SRCB_VLD", "C11: the SrcB bank the FPU points at does not belong to the FPU"},
        {0x1000, "XMOV", "C12: the mover has requests outstanding, whoever started them"},
        {0x2000, "TRISC_CFG", "C13: this thread's T core has a GPR, config or TDMA-RISC request on its way"},
        {0x4000, "WAIT_SFPU", "C14: the SFPU holds an instruction of this thread"},
    },
    {{0x0006, "UNPACK"}, {0x0078, "PACK"}, {0x4000, "SFPU1"}, {0x10FF, "ALL_THREAD_RES"}},
};

constexpr const SymbolSet& stall_conditions(Arch arch) {
  return *on(arch, &stall_conditions_wormhole, &stall_conditions_blackhole);
}

/// What keeps a SEMWAIT alive (W33, W34).
inline constexpr SymbolSet semaphore_conditions{
    SymbolSet::Kind::mask,
    {{1, "STALL_ON_ZERO", "any selected semaphore has Value == 0"},
     {2, "STALL_ON_MAX", "any selected semaphore has Value >= Max"}},
};

}  // namespace tensim
