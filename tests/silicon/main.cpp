// make silicon: silicon, documented, ours, for every row of data/silicon that the model can express.
#include <cmath>

#include <fmt/format.h>

#include "tests/silicon/guest_probes.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto rows = tensim::silicon::read_tile_rows(argv[1]);
  tensim::silicon::GuestMeasurements guests;
  for (const auto& row : *rows) {
    const auto ours = guests.measure(row);
    if (!ours) { fmt::print("NOT {} {} {} {}\n", name(row.arch), row.unit, row.probe, row.threads()); continue; }
    fmt::print("{:<10} {:<8} {:<34} {:<26} {:>9.4f} {:>9.4f} {:>6.1f}\n", name(row.arch), row.unit, row.probe, row.threads(),
               row.cycles, *ours, 100 * (*ours - row.cycles) / row.cycles);
  }
}
