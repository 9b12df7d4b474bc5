// make silicon: silicon, documented, ours, for every row of data/silicon that the model can express.
#include <cmath>

#include <fmt/format.h>

#include "tests/silicon/probes.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: tensim_silicon DATA_DIR\n");
    return 2;
  }
  const auto rows = tensim::silicon::read_rows(std::string(argv[1]) + "/tensix.csv");
  if (!rows) {
    fmt::print(stderr, "cannot read {}/tensix.csv\n", argv[1]);
    return 2;
  }
  unsigned compared = 0;
  unsigned outside = 0;
  fmt::print("{:<10} {:<34} {:<26} {:>9} {:>9} {:>7}  documented\n", "arch", "probe", "threads", "silicon", "ours",
             "error");
  for (const auto& row : *rows) {
    const auto ours = tensim::silicon::measure(row);
    if (!ours) continue;
    ++compared;
    const bool good = tensim::silicon::agrees(row.cycles, *ours);
    outside += good ? 0 : 1;
    const std::string threads =
        row.active.empty() ? row.conditions.substr(0, row.conditions.find(';')) : row.active + " on " + row.measured_on;
    fmt::print("{:<10} {:<34} {:<26} {:>9.4f} {:>9.4f} {:>6.1f}%{} {}\n", name(row.arch), row.probe, threads,
               row.cycles, *ours, 100 * (*ours - row.cycles) / row.cycles, good ? " " : "!", row.documented);
  }
  fmt::print("\n{} rows compared, {} outside 3 % or 0.05 cycle; {} rows need what is not modelled yet\n", compared,
             outside, rows->size() - compared);
  return outside == 0 ? 0 : 1;
}
