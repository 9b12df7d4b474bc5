// A second, deliberately naive model of part of the Tensix coprocessor, written from docs/architecture/cycle.md and
// docs/hardware, and used as a test oracle. It walks every cycle, with plain queues and counters of the kind "cycles
// left"; nothing is skipped, nothing is clever. With the model under test it shares src/isa and src/arch only.
//
// It knows NOP, SEMINIT, SEMPOST, SEMGET, SEMWAIT, STALLWAIT, ATGETM, ATRELM, REPLAY, SETDVALID, CLEARDVALID, SETRWC,
// INCRWC, DMANOP, ADDDMAREG.Immediate, SETC16, SFPNOP and SFPMOV. Any other instruction that gets to the place where it
// would act throws std::invalid_argument. Configuration, GPRs, counters and vector registers hold no data here.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "arch/arch.hpp"
#include "isa/form.hpp"

namespace tensim::naive {

/// What the three T cores push, one word per cycle from cycle 0 on, and the semaphores (value, maximum) at cycle 0.
struct Program {
  std::array<std::vector<isa::Word>, 3> threads;
  std::array<std::pair<unsigned, unsigned>, 8> semaphores = {};
};

/// A word that passed its Wait Gate.
struct Issue {
  unsigned thread = 0;
  std::uint64_t cycle = 0;
  isa::Word word = 0;
  bool operator==(const Issue&) const = default;
};

struct Result {
  bool finished = false;         // no thread has words left, in its core or in its frontend
  std::uint64_t last_cycle = 0;  // of the last issue; 0 if nothing issued
  std::vector<Issue> issues;     // by cycle, then by thread
  std::array<std::pair<unsigned, unsigned>, 8> semaphores = {};
  std::array<int, 8> mutex_owner = {};                       // -1: nobody
  std::array<bool, 3> stuck = {};                            // has words left although nothing can ever change again
  std::array<std::array<bool, 2>, 2> matrix_owns_bank = {};  // [SrcA, SrcB][bank]
  std::array<std::vector<std::uint64_t>, 3> pushes;          // the cycle in which each word entered its push FIFO
};

/// Runs cycles 0 to max_cycles - 1, or until every word has gone, or until nothing can ever change again.
Result run(Arch arch, const Program& program, std::uint64_t max_cycles);

}  // namespace tensim::naive
