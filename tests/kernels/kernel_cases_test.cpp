// The kernels of examples/guest/kernels on both chips: against plain arithmetic within bounds, and bit for bit and cycle
// for cycle against tests/vectors/kernels.tsv, which TENSIM_WRITE_KERNEL_VECTORS=FILE writes anew.
// TENSIM_WRITE_KERNEL_SCENARIOS=DIRECTORY writes every case as a scenario, for `tensim compare`.
#include "tests/kernels/kernel_cases.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/data_issues.hpp"
#include "tensix/fill.hpp"
#include "tests/places.hpp"
#include "tests/support/guest_example.hpp"

namespace tensim {
namespace {

using namespace test;
using Outcome = GuestExample::Outcome;

constexpr tile::Cycle budget = 200'000;

struct KernelRun {
  Outcome outcome;
  std::vector<std::string> undefined;  // what the Vector Unit was asked
  std::uint32_t packed;
  std::uint32_t cycles;
  Bytes out;
};

void write(GuestExample& example, std::uint32_t address, const void* data, std::size_t size) {
  if (size == 0) return;
  ASSERT_TRUE(example.tile.write(address, static_cast<const std::uint8_t*>(data), size));
}

/// Reads before a result is there, and such.
std::vector<std::string> undefined_vectors(const tensix::Coprocessor& coprocessor) {
  std::vector<std::string> texts;
  for (const tensix::Report& report : coprocessor.reports)
    if (report.issue >= tensix::DataIssue::vector_early_read && report.issue < tensix::DataIssue::first_unmodelled)
      texts.push_back(fmt::format("{:08x} {}", report.entry.word, report::text_of(report.issue)));
  return texts;
}

KernelRun run(Arch arch, const KernelCase& one, const tensix::Fill& fill = {}, bool lockstep = false) {
  GuestExample example(arch, programs_of(one.kernel), tile::CoreId::brisc);
  tensix::fill(example.tile.coprocessor, fill);
  example.tile.walk_in_lockstep(lockstep);
  write(example, job_address, &one.job, sizeof one.job);
  write(example, one.job.left, one.left.data(), one.left.size());
  write(example, one.job.right, one.right.data(), one.right.size());
  const Outcome outcome = example.run(budget);
  const auto first = example.tile.l1.begin() + one.job.out;
  return {outcome, undefined_vectors(example.tile.coprocessor), example.shared(packed_word),
          example.shared(end_word) - example.shared(start_word), Bytes(first, first + one.out_bytes())};
}

/// FNV-1a.
std::uint64_t hash_of(const Bytes& bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::uint8_t byte : bytes)
    hash = (hash ^ byte) * 0x100000001B3;
  return hash;
}

std::string key_of(Arch arch, const KernelCase& one) {
  return fmt::format("{}\t{}\t{}", one.kernel, name(arch), one.parameters);
}
std::string figures_of(const KernelRun& run) {
  return fmt::format("{}\t{:016x}", run.cycles, hash_of(run.out));
}

std::map<std::string, std::string> read_vectors() {
  std::map<std::string, std::string> vectors;
  std::ifstream file(TENSIM_VECTORS "/kernels.tsv");
  for (std::string line; std::getline(file, line);) {
    std::size_t tab = 0;
    for (unsigned field = 0; field < 3; ++field)
      tab = line.find('\t', tab) + 1;
    if (!line.empty() && line.front() != '#') vectors[line.substr(0, tab - 1)] = line.substr(tab);
  }
  return vectors;
}

void expect_within_bounds(const KernelCase& one, const Bytes& out) {
  const Matrix result = one.result(out);
  unsigned wrong = 0;
  for (unsigned row = 0; row < result.rows; ++row)
    for (unsigned column = 0; column < result.columns; ++column) {
      const double exact = one.exact.at(row, column);
      const double bound = one.bound.at(row, column);
      if (std::abs(result.at(row, column) - exact) <= bound || ++wrong > 4) continue;
      ADD_FAILURE() << row << ", " << column << ": " << result.at(row, column) << ", not " << exact << " +- " << bound;
    }
  EXPECT_EQ(wrong, 0U);
}

void write_file(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// The reference does not take writes to all of the configuration, which is zero there.
void write_scenario(const std::string& path, Arch arch, const KernelCase& one) {
  KernelJob job = one.job;
  job.config_is_zero = 1;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&job);
  std::string text = fmt::format("title = \"{} {}\"\narch = \"{}\"\n[cores]\n", one.kernel, one.parameters, name(arch));
  for (unsigned core = 0; core < 4; ++core)
    text += fmt::format("{} = {{ elf = \"{}/{}/{}/{}.elf\", held = {} }}\n", core_files.at(core), TENSIM_GUEST_EXAMPLES,
                        name(arch), one.kernel, core_files.at(core), core != 0);
  const auto part = [&](std::uint32_t address, const char* suffix, const Bytes& data) {
    if (data.empty()) return;
    write_file(path + suffix, data);
    text += fmt::format("[[memory]]\naddress = {}\nfile = \"{}{}\"\n", address, path, suffix);
  };
  part(job_address, ".job", Bytes(bytes, bytes + sizeof job));
  part(job.left, ".left", one.left);
  part(job.right, ".right", one.right);
  std::ofstream(path + ".toml") << text << fmt::format("[until]\n\"{:#x}\" = 1\n", job_address + 4 * packed_word);
}

class Kernels : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
};
INSTANTIATE_TEST_SUITE_P(EachChip, Kernels, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(Kernels, GiveWhatArithmeticDoesAndWhatTheyGaveBefore) {
  const auto vectors = read_vectors();
  const char* const vectors_to = std::getenv("TENSIM_WRITE_KERNEL_VECTORS");
  const char* const scenarios_to = std::getenv("TENSIM_WRITE_KERNEL_SCENARIOS");
  unsigned number = 0;
  for (const KernelCase& one : kernel_cases()) {
    const std::string key = key_of(GetParam(), one);
    SCOPED_TRACE(key);
    const KernelRun result = run(GetParam(), one);
    EXPECT_EQ(result.outcome, Outcome::finished);
    EXPECT_EQ(result.packed, 1U);
    EXPECT_EQ(result.undefined, std::vector<std::string>{});
    expect_within_bounds(one, result.out);
    if (vectors_to != nullptr) std::ofstream(vectors_to, std::ios::app) << key << '\t' << figures_of(result) << '\n';
    if (scenarios_to != nullptr)
      write_scenario(fmt::format("{}/{}_{:02}", scenarios_to, name(GetParam()), number++), GetParam(), one);
    if (vectors_to != nullptr) continue;
    const auto stored = vectors.find(key);
    ASSERT_NE(stored, vectors.end());
    EXPECT_EQ(figures_of(result), stored->second);
  }
}

// Pack empties one half of Dst while math fills the other.
TEST_P(Kernels, MatmulIsFasterWithTwoHalvesOfDst) {
  const auto cycles = [](unsigned halves) {
    const KernelCase one = matmul_case({.blocks = 4, .tiles = 4, .depth = 4, .halves = halves}, "");
    return run(GetParam(), one).cycles;
  };
  EXPECT_LT(cycles(2), cycles(1));
}

// Configuration that nobody has set is noise on a card.
TEST_P(Kernels, RelyOnNothingThatTheyHaveNotSet) {
  for (const KernelCase& one : kernel_cases()) {
    SCOPED_TRACE(key_of(GetParam(), one));
    EXPECT_EQ(run(GetParam(), one).out, run(GetParam(), one, {tensix::Fill::Kind::random, 7}).out);
  }
}

TEST_P(Kernels, LoopOfMatmulsIsTheSameInLockstep) {
  const KernelCase one = loop_case(8, 2);
  EXPECT_EQ(figures_of(run(GetParam(), one)), figures_of(run(GetParam(), one, {}, true)));
}

/// Of a call, when many have gone before.
std::vector<double> cycles_per_call(Arch arch, bool out_of_phase) {
  constexpr unsigned calls = 64;
  std::vector<double> cycles;
  for (const unsigned phases : {1U, 2U, 4U}) {
    const std::uint32_t some = run(arch, loop_case(calls, phases, out_of_phase)).cycles;
    const std::uint32_t twice = run(arch, loop_case(2 * calls, phases, out_of_phase)).cycles;
    cycles.push_back((static_cast<double>(twice) - some) / calls);
  }
  return cycles;
}

// docs/kernels.md says what they are made of.
TEST_P(Kernels, LoopOfMatmulsTakesItsCyclesPerCall) {
  const bool wormhole = GetParam() == Arch::wormhole;
  EXPECT_EQ(cycles_per_call(GetParam(), false),
            (wormhole ? std::vector{64.0, 64.0, 67.0} : std::vector{30.5, 35.0, 67.0}));
  EXPECT_EQ(cycles_per_call(GetParam(), true),
            (wormhole ? std::vector{81.5, 98.0, 130.0} : std::vector{35.0, 50.5, 82.5}));
}

}  // namespace
}  // namespace tensim
