// Every row of arch/timing and arch/sizes.hpp is what its role says: a parameter is read and nothing else says it, a
// consequence is what runs of the model show, and nobody reads what is ahead.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "arch/sizes.hpp"
#include "chip/dram.hpp"
#include "chip/edge.hpp"
#include "noc/network_timing.hpp"
#include "tests/places.hpp"
#include "tests/rows/distances.hpp"
#include "tests/rows/probes.hpp"
#include "tile/tile_timing.hpp"

namespace tensim::test {
namespace {

using Measure = double (*)(Arch);

std::map<std::string_view, Measure> all_probes() {
  std::map<std::string_view, Measure> all;
  for (const auto probes :
       {frontend_probes(), sync_probes(), configuration_probes(), unit_probes(), core_probes(), size_probes()})
    for (const Probe& probe : probes)
      EXPECT_TRUE(all.emplace(probe.row, probe.measure).second) << probe.row << " has two probes";
  return all;
}

double value_of(const TimingFact& fact) {
  return fact.cycles;
}
double value_of(const SizeFact& fact) {
  return static_cast<double>(fact.value);
}

/// Takes the probes of these rows' consequences away, and compares.
template <class Rows>
void check_consequences(const Rows& rows, std::map<std::string_view, Measure>& probes) {
  for (const auto& row : rows) {
    if (row.role != Role::consequence) continue;
    const auto probe = probes.find(row.name);
    if (probe == probes.end()) {
      ADD_FAILURE() << row.name << " follows from the model, and nobody looks whether it does: tests/rows has no probe";
      continue;
    }
    for (const Arch arch : all_archs) {
      if (!row.on(arch).exists()) continue;
      EXPECT_DOUBLE_EQ(probe->second(arch), value_of(row.on(arch))) << row.name << " on " << name(arch);
    }
    probes.erase(probe);
  }
}

TEST(Rows, AConsequenceIsWhatARunShows) {  // C40
  std::map<std::string_view, Measure> probes = all_probes();
  check_consequences(timing_rows, probes);
  check_consequences(size_rows, probes);
  for (const auto& [row, measure] : probes)
    ADD_FAILURE() << row << " has a probe, but is no consequence";
}

/// Another value that the row's range allows.
double another(const TimingRow& row, Arch arch) {
  const double own = row.on(arch).cycles;
  const double half = row.range.is_whole ? own - 1 : own / 2;
  const double twice = row.range.is_whole ? own + 1 : own * 2;
  return row.range.holds(twice) ? twice : half;
}

TEST(Rows, AParameterOfTimeReachesWhatTheModelRunsWith) {
  for (const Arch arch : all_archs)
    for (const TimingRow& row : timing_rows) {
      if (row.role != Role::parameter || !row.on(arch).exists()) continue;
      EXPECT_TRUE(row.range.holds(row.on(arch).cycles)) << row.name << " on " << name(arch);
      Timing timing(arch);
      ASSERT_EQ(timing.set(row.name, another(row, arch)), Timing::Refusal::none) << row.name;
      EXPECT_FALSE(tile::TileTiming(timing) == *tile::tile_timing(arch) &&
                   noc::NetworkTiming(timing) == noc::NetworkTiming(Timing(arch)) &&
                   chip::DramTiming(timing) == chip::DramTiming(Timing(arch)) &&
                   chip::EdgeTiming(timing) == chip::EdgeTiming(Timing(arch)))
          << row.name << " is a parameter that nothing on " << name(arch) << " is made from";
    }
}

TEST(Rows, ARunTakesTheTimeItIsGiven) {
  const auto second_after = [](const std::string& program, const std::string& row, double cycles) {
    Scenario scenario = one_thread(Arch::blackhole, 0, program);
    scenario.src_b_valid = true;
    scenario.timing[row] = cycles;
    return last_distance(simulate(scenario).cycles(0));
  };
  EXPECT_EQ(second_after("SHIFTXB\nINCRWC", "shiftxb_interval", 2), 2);
  EXPECT_EQ(second_after("SHIFTXB\nINCRWC", "shiftxb_interval", 5), 5);
  EXPECT_EQ(second_after("LOADIND\nDMANOP", "loadind_latency_min", 9), 9);
  EXPECT_EQ(second_after("SFPSWAP VD=0\nSFPMOV VD=5", "sfpswap_interval", 4), 4);
}

TEST(Rows, WhatARunCannotSetIsRefused) {
  Timing timing(Arch::wormhole);
  EXPECT_EQ(timing.set("wrcfg_latncy", 2), Timing::Refusal::no_such_row);
  EXPECT_EQ(timing.set("nop_interval", 2), Timing::Refusal::not_a_parameter);
  EXPECT_EQ(timing.set("float_latency", 2), Timing::Refusal::not_on_this_chip);
  EXPECT_EQ(timing.set("wrcfg_latency", 0), Timing::Refusal::out_of_range);
  EXPECT_EQ(timing.set("wrcfg_latency", 1.5), Timing::Refusal::out_of_range);
  EXPECT_TRUE(tile::TileTiming(timing) == *tile::tile_timing(Arch::wormhole));
}

/// The text of the model: src/ without its tests and without the tables themselves.
std::string model_text() {
  std::ostringstream text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TENSIM_SOURCES)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.ends_with("_test.cpp") || path.find("/arch/") != std::string::npos) continue;
    text << std::ifstream(entry.path()).rdbuf();
  }
  return text.str();
}

template <class Rows>
void check_readers(const Rows& rows, const std::string& suffix, const std::string& model) {
  for (const auto& row : rows) {
    const bool is_read = model.find('"' + std::string(row.name) + '"' + suffix) != std::string::npos;
    EXPECT_EQ(is_read, row.role == Role::parameter) << row.name << ": a parameter is read, anything else is not";
  }
}

TEST(Rows, TheModelReadsItsParametersAndNothingElse) {
  const std::string model = model_text();
  ASSERT_FALSE(model.empty());
  check_readers(timing_rows, "_cycles", model);
  check_readers(size_rows, "_size", model);
}

}  // namespace
}  // namespace tensim::test
