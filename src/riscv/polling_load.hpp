// Whether a load polls, as far as the code around it says: whether it is in a loop that does nothing but look, and is left when
// the load gives the right value. Two cores hand data to each other over such words of L1 (docs/hardware/lessons.md); which
// loads those are has to be known also when the first look succeeds, so that the run itself does not show it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "arch/arch.hpp"

namespace tensim::riscv {

/// The word of code at an address; nothing where there is none.
using CodeAt = std::function<std::optional<std::uint32_t>(std::uint32_t address)>;

/// Whether the instruction at `pc` is such a load:
/// - it is in a loop of a few hundred instructions with a way round that has no stores, atomics or words for the coprocessor, or is
///   the first look ahead of one, which compilers take out of the loop;
/// - a branch out of that way depends on what it gives, by arithmetic alone;
/// - it looks at the same place in every round: a search through memory is no poll.
/// Other loads, fences and CSR accesses may be in the loop, and calls of functions that go straight through and do not store.
/// It decodes that code again each time: whoever asks often keeps the answer.
bool is_polling_load(Arch arch, const CodeAt& code, std::uint32_t pc);

}  // namespace tensim::riscv
