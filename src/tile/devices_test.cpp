// Programs that use devices, run ahead and in lockstep.
#include "tile/devices.hpp"

#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"
#include "tile/soft_reset.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::GuestTile;
using tile::CoreId;
using tile::Tile;

struct Case {
  Arch arch;
  bool lockstep;
};
class DevicePrograms : public ::testing::TestWithParam<Case> {
 protected:
  static GuestTile make() {
    GuestTile guest(GetParam().arch);
    guest.tile.walk_in_lockstep(GetParam().lockstep);
    return guest;
  }
  static void run(GuestTile& guest) {
    const Tile::Halt halt = guest.tile.run_until(5000);
    EXPECT_EQ(halt, GetParam().lockstep ? Tile::Halt::reached : Tile::Halt::nothing_left);  // all park in the end
  }
};
INSTANTIATE_TEST_SUITE_P(Tile, DevicePrograms,
                         ::testing::Values(Case{Arch::wormhole, false}, Case{Arch::wormhole, true},
                                           Case{Arch::blackhole, false}, Case{Arch::blackhole, true}),
                         [](const auto& instance) {
                           return std::string(name(instance.param.arch)) + (instance.param.lockstep ? "_lockstep" : "");
                         });

TEST_P(DevicePrograms, ACopyByTdmaRiscIsThereWhenItsStatusSaysSo) {  // C33
  GuestTile guest = make();
  guest.set_word(0x4000, 0x1234);
  guest.start(CoreId::brisc, 0x1000,
              {lui(t0, 0xFFB11), addi(t1, zero, 0x400), sw(t1, t0, 0),  // from 0x4000, in units of 16 bytes
               addi(t1, zero, 0x500), sw(t1, t0, 4),                    // to 0x5000
               addi(t1, zero, 4), sw(t1, t0, 8),                        // 64 bytes
               addi(t1, zero, 3), sw(t1, t0, 12),                       // L1 to L1
               addi(t1, zero, 0x40), sw(t1, t0, 16), lw(t2, t0, 20),    // go; status
               andi(t2, t2, 9), addi(t1, zero, 8), bne(t2, t1, -12),    // until queue empty and mover idle
               lui(t1, 5), lw(a0, t1, 0), here});
  run(guest);
  EXPECT_EQ(guest.word(0x5000), 0x1234U);
  EXPECT_EQ(guest.x(CoreId::brisc, a0), 0x1234U);
}

TEST_P(DevicePrograms, BriscLetsATriscGoThroughTheResetRegister) {
  GuestTile guest = make();
  const std::array<Word, 2> trisc{addi(a0, zero, 9), here};
  for (std::uint32_t i = 0; i < 2; ++i)
    guest.set_word(0xA000 + 4 * i, trisc[i]);
  guest.start(CoreId::brisc, 0x1000,
              {lui(t0, 0xFFB12), lui(t1, 0x45), sw(t1, t0, 0x1B0), here});  // T0, T2 and NC stay held
  run(guest);
  EXPECT_EQ(guest.x(CoreId::trisc1, a0), 9U);
  EXPECT_FALSE(in_reset(guest.tile.devices, CoreId::trisc1));
  EXPECT_TRUE(in_reset(guest.tile.devices, CoreId::trisc0));
}

TEST_P(DevicePrograms, AMailboxWakesACoreThatPollsAndOneThatWaits) {  // C32
  GuestTile guest = make();
  guest.start(CoreId::brisc, 0x1000,
              {lui(t0, 0xFFEC1), addi(t1, zero, 300), addi(t1, t1, -1), bne(t1, zero, -4), addi(t2, zero, 5),
               sw(t2, t0, 0), lui(t0, 0xFFEC2), sw(t2, t0, 0), here});
  guest.start(CoreId::trisc0, 0x2000, {lui(t0, 0xFFEC0), lw(t1, t0, 4), beq(t1, zero, -4), lw(a0, t0, 0), here});
  guest.start(CoreId::trisc1, 0x3000, {lui(t0, 0xFFEC0), lw(a0, t0, 0), addi(a0, a0, 1), here});
  run(guest);
  EXPECT_EQ(guest.x(CoreId::trisc0, a0), 5U);
  EXPECT_EQ(guest.x(CoreId::trisc1, a0), 6U);
}

}  // namespace
}  // namespace tensim
