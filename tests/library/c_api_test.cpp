// The C interface, from C (c_api.c).
#include "tests/library/c_api.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tensim/tensim.h"
#include "tests/places.hpp"

namespace tensim::test {
namespace {

void expect_fine(const char* problem) {
  EXPECT_EQ(problem, nullptr) << problem;
}

TEST(CApi, RunsAProgram) {
  expect_fine(c_api_runs_a_program(TENSIM_WORMHOLE));
  expect_fine(c_api_runs_a_program(TENSIM_BLACKHOLE));
}

TEST(CApi, TakesSnapshots) {
  expect_fine(c_api_takes_snapshots(TENSIM_WORMHOLE));
  expect_fine(c_api_takes_snapshots(TENSIM_BLACKHOLE));
}

TEST(CApi, SurvivesMistakes) {
  expect_fine(c_api_survives_mistakes());
}

/// Programs that hang.
struct BrokenPrograms {
  std::array<std::string, 4> elves;
  std::array<const void*, 4> starts{};
  std::array<std::size_t, 4> sizes{};

  BrokenPrograms() {
    constexpr std::array names{"brisc", "trisc0", "trisc1", "trisc2"};
    for (std::size_t i = 0; i < elves.size(); ++i) {
      std::ifstream file(std::string(TENSIM_GUEST_EXAMPLES "/blackhole/broken/") + names[i] + ".elf", std::ios::binary);
      elves[i].assign(std::istreambuf_iterator<char>(file), {});
      starts[i] = elves[i].data();
      sizes[i] = elves[i].size();
    }
  }
};

TEST(CApi, ExplainsAHangDownToTheLine) {
  if (TENSIM_HAS_GUEST_COMPILER == 0) GTEST_SKIP() << "no compiler for programs of the cores";
  const BrokenPrograms programs;
  expect_fine(c_api_explains(programs.starts.data(), programs.sizes.data()));
}

TEST(CApi, RunsProgramsAsAScenario) {
  if (TENSIM_HAS_GUEST_COMPILER == 0) GTEST_SKIP() << "no compiler for programs of the cores";
  const BrokenPrograms programs;
  expect_fine(c_api_runs_programs(programs.starts.data(), programs.sizes.data()));
}

TEST(CApi, AssemblesAndExplains) {
  expect_fine(c_api_assembles_and_explains());
}

TEST(CApi, RefusesValuesThatCLetsThrough) {
  expect_fine(c_api_refuses_values());
}

/// Bytes of this process that are in memory.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// AddressSanitizer holds back what has been freed.
constexpr std::size_t kept_by_the_host = std::size_t{TENSIM_HAS_SANITIZERS == 0 ? 8 : 512} << 20U;

TEST(CApi, AThousandDevicesLeaveNothingBehind) {
  expect_fine(c_api_makes_devices(20));
  const std::size_t before = resident_bytes();
  expect_fine(c_api_makes_devices(1000));
  const std::size_t after = resident_bytes();
  EXPECT_LT(after, before + kept_by_the_host) << "a device that stayed would be 2 MiB each";
  RecordProperty("resident_growth_kib", static_cast<int>((after - std::min(after, before)) >> 10U));
}

}  // namespace
}  // namespace tensim::test
