// Names that several rows of the instruction table use for the values of their fields.
#pragma once

#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "arch/symbol.hpp"
#include "arch/wait_conditions.hpp"

namespace tensim::isa {

/// The block mask of a wait: B0 to B8, the groups of instructions that it holds back (W4-W12, W16).
inline constexpr SymbolSet block_mask{
    SymbolSet::Kind::mask,
    {
        {0x001, "STALL_TDMA", "B0: Miscellaneous, Mover, Scalar, Packers, Unpackers"},
        {0x002, "STALL_SYNC", "B1: Sync Unit"},
        {0x004, "STALL_PACK", "B2: Packers"},
        {0x008, "STALL_UNPACK", "B3: Unpackers"},
        {0x010, "STALL_XMOV", "B4: Mover"},
        {0x020, "STALL_THCON", "B5: Scalar Unit"},
        {0x040, "STALL_MATH", "B6: Matrix Unit"},
        {0x080, "STALL_CFG", "B7: Configuration Unit"},
        {0x100, "STALL_SFPU", "B8: Vector Unit"},
        {0x1FF, "STALL_THREAD", "B0 to B8: everything, NOP included"},
    },
};

/// The vector registers as instructions name them; 8 to 15 hold constants and programmable ones.
inline constexpr SymbolSet lregs{
    SymbolSet::Kind::enumeration,
    {{0, "L0"},
     {1, "L1"},
     {2, "L2"},
     {3, "L3"},
     {4, "L4"},
     {5, "L5"},
     {6, "L6"},
     {7, "L7"},
     {8, "L8"},
     {9, "L9"},
     {10, "L10"},
     {11, "L11"},
     {12, "L12"},
     {13, "L13"},
     {14, "L14"},
     {15, "L15"}},
};

}  // namespace tensim::isa
