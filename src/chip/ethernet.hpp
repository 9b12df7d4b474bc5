// Ethernet tiles come up without a cable. What their firmware leaves in L1 then is data here, so that a host which looks
// finds ports that are down instead of ports that will never be ready.
#pragma once

#include "tile/tile.hpp"

namespace tensim::chip {

void leave_firmware_words(tile::Tile& tile);

}  // namespace tensim::chip
