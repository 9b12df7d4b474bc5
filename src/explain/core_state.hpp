// What a core is doing, and why it does not go on.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "insight/wait_for.hpp"
#include "program/image.hpp"
#include "riscv/core.hpp"
#include "tile/access.hpp"
#include "tile/tile.hpp"

namespace tensim::explain {

/// An access that has not been answered, of the instruction at `pc`.
struct WaitingAccess {
  tile::Access access;
  tile::Wait wait = tile::Wait::none;
  std::uint32_t pc = 0;
};

/// A load of the loop that a core goes round, and what it gives each time.
struct PolledLoad {
  std::uint32_t address = 0;
  std::uint32_t value = 0;
  bool is_l1 = false;
};

struct CoreState {
  tile::CoreId core = tile::CoreId::brisc;
  riscv::Core::Status status = riscv::Core::Status::in_reset;
  std::uint32_t pc = 0;
  std::vector<PolledLoad> polls = {};       // of one that is asleep; none if its program has ended
  std::optional<WaitingAccess> store = {};  // the oldest in its queue, if the core waits or sleeps
  std::optional<WaitingAccess> load = {};   // the oldest that a core waits for
};

CoreState core_state(const tile::Tile& tile, tile::CoreId core);

/// The core goes round a loop for ever and loads nothing in it: its program has ended.
bool is_parked(const riscv::Core& core);
/// Neither held in reset nor at the end of its program.
bool has_more_to_do(const riscv::Core& core);

/// The program of a core; null if it is not known.
using ProgramOf = std::function<const program::Image*(tile::CoreId)>;

/// The cores that might still push or store something. If nothing moves any more they are stuck.
std::vector<insight::LiveCore> live_cores(const tile::Tile& tile, bool nothing_moves, const ProgramOf& program_of);

}  // namespace tensim::explain
