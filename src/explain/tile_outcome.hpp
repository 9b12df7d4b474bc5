// The outcome of a tile that has halted.
#pragma once

#include <functional>

#include "explain/outcome.hpp"

namespace tensim::explain {

/// The source of a core's program; null if it has none.
using SourceOf = std::function<const program::SourceMap*(tile::CoreId)>;

Outcome tile_outcome(const tile::Tile& tile, tile::Tile::Halt halt, const SourceOf& source_of);

/// Of a run that nothing can continue: recordings that still want words will not get them, and each is a note.
void add_open_recordings(const tensix::Coprocessor& coprocessor, Outcome& outcome);

/// Who waits for whom. Threads are known by what stands in their frontends; what cores would still push is not.
insight::WaitForGraph wait_for_graph(const tile::Tile& tile, bool nothing_moves);

}  // namespace tensim::explain
