// Constants of the architecture tables, written down a second time from docs/hardware: a slip in a table fails here.
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "arch/address_map.hpp"
#include "arch/debug_registers.hpp"
#include "arch/sizes.hpp"
#include "arch/timing.hpp"

namespace tensim {
namespace {

template <class Rows>
double value_of(const Rows& rows, std::string_view name, Arch arch) {
  for (const auto& row : rows)
    if (row.name == name) {
      const auto& fact = row.on(arch);
      if (!fact.exists()) return -1;
      if constexpr (requires { fact.cycles; })
        return fact.cycles;
      else
        return static_cast<double>(fact.value);
    }
  ADD_FAILURE() << "no row " << name;
  return -2;
}

struct Fact {
  std::string_view name;
  double wormhole;
  double blackhole;
};
constexpr double none = -1;

TEST(Facts, Sizes) {
  constexpr Fact facts[] = {
      {"clock_mhz", 1000, 1350},                         // timing 2.1
      {"l1_bytes", 16 * 91.5 * 1024, 1536 * 1024},       // timing 2.3
      {"l1_banks", 16, 32},                              // timing 2.3
      {"fifo_push_depth_t0", 32, 32},                    // errata 41
      {"fifo_push_depth_t1", 16, 32},                    // errata 41
      {"fifo_push_depth_t2", 16, 32},                    // errata 41
      {"fifo_push_depth_unfused", none, 29},             // ruling 9
      {"fifo_push_readmit_level", none, 28},             // ruling 9
      {"fifo_replay_depth", 8, 8},                       // errata 41
      {"fifo_gate_depth", 2, 2},                         // errata 41
      {"icache_bytes_t1", 512, 4096},                    // timing 2.4
      {"icache_bytes_b", 2048, 4096},                    // timing 2.4
      {"iram_bytes_nc", 16 * 1024, 0},                   // timing 2.4
      {"l0_dcache_bytes", 0, 4 * 16},                    // errata 18
      {"store_queue_entries", 4, 4},                     // timing 2.4
      {"retire_queue_entries", 8, 8},                    // timing 2.4
      {"loads_in_flight_remote", 4, 4},                  // timing 2.4
      {"pcbuf_entries", 16, 16},                         // timing 2.4
      {"mailbox_entries", 4, 4},                         // timing 2.4
      {"ttinsn_fuse_max", 1, 4},                         // timing 2.1
      {"packers", 4, 1},                                 // errata 43
      {"pack_read_interfaces", 1, 4},                    // errata 43
      {"semaphore_saturation", 15, 15},                  // errata 49: four bits
      {"stallwait_default_condition_mask", 0x7F, 0x0F},  // errata 31
      {"stallwait_default_block_mask", 1 << 6, 1 << 6},  // errata 31
      {"issue_ports_sync", 3, 3},                        // errata 42
      {"issue_ports_matrix", 1, 1},                      // errata 42
      {"gprs_per_thread", 64, 64},                       // errata 46
      {"tdma_command_queue_entries", 4, 4},              // timing 2.2
      {"noc_flit_bits", 256, 512},                       // timing 2.5
      {"auto_ttsync_resources", none, 8},                // timing 2.1
      {"semwait_replaces_latch", 1, 0},                  // errata 25
      {"scalar_closes_gate", 1, 0},                      // ruling 12
      {"simultaneous_rdcfg_drops", 1, 0},                // ruling 14
      {"reset_pc_b", 0, 0},                              // SoftReset.md, as are the next four
      {"reset_pc_t0", 0x6000, 0x6000},
      {"reset_pc_t1", 0xA000, 0xA000},
      {"reset_pc_t2", 0xE000, 0xE000},
      {"reset_pc_nc", 0x12000, 0x12000},
      {"soft_reset_initial", 1 << 11 | 7 << 12 | 1 << 18, 1 << 11 | 7 << 12 | 1 << 18},  // all five cores held
  };
  for (const Fact& fact : facts) {
    EXPECT_EQ(value_of(size_rows, fact.name, Arch::wormhole), fact.wormhole) << fact.name;
    EXPECT_EQ(value_of(size_rows, fact.name, Arch::blackhole), fact.blackhole) << fact.name;
  }
}

TEST(Facts, Cycles) {
  constexpr Fact facts[] = {
      {"dst_hazard_spacing", 6, 6},                  // ruling 13
      {"fpu_mul_group_latency", 5, 5},               // timing 2.2, Matrix Unit
      {"fpu_mul_group_interval", 1, 1},              // timing 2.2
      {"shiftxb_interval", 2, 2},                    // timing 2.2
      {"movd2b_exclusive_cycles", 3, 3},             // timing 2.2
      {"mov_to_dst_reader_stall", 3, 3},             // timing 2.2
      {"dmareg_arith_latency_near", 3, 3},           // timing 2.2, Scalar Unit
      {"dmareg_arith_latency_far", 4, 4},            // timing 2.2
      {"setdmareg_latency", 1, 1},                   // timing 2.2
      {"reg2flop_latency_min", 2, 2},                // timing 2.2
      {"loadind_latency_min", 3, 3},                 // timing 2.2
      {"atcas_latency_min", 15, 15},                 // timing 2.2
      {"atincget_interval_min", 12, 12},             // timing 2.2
      {"thcon_load_result_usual", 7, 7},             // timing 2.2
      {"atincget_result_usual", 24, 24},             // timing 2.2
      {"wrcfg_latency", 2, 2},                       // timing 2.2, Configuration Unit
      {"setc16_latency", 1, 1},                      // timing 2.2
      {"rdcfg_thread_hold", 2, 1},                   // timing 2.2: the thread is blocked on Wormhole only
      {"streamwrcfg_latency_min", none, 5},          // timing 2.2
      {"cfgshiftmask_interval", none, 2},            // timing 2.2
      {"config_group_block_after", 1, none},         // timing 2.2
      {"sfpu_mad_latency", 2, 2},                    // timing 2.2, Vector Unit
      {"sfpu_raw_stall", 0, 1},                      // timing 2.2
      {"sfpmul24_latency", none, 2},                 // timing 2.2
      {"sfpshft2_cross_interval", 1, 2},             // timing 2.2
      {"sfpload_after_fpu_gap", 3, 3},               // timing 2.2
      {"unpacr_address_latency", 2, 2},              // timing 2.2, Unpackers
      {"unpack_x4_per_16b", 0.25, 0.25},             // timing 2.2
      {"unpack_both_x4_per_16b", 0.5, 0.25},         // timing 2.2; Blackhole: docs/kernels.md
      {"mover_memcpy_per_16b", 11.0 / 8, 11.0 / 8},  // timing 2.2, Mover
      {"l1_narrow_write_hold", 5, 5},                // timing 2.3
      {"mul_interval", 2, 1},                        // timing 2.4
      {"mispredict_bubble", 2, 4},                   // timing 2.4
      {"div_latency_max", 33, 33},                   // timing 2.4
      {"load_local_latency", 2, 2},                  // timing 2.4
      {"load_semaphore_latency_min", 3, 3},          // timing 2.4
      {"load_tdma_latency_min", 7, 4},               // timing 2.4
      {"load_l1_latency_min", 8, 8},                 // timing 2.4
      {"store_merge_wait", none, 16},                // timing 2.4
      {"sempost_to_semwait", 1, 1},                  // ruling 3
      {"sempost_to_follower", 2, 2},                 // ruling 3
      {"mutex_release_to_acquire", 1, 1},            // ruling 6
  };
  for (const Fact& fact : facts) {
    EXPECT_EQ(value_of(timing_rows, fact.name, Arch::wormhole), fact.wormhole) << fact.name;
    EXPECT_EQ(value_of(timing_rows, fact.name, Arch::blackhole), fact.blackhole) << fact.name;
  }
}

/// The name of what `core` sees at `address`; empty if nothing is mapped there.
std::string region_at(Arch arch, CoreBit core, std::uint32_t address) {
  for (const Region& region : address_map(arch))
    if ((region.cores & core) != 0 && address - region.base < region.size_bytes) return std::string(region.name);
  return {};
}

TEST(Facts, Addresses) {
  struct Place {
    CoreBit core;
    std::uint32_t address;
    std::string_view wormhole;
    std::string_view blackhole;
  };
  // errata 15, 46; the BabyRISCV memory maps.
  constexpr Place places[] = {
      {B, 0x0016DFFF, "L1", "L1"},
      {B, 0x0016E000, "", "L1"},
      {B, 0x00180000, "", ""},
      {B, 0xFFB00FFF, "local data RAM B", "local data RAM B"},
      {B, 0xFFB01000, "", "local data RAM B"},
      {T1, 0xFFB00800, "", "own local data RAM"},
      {NC, 0xFFB11000, "TDMA-RISC", ""},
      {T0, 0xFFB11000, "TDMA-RISC", "TDMA-RISC"},
      {NC, 0xFFB121F0, "wall clock", "wall clock"},
      {T2, 0xFFB121F8, "wall clock", "wall clock"},
      {B, 0xFFB20000, "NoC 0 NIU", "NoC 0 NIU"},
      {B, 0xFFB30000, "NoC 1 NIU", "NoC 1 NIU"},
      {B, 0xFFB40000, "NoC overlay streams", "NoC overlay streams"},
      {T0, 0xFFB80020, "own MOP configuration", "own MOP configuration"},
      {T0, 0xFFB80024, "", ""},
      {B, 0xFFB80000, "", ""},
      {T0, 0xFFBD8000, "", "Dst"},
      {B, 0xFFBD8000, "", ""},
      {NC, 0xFFC00000, "NCRISC IRAM", ""},
      {B, 0xFFE00100, "tensix GPRs (all threads)", "tensix GPRs (all threads)"},
      {T2, 0xFFE00100, "own tensix GPRs", "own tensix GPRs"},
      {NC, 0xFFE00000, "", ""},
      {B, 0xFFE60000, "instruction buffer T2 (B side)", "instruction buffer T2 (B side)"},
      {T1, 0xFFE40000, "own instruction buffer", "own instruction buffer"},
      {T1, 0xFFE80000, "own PCBuf (T side)", "own PCBuf (T side)"},
      {T1, 0xFFE80004, "own TTSync", "own TTSync"},
      {T1, 0xFFE80020, "semaphores", "semaphores"},
      {T1, 0xFFE8003F, "semaphores", "semaphores"},
      {B, 0xFFEA0000, "PCBuf T2 (B side)", "PCBuf T2 (B side)"},
      {T0, 0xFFEA0000, "", ""},
      {T0, 0xFFEC3000, "mailbox T2", "mailbox T2"},
      {T0, 0xFFEF0000, "backend configuration", "backend configuration"},
      {NC, 0xFFEF0000, "", ""},
  };
  for (const Place& place : places) {
    SCOPED_TRACE(testing::Message() << std::hex << place.address << " core bit " << place.core);
    EXPECT_EQ(region_at(Arch::wormhole, place.core, place.address), place.wormhole);
    EXPECT_EQ(region_at(Arch::blackhole, place.core, place.address), place.blackhole);
  }
}

TEST(Facts, FindRegionAgreesWithTheMap) {
  for (const Arch arch : all_archs)
    for (const CoreBit core : {B, T0, T1, T2, NC})
      for (const Region& row : address_map(arch))
        for (const std::uint32_t address : {row.base - 1, row.base, row.base + row.size_bytes / 2,
                                            row.base + row.size_bytes - 1, row.base + row.size_bytes}) {
          const Region* found = find_region(arch, core, address);
          EXPECT_EQ(found == nullptr ? "" : found->name, region_at(arch, core, address)) << std::hex << address;
        }
}

std::optional<std::uint32_t> register_address(Arch arch, std::string_view name) {
  for (const DebugRegister& reg : debug_registers)
    if (reg.name == name && reg.archs.contains(arch)) return reg.address;
  return std::nullopt;
}

TEST(Facts, DebugRegisters) {
  for (const Arch arch : all_archs) {
    EXPECT_EQ(register_address(arch, "SOFT_RESET_0"), 0xFFB121B0U);
    EXPECT_EQ(register_address(arch, "WALL_CLOCK_L"), 0xFFB121F0U);
    EXPECT_EQ(register_address(arch, "WALL_CLOCK_H"), 0xFFB121F8U);
    EXPECT_EQ(register_address(arch, "INSTRN_BUF_CTRL0"), 0xFFB120A0U);
    EXPECT_EQ(register_address(arch, "CFGREG_RD_CNTL"), 0xFFB12058U);
  }
  EXPECT_EQ(register_address(Arch::blackhole, "TRISC0_RESET_PC"), 0xFFB12228U);
  EXPECT_EQ(register_address(Arch::blackhole, "NCRISC_RESET_PC"), 0xFFB12238U);
  EXPECT_EQ(register_address(Arch::wormhole, "TRISC0_RESET_PC"), std::nullopt);
}

}  // namespace
}  // namespace tensim
