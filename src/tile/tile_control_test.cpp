// The tile's control, debug and status registers, and soft reset (M28).
#include "tests/support/core_accesses.hpp"
#include "tile/soft_reset.hpp"

namespace tensim::test {
namespace {

class TileControl : public BothArchs {};
TENSIM_BOTH_ARCHS(TileControl);
class SoftReset : public BothArchs {};
TENSIM_BOTH_ARCHS(SoftReset);

constexpr std::uint32_t soft_reset = 0xFFB121B0;
constexpr std::uint32_t buf_ctrl0 = 0xFFB120A0;
constexpr std::uint32_t buf_ctrl1 = 0xFFB120A4;
constexpr std::uint32_t buf_status = 0xFFB120A8;
constexpr Word nop = 0x02000000U;
constexpr std::array all_core_ids{CoreId::brisc, CoreId::trisc0, CoreId::trisc1, CoreId::trisc2, CoreId::ncrisc};

TEST_P(TileControl, EveryListedRegisterAnswersOrSaysByNameThatItIsNotModelled) {
  for (const DebugRegister& row : debug_registers) {
    if (!row.archs.contains(GetParam())) continue;
    CoreAccesses cores(GetParam());
    const Answer answer = cores.load(CoreId::ncrisc, row.address);
    if (answer.is_done()) continue;
    EXPECT_EQ(answer.fault, AccessFault::not_modelled) << row.name;
    EXPECT_NE(cores.load_fault(CoreId::ncrisc, row.address).find(row.name), std::string::npos) << row.name;
  }
  CoreAccesses cores(GetParam());
  EXPECT_EQ(cores.load_fault(CoreId::brisc, 0xFFB12104),
            "BRISC loads from 0xffb12104: PERF_CNT_OUT_H_INSTRN_THREAD: not modelled yet");
}

TEST_P(TileControl, WhatFirmwareOnlyWritesIsKept) {
  CoreAccesses cores(GetParam());
  for (const std::uint32_t address : {0xFFB12070U, 0xFFB12068U, 0xFFB12000U}) {
    EXPECT_TRUE(cores.store(CoreId::brisc, address, address).is_done());
    EXPECT_EQ(cores.woken(), all_cores);
    for (const CoreId core : all_core_ids)
      EXPECT_EQ(cores.value(core, address), address);
  }
  EXPECT_EQ(cores.value(CoreId::brisc, 0xFFB12072, 2), 0xFFB1U);  // narrow loads take their part
  EXPECT_EQ(cores.store(CoreId::brisc, 0xFFB12070, 1, 1).fault, AccessFault::wrong_size);
  EXPECT_EQ(cores.load(CoreId::brisc, 0xFFB12024).fault, AccessFault::no_register);
  EXPECT_EQ(cores.store(CoreId::brisc, 0xFFB12FFC, 1).fault, AccessFault::no_register);
  EXPECT_EQ(cores.store(CoreId::brisc, buf_status, 1).fault, AccessFault::not_writable);
}

TEST_P(TileControl, TheWallClockCountsCyclesAndItsLowHalfLatchesTheHighOne) {
  CoreAccesses cores(GetParam());
  cores.step(9);
  EXPECT_EQ(cores.value(CoreId::trisc1, 0xFFB121F0), 9U);
  cores.coprocessor.now = 0x1'0000'0005;
  EXPECT_EQ(cores.value(CoreId::trisc1, 0xFFB121F8), 0U);  // latched before
  EXPECT_EQ(cores.value(CoreId::trisc1, 0xFFB121F4), 1U);  // live
  EXPECT_EQ(cores.value(CoreId::trisc1, 0xFFB121F0), 5U);
  EXPECT_EQ(cores.value(CoreId::trisc1, 0xFFB121F8), 1U);
  EXPECT_EQ(cores.load(CoreId::brisc, 0xFFB121F0).watch, tile::watch_time);
}

TEST_P(TileControl, NcriscPushesOverTheDebugBusOnARisingEdge) {  // M28
  for (unsigned thread = 0; thread < 3; ++thread) {
    CoreAccesses cores(GetParam());
    const auto store_ctrl = [&](std::uint32_t value) {
      EXPECT_TRUE(cores.store(CoreId::ncrisc, buf_ctrl0, value).is_done());
    };
    EXPECT_EQ(cores.value(CoreId::ncrisc, buf_status), 0x77U);  // room, and empty, everywhere
    EXPECT_TRUE(cores.store(CoreId::ncrisc, buf_ctrl1, assemble(GetParam(), "ttatgetm 0")).is_done());
    store_ctrl(0x10U << thread);  // without control of the FIFO: nothing
    store_ctrl(0);
    EXPECT_TRUE(cores.coprocessor.frontends[thread].is_empty());
    store_ctrl(1U << thread);
    store_ctrl(0x11U << thread);
    EXPECT_EQ(cores.value(CoreId::ncrisc, buf_status) >> (4 + thread) & 1U, 0U);
    store_ctrl(0x11U << thread);  // no edge
    cores.step(5);
    EXPECT_EQ(cores.coprocessor.sync.mutex_owner[0], thread);
    EXPECT_EQ(cores.value(CoreId::ncrisc, buf_status), 0x77U);
    // Meanwhile what cores push to the thread is lost.
    EXPECT_TRUE(cores.store(t_core_ids[thread], 0xFFE40000, nop).is_done());
    EXPECT_TRUE(cores.store(CoreId::brisc, 0xFFE40000 + 0x10000 * thread, nop).is_done());
    EXPECT_TRUE(cores.coprocessor.frontends[thread].is_empty());
  }
}

TEST_P(TileControl, ConfigurationCanBeReadThroughTheDebugRegisters) {
  CoreAccesses cores(GetParam());
  cores.coprocessor.config.bank[0][7] = 0x1234;
  EXPECT_TRUE(cores.store(CoreId::ncrisc, 0xFFB12058, 7).is_done());
  EXPECT_EQ(cores.value(CoreId::ncrisc, 0xFFB12078), 0x1234U);
}

TEST_P(SoftReset, AllCoresAreHeldAtFirstAndEachHasItsBit) {
  CoreAccesses cores(GetParam());
  EXPECT_EQ(cores.value(CoreId::brisc, soft_reset), 0x47800U);
  const std::array<std::uint32_t, 5> bits{1U << 11, 1U << 12, 1U << 13, 1U << 14, 1U << 18};
  for (unsigned i = 0; i < bits.size(); ++i) {
    cores.store(CoreId::brisc, soft_reset, bits[i]);
    for (unsigned j = 0; j < bits.size(); ++j)
      EXPECT_EQ(in_reset(cores.devices, all_core_ids[j]), i == j);
  }
}

TEST_P(SoftReset, CoresStartAtFixedAddressesUnlessOverridden) {
  CoreAccesses cores(GetParam());
  const auto start = [&](CoreId core) { return reset_pc(cores.devices, cores.coprocessor, core); };
  const std::array<std::uint32_t, 5> fixed{0, 0x6000, 0xA000, 0xE000, 0x12000};
  for (unsigned i = 0; i < fixed.size(); ++i)
    EXPECT_EQ(start(all_core_ids[i]), fixed[i]);
  // Blackhole: registers of the block. Wormhole: words 158 to 163 of configuration.
  const auto set = [&](std::uint32_t on_blackhole, unsigned on_wormhole, std::uint32_t value) {
    if (is_blackhole())
      EXPECT_TRUE(cores.store(CoreId::brisc, on_blackhole, value).is_done());
    else
      cores.coprocessor.config.bank[0][on_wormhole] = value;
  };
  for (unsigned i = 0; i < 3; ++i)
    set(0xFFB12228 + 4 * i, 158 + i, 0x1000 * (i + 1));
  set(0xFFB12238, 162, 0x5000);
  for (unsigned i = 0; i < fixed.size(); ++i)
    EXPECT_EQ(start(all_core_ids[i]), fixed[i]);
  set(0xFFB12234, 161, 0b101);
  set(0xFFB1223C, 163, 1);
  EXPECT_EQ(start(CoreId::trisc0), 0x1000U);
  EXPECT_EQ(start(CoreId::trisc1), 0xA000U);
  EXPECT_EQ(start(CoreId::trisc2), 0x3000U);
  EXPECT_EQ(start(CoreId::ncrisc), 0x5000U);
  EXPECT_EQ(start(CoreId::brisc), 0U);
}

TEST_P(SoftReset, EnteringDiscardsWhatTheCoreHasSent) {
  for (unsigned i = 0; i < 3; ++i) {
    CoreAccesses cores(GetParam());
    cores.store(CoreId::brisc, soft_reset, 0);
    const std::uint32_t mailbox_b = 0xFFEC0000;
    cores.store(t_core_ids[i], mailbox_b, 1);
    cores.store(t_core_ids[(i + 1) % 3], mailbox_b, 2);
    while (cores.coprocessor.can_push(i))
      cores.store(t_core_ids[i], 0xFFE40000, nop);
    cores.store(CoreId::brisc, soft_reset, 1U << (12 + i));
    EXPECT_EQ(cores.value(CoreId::brisc, mailbox_b + 0x1000 * (i + 1) + 4), 0U);
    EXPECT_EQ(cores.value(CoreId::brisc, mailbox_b + 0x1000 * ((i + 1) % 3 + 1) + 4), 1U);
    EXPECT_TRUE(cores.coprocessor.frontends[i].is_empty());
    EXPECT_TRUE(cores.coprocessor.can_push(i));
  }
}

TEST_P(SoftReset, EnteringStopsTheExpansionOfAMop) {
  CoreAccesses cores(GetParam());
  cores.store(CoreId::brisc, soft_reset, 0);
  const std::array<Word, 9> config{100, 100, nop, nop, nop, nop, nop, nop, nop};
  for (unsigned word = 0; word < 9; ++word)
    cores.store(CoreId::trisc0, 0xFFB80000 + 4 * word, config[word]);
  cores.store(CoreId::trisc0, 0xFFE40000, assemble(GetParam(), "MOP.Template1"));
  cores.step(20);
  EXPECT_FALSE(cores.coprocessor.thread_is_idle(0));
  cores.store(CoreId::brisc, soft_reset, 1U << 12);
  cores.step(5);  // what has passed the expander goes on
  EXPECT_TRUE(cores.coprocessor.thread_is_idle(0));
}

TEST_P(SoftReset, LeavingDiscardsTheCoresPcBuffer) {
  CoreAccesses cores(GetParam());
  cores.store(CoreId::brisc, 0xFFE90000, 5);
  cores.store(CoreId::brisc, soft_reset, 0x47800);
  EXPECT_EQ(cores.devices.pc_buffers.of[1].fifo.size(), 1U);
  cores.store(CoreId::brisc, soft_reset, 0);
  EXPECT_EQ(cores.devices.pc_buffers.of[1].fifo.size(), 0U);
}

TEST_P(SoftReset, ReachesSrcOwnershipAndThconConfiguration) {
  CoreAccesses cores(GetParam());
  cores.coprocessor.src.hand_to_matrix(tensix::Src::a);
  cores.coprocessor.src.hand_to_matrix(tensix::Src::b);
  cores.coprocessor.config.bank[1][is_wormhole() ? 52 : 64] = 1;
  cores.coprocessor.config.bank[1][is_wormhole() ? 51 : 63] = 1;
  cores.store(CoreId::brisc, soft_reset, 1U << 15);
  EXPECT_TRUE(cores.coprocessor.src.unpack_side_clear(tensix::Src::a));
  EXPECT_EQ(cores.coprocessor.src.unpack_bank[0], 0U);
  EXPECT_TRUE(cores.coprocessor.src.matrix_side_valid(tensix::Src::b));
  cores.store(CoreId::brisc, soft_reset, 1U << 9);
  EXPECT_EQ(cores.coprocessor.config.bank[1][is_wormhole() ? 52 : 64], 0U);
  EXPECT_EQ(cores.coprocessor.config.bank[1][is_wormhole() ? 51 : 63], 1U);
}

TEST_P(SoftReset, AbortingAUnitsWorkIsNotModelledAndSaysSo) {
  CoreAccesses cores(GetParam());
  cores.store(CoreId::trisc0, 0xFFE40000, assemble(GetParam(), "UNPACR.Regular WhichUnpacker=0"));
  EXPECT_TRUE(cores.store(CoreId::brisc, soft_reset, 0x83).is_done());  // nothing to abort yet
  cores.store(CoreId::brisc, soft_reset, 0);
  cores.step(5);
  EXPECT_EQ(cores.store(CoreId::brisc, soft_reset, 0x83).fault, AccessFault::not_modelled);
}

}  // namespace
}  // namespace tensim::test
