// One instruction of the assembly text: mnemonic and operands, in either syntax, to a word.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/assembler/expression.hpp"
#include "isa/form.hpp"

namespace tensim::isa {

struct LineProblem {
  unsigned column = 0;
  std::string message;
};

struct InstructionResult {
  Word word = 0;
  std::optional<LineProblem> error;
  std::vector<LineProblem> warnings;
};

/// The cursor stands on the mnemonic; the whole rest of the line is read.
InstructionResult assemble_instruction(Arch arch, TokenCursor& cursor, const Constants& constants);

}  // namespace tensim::isa
