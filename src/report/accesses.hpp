// A sentence for every wait and every fault of a core's access.
#pragma once

#include <string>

#include "tile/access.hpp"

namespace tensim::report {

/// What the core waits for: "the push FIFO of T0 is full".
std::string reason(tile::Wait wait, const tile::Access& access);
/// And who: "TRISC0 stores to 0xffe40000: the push FIFO of T0 is full".
std::string describe(tile::Wait wait, const tile::Access& access);
/// Why the access cannot be done: "BRISC stores to 0xf0000000: nothing is mapped there".
std::string describe(tile::AccessFault fault, const tile::Access& access, const Region* region);
std::string describe(tile::AccessFault fault, const tile::Access& access, const Region* region, std::string_view who);

}  // namespace tensim::report
