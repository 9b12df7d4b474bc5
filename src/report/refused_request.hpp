// What a program asked an NIU for that is no request, in words.
#pragma once

#include <string>

#include "arch/arch.hpp"
#include "explain/core_end.hpp"

namespace tensim::report {

/// "write of 4 bytes from 0x00000180 of this tile to 0x00200000 of the tile that NoC 0 calls 4,2 (command buffer 0, NOC_CTRL
/// 0x2092)". Tiles are called as the registers have them, and as they are counted.
std::string text_of(Arch arch, const explain::RefusedRequest& request);

}  // namespace tensim::report
