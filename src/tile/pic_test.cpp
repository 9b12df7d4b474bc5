// PIC: what is kept there, and what is refused because no core is ever interrupted.
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

constexpr std::uint32_t base = 0xFFB13000;

TEST(Pic, BlackholeSoftwareInterruptsAreSingleSlotQueues) {
  CoreAccesses cores(Arch::blackhole);
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t address = base + 0x18 + 4 * i;
    EXPECT_EQ(cores.value(CoreId::brisc, address), 0U);
    EXPECT_TRUE(cores.store(CoreId::trisc0, address, 7 + i).is_done());
    EXPECT_EQ(cores.value(CoreId::brisc, address), 7 + i);
    EXPECT_EQ(cores.value(CoreId::brisc, address), 0U);  // reading cleared it
  }
  EXPECT_EQ(cores.value(CoreId::brisc, base + 0x98), 0U);
  EXPECT_TRUE(cores.store(CoreId::brisc, base + 0x98, 1).is_done());  // hardware's: no effect
  EXPECT_EQ(cores.value(CoreId::brisc, base + 0x98), 0U);
}

TEST(Pic, BlackholeRefusesToInterruptACore) {
  for (const std::uint32_t enable : {base, base + 0xC}) {
    CoreAccesses cores(Arch::blackhole);
    EXPECT_TRUE(cores.store(CoreId::brisc, enable, 1U << 3U).is_done());
    EXPECT_TRUE(cores.store(CoreId::brisc, base + 0x18 + 4 * 2, 1).is_done());
    EXPECT_EQ(cores.store(CoreId::brisc, base + 0x18 + 4 * 3, 1).fault, AccessFault::not_modelled);
    EXPECT_EQ(cores.store(CoreId::brisc, enable, 1U << 2U).fault, AccessFault::not_modelled);
    EXPECT_EQ(cores.value(CoreId::brisc, enable), 1U << 3U);
  }
}

TEST(Pic, WormholeHasNothingPending) {
  CoreAccesses cores(Arch::wormhole);
  EXPECT_EQ(cores.value(CoreId::ncrisc, base), 0U);
  EXPECT_EQ(cores.value(CoreId::ncrisc, base + 4), 0U);
  EXPECT_TRUE(cores.store(CoreId::ncrisc, base + 8, 0x10001).is_done());
  EXPECT_EQ(cores.value(CoreId::ncrisc, base + 8), 0x10001U);
  EXPECT_EQ(cores.value(CoreId::ncrisc, base + 0xC), 0x10000U);  // the clock runs
  EXPECT_EQ(cores.value(CoreId::ncrisc, base + 0x10), 3U);
  EXPECT_TRUE(cores.store(CoreId::ncrisc, base + 0x14, 0xFF).is_done());
  EXPECT_EQ(cores.value(CoreId::ncrisc, base + 0x14), 3U);
  EXPECT_EQ(cores.store(CoreId::ncrisc, base + 0xC, 1).fault, AccessFault::not_modelled);  // would stop NC
  EXPECT_EQ(cores.load(CoreId::ncrisc, base + 0x34).fault, AccessFault::no_register);
}

}  // namespace
}  // namespace tensim::test
