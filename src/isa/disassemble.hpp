// A word as text, in one of three syntaxes that the assembler reads back to the same word:
//   vendor  ttsemwait 322, 2, 2                                            what the vendor's objdump prints
//   named   SEMWAIT block=STALL_SFPU|STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX
//   brief   the same without fields that are 0; if all are, the last stays: PACR Last=1, MVMUL DstRow=0
// Bits that a syntax has no place for follow as raw=0x...; a word that decodes to nothing is .word 0x...
#pragma once

#include <cstdint>
#include <string>

#include "isa/decode.hpp"

namespace tensim::isa {

enum class Syntax : std::uint8_t { vendor, named, brief };

std::string to_text(const Decoded& decoded, Syntax syntax);

/// A field's value by its names where it has them: "STALL_CFG|STALL_SYNC", "L7", "-3", "0x40".
std::string to_text(const Field& field, Word word);

}  // namespace tensim::isa
