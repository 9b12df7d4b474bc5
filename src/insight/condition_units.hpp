// Which units the conditions of STALLWAIT look at: it waits for what its thread has in them.
#pragma once

#include <array>
#include <string_view>

#include "tensix/in_flight.hpp"

namespace tensim::insight {

struct ConditionUnit {
  std::string_view condition;
  tensix::Occupancy unit;
  bool is_of_all_threads = false;
};

inline constexpr std::array condition_units{
    ConditionUnit{"THCON", tensix::Occupancy::scalar},
    ConditionUnit{"THCON", tensix::Occupancy::scalar_memory},
    ConditionUnit{"UNPACK0", tensix::Occupancy::unpacker0},
    ConditionUnit{"UNPACK1", tensix::Occupancy::unpacker1},
    ConditionUnit{"PACK0", tensix::Occupancy::packer0},
    ConditionUnit{"PACK1", tensix::Occupancy::packer1},
    ConditionUnit{"PACK2", tensix::Occupancy::packer2},
    ConditionUnit{"PACK3", tensix::Occupancy::packer3},
    ConditionUnit{"MATH", tensix::Occupancy::matrix},
    ConditionUnit{"WAIT_SFPU", tensix::Occupancy::vector},
    ConditionUnit{"XMOV", tensix::Occupancy::mover, true},
    ConditionUnit{"CFGEXU", tensix::Occupancy::configuration, true},
};

}  // namespace tensim::insight
