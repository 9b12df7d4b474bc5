// Rows of data/silicon: figures measured on real cards (docs/hardware/silicon.md says how).
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
  std::string active;       // "T0+T1", or empty: see conditions
  std::string measured_on;  // "T1"
  std::string conditions;
  double cycles = 0;
  std::string documented;
  bool is_figure = true;         // not a range or a text
  std::string what_is_measured;  // of the NoC's rows
  std::string figure;            // as it is written

  /// Which threads, in the row's own words.
  std::string threads() const;
};

/// Nothing if the file cannot be read. A row that speaks of both chips is two.
std::optional<std::vector<Row>> read_rows(const std::string& path);
/// Those of the cores and of the coprocessor: cores.csv, queue.csv, tensix.csv.
std::optional<std::vector<Row>> read_tile_rows(const std::string& directory);
/// Those of noc.csv of units NOC, NOC/DRAM and DRAM.
std::optional<std::vector<Row>> read_noc_rows(const std::string& directory);

}  // namespace tensim::silicon
