// The configuration as RISC-V cores see it: byte offsets, loads and stores.
#include <gtest/gtest.h>

#include "tensix/registers/config.hpp"

namespace tensim::tensix {
namespace {

using Space = ConfigLocation::Space;

TEST(ConfigRiscv, ViewOfWormhole) {
  constexpr Arch arch = Arch::wormhole;  // 188 words a bank; 57 values of 16 bytes a thread
  EXPECT_EQ(locate_config(arch, 0), (ConfigLocation{Space::config, 0, 0}));
  EXPECT_EQ(locate_config(arch, 0x2EC), (ConfigLocation{Space::config, 0, 187}));
  EXPECT_EQ(locate_config(arch, 0x2F0), (ConfigLocation{Space::config, 1, 0}));
  EXPECT_EQ(locate_config(arch, 0x5E0), (ConfigLocation{Space::thread_config, 0, 0}));
  EXPECT_EQ(locate_config(arch, 0x5E4), (ConfigLocation{Space::padding, 0, 0}));
  EXPECT_EQ(locate_config(arch, 0x5F0), (ConfigLocation{Space::thread_config, 0, 1}));
  EXPECT_EQ(locate_config(arch, 0x5E0 + 57 * 16), (ConfigLocation{Space::thread_config, 1, 0}));
  EXPECT_EQ(locate_config(arch, 0x1080), (ConfigLocation{Space::thread_config, 2, 56}));
  EXPECT_EQ(locate_config(arch, 0x108F), (ConfigLocation{Space::padding, 2, 56}));
  EXPECT_EQ(locate_config(arch, 0x1090), std::nullopt);
  EXPECT_EQ(locate_config(arch, 0xFFFFFFFF), std::nullopt);
}

TEST(ConfigRiscv, ViewOfBlackhole) {
  constexpr Arch arch = Arch::blackhole;  // 224 words a bank, as many of the dual-write window; 68 values of 4 bytes
  EXPECT_EQ(locate_config(arch, 0x37C), (ConfigLocation{Space::config, 0, 223}));
  EXPECT_EQ(locate_config(arch, 0x380), (ConfigLocation{Space::config, 1, 0}));
  EXPECT_EQ(locate_config(arch, 0x700), (ConfigLocation{Space::dual_write, 0, 0}));
  EXPECT_EQ(locate_config(arch, 0xA7F), (ConfigLocation{Space::dual_write, 0, 223}));
  EXPECT_EQ(locate_config(arch, 0xA80), (ConfigLocation{Space::thread_config, 0, 0}));
  EXPECT_EQ(locate_config(arch, 0xA80 + 68 * 4), (ConfigLocation{Space::thread_config, 1, 0}));
  EXPECT_EQ(locate_config(arch, 0xDAC), (ConfigLocation{Space::thread_config, 2, 67}));
  EXPECT_EQ(locate_config(arch, 0xDB0), std::nullopt);
}

TEST(ConfigRiscv, ThreadConfigStartsWhereTheSizesSay) {
  for (const Arch arch : all_archs) {
    const auto offset = static_cast<std::uint32_t>(size(arch, "thread_config_offset"_size));
    EXPECT_EQ(locate_config(arch, offset), (ConfigLocation{Space::thread_config, 0, 0}));
    EXPECT_NE(locate_config(arch, offset - 4)->space, Space::thread_config);
  }
}

TEST(ConfigRiscv, Loads) {
  BackendConfig config;
  config.bank[0][3] = 30;
  config.bank[1][3] = 31;
  config.thread[2][67] = 0xBEEF;
  EXPECT_EQ(riscv_config_load(config, Arch::blackhole, 0x0C), 30U);
  EXPECT_EQ(riscv_config_load(config, Arch::blackhole, 0x380 + 0x0C), 31U);
  EXPECT_EQ(riscv_config_load(config, Arch::blackhole, 0x700 + 0x0C), 30U) << "the dual-write window reads bank 0";
  EXPECT_EQ(riscv_config_load(config, Arch::blackhole, 0xDAC), 0xBEEFU);
  EXPECT_EQ(riscv_config_load(config, Arch::blackhole, 0xDAE), 0xBEEFU) << "the word around it, for lh";
  EXPECT_EQ(riscv_config_load(config, Arch::blackhole, 0xDB0), std::nullopt);
  EXPECT_EQ(riscv_config_load(config, Arch::wormhole, 0x5E4), 0U) << "padding";
}

TEST(ConfigRiscv, Stores) {
  BackendConfig config;
  store(config, Arch::blackhole, *riscv_config_store(Arch::blackhole, 0x380, 5));
  EXPECT_EQ(config.bank[0][0], 0U);
  EXPECT_EQ(config.bank[1][0], 5U);
  store(config, Arch::blackhole, *riscv_config_store(Arch::blackhole, 0x704, 6));
  EXPECT_EQ(config.bank[0][1], 6U);
  EXPECT_EQ(config.bank[1][1], 6U);
  EXPECT_EQ(store(config, Arch::blackhole, *riscv_config_store(Arch::blackhole, 0x710, 1)), state_reset);
  EXPECT_EQ(config, BackendConfig{}) << "a dual write of STATE_RESET_EN resets both banks";

  EXPECT_FALSE(riscv_config_store(Arch::blackhole, 0xA80, 1).has_value()) << "ThreadConfig is read-only";
  EXPECT_FALSE(riscv_config_store(Arch::wormhole, 0x5E4, 1).has_value());
  EXPECT_FALSE(riscv_config_store(Arch::wormhole, 0x1090, 1).has_value());
  EXPECT_FALSE(riscv_config_store(Arch::wormhole, 2, 1).has_value()) << "misaligned";
}

}  // namespace
}  // namespace tensim::tensix
