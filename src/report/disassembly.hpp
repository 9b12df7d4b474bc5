// Words, raw binaries and ELF files as assembly text, line by line: inputs may be hundreds of megabytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arch/arch.hpp"
#include "report/style.hpp"

namespace tensim::report {

enum class CodeFormat : std::uint8_t { automatic, binary, hex, elf };

struct DisassemblyOptions {
  Arch arch = Arch::blackhole;
  CodeFormat format = CodeFormat::automatic;
  bool named = false;      // symbolic operands instead of the vendor's form
  bool riscv = false;      // the words are a RISC-V stream in which .ttinsn words stand rotated
  std::uint32_t base = 0;  // address of the first word; an ELF file has its own
};

struct DisassemblyProblem {
  std::string text;
  bool is_of_elf = false;
};

/// Writes nothing if there is a problem. JSON is of the schema tensim.disasm/1.
std::optional<DisassemblyProblem> disassemble(std::string_view content, const DisassemblyOptions& options,
                                              Format format, const Write& write);

}  // namespace tensim::report
