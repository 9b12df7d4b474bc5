// The eight semaphores of the Sync Unit, by the names firmware gives them (P1). The hardware knows only their numbers.
#pragma once

#include "arch/symbol.hpp"

namespace tensim {

inline constexpr unsigned semaphore_count = 8;

inline constexpr SymbolSet semaphore_index{SymbolSet::Kind::enumeration,
                                           {
                                               {0, "FPU_SFPU", "FPU and SFPU"},
                                               {1, "MATH_PACK", "math and pack, on Dst"},
                                               {2, "UNPACK_TO_DEST", "unpack and math, when unpacking to Dst"},
                                               {3, "UNPACK_OPERAND_SYNC", "unpack with pack and math, on operands"},
                                               {4, "PACK_DONE", "start and end of a pack iteration"},
                                               {5, "UNPACK_SYNC", "T0 core and unpackers"},
                                               {6, "UNPACK_MATH_DONE", "end of an unpack or math iteration"},
                                               {7, "MATH_DONE", "math done, when unpacking to Dst"},
                                           }};

namespace detail {
/// The same names as bits of a SemaphoreMask; the vendor's headers also number them, and keep a legacy name for bit 4
/// (W45).
consteval SymbolSet semaphores_as_mask() {
  SymbolSet mask{SymbolSet::Kind::mask};
  for (const Symbol& index : semaphore_index.symbols)
    if (!mask.symbols.push_back({1U << index.value, index.name, index.meaning})) throw "no room for another name";
  mask.aliases = {{0x01, "SEMAPHORE_0"}, {0x02, "SEMAPHORE_1"}, {0x04, "SEMAPHORE_2"},
                  {0x08, "SEMAPHORE_3"}, {0x10, "SEMAPHORE_4"}, {0x20, "SEMAPHORE_5"},
                  {0x40, "SEMAPHORE_6"}, {0x80, "SEMAPHORE_7"}, {0x10, "SEMAPHORE_BIAS"}};
  return mask;
}
}  // namespace detail

inline constexpr SymbolSet semaphore_mask = detail::semaphores_as_mask();

}  // namespace tensim
