// Perfetto traces, read back by a reader of their own: slices nest, flows join, and times and values are those of the run, which the
// profile has counted by itself. The bytes are the same however the run was made.
#include "report/perfetto.hpp"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "insight/profiler.hpp"
#include "tensix/occupancy_names.hpp"
#include "tests/places.hpp"
#include "tests/support/load_file.hpp"
#include "tests/support/perfetto_reader.hpp"
#include "tests/support/random_tile.hpp"
#include "tests/support/seeds.hpp"

namespace tensim {
namespace {

using event::Stall;
using insight::Profile;
using tensix::Cycle;
using test::read_perfetto;
using test::ReadPerfetto;
using test::ReadTrack;
using tile::Tile;
using trace::Perfetto;
using trace::PerfettoLimits;
using Halt = Tile::Halt;

const trace::PerfettoLines numbers{
    .of_word = [](noc::Coordinates, unsigned,
                  const tensix::Entry& entry) { return fmt::format("{:#x}", entry.origin()); },
    .of_pc = [](noc::Coordinates, unsigned, std::uint32_t pc) { return fmt::format("{:#x}", pc); }};

std::string name_of(noc::Coordinates) {
  return "tile";
}

// ---- what a trace says, beside what the profile does ----

bool is_loop(const test::PerfettoSlice& slice) {
  return slice.name.ends_with("rounds of a loop");
}

/// Up to where the trace goes. Threads and cores are told of to the end of the run.
void expect_is_profile(const ReadPerfetto& read, const Profile& profile) {
  for (unsigned i = 0; i < tensix::thread_count; ++i) {
    const event::StallAccount& account = profile.threads[i].account;
    const ReadTrack* const gate = read.find(fmt::format("T{} gate", i));
    const std::uint64_t at_gate = profile.cycles - account[Stall::empty];
    ASSERT_EQ(gate == nullptr, at_gate == 0) << "T" << i;
    if (gate == nullptr) continue;
    EXPECT_EQ(gate->cycles(), at_gate) << "T" << i;
    for (const auto& [stall, name] : event::stall_rows)
      if (stall != Stall::issued && stall != Stall::empty) {
        EXPECT_EQ(gate->cycles(name, 1), account[stall]) << "T" << i << " " << name;
      }
  }
  for (unsigned i = 0; i < profile.units.size(); ++i) {
    const ReadTrack* const unit = read.find(tensix::name(static_cast<tensix::Occupancy>(i)));
    EXPECT_EQ(unit == nullptr ? 0 : unit->cycles(), profile.units[i].busy) << i;
    if (unit != nullptr) {
      EXPECT_GE(unit->slices.size(), profile.units[i].operations) << i;
    }
  }
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const ReadTrack* const core = read.find(tile::core_names[i]);
    ASSERT_EQ(core != nullptr, profile.cores[i].ran) << tile::core_names[i];
    if (core == nullptr) continue;
    EXPECT_EQ(core->cycles(), profile.cycles) << tile::core_names[i];
    if (std::ranges::any_of(core->slices, is_loop)) continue;  // what is in those has no names
    EXPECT_EQ(core->cycles("in_reset"), profile.cores[i].account[event::CoreStall::in_reset]) << tile::core_names[i];
  }
}

void expect_is_sound(ReadPerfetto& read, Cycle from, Cycle to) {
  for (const ReadTrack& track : read.tracks) {
    Cycle last = from;
    for (const test::PerfettoSlice& slice : track.slices) {
      ASSERT_GE(slice.from, last) << track.name;
      ASSERT_LE(slice.until, to) << track.name;
      ASSERT_FALSE(slice.name.empty()) << track.name;
      last = slice.from;
    }
    for (std::size_t i = 1; i < track.values.size(); ++i)
      ASSERT_GT(track.values[i].at, track.values[i - 1].at) << track.name;
  }
  EXPECT_EQ(read.problems, std::vector<std::string>{});
}

void expect_last_values(const ReadPerfetto& read, const Tile& tile) {
  for (unsigned i = 0; i < semaphore_count; ++i) {
    const ReadTrack* const track = read.find(fmt::format("semaphore {} ({})", i, semaphore_index.symbols[i].name));
    if (track != nullptr) {
      EXPECT_EQ(track->values.back().value, tile.coprocessor.sync.semaphores()[i].value) << "semaphore " << i;
    }
  }
  for (unsigned file = 0; file < 2; ++file) {
    const ReadTrack* const track = read.find(file == 0 ? "SrcA banks full" : "SrcB banks full");
    const auto& owns = tile.coprocessor.src.matrix_owns[file];
    if (track != nullptr) {
      EXPECT_EQ(track->values.back().value, owns[0] + owns[1]) << "file " << file;
    }
  }
}

/// Empty if they are the same.
std::string first_difference(const std::string& a, const std::string& b) {
  if (a == b) return "";
  const ReadPerfetto of_a = read_perfetto(a);
  const ReadPerfetto of_b = read_perfetto(b);
  for (const ReadTrack& track : of_a.tracks) {
    const ReadTrack* const other = of_b.find(track.name, track.process);
    if (other == nullptr) return track.name + " is missing";
    for (std::size_t i = 0; i < std::min(track.slices.size(), other->slices.size()); ++i) {
      const test::PerfettoSlice& x = track.slices[i];
      const test::PerfettoSlice& y = other->slices[i];
      if (x.from != y.from || x.until != y.until || x.name != y.name || x.arguments != y.arguments)
        return fmt::format("{}: {} in {}-{}, and {} in {}-{}", track.name, x.name, x.from, x.until, y.name, y.from,
                           y.until);
    }
    for (std::size_t i = 0; i < std::min(track.values.size(), other->values.size()); ++i)
      if (track.values[i].at != other->values[i].at || track.values[i].value != other->values[i].value)
        return fmt::format("{} of {}: {} in {}, and {} in {}", track.name, track.process, track.values[i].value,
                           track.values[i].at, other->values[i].value, other->values[i].at);
    if (track.slices.size() != other->slices.size() || track.values.size() != other->values.size())
      return fmt::format("{} of {} has {} slices and {} values, and not {} and {}", track.name, track.process,
                         other->slices.size(), other->values.size(), track.slices.size(), track.values.size());
  }
  return "something else";
}

// ---- random programs on the cores of a tile ----

struct TracedTile {
  TracedTile(Arch arch, const test::TileProgram& program, bool lockstep) : tile(arch) {
    all.emplace(std::vector<event::Listener*>{perfetto.of_tile({}, tile), &profiler});
    tile.tell(&*all);
    program.start(tile);
    tile.walk_in_lockstep(lockstep);
  }
  Halt go_on(Halt halt, Cycle end) {
    if (halt != Halt::nothing_left) return halt;
    tile.idle_until(end);
    return Halt::reached;
  }
  Halt run_until(Cycle end) { return go_on(tile.run_until(end), end); }
  Halt run_in_windows(Cycle end, std::mt19937& random) {
    Halt halt = Halt::reached;
    while (halt == Halt::reached && tile.now() < end) {
      const Cycle to = std::min<Cycle>(end, tile.now() + 1 + random() % (Cycle{1} << random() % 13));
      halt = go_on(tile.run_window(to), to);
    }
    tile.settle();
    return halt;
  }
  std::string finish() {
    tile.tell(nullptr);
    perfetto.finish_tile({}, tile);
    std::string bytes;
    EXPECT_EQ(perfetto.finish(numbers, [&](std::string_view piece) { bytes += piece; }), std::vector<std::string>{});
    return bytes;
  }

  Perfetto perfetto{PerfettoLimits{}, name_of};
  insight::Profiler profiler;
  std::optional<event::Listeners> all;
  Tile tile;
};

class PerfettoProperty : public ::testing::TestWithParam<Arch> {};

TEST_P(PerfettoProperty, SaysWhatTheProfileSaysAndIsTheSameHoweverTheTileIsRun) {
  std::size_t flows = 0;
  std::size_t loops = 0;
  std::size_t compared = 0;
  test::for_each_seed(60, [&](unsigned seed) {
    const test::TileProgram program = test::random_tile_program(GetParam(), seed);
    std::mt19937 random(seed);
    TracedTile lockstep(GetParam(), program, true);
    TracedTile ahead(GetParam(), program, false);
    TracedTile windows(GetParam(), program, false);
    const Cycle end = 1000 + random() % 4000;
    const Halt expected = lockstep.run_until(end);
    ASSERT_EQ(ahead.run_until(end), expected);
    ASSERT_EQ(windows.run_in_windows(end, random), expected);
    const Profile profile = ahead.profiler.finish(ahead.tile, ahead.tile.now());
    const std::string bytes = ahead.finish();
    ReadPerfetto read = read_perfetto(bytes);
    flows += read.check_flows();
    expect_is_sound(read, 0, profile.cycles);
    expect_is_profile(read, profile);
    expect_last_values(read, ahead.tile);
    ASSERT_EQ(first_difference(bytes, windows.finish()), "") << "in windows";
    // In lock-step a core that is reset while it clears its local RAM is told of with more cycles than it had.
    const Profile walked = lockstep.profiler.finish(lockstep.tile, lockstep.tile.now());
    if (walked == profile) {
      ASSERT_EQ(first_difference(bytes, lockstep.finish()), "") << "in lock-step";
      ++compared;
    }
    for (const std::string_view core : tile::core_names)
      if (const ReadTrack* const track = read.find(core))
        for (const test::PerfettoSlice& slice : track->slices)
          loops += is_loop(slice);
  });
  if (test::seeds_are_chosen()) return;
  EXPECT_GT(flows, 500U);
  EXPECT_GT(loops, 50U);
  EXPECT_GT(compared, 50U);
}

INSTANTIATE_TEST_SUITE_P(Chips, PerfettoProperty, ::testing::Values(Arch::blackhole, Arch::wormhole));

// ---- scenarios ----

scenario::Scenario read_scenario(const std::string& file) {
  std::string text = load_file(file).text.value();
  constexpr std::string_view build = "../../../build/examples/guest";
  for (std::size_t at = text.find(build); at != std::string::npos; at = text.find(build, at + 1))
    text.replace(at, build.size(), TENSIM_GUEST_EXAMPLES);
  auto parsed = scenario::parse_scenario(text, file, load_file);
  if (const auto* problem = std::get_if<scenario::Problem>(&parsed)) throw std::runtime_error(problem->text);
  return std::get<scenario::Scenario>(std::move(parsed));
}

struct Traced {
  std::string bytes;
  std::vector<std::string> left_out;
  scenario::TileRun tile;
  scenario::ChipRun chip;
};

Traced trace_of(const scenario::Scenario& scenario, scenario::RunOptions options = {},
                const PerfettoLimits& limits = {}) {
  const noc::FloorPlan* const plan = scenario.runs_chip() ? &*scenario.plan : nullptr;
  Perfetto perfetto(
      limits,
      [plan](noc::Coordinates raw) { return plan == nullptr ? "tile" : report::perfetto_tile_name(*plan, raw); }, plan);
  options.follows_cycles = true;
  options.follower = [&](noc::Coordinates raw, const Tile& tile) { return perfetto.of_tile(raw, tile); };
  options.packets = &perfetto;
  Traced traced;
  const auto write = [&](std::string_view piece) { traced.bytes += piece; };
  if (plan == nullptr) {
    traced.tile = run_tile(scenario, options);
    traced.left_out = report::write_perfetto(perfetto, scenario, traced.tile.outcome, *traced.tile.tile, write);
  } else {
    traced.chip = run_chip(scenario, options);
    traced.left_out = report::write_perfetto(perfetto, scenario, traced.chip, write);
  }
  return traced;
}

TEST(PerfettoScenario, TheHandshakeHasItsHoldsLinesFlowsAndValues) {
  const auto scenario = read_scenario(TENSIM_SCENARIOS "/math_pack_handshake.toml");
  const Traced traced = trace_of(scenario);
  ReadPerfetto read = read_perfetto(traced.bytes);
  EXPECT_GT(read.check_flows(), 52U);  // as many pushes, and what they wait for
  expect_is_sound(read, 0, traced.tile.tile->now());
  expect_is_profile(read, *traced.tile.outcome.profile);
  expect_last_values(read, *traced.tile.tile);
  EXPECT_EQ(trace_of(scenario, {.lockstep = true}).bytes, traced.bytes);

  const ReadTrack* const pack = read.find("T2 gate");
  ASSERT_NE(pack, nullptr);
  const auto held = std::ranges::find(pack->slices, "latched_wait", &test::PerfettoSlice::name);
  ASSERT_NE(held, pack->slices.end());
  EXPECT_TRUE(held->arguments.at("reason").starts_with("SEMWAIT")) << held->arguments.at("reason");
  EXPECT_TRUE(held->arguments.at("line").starts_with("line ")) << held->arguments.at("line");
  // Math's SEMPOST, which pack has waited for, leads to the instruction that it held.
  const ReadTrack* const math = read.find("T1 gate");
  std::set<std::uint64_t> posted;
  for (const test::PerfettoSlice& slice : math->slices)
    posted.insert(slice.flows.begin(), slice.flows.end());
  EXPECT_TRUE(std::ranges::any_of(pack->slices, [&](const test::PerfettoSlice& slice) {
    return slice.name == "issued" &&
           std::ranges::any_of(slice.ends, [&](std::uint64_t flow) { return posted.contains(flow); });
  }));
}

TEST(PerfettoScenario, RacesAreInstantsInTheirCycle) {
  const auto scenario = read_scenario(TENSIM_SCENARIOS "/races/pack_l1_acc.toml");
  const ReadPerfetto read = read_perfetto(trace_of(scenario, {.races = insight::RuleSeverities()}).bytes);
  const ReadTrack* const races = read.find("races");
  ASSERT_NE(races, nullptr);
  ASSERT_EQ(races->slices.size(), 1U);
  EXPECT_EQ(races->slices[0].from, 5U);
  EXPECT_NE(races->slices[0].name.find("rule 19b"), std::string::npos) << races->slices[0].name;
}

TEST(PerfettoScenario, OnlyTheCyclesThatAreWanted) {
  const auto scenario = read_scenario(TENSIM_SCENARIOS "/math_pack_handshake.toml");
  const ReadPerfetto all = read_perfetto(trace_of(scenario).bytes);
  ReadPerfetto some = read_perfetto(trace_of(scenario, {}, {.from = 40, .to = 60}).bytes);
  expect_is_sound(some, 40, 60);
  for (const ReadTrack& track : all.tracks) {
    std::uint64_t expected = 0;
    for (const test::PerfettoSlice& slice : track.slices)
      if (slice.depth == 0 && slice.until > 40 && slice.from < 60)
        expected += std::min<Cycle>(slice.until, 60) - std::max<Cycle>(slice.from, 40);
    const ReadTrack* const found = some.find(track.name);
    EXPECT_EQ(found == nullptr ? 0 : found->cycles(), expected) << track.name;
  }
}

TEST(PerfettoScenario, WhatIsTooLargeIsLeftOutAsAWholeAndNamed) {
  const auto scenario = read_scenario(TENSIM_SCENARIOS "/math_pack_handshake.toml");
  const Traced all = trace_of(scenario);
  EXPECT_EQ(all.left_out, std::vector<std::string>{});
  const Traced some = trace_of(scenario, {}, {.bytes = all.bytes.size() / 2});
  EXPECT_LE(some.bytes.size(), all.bytes.size() / 2 + 1000);  // and what names them
  ReadPerfetto all_read = read_perfetto(all.bytes);
  const ReadPerfetto some_read = read_perfetto(some.bytes);
  EXPECT_FALSE(some.left_out.empty());
  const ReadTrack* const names = some_read.find("tracks that were too large");
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(names->slices.size(), some.left_out.size());
  for (const ReadTrack& track : all_read.tracks) {
    const ReadTrack* const found = some_read.find(track.name);
    const bool is_left_out = std::ranges::find(some.left_out, track.name + " of tile") != some.left_out.end();
    ASSERT_EQ(found == nullptr, is_left_out) << track.name;
    if (found == nullptr) continue;
    EXPECT_EQ(found->slices.size(), track.slices.size()) << track.name;
    EXPECT_EQ(found->values.size(), track.values.size()) << track.name;
  }
}

TEST(PerfettoScenario, AChipIsTheSameWithOneThreadAndTwo) {
  if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  for (const char* const name : {"noc_matmul/blackhole_multicast", "noc_ring/wormhole"}) {
    const auto scenario = read_scenario(fmt::format(TENSIM_SCENARIOS "/../guest/{}.toml", name));
    const Traced traced = trace_of(scenario);
    ReadPerfetto read = read_perfetto(traced.bytes);
    EXPECT_GT(read.check_flows(), 40U) << name;
    expect_is_sound(read, 0, traced.chip.chip->now());
    EXPECT_EQ(first_difference(traced.bytes, trace_of(scenario, {.host_threads = 2}).bytes), "") << name;
    std::size_t packets = 0;
    for (const ReadTrack& track : read.tracks)
      packets += track.name.starts_with("NIU") ? track.slices.size() : 0;
    EXPECT_GT(packets, 40U) << name;
    for (const scenario::TileResult& tile : traced.chip.tiles) {
      const std::string process = fmt::format("tile {},{}", tile.at.x, tile.at.y);
      for (unsigned i = 0; i < tile::core_count; ++i) {
        const ReadTrack* const core = read.find(tile::core_names[i], process);
        if (core != nullptr) {
          EXPECT_EQ(core->cycles(), tile.outcome.profile->cycles) << process;
        }
      }
      for (unsigned i = 0; i < tensix::occupancy_count; ++i) {
        const ReadTrack* const unit = read.find(tensix::name(static_cast<tensix::Occupancy>(i)), process);
        EXPECT_EQ(unit == nullptr ? 0 : unit->cycles(), tile.outcome.profile->units[i].busy) << process << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tensim
