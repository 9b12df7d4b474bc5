// Configuration Unit: reads and writes of backend and thread configuration (ConfigurationUnit.md).
// Blackhole has a pipeline of stages -4 to +1; Wormhole a rule about what was issued in the previous cycle.
#pragma once

#include <array>

#include "tensix/operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;

struct ConfigurationUnit {
  static constexpr unsigned stage_count = 5;  // -4 to 0; +1 can always be entered
  /// Blackhole: bit per cycle from `stages_from` on in which the stage is taken.
  std::array<std::uint8_t, stage_count> stage_busy{};
  Cycle stages_from = 0;
  /// Wormhole: the cycle after the last RDCFG or WRCFG, in which the slow group must wait.
  Cycle barred_in = never;
  /// The last cycle in which one of the group was accepted: everything but SETC16.
  Cycle used_in = never;
};

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// Wormhole: RDCFGs presented in one cycle all pass, though only one is executed (ruling 14).
bool shares_rdcfg(const Coprocessor& coprocessor, unsigned thread, unsigned winner);
/// A core's configuration request can be processed in this cycle, beside what the threads have just issued.
bool takes_core_request(const Coprocessor& coprocessor);
void land_config_write(Coprocessor& coprocessor, const Record& record);

}  // namespace units

}  // namespace tensim::tensix
