// Who of a chip polls what: every core that goes round a loop and would leave it if something came.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/chip.hpp"
#include "event/packet.hpp"
#include "explain/poll_loop.hpp"

namespace tensim::explain {

struct CoreOfChip {
  noc::Coordinates tile = {};
  tile::CoreId core = tile::CoreId::brisc;
  friend bool operator==(const CoreOfChip&, const CoreOfChip&) = default;
};

/// Something that a core of a chip polls.
struct ChipWait {
  enum class What : std::uint8_t {
    l1_word,
    counter,         // of an NIU
    command_buffer,  // whether an NIU has accepted its request
    register_word,   // another register of the tile that packets reach: of the overlay, say
    own_matter,      // nothing that comes from outside the tile
  };
  CoreOfChip who = {};
  AwaitedWord word = {};
  What what = What::l1_word;
  unsigned noc = 0;     // of counters and command buffers
  unsigned number = 0;  // of the counter, or of the command buffer
};

/// Of all cores that are asleep over something, in the order of tiles and cores.
std::vector<ChipWait> chip_waits(const chip::Chip& chip);

/// Whether the packet changes what is polled, where it has arrived.
bool changes(const ChipWait& wait, const event::Packet& arrived);
/// Whether the response to such a request moves the counter that is polled.
bool is_answered_there(const ChipWait& wait, const noc::Message& request);

}  // namespace tensim::explain
