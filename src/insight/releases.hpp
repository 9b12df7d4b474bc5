// Which instructions end a wait, by what is waited for.
#pragma once

#include "arch/arch.hpp"
#include "isa/table.hpp"
#include "tensix/types.hpp"

namespace tensim::insight {

/// Gives a bank of `src` to the Matrix Unit.
bool supplies(Arch arch, isa::Word word, tensix::Src src);
/// Gives a bank of `src` back to the unpackers.
bool gives_back(isa::Word word, tensix::Src src);

/// A semaphore, above zero.
bool raises(isa::Word word, unsigned semaphore);
/// In a semaphore, below its maximum.
bool makes_room(isa::Word word, unsigned semaphore);

}  // namespace tensim::insight
