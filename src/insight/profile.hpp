// Where the cycles of a tile went: by reason, and by the instruction that stood there. Every cycle of every thread and core is
// counted once, so the sums over sites are those over reasons, and both are the length of the run.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "event/stall.hpp"
#include "riscv/account.hpp"
#include "tensix/in_flight.hpp"
#include "tensix/types.hpp"
#include "tile/access.hpp"

namespace tensim::insight {

/// How often a wait was issued, and what came of it.
struct WaitUse {
  std::uint64_t times = 0;
  std::uint64_t pending = 0;  // of these: something that it waits for was not there yet
  std::uint64_t cycles = 0;   // for which it held an instruction back

  bool operator==(const WaitUse&) const = default;
};

/// An instruction at its thread's gate. Words out of one MOP or REPLAY have its origin.
struct ThreadSite {
  tensix::Entry entry = {};  // its origin, its pusher and its word; nothing else
  std::uint64_t issued = 0;
  event::StallAccount held =
      {};             // in front of the gate; nothing at all stood there where it is `empty`: until this one came
  WaitUse wait = {};  // of STALLWAIT, SEMWAIT and STREAMWAIT

  std::uint64_t cycles() const;
  bool operator==(const ThreadSite&) const = default;
};

/// An instruction of a core.
struct CoreSite {
  std::uint32_t pc = 0;
  std::uint64_t executed = 0;  // cycles: words that are fused count once
  riscv::CoreAccount held = {};

  std::uint64_t cycles() const;
  bool operator==(const CoreSite&) const = default;
};

struct ThreadProfile {
  event::StallAccount account = {};
  std::vector<ThreadSite> sites = {};  // by origin, then by word

  bool operator==(const ThreadProfile&) const = default;
};

struct CoreProfile {
  bool ran = false;
  riscv::CoreAccount account = {};
  std::vector<CoreSite> sites = {};  // by pc

  bool operator==(const CoreProfile&) const = default;
};

/// In how many cycles something was in the unit.
struct UnitProfile {
  std::uint64_t operations = 0;
  std::uint64_t busy = 0;

  bool operator==(const UnitProfile&) const = default;
};

struct Profile {
  tensix::Cycle cycles = 0;  // of everybody
  std::array<ThreadProfile, tensix::thread_count> threads = {};
  std::array<CoreProfile, tile::core_count> cores = {};
  std::array<UnitProfile, tensix::occupancy_count> units = {};

  bool operator==(const Profile&) const = default;
};

}  // namespace tensim::insight
