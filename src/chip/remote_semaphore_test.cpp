// Semaphores in software across tiles: words of L1 that other tiles set, increment and multicast over the NoC.
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "chip/chip.hpp"
#include "noc/workers.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using tile::CoreId;

constexpr std::uint32_t code = 0x4000;
constexpr std::uint32_t semaphore = 0x8010;  // a slot of 16 bytes, between two others
constexpr std::uint32_t scratch = 0x9000;    // congruent to it modulo 16
constexpr std::uint32_t passed = 0x9100;     // stored by who has waited
constexpr std::uint32_t returned = 4;        // MEM_NOC_ATOMIC_RET_VAL_ADDR
constexpr std::uint32_t unlike_any = 0x600DBEEF;

class RemoteSemaphore : public ::testing::TestWithParam<Arch> {
 protected:
  noc::FloorPlan plan_{GetParam()};
  Chip chip_{plan_};

  tile::Tile& tile(Coordinates logical) { return *chip_.touch(*noc::worker(plan_, logical)).tile; }
  static Coordinates name(Coordinates logical) { return noc::worker_name(GetParam(), logical); }

  void start(Coordinates logical, NocProgram program) {
    program.stay();
    Slot& slot = chip_.touch(*noc::worker(plan_, logical));
    const auto& words = program.words();
    slot.tile->write(code, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
    slot.tile->release(CoreId::brisc, code);
    slot.is_idle = false;
  }
  /// Waits for the semaphore to have this value.
  void start_waiter(Coordinates logical, std::uint32_t value) {
    NocProgram waiter(plan_);
    waiter.set(rv::t0, semaphore);
    waiter.set(rv::t1, value);
    waiter.add(rv::fence);
    waiter.add(rv::lw(rv::t2, rv::t0, 0));
    waiter.add(rv::bne(rv::t2, rv::t1, -8));
    waiter.store(passed, 1);
    start(logical, waiter);
  }
  std::uint32_t word(Coordinates logical, std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, tile(logical).l1.data() + address, sizeof value);
    return value;
  }
  void put(Coordinates logical, std::uint32_t address, std::uint32_t value) {
    tile(logical).write(address, reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
  }
  std::uint32_t counter(Coordinates logical, unsigned index) {
    return tile(logical).devices.nius.niu[0].counters[index];
  }
};
INSTANTIATE_TEST_SUITE_P(Chips, RemoteSemaphore, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(RemoteSemaphore, AWriteOfFourBytesSetsItAndNothingBesideIt) {  // P17
  const Coordinates setter{0, 0};
  const Coordinates waiter{3, 2};
  for (std::uint32_t slot = semaphore - 16; slot <= semaphore + 16; slot += 4)
    if (slot != semaphore) put(waiter, slot, unlike_any);
  put(setter, scratch, 7);
  start_waiter(waiter, 7);
  NocProgram program(plan_);
  program.target(name(setter), scratch);
  program.back(name(waiter), semaphore);
  program.go(ctrl_write, 4);
  start(setter, program);
  ASSERT_TRUE(chip_.run_until_idle(10'000));
  EXPECT_EQ(word(waiter, passed), 1U);
  for (std::uint32_t slot = semaphore - 16; slot <= semaphore + 16; slot += 4)
    EXPECT_EQ(word(waiter, slot) == unlike_any, slot != semaphore) << slot;
}

/// The waiter alone is at work in its tile, and has not gone round often enough to be asleep: it could read on for ever if it did not
/// heed how far others are.
TEST_P(RemoteSemaphore, AWaiterPassesInTheSameCycleInWindowsAndInLockstep) {  // P15 P17
  const Coordinates setter{0, 0};
  const Coordinates waiter{1, 0};
  for (const std::uint32_t delay : {20U, 60U, 120U, 250U, 400U, 2000U}) {
    chip_ = Chip(plan_);
    put(setter, scratch, 7);
    start_waiter(waiter, 7);
    NocProgram program(plan_);
    program.wait_cycles(delay);
    program.target(name(setter), scratch);
    program.back(name(waiter), semaphore);
    program.go(ctrl_write, 4);
    start(setter, program);
    Chip walked(chip_);
    walked.walk_in_lockstep(true);
    for (Chip* const chip : {&chip_, &walked}) {
      Slot& slot = chip->touch(*noc::worker(plan_, waiter));
      slot.tile->stop_when(passed, 1);
      ASSERT_TRUE(chip->run_until_met(slot, 100'000));
    }
    EXPECT_EQ(chip_.now(), walked.now()) << delay;
  }
}

TEST_P(RemoteSemaphore, IncrementsOfManyTilesAreAllCounted) {  // P18
  const Coordinates waiter{1, 1};
  constexpr unsigned senders = 16;
  constexpr unsigned times = 5;
  start_waiter(waiter, 3 * senders * times);
  for (unsigned n = 0; n < senders; ++n) {
    const Coordinates sender{n % 4 + 2, n / 4 + 2};
    NocProgram program(plan_);
    program.target(name(waiter), semaphore);
    program.back(name(sender), returned);
    for (unsigned i = 0; i < times; ++i)
      program.go(ctrl_atomic, increment_of(semaphore), 3);
    start(sender, program);
  }
  ASSERT_TRUE(chip_.run_until_idle(100'000));
  EXPECT_EQ(word(waiter, semaphore), 3U * senders * times);
  EXPECT_EQ(word(waiter, passed), 1U);
}

TEST_P(RemoteSemaphore, TheOldValueComesBackToAddressFour) {  // P19
  const Coordinates sender{2, 0};
  const Coordinates receiver{0, 3};
  put(receiver, semaphore, 41);
  put(sender, returned, unlike_any);
  put(sender, returned + 4, unlike_any);
  NocProgram program(plan_);
  program.target(name(receiver), semaphore);
  program.back(name(sender), returned);
  program.go(ctrl_atomic, increment_of(semaphore), 2);
  program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), 1);
  program.copy(returned, passed);
  start(sender, program);
  ASSERT_TRUE(chip_.run_until_idle(10'000));
  EXPECT_EQ(word(receiver, semaphore), 43U);
  EXPECT_EQ(word(sender, passed), 41U) << "it is there when the counter says so";
  EXPECT_EQ(word(sender, returned + 4), unlike_any);
}

TEST_P(RemoteSemaphore, AMulticastSetsItInEveryTileOfARectangle) {  // P20
  const Coordinates sender{0, 0};
  put(sender, semaphore, 9);
  for (unsigned y = 0; y < 3; ++y)
    for (unsigned x = 0; x < 3; ++x)
      if (x + y != 0) start_waiter({x, y}, 9);
  NocProgram program(plan_);
  program.target(name(sender), semaphore);
  program.back(name({2, 2}), semaphore, name({0, 0}));
  program.go(ctrl_multicast_write, 4);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 8);
  program.store(passed, 1);
  start(sender, program);
  ASSERT_TRUE(chip_.run_until_idle(10'000));
  for (unsigned y = 0; y < 3; ++y)
    for (unsigned x = 0; x < 3; ++x)
      EXPECT_EQ(word({x, y}, passed), 1U) << x << "," << y;
}

TEST_P(RemoteSemaphore, AMarkedIncrementIsAcknowledgedAndCounted) {  // P21
  const Coordinates sender{0, 0};
  const Coordinates receiver{4, 4};
  NocProgram program(plan_);
  program.target(name(receiver), semaphore);
  program.back(name(sender), returned);
  for (unsigned i = 0; i < 3; ++i)
    program.go(ctrl_atomic, increment_of(semaphore), 1);
  program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), 3);
  program.copy(program.counter("NIU_MST_REQS_OUTSTANDING_ID"_counter), passed);
  put(sender, passed, unlike_any);
  start(sender, program);
  ASSERT_TRUE(chip_.run_until_idle(10'000));
  EXPECT_EQ(counter(sender, "NIU_MST_NONPOSTED_ATOMIC_SENT"_counter), 3U);
  EXPECT_EQ(counter(sender, "NIU_MST_POSTED_ATOMIC_SENT"_counter), 0U);
  EXPECT_EQ(counter(sender, "NIU_MST_NONPOSTED_ATOMIC_STARTED"_counter), 3U);
  EXPECT_EQ(counter(receiver, "NIU_SLV_NONPOSTED_ATOMIC_RECEIVED"_counter), 3U);
  EXPECT_EQ(counter(receiver, "NIU_SLV_ATOMIC_RESP_SENT"_counter), 3U);
  EXPECT_EQ(word(sender, passed), 0U) << "nothing is outstanding";
}

/// AT_LEN_BE of an increment within the low `bits` bits.
std::uint32_t narrow_increment(std::uint32_t address, unsigned bits) {
  return 1U << 12U | (bits - 1) << 2U | address / 4 % 4;
}

TEST_P(RemoteSemaphore, AnIncrementWrapsWithinItsWidth) {  // P24
  const Coordinates sender{0, 0};
  const Coordinates receiver{1, 0};
  struct Case {
    unsigned bits;
    std::uint32_t before, added, after;
  };
  constexpr std::array cases{Case{4, 0xABCD'123E, 1, 0xABCD'123F}, Case{4, 0xABCD'123F, 1, 0xABCD'1230},
                             Case{4, 0xABCD'123E, 5, 0xABCD'1233}, Case{16, 0xABCD'FFFF, 2, 0xABCD'0001},
                             Case{32, 0xFFFF'FFFF, 3, 2}};
  NocProgram program(plan_);
  for (std::uint32_t i = 0; i < cases.size(); ++i) {
    const std::uint32_t address = semaphore + 16 * i;
    put(receiver, address, cases[i].before);
    program.target(name(receiver), address);
    program.back(name(sender), passed + 16 * i);
    program.go(ctrl_atomic, narrow_increment(address, cases[i].bits), cases[i].added);
  }
  start(sender, program);
  ASSERT_TRUE(chip_.run_until_idle(10'000));
  for (std::uint32_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(word(receiver, semaphore + 16 * i), cases[i].after) << i;
    EXPECT_EQ(word(sender, passed + 16 * i), cases[i].before) << i;
  }
}

}  // namespace
}  // namespace tensim::chip
