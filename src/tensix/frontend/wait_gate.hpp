// Wait Gate: the last stage of a frontend. It holds a latched wait, put there by STALLWAIT, SEMWAIT or STREAMWAIT, and
// holds back the instructions that the wait's block mask catches (WaitGate.md, errata 25-32).
#pragma once

#include "arch/arch.hpp"
#include "tensix/types.hpp"
#include "tensix/units/sync/unit.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::tensix {

struct LatchedWait {
  enum class Kind : std::uint8_t { none, stall, semaphore, stream };
  Kind kind = Kind::none;
  std::uint16_t block_mask = 0;  // never 0: defaults are filled in
  /// Of STALLWAIT: C0 upwards, as numbered on the chip, never 0; of SEMWAIT: SemaphoreStates.
  std::uint16_t condition_mask = 0;  // of STREAMWAIT: bit 0 phase, bit 1 messages
  std::uint8_t stream = 0;           // of STREAMWAIT
  std::uint32_t target = 0;          // of STREAMWAIT: it waits while the count is below
  Word word = 0;
  std::uint32_t source = 0;  // Entry::source()

  bool is_valid() const { return kind != Kind::none; }
};

/// What a block mask of 0 acts as.
std::uint16_t default_block_mask(Arch arch);

/// The wait of a SEMWAIT that has a condition, with the block mask it acts with.
inline LatchedWait semaphore_wait(std::uint16_t block_mask, const Entry& entry) {
  const Word word = entry.word;
  return {.kind = LatchedWait::Kind::semaphore,
          .block_mask = block_mask,
          .condition_mask = awaited_states(sync_words::semaphores.get(word), sync_words::semaphore_condition.get(word)),
          .word = word,
          .source = entry.source()};
}

/// STALLWAIT, SEMWAIT and STREAMWAIT do.
bool latches_wait(Word word);

/// The wait that `entry`, a wait instruction, latches.
LatchedWait latched_wait(Arch arch, const Entry& entry);

}  // namespace tensim::tensix
