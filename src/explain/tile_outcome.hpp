// The outcome of a tile that has halted.
#pragma once

#include "explain/outcome.hpp"

namespace tensim::explain {

Outcome tile_outcome(const tile::Tile& tile, tile::Tile::Halt halt, const ProgramOf& program_of);

/// Of a tile in which nothing happens any more: every core that has more to do polls nothing but words that a host can write.
bool waits_for_host(const tile::Tile& tile);

/// Of a run that nothing can continue: recordings that still want words will not get them, and each is a note.
void add_open_recordings(const tensix::Coprocessor& coprocessor, Outcome& outcome);

/// Who waits for whom. Threads are known by what stands in their frontends; of what cores would still
/// push, what stands in their programs is.
insight::WaitForGraph wait_for_graph(const tile::Tile& tile, bool nothing_moves, const ProgramOf& program_of);

}  // namespace tensim::explain
