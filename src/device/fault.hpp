// What a device cannot go on with: an access of the host to what is not there or not modelled, a core that has stopped,
// an instruction that is not modelled. A value with everything its reader needs; nothing ends the process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/grid.hpp"
#include "tensix/types.hpp"

namespace tensim::device {

using tensix::Cycle;

struct Fault {
  enum class Kind : std::uint8_t {
    host_access,  // nothing is there, or it is not modelled
    core_stopped,
    coprocessor,
  };
  Kind kind = Kind::host_access;
  Cycle cycle = 0;
  std::optional<Coordinates> tile = {};  // as NoC 0 numbers it
  std::vector<std::string> lines = {};   // what happened and where, then more about it
};

std::string_view name(Fault::Kind kind);
/// The fault as text, a line each, with where and when in the first.
std::string text_of(const Fault& fault);

/// What becomes of the device after a fault.
enum class OnFault : std::uint8_t {
  stop,   // its clock stands still until the host resets the core that stopped; memory can be looked at
  go_on,  // a tile with a fault stands still, the others do not
};

}  // namespace tensim::device
