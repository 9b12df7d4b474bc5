// What a tile's script would still do, and which of its cores never get on.
#pragma once

#include "explain/outcome.hpp"

namespace tensim::explain {

/// Words that a thread would still be given: fed ones, then those that scripted cores would push.
insight::RemainingWords words_to_come(const tile::Tile& tile);

/// Stores to semaphores that scripted cores would still do. If nothing moves any more, none of them comes.
std::vector<insight::CoreStore> semaphore_stores_to_come(const tile::Tile& tile, bool nothing_moves);

/// Scripted cores that hang; if nothing moves any more, also those that wait.
void add_stuck_scripted_cores(const tile::Tile& tile, bool nothing_moves, Outcome& outcome);

}  // namespace tensim::explain
