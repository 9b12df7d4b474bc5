// Which Tensix instructions a program can still push: those that stand in its code, as `.ttinsn` or as constants that lui
// and addi make, where the code can still get to. What a program computes otherwise is not found here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/arch.hpp"
#include "isa/form.hpp"
#include "program/image.hpp"

namespace tensim::program {

struct TensixWord {
  isa::Word word = 0;
  std::uint32_t pc = 0;
};

struct TensixCode {
  std::vector<TensixWord> words;         // by address
  std::vector<std::uint32_t> constants;  // all that lui makes there, with addi or alone, and all words of data
};

/// `from`: where the core is, and where its callers go on. Behind a jump through a register that is no return, anything is
/// taken to be possible.
TensixCode tensix_code(Arch arch, const Image& image, std::span<const std::uint32_t> from);

}  // namespace tensim::program
