// A word as text, in the manner of binutils' objdump -M no-aliases: canonical names, ABI register names. Its exceptions:
// CSRs have the names of BabyRISCV/CSRs.md, a .ttinsn shows the Tensix instruction, and a target is a bare address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arch/arch.hpp"
#include "riscv/instruction.hpp"

namespace tensim::riscv {

/// "addi a0,a0,-1"; "beq a0,a1,80"; ".ttinsn SEMPOST sem=MATH_PACK"; ".word 0x00000007" for what decodes to nothing.
std::string disassemble(Arch arch, Word word, std::uint32_t pc);

/// The ABI's names: "a0", "fa0". `index` is below 32.
std::string_view integer_register_name(unsigned index);
std::string_view float_register_name(unsigned index);

}  // namespace tensim::riscv
