// The probes of data/silicon/tensix.csv that the coprocessor alone can express, run on the model: threads fed at one
// instruction a cycle, as the cards' loops of .ttinsn feed them (docs/hardware/silicon.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/arch.hpp"

namespace tensim::silicon {

struct Row {
  Arch arch = Arch::blackhole;
  std::string unit;
  std::string probe;
  std::string active;       // "T0+T1"
  std::string measured_on;  // "T1"
  std::string conditions;
  double cycles = 0;
  std::string documented;
};

/// The rows of a table under data/silicon, or nothing if it cannot be read.
std::optional<std::vector<Row>> read_rows(const std::string& path);

/// What the model gives for the row; nothing if the row cannot be expressed yet.
std::optional<double> measure(const Row& row);

/// Within 3 % or 0.05 cycle.
bool agrees(double silicon, double ours);

}  // namespace tensim::silicon
