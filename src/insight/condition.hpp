// What would have to change for somebody who waits, with the values of now. report/conditions.hpp has the words.
#pragma once

#include <cstdint>
#include <variant>

#include "event/stall.hpp"
#include "tensix/frontend/auto_ttsync.hpp"
#include "tensix/types.hpp"
#include "tensix/units/sync/unit.hpp"

namespace tensim::insight {

/// The Matrix Unit must own the bank, which the unpackers have.
struct MatrixOwns {
  tensix::Src src;
  unsigned bank;
};
/// The other way round.
struct UnpackersOwn {
  tensix::Src src;
  unsigned bank;
};
struct SemaphoreAboveZero {
  unsigned semaphore;
  tensix::Semaphore now;
};
struct SemaphoreBelowMaximum {
  unsigned semaphore;
  tensix::Semaphore now;
};
/// The overlay is not modelled, so nobody changes a stream's counts.
struct StreamReaches {
  bool is_phase;  // otherwise messages received
  unsigned stream;
  std::uint32_t target;
  std::uint32_t now;
};
/// What keeps the STALLWAIT condition of this bit alive must leave its unit.
struct UnitEmpty {
  unsigned bit;
};
/// Auto TTSync: the T core pushed the instruction behind accesses that are still under way.
struct AccessesProcessed {
  unsigned thread;
  tensix::AutoTtSync::Awaited awaited;
};
struct MutexExists {
  unsigned mutex;
};
struct MutexFree {
  unsigned mutex;
  unsigned owner;
};
struct ScalarUnitFree {
  unsigned thread;  // whose instruction is in it
};
struct UnpackerHasRoom {
  unsigned unpacker;
  unsigned jobs;
};
/// The unit does not take the instruction yet, for this reason.
struct UnitTakes {
  event::Stall stall;
};
/// A comparison of the Scalar Unit with memory.
struct L1Equals {
  std::uint32_t address;
};
struct RegisterAnswers {
  std::uint32_t address;
};

using Condition = std::variant<MatrixOwns, UnpackersOwn, SemaphoreAboveZero, SemaphoreBelowMaximum, StreamReaches,
                               UnitEmpty, AccessesProcessed, MutexExists, MutexFree, ScalarUnitFree, UnpackerHasRoom,
                               UnitTakes, L1Equals, RegisterAnswers>;

}  // namespace tensim::insight
