// What a device cannot go on with: an access of the host to what is not there or not modelled, a core that has stopped,
// an instruction that is not modelled. A value with everything its reader needs; nothing ends the process.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arch/named_rows.hpp"
#include "chip/edge.hpp"
#include "explain/core_end.hpp"
#include "noc/coordinates.hpp"
#include "scenario/scenario.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/niu.hpp"

namespace tensim::device {

using noc::Coordinates;
using tensix::Cycle;

struct Fault {
  enum class Kind : std::uint8_t {
    host_access,  // nothing is there, or it is not modelled
    core_stopped,
    coprocessor,
    noc_access,  // of another tile, to a register that is not modelled
    unanswered,  // a request to PCIe or ARC
  };
  Kind kind = Kind::host_access;
  Cycle cycle = 0;
  std::optional<Coordinates> tile = {};  // as NoC 0 numbers it
  // One of these says what happened; report/device_faults.hpp has the words.
  std::string host = {};  // what the host asked for
  std::optional<explain::CoreEnd> core_end = {};
  std::optional<tensix::Fault> coprocessor = {};
  std::optional<tile::NocFault> noc = {};
  std::optional<chip::Unanswered> unanswered = {};
  std::shared_ptr<const scenario::Scenario> programs = {};         // of the tile, with their sources
  std::shared_ptr<const scenario::Scenario> issuer_programs = {};  // of who sent what came over the NoC
};

inline constexpr NamedRows fault_kind_rows{std::array{
    NamedRow{Fault::Kind::host_access, "host_access"},
    NamedRow{Fault::Kind::core_stopped, "core_stopped"},
    NamedRow{Fault::Kind::coprocessor, "coprocessor"},
    NamedRow{Fault::Kind::noc_access, "noc_access"},
    NamedRow{Fault::Kind::unanswered, "unanswered"},
}};
static_assert(fault_kind_rows.cover(Fault::Kind::unanswered));

constexpr std::string_view name(Fault::Kind kind) {
  return fault_kind_rows.name(kind);
}

/// What becomes of the device after a fault.
enum class OnFault : std::uint8_t {
  stop,   // its clock stands still until the host resets the core that stopped; memory can be looked at
  go_on,  // a tile with a fault stands still, the others do not
};

}  // namespace tensim::device
