// Ethernet tiles are memory. What their firmware leaves there when it has come up without a cable is data here, so that a
// host which looks finds ports that are down instead of ports that will never be ready.
#pragma once

#include "arch/arch.hpp"
#include "chip/sparse_memory.hpp"

namespace tensim::device {

chip::SparseMemory ethernet_memory(Arch arch);

}  // namespace tensim::device
