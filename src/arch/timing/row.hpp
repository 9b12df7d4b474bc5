// One parameter of the cycle model on both chips.
#pragma once

#include <string_view>

#include "arch/arch.hpp"
#include "arch/evidence.hpp"

namespace tensim {

struct TimingFact {
  double cycles = -1;  // negative: does not exist on this chip
  Evidence evidence = Evidence::documented;
  std::string_view source = {};

  constexpr bool exists() const { return cycles >= 0; }
};

struct TimingRow {
  std::string_view block = {};
  std::string_view name = {};
  std::string_view meaning = {};
  TimingFact wormhole = {};
  TimingFact blackhole = {};

  constexpr const TimingFact& on(Arch arch) const { return *tensim::on(arch, &wormhole, &blackhole); }
};

}  // namespace tensim
