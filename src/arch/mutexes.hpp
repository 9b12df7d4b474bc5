// The mutexes of the Sync Unit. An index outside the set stalls its thread for ever (M2, M3, M8, M9). Names are those of
// the vendor's instruction list; tt-llk uses 0 as REG_RMW and 4 as SFPU (M4).
#pragma once

#include "arch/arch.hpp"
#include "arch/symbol.hpp"

namespace tensim {

inline constexpr SymbolSet mutexes_blackhole{
    SymbolSet::Kind::enumeration,
    {{0, "MATH", "math; tt-llk: read-modify-write of shared configuration"},
     {2, "UNPACK0", "unpacker 0"},
     {3, "UNPACK1", "unpacker 1"},
     {4, "PACK0", "packer; tt-llk: the SFPU, shared by T1 and T2"}},
    {{0, "REG_RMW"}, {4, "SFPU"}},
};

inline constexpr SymbolSet mutexes_wormhole{
    SymbolSet::Kind::enumeration,
    {{0, "MATH", "math; tt-llk: read-modify-write of shared configuration"},
     {2, "UNPACK0", "unpacker 0"},
     {3, "UNPACK1", "unpacker 1"},
     {4, "PACK0", "packer 0; tt-llk: the SFPU, shared by T1 and T2"},
     {5, "PACK1", "packer 1"},
     {6, "PACK2", "packer 2"},
     {7, "PACK3", "packer 3"}},
    {{0, "REG_RMW"}, {4, "SFPU"}},
};

constexpr const SymbolSet& mutexes(Arch arch) {
  return *on(arch, &mutexes_wormhole, &mutexes_blackhole);
}

constexpr bool is_valid_mutex(Arch arch, std::uint32_t index) {
  for (const Symbol& mutex : mutexes(arch).symbols)
    if (mutex.value == index) return true;
  return false;
}

}  // namespace tensim
