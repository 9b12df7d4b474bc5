#include "tensix/footprint.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::tensix {

using namespace isa::literals;

/// STALLWAIT names units, not state. A wait's own latch belongs to its thread alone.
Footprint units::sync_footprint(const Coprocessor&, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  const std::uint8_t opcode = isa::opcode_of(word);
  if (opcode == "ATGETM"_op || opcode == "ATRELM"_op) {
    footprint.updates(Resource::mutex, 0, sync_words::mutex.get(word));
    return footprint;
  }
  const bool waits = opcode == "SEMWAIT"_op && sync_words::semaphore_condition.get(word) != 0;
  const bool changes = opcode == "SEMPOST"_op || opcode == "SEMGET"_op;
  const bool sets = opcode == "SEMINIT"_op;
  for (unsigned semaphore = 0; semaphore < 8; ++semaphore) {
    if ((sync_words::semaphores.get(word) >> semaphore & 1U) == 0) continue;
    if (waits || changes) footprint.reads(Resource::semaphore, 0, semaphore);
    if (changes || sets) footprint.writes(Resource::semaphore, 0, semaphore);
  }
  return footprint;
}

}  // namespace tensim::tensix
