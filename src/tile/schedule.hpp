// What the agents of a tile have to do, and when: the state of its clock (docs/architecture/tile.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tile/l1_ports.hpp"
#include "tile/read_ahead.hpp"
#include "tile/words_ahead.hpp"
#include "time/order.hpp"

namespace tensim::tile {

struct Schedule {
  using Key = time::Key;
  static constexpr unsigned agent_count = core_count + 3;  // the coprocessor, devices, a script

  Schedule(Arch arch, std::size_t l1_bytes)
      : l1_ports(arch), read_ahead(l1_bytes), watched(l1_bytes / ReadAhead::page_bytes + 1) {
    keys.fill(time::no_key);
  }

  struct StopWord {
    std::uint32_t address;
    std::uint32_t value;
  };

  Cycle now = 0;      // the cycle to come
  Cycle window = 0;   // before it, everything that others may see happens, and nothing from it on
  Cycle horizon = 0;  // cores do not go on from here, not even by themselves
  Cycle active = 0;   // after the last cycle in which an agent was looked at
  std::array<Key, agent_count + L1Ports::port_count> keys{};  // when each agent does something next, and each port
  Key first_of_others = time::no_key;  // of the agents that are not cores; those are seldom first, and seldom change
  unsigned look = ~0U;                 // agents that may have something to do earlier than that
  std::optional<Cycle> conflict;       // something in this cycle concerns cores that have run ahead of it
  std::optional<std::uint32_t> misread_page;  // a page that a core has read ahead, and another has written
  std::vector<StopWord> stop_words;
  std::optional<Cycle> met;  // when all of them had their values

  L1Ports l1_ports;
  ReadAhead read_ahead;
  WordsAhead words_ahead;
  std::size_t arrived = 0;            // of what the network has delivered
  Cycle arrivals_from = 0;            // the next of it waits until then
  std::uint8_t fed = 0;               // T cores that wait until there is room for their next words: see Tile::feed()
  std::uint8_t waiting = 0;           // cores with an access that is not answered, but for those
  std::uint8_t sleepers = 0;          // cores asleep,
  std::uint8_t device_sleepers = 0;   // those that poll more than L1
  std::vector<std::uint8_t> watched;  // by page of L1: sleepers that poll it
  std::uint8_t held = all_cores;      // in reset, as last seen
  std::uint32_t debug_bus = 0;        // threads that it feeds, as last seen
};

}  // namespace tensim::tile
