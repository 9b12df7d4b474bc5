// Loads and stores of the cores as a scenario scripts them.
#pragma once

#include <optional>

#include "scenario/scenario.hpp"
#include "tile/access.hpp"

namespace tensim::scenario {

/// Origin of words that a core pushed: of no program.
inline constexpr std::uint32_t no_origin = 0x3FFF'FFFF;

/// The action as an access of cycle `cycle`.
tile::Access access_of(const CoreAction& action, tensix::Cycle cycle);

tile::CoreId core_id(CoreBit core);

/// The SEMPOST or SEMGET that a store to the semaphore window amounts to.
std::optional<isa::Word> semaphore_instruction(Arch arch, const CoreAction& action);

/// The thread that a store pushes an instruction to.
std::optional<unsigned> pushed_thread(Arch arch, const CoreAction& action);

}  // namespace tensim::scenario
