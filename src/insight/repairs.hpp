// The smallest thing that would put a pair of operations in order.
#pragma once

#include <cstdint>
#include <string_view>

#include "arch/arch.hpp"
#include "insight/races.hpp"

namespace tensim::insight {

struct Repair {
  enum class Kind : std::uint8_t {
    stall_wait,         // STALLWAIT(block, condition)
    tensix_sync,        // the core waits for its thread
    mop_sync,           // or for its MOPs
    read_back,          // the core loads what it has stored, and uses it, before it goes on
    other_instruction,  // one instruction more between them
    read_barrier,       // the core waits for its reads over the NoC,
    write_barrier,      // for acknowledgements of its writes,
    writes_sent,        // until their sources may be changed,
    atomic_barrier,     // or for what its atomics found
    hand_over,          // a semaphore, mutex, mailbox or flag: nothing says that one comes behind the other
  };
  enum class Place : std::uint8_t { before_second, behind_first };
  Kind kind = Kind::hand_over;
  Place place = Place::before_second;
  std::string_view block = {};  // of a STALLWAIT, by their names
  std::string_view condition = {};
};

Repair repair_of(Arch arch, const Races& races, const Race& race);

}  // namespace tensim::insight
