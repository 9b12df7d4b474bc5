#include "insight/l1_flags.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/seeds.hpp"

namespace tensim::insight {
namespace {

constexpr unsigned stores_on = 0;  // lane of a core
constexpr std::uint32_t few_flows = 200;

void expect_same(const Snapshot& found, const Snapshot& expected) {
  ASSERT_EQ(found.actor, expected.actor);
  ASSERT_EQ(found.issued, expected.issued);
  const auto expect_same_of = [&](Lane lane) {
    ASSERT_EQ(found.known->issued(lane), expected.known->issued(lane)) << lane;
    ASSERT_EQ(found.known->done(lane), expected.known->done(lane)) << lane;
  };
  for (Lane lane = 0; lane < 3 * lanes_per_tile; ++lane)
    expect_same_of(lane);
  for (std::uint32_t flow = 0; flow < few_flows; ++flow)
    expect_same_of(flow_lane(flow));
}

/// What is written, beside the flag of every byte kept as it is.
struct Written {
  explicit Written(unsigned seed) : random(seed) {
    for (unsigned core = 0; core < tile::core_count; ++core)
      cores.emplace_back(static_cast<ActorNumber>(core));
  }

  std::uint32_t any(std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); }

  /// What cores do between their stores.
  void learn(Actor& core) {
    switch (any(6)) {
      case 0: core.issue(1 + any(lanes_per_actor - 1)); break;
      case 1: core.prove_done(lane_of(core.number(), stores_on), core.issue(stores_on)); break;  // a load
      case 2: core.prove_done(any(3 * lanes_per_tile), any(1000)); break;
      case 3: core.know_issued(flow_lane(any(few_flows)), any(1000)); break;
      case 4: core.acquire(cores[any(tile::core_count)].release()); break;
      default: break;
    }
  }
  void set(std::uint32_t address, std::uint32_t bytes, const Snapshot& by, bool is_of_packet) {
    for (std::uint32_t at = address; at < address + bytes; ++at)
      naive[at] = {is_of_packet, std::make_shared<const Snapshot>(by)};
  }
  void store(unsigned core, std::uint32_t address, std::uint8_t bytes) {
    cores[core].issue(stores_on);
    flags.stored(core, cores[core], address, bytes);
    set(address, bytes, cores[core].release(), false);
    flags.landed(core, 1);
  }
  void write(std::uint32_t address, std::uint32_t bytes, bool is_of_packet) {
    const L1Flag flag{is_of_packet, std::make_shared<const Snapshot>(cores[any(tile::core_count)].release())};
    if (bytes > 64)
      flags.written_at_length(flag, address, bytes);
    else
      flags.written(flag, address, bytes);
    set(address, bytes, *flag.snapshot, is_of_packet);
  }
  void expect_same_at(std::uint32_t address) {
    const L1Flag flag = flags.at(address);
    const std::shared_ptr<const Snapshot> found = flags.snapshot_of(flag);
    const auto expected = naive.find(address);
    ASSERT_EQ(found != nullptr, expected != naive.end());
    if (found == nullptr) return;
    EXPECT_EQ(flag.is_of_packet, expected->second.is_of_packet);
    expect_same(*found, *expected->second.snapshot);
  }

  std::mt19937 random;
  std::vector<Actor> cores;
  L1Flags flags{stores_on};
  std::map<std::uint32_t, L1Flag> naive;
};

TEST(L1Flags, SayWhatTheirWritersKnewThen) {
  test::for_each_seed(10, [](unsigned seed) {
    Written written(seed);
    constexpr std::uint32_t bytes_of_memory = 2048;
    for (unsigned i = 0; i < 2000; ++i) {
      const std::uint32_t at = written.any(bytes_of_memory);
      const unsigned core = written.any(tile::core_count);
      if (written.any(2) == 0) written.learn(written.cores[core]);
      switch (written.any(20)) {
        case 0: written.write(at, 1 + written.any(64), written.any(2) == 0); break;
        case 1: written.write(at, written.any(20) == 0 ? 300 : 4, true); break;
        default: written.store(core, at, static_cast<std::uint8_t>(1U << written.any(3))); break;
      }
      written.expect_same_at(written.any(bytes_of_memory));
    }
  });
}

/// More than are kept of a core that learns something new before each store: those that nobody can ask for are let go.
TEST(L1Flags, LetGoOfWhatNobodyCanAskFor) {
  Written written(1);
  Actor& core = written.cores[0];
  constexpr std::uint32_t bytes_of_memory = 4096;
  for (unsigned i = 0; i < 60'000; ++i) {
    core.prove_done(lane_of(8, written.any(16)), i + written.any(100));
    core.know_issued(flow_lane(written.any(20)), i + written.any(100));
    written.store(0, written.any(bytes_of_memory / 4) * 4, 4);
  }
  EXPECT_LT(written.flags.bytes(), 4U << 20);
  for (std::uint32_t at = 0; at < bytes_of_memory; ++at)
    written.expect_same_at(at);
}

/// Words of a long piece that were written again have another writer.
TEST(L1Flags, OfLongPiecesAreThoseOfTheLastWhoWrote) {
  Written written(2);
  written.store(0, 0, 4);
  written.write(0, 256, true);
  written.store(1, 4, 4);
  written.write(8, 128, true);
  written.store(2, 16, 4);
  for (std::uint32_t at = 0; at < 300; ++at)
    written.expect_same_at(at);
}

}  // namespace
}  // namespace tensim::insight
