// What follows from how the model is built, as runs of it show: a probe for each row of arch/timing and arch/sizes.hpp
// whose role is `consequence`. rows_test.cpp compares them with the rows. C40
#pragma once

#include <span>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::test {

struct Probe {
  std::string_view row;
  double (*measure)(Arch arch);
};

std::span<const Probe> frontend_probes();
std::span<const Probe> sync_probes();
std::span<const Probe> configuration_probes();
std::span<const Probe> unit_probes();
std::span<const Probe> core_probes();
std::span<const Probe> size_probes();

}  // namespace tensim::test
