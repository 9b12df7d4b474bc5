// Programs for the NoC's probes: what a core does between two readings of its wall clock, call by call as tt-metal's headers
// have it (noc_nonblocking_api.h: polls of NOC_CMD_CTRL, stores, counts in local RAM, barriers), so that cores, NIUs and networks
// are timed together. docs/hardware/silicon.md, part 10, says what is known of the cards' programs and what is not.
#pragma once

#include <cstdint>
#include <vector>

#include "noc/floor_plan.hpp"
#include "tests/silicon/guest_program.hpp"
#include "tile/access.hpp"

namespace tensim::silicon {

enum class Call : std::uint8_t { write, read, read_with_state };

/// How those that run together begin together.
enum class Meeting : std::uint8_t {
  none,
  semaphores,  // each increments a word of every other one (nocbench)
  flags,       // each writes a word of its own to every other one, all wait for all words (dramratebench)
};

/// One tile's part of a probe.
struct NocFlow {
  noc::Coordinates tile;  // NoC 0's own
  tile::CoreId core = tile::CoreId::brisc;
  unsigned noc = 0;
  Call call = Call::write;
  noc::Coordinates to;       // as software on this NoC names it
  std::uint32_t there = 0;   // the first address there,
  bool steps_there = false;  // and the next one behind it
  unsigned count = 64;       // transactions to a barrier
  unsigned bytes = 4096;
  unsigned vc = 1;
  unsigned rounds = 1;           // barriers, each with its own two readings of the clock
  unsigned trip_instructions{};  // of a transaction, with those of the call: what is missing is made up by additions
  unsigned before{};             // instructions between the clock and the first call,
  unsigned after{};              // and between the barrier and the clock
};

struct NocProbe {
  std::vector<NocFlow> flows;
  Meeting meeting = Meeting::none;
};

/// Words of L1 that a program reads or writes beside its data.
namespace noc_guest {
inline constexpr std::uint32_t code = 0x4000;
inline constexpr std::uint32_t results = 0x3000;  // a word for each round
inline constexpr std::uint32_t done = 0x2000;
inline constexpr std::uint32_t semaphore = 0x2010;
inline constexpr std::uint32_t flag = 0x2020;
inline constexpr std::uint32_t peers = 0x2100;  // names of the others, packed as an address register has them
inline constexpr std::uint32_t slots = 0x6000;  // of flags, 16 bytes each
inline constexpr std::uint32_t slot_bytes = 16;
inline constexpr std::uint32_t data = 0x10000;
inline constexpr std::uint32_t stack = 0xFFB00100;  // local RAM: counts of what has been issued
}  // namespace noc_guest

Code noc_program(const noc::FloorPlan& plan, const NocProbe& probe, std::size_t flow);
/// A tile's coordinates as a register has them.
std::uint32_t packed(Arch arch, noc::Coordinates tile);

}  // namespace tensim::silicon
