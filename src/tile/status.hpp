// The coprocessor as the CSRs tt_cfg_qstatus and tt_cfg_bstatus show it (BabyRISCV/CSRs.md).
#pragma once

#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

std::uint32_t queue_status(const tensix::Coprocessor& coprocessor, CoreId core);
std::uint32_t busy_status(const tensix::Coprocessor& coprocessor, CoreId core);

}  // namespace tensim::tile
