// Cores that store to L1 without a pause while a unit transfers from or to it.
#include <gtest/gtest.h>

#include "arch/config_registers.hpp"
#include "tests/support/guest_tile.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using namespace rv;
using namespace tensim::literals;
using tile::CoreId;

constexpr std::uint32_t stored_at = 0x300F0;  // bank 15
constexpr std::uint32_t out = 0x40000;        // bank 0

struct Case {
  Arch arch;
  bool lockstep;
};

class L1Contention : public ::testing::TestWithParam<Case> {
 protected:
  L1Contention() {
    tile().walk_in_lockstep(GetParam().lockstep);
    set("THCON_SEC0_REG6_Source_address"_config, out / 16);
    set("THCON_SEC0_REG6_Destination_address"_config, out / 16 + 64);
    set("THCON_SEC0_REG6_Buffer_size"_config, 64);
  }
  tile::Tile& tile() { return guest.tile; }
  bool is_wormhole() const { return GetParam().arch == Arch::wormhole; }
  void set(const ConfigField& field, std::uint32_t value, unsigned words = 0) {
    const ConfigField::Place& place = field.on(GetParam().arch);
    std::uint32_t& word = tile().coprocessor.config.bank[0][static_cast<std::size_t>(place.word) + words];
    word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
  }
  /// The core stores words there, for ever: one every five cycles, if nothing is in the way.
  void store_on(CoreId core) {
    std::vector<Word> program{lui(t0, stored_at >> 12U), addi(t0, t0, static_cast<int>(stored_at & 0xFFFU))};
    for (unsigned i = 0; i < 40; ++i)
      program.push_back(sw(t0, t0, 0));
    program.push_back(jal(zero, -40 * 4));
    guest.start(core, 0x6000 + 0x1000 * static_cast<unsigned>(core), program);
    tile().run_until(tile().now() + 600);
  }
  /// Cycles from the acceptance of the instruction, which is two after it was pushed.
  Cycle run(unsigned thread, std::string_view line, const Cycle& free_from) {
    const Cycle begun = tile().now() + 2;
    tile().coprocessor.push(thread, assemble(GetParam().arch, line), 0);
    tile().run_until(begun + 2000);
    EXPECT_FALSE(tile().coprocessor.fault);
    return free_from - begun;
  }
  Cycle move() {
    set("THCON_SEC0_REG6_Transfer_direction"_config, 0);
    return run(0, "XMOV", tile().coprocessor.mover.free_from);
  }
  Cycle pack(unsigned packer) {
    constexpr std::array<unsigned, 4> blocks{0, 28, 40, 68};  // Wormhole's: words 56, 84, 96, 124
    set("THCON_SEC0_REG1_Disable_zero_compress"_config, 1, blocks[packer]);
    set("THCON_SEC0_REG1_L1_Dest_addr"_config, out / 16 - 1, blocks[packer]);
    set("THCON_SEC0_REG1_In_data_format"_config, 5, blocks[packer]);
    set("THCON_SEC0_REG1_Out_data_format"_config, 5, blocks[packer]);
    set("ALU_FORMAT_SPEC_REG2_Dstacc"_config, 5);
    tile().coprocessor.adcs.context[2].packer.channel[1].x.set(255);
    return run(2, "PACR PackerMask=" + std::to_string(1U << packer) + ", Last=1",
               tile().coprocessor.packers.packer[packer].free_from);
  }

  GuestTile guest{GetParam().arch};
};
INSTANTIATE_TEST_SUITE_P(Both, L1Contention,
                         ::testing::Values(Case{Arch::wormhole, false}, Case{Arch::wormhole, true},
                                           Case{Arch::blackhole, false}, Case{Arch::blackhole, true}));

/// What hangs on Wormhole's map of ports; Blackhole's is not published, and it has one packer.
class L1ContentionOnWormhole : public L1Contention {};
INSTANTIATE_TEST_SUITE_P(Wormhole, L1ContentionOnWormhole,
                         ::testing::Values(Case{Arch::wormhole, false}, Case{Arch::wormhole, true}));

/// A word, a store of five cycles, a word...: 64 words or 32 take so long, but for the ends.
testing::AssertionResult takes_turns(Cycle cycles, unsigned words) {
  if (cycles >= 6 * (words - 1) && cycles <= 6 * words + 5) return testing::AssertionSuccess();
  return testing::AssertionFailure() << cycles << " cycles";
}

TEST_P(L1Contention, TheMoverAlone) {
  EXPECT_EQ(move(), 64U);
}

TEST_P(L1Contention, TheMoverWritesThroughThePortOfT1AndT2OnWormhole) {
  store_on(CoreId::trisc1);
  if (is_wormhole()) {
    EXPECT_TRUE(takes_turns(move(), 64));
  } else {
    // Only words of bank 15 meet a store, every 16 cycles; then the store waits for the word, or the other way round.
    const Cycle cycles = move();
    EXPECT_GE(cycles, 64U);
    EXPECT_LE(cycles, 64U + 4 * 4);
  }
}

TEST_P(L1Contention, WhatTdmaRiscTellsTheMoverIsHeldUpToo) {
  store_on(CoreId::trisc1);
  guest.set_word(out, 1);
  tile::TdmaRisc& tdma = tile().devices.tdma;
  tdma.queue.push({.word = tile::TdmaRisc::move, .params = {0, out / 16, 64, 0}});
  --tdma.parameter_credits;
  tdma.next = tile().now();
  const Cycle begun = tile().now() + 1;
  if (!GetParam().lockstep) {
    tile().run_until(begun + 2000);
    if (is_wormhole()) {
      EXPECT_TRUE(takes_turns(tile().coprocessor.mover.free_from - begun, 64));
    }
    return;
  }
  while (guest.word(out) != 0 && tile().now() < begun + 2000)
    tile().run_until(tile().now() + 1);
  EXPECT_EQ(tile().now(), tile().coprocessor.mover.free_from);
  if (is_wormhole()) {
    EXPECT_TRUE(takes_turns(tile().now() - begun, 64));
  }
}

TEST_P(L1Contention, TheMoverWritesBesideTheOtherCores) {
  store_on(CoreId::brisc);
  const Cycle cycles = move();
  EXPECT_GE(cycles, 64U);
  EXPECT_LE(cycles, 64U + 4 * 4);
}

TEST_P(L1ContentionOnWormhole, Packer3TakesTurnsWithT1AndT2) {
  EXPECT_EQ(pack(3), 32U);
  store_on(CoreId::trisc2);
  EXPECT_TRUE(takes_turns(pack(3), 32));
  EXPECT_LE(pack(2), 32U + 2 * 4);
}

TEST_P(L1ContentionOnWormhole, Packer2TakesTurnsWithBT0AndNc) {
  EXPECT_EQ(pack(2), 32U);
  store_on(CoreId::brisc);
  EXPECT_TRUE(takes_turns(pack(2), 32));
  EXPECT_LE(pack(3), 32U + 2 * 4);
  EXPECT_LE(pack(0), 32U + 2 * 4);
}

/// While the port's words and stores take turns, a store comes every six cycles instead of five.
TEST_P(L1ContentionOnWormhole, TheCoreWaitsToo) {
  store_on(CoreId::trisc1);
  const riscv::Core& core = tile().core(CoreId::trisc1);
  const auto stores_in = [&](Cycle cycles) {
    const std::uint64_t before = core.retired;
    tile().run_until(tile().now() + cycles);
    return core.retired - before;
  };
  const std::uint64_t alone = stores_in(600);
  set("THCON_SEC0_REG6_Buffer_size"_config, 0x400);  // fills 1024 units through the port
  set("THCON_SEC0_REG6_Transfer_direction"_config, 0);
  tile().coprocessor.push(0, assemble(GetParam().arch, "XMOV"), 0);
  const std::uint64_t beside = stores_in(600);
  EXPECT_NEAR(static_cast<double>(alone), 600 / 5.0 * 41 / 40, 3);
  EXPECT_NEAR(static_cast<double>(beside), 600 / 6.0 * 41 / 40, 4);
}

}  // namespace
}  // namespace tensim::test
