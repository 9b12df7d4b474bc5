// SEMPOST, SEMGET and SEMWAIT. They are most of what a kernel's threads say to each other, so the cycle has them in its own
// code; what the author of a kernel should know about one of them is rare, and kept out of it.
#pragma once

#include <span>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::tensix::units {

using namespace isa::literals;
using sync_words::semaphore_mask_of;

/// A SEMPOST or SEMGET of a semaphore that nobody initialised, or of those in `lost`, which were at their limit.
void report_change(Coprocessor& coprocessor, const Candidate& candidate, std::uint8_t lost);
/// A SEMWAIT without a condition, with the default block mask, or of a semaphore that nobody initialised.
void unusual_semwait(Coprocessor& coprocessor, const Candidate& candidate);

struct Sempost {
  static constexpr std::uint8_t opcode = "SEMPOST"_op;
  static void execute(Coprocessor& coprocessor, const Candidate& candidate) {
    const std::uint8_t mask = semaphore_mask_of(candidate.entry.word);
    const std::uint8_t lost = coprocessor.sync.post(mask);
    coprocessor.semaphores_changed();
    if (lost != 0 || coprocessor.has_unknown_semaphores(mask)) report_change(coprocessor, candidate, lost);
  }
};

struct Semget {
  static constexpr std::uint8_t opcode = "SEMGET"_op;
  static void execute(Coprocessor& coprocessor, const Candidate& candidate) {
    const std::uint8_t mask = semaphore_mask_of(candidate.entry.word);
    const std::uint8_t lost = coprocessor.sync.get(mask);
    coprocessor.semaphores_changed();
    if (lost != 0 || coprocessor.has_unknown_semaphores(mask)) report_change(coprocessor, candidate, lost);
  }
};

/// The Sync Unit only hands the wait over to the thread's gate (U6).
struct Semwait {
  static constexpr std::uint8_t opcode = "SEMWAIT"_op;
  static void execute(Coprocessor& coprocessor, const Candidate& candidate) {
    const Word word = candidate.entry.word;
    const auto block_mask = static_cast<std::uint16_t>(sync_words::block.get(word));
    if (sync_words::semaphore_condition.get(word) == 0 || block_mask == 0 ||
        coprocessor.has_unknown_semaphores(semaphore_mask_of(word)))
      return unusual_semwait(coprocessor, candidate);
    coprocessor.gates.latch(candidate.thread, semaphore_wait(block_mask, candidate.entry));
  }
};

/// Operations that the cycle calls by name instead of through their rows. The semaphore pipeline (tools/count.sh) costs
/// 9 % more host instructions without.
template <class... Operations>
struct OperationsByName {
  /// Executes the candidate if it is one of them.
  [[gnu::always_inline]] static bool execute(Coprocessor& coprocessor, const Candidate& candidate) {
    const std::uint8_t opcode = isa::opcode_of(candidate.entry.word);
    return ((opcode == Operations::opcode && (Operations::execute(coprocessor, candidate), true)) || ...);
  }
  /// Each has its row, which does the same.
  static consteval bool are_those_of(std::span<const OperationRow> rows) {
    const auto is_one = [rows](std::uint8_t opcode, Operation::Execute execute) {
      for (const OperationRow& row : rows)
        if (row.opcode == opcode) return row.execute == execute && row.port == Port::semaphores;
      return false;
    };
    return (is_one(Operations::opcode, Operations::execute) && ...);
  }
};
using SemaphoreOperations = OperationsByName<Semwait, Sempost, Semget>;

}  // namespace tensim::tensix::units
