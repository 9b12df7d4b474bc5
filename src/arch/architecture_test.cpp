#include <set>

#include <gtest/gtest.h>

#include "arch/address_map.hpp"
#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "arch/sizes.hpp"
#include "arch/timing.hpp"
#include "arch/wait_conditions.hpp"
#include "isa/symbols.hpp"

namespace tensim {
namespace {

const Region* find(Arch arch, CoreBit core, std::uint32_t address) {
  for (const Region& region : address_map(arch))
    if ((region.cores & core) != 0 && address - region.base < region.size_bytes) return &region;
  return nullptr;
}

TEST(Architecture, SemaphoreNames) {  // P1
  const char* names[] = {"FPU_SFPU",  "MATH_PACK",   "UNPACK_TO_DEST",   "UNPACK_OPERAND_SYNC",
                         "PACK_DONE", "UNPACK_SYNC", "UNPACK_MATH_DONE", "MATH_DONE"};
  ASSERT_EQ(semaphore_index.symbols.size(), semaphore_count);
  for (std::uint32_t i = 0; i < semaphore_count; ++i) {
    EXPECT_EQ(semaphore_index.find(names[i])->value, i);
    EXPECT_EQ(semaphore_mask.find(names[i])->value, 1U << i);
  }
}

TEST(Architecture, VendorConstants) {  // W45
  EXPECT_EQ(stall_conditions_blackhole.find("UNPACK")->value, 0x6U);
  EXPECT_EQ(stall_conditions_blackhole.find("PACK")->value, 0x8U);
  EXPECT_EQ(stall_conditions_blackhole.find("ALL_THREAD_RES")->value, 0x21FU);
  EXPECT_EQ(stall_conditions_wormhole.find("PACK")->value, 0x78U);  // ruling 20
  EXPECT_EQ(semaphore_mask.find("SEMAPHORE_BIAS")->value, 0x10U);
  for (std::uint32_t i = 0; i < semaphore_count; ++i)
    EXPECT_EQ(semaphore_mask.find("SEMAPHORE_" + std::to_string(i))->value, 1U << i);
}

TEST(Architecture, MutexSets) {  // M2 M3
  for (std::uint32_t index = 0; index < 20; ++index) {
    EXPECT_EQ(is_valid_mutex(Arch::blackhole, index), index != 1 && index <= 4) << index;
    EXPECT_EQ(is_valid_mutex(Arch::wormhole, index), index != 1 && index <= 7) << index;
  }
}

TEST(Architecture, MutexNames) {  // M4
  EXPECT_EQ(mutexes_blackhole.find("MATH")->value, 0U);
  EXPECT_EQ(mutexes_blackhole.find("UNPACK0")->value, 2U);
  EXPECT_EQ(mutexes_blackhole.find("UNPACK1")->value, 3U);
  EXPECT_EQ(mutexes_blackhole.find("PACK0")->value, 4U);
  EXPECT_EQ(mutexes_blackhole.find("REG_RMW")->value, 0U);
  EXPECT_EQ(mutexes_blackhole.find("SFPU")->value, 4U);
  EXPECT_EQ(mutexes_blackhole.find("PACK1"), nullptr);
  EXPECT_EQ(mutexes_wormhole.find("PACK3")->value, 7U);
}

TEST(Architecture, ConditionBitsAreDenseFromC0) {
  for (const Arch arch : all_archs) {
    std::uint32_t expected = 1;
    for (const Symbol& condition : stall_conditions(arch).symbols) {
      EXPECT_EQ(condition.value, expected);
      expected <<= 1U;
    }
    EXPECT_EQ(expected, arch == Arch::wormhole ? 0x8000U : 0x2000U);
  }
}

TEST(Architecture, WhatCoresSeeAtTheSemaphoreWindow) {
  for (const Arch arch : all_archs) {
    for (const CoreBit core : {T0, T1, T2})
      EXPECT_EQ(find(arch, core, 0xFFE80020)->name, "semaphores");
    EXPECT_EQ(find(arch, B, 0xFFE80020)->name, "PCBuf T0 (B side)");  // errata 15
    EXPECT_EQ(find(arch, NC, 0xFFE80020), nullptr);
    EXPECT_EQ(find(arch, B, 0xFFB80000), nullptr) << "MOP configuration is unmapped for B (errata 46)";
    EXPECT_EQ(find(arch, T1, 0xFFE50000), nullptr) << "a T core reaches only its own thread (C23)";
  }
}

TEST(Architecture, EveryRowSaysHowWeKnow) {
  std::set<std::string_view> names;
  for (const SizeRow& row : size_rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.wormhole.exists() || row.blackhole.exists()) << row.name;
    for (const Arch arch : all_archs)
      EXPECT_EQ(row.on(arch).exists(), !row.on(arch).source.empty()) << row.name;
  }
  for (const TimingRow& row : timing_rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.wormhole.exists() || row.blackhole.exists()) << row.name;
    for (const Arch arch : all_archs)
      EXPECT_EQ(row.on(arch).exists(), !row.on(arch).source.empty()) << row.name;
  }
  for (const Arch arch : all_archs)
    for (const Region& region : address_map(arch))
      EXPECT_FALSE(region.source.empty()) << region.name;
}

TEST(Architecture, FirstFifoDepths) {
  EXPECT_EQ(size(Arch::wormhole, "fifo_push_depth_t0"_size), 32);
  EXPECT_EQ(size(Arch::wormhole, "fifo_push_depth_t1"_size), 16);
  EXPECT_EQ(size(Arch::blackhole, "fifo_push_depth_t1"_size), 32);
  EXPECT_EQ(size(Arch::blackhole, "fifo_push_readmit_level"_size), 28);
  EXPECT_EQ(size(Arch::blackhole, "stallwait_default_condition_mask"_size), 0x0F);
  EXPECT_EQ(size(Arch::wormhole, "stallwait_default_condition_mask"_size), 0x7F);
}

TEST(Architecture, NamesParse) {
  EXPECT_EQ(parse_arch("bh"), Arch::blackhole);
  EXPECT_EQ(parse_arch("wormhole"), Arch::wormhole);
  EXPECT_EQ(parse_arch("grayskull"), std::nullopt);
}

}  // namespace
}  // namespace tensim
