// One row of the cycle model's timing, on both chips.
#pragma once

#include <string_view>

#include "arch/arch.hpp"
#include "arch/evidence.hpp"
#include "arch/role.hpp"

namespace tensim {

struct TimingFact {
  double cycles = -1;  // negative: does not exist on this chip
  Evidence evidence = Evidence::documented;
  std::string_view source = {};

  constexpr bool exists() const { return cycles >= 0; }
};

/// What a run may set a parameter to: what the model can work with, whatever the chips do.
struct TimingRange {
  double least = 1;
  double most = 100;
  bool is_whole = true;  // whole cycles only

  constexpr bool holds(double cycles) const {
    return cycles >= least && cycles <= most && (!is_whole || cycles == static_cast<double>(static_cast<long>(cycles)));
  }
};

struct TimingRow {
  std::string_view block = {};
  std::string_view name = {};
  Role role = Role::consequence;
  std::string_view meaning = {};
  TimingFact wormhole = {};
  TimingFact blackhole = {};
  TimingRange range = {};  // of a parameter

  constexpr const TimingFact& on(Arch arch) const { return *tensim::on(arch, &wormhole, &blackhole); }
};

}  // namespace tensim
