// What a run cost the host: how much was simulated a second, and where the time went.
#pragma once

#include <cstdint>
#include <string>

#include "chip/chip.hpp"
#include "report/style.hpp"
#include "time/host_profile.hpp"

namespace tensim::report {

struct RunStats {
  double wall_seconds = 0;
  double processor_seconds = 0;  // of all threads
  unsigned threads = 1;
  std::uint64_t cycles = 0;
  std::uint64_t tiles = 1;                // that have done anything
  std::uint64_t core_instructions = 0;    // retired
  std::uint64_t tensix_instructions = 0;  // issued
  chip::Work work = {};                   // of several tiles
  time::HostProfile::Counts seen{};
  std::uint64_t peak_kilobytes = 0;  // of the process
};

/// JSON is of the schema tensim.stats/1.
std::string stats_report(const RunStats& stats, Format format);

}  // namespace tensim::report
