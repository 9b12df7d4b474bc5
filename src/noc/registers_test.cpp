#include "noc/registers.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "noc/counters.hpp"
#include "noc/fields.hpp"

namespace tensim::noc {
namespace {

/// Bytes that the row's registers take in all windows.
std::vector<std::uint32_t> offsets(Arch arch, const NiuRegister& row) {
  std::vector<std::uint32_t> all;
  const unsigned windows = row.scope == NiuRegister::Scope::niu ? 1 : command_buffers;
  for (unsigned window = 0; window < windows; ++window)
    for (unsigned i = 0; i < row.on(arch).count; ++i)
      all.push_back(window * command_buffer_stride(arch) + row.on(arch).offset + 4 * i);
  return all;
}

TEST(NiuRegisters, DoNotOverlapAndFitIntoTheirWindow) {
  for (const Arch arch : all_archs) {
    std::map<std::uint32_t, std::string_view> taken;
    for (const NiuRegister& row : niu_registers)
      for (const std::uint32_t offset : offsets(arch, row)) {
        EXPECT_EQ(offset % 4, 0U) << row.name;
        EXPECT_LT(offset % command_buffer_stride(arch), 0x600U) << row.name;
        const auto [other, is_new] = taken.emplace(offset, row.name);
        EXPECT_TRUE(is_new) << row.name << " and " << other->second << " at " << std::hex << offset;
      }
  }
}

TEST(NiuRegisters, AreFoundWhereTheyAre) {
  for (const Arch arch : all_archs) {
    std::set<std::uint32_t> taken;
    for (const NiuRegister& row : niu_registers) {
      unsigned count = 0;
      for (const std::uint32_t offset : offsets(arch, row)) {
        taken.insert(offset);
        const auto found = niu_register_at(arch, offset);
        ASSERT_TRUE(found) << row.name;
        EXPECT_EQ(found->row, &row);
        EXPECT_EQ(found->index, count++ % row.on(arch).count);
        const bool is_per_buffer = row.scope == NiuRegister::Scope::command_buffer;
        EXPECT_EQ(found->buffer, is_per_buffer ? offset / command_buffer_stride(arch) : 0);
      }
    }
    for (std::uint32_t offset = 0; offset < niu_bytes(arch) + 8; ++offset)
      EXPECT_EQ(niu_register_at(arch, offset).has_value(), taken.contains(offset)) << std::hex << offset;
  }
}

struct Official {
  std::string_view name;
  std::uint32_t wormhole;
  std::uint32_t blackhole;
};
constexpr std::uint32_t none = 0xFFFF;
constexpr std::uint32_t cfg(std::uint32_t number) {
  return 0x100 + 4 * number;
}
constexpr std::uint32_t status(std::uint32_t number) {
  return 0x200 + 4 * number;
}

/// tt-metal, hw/inc/internal/tt-1xx/{wormhole,blackhole}/noc/noc_parameters.h, but for three that are in NoC/MemoryMap.md alone.
constexpr std::array official{
    Official{"NOC_TARG_ADDR_LO", 0x0, 0x0},
    Official{"NOC_TARG_ADDR_MID", 0x4, 0x4},
    Official{"NOC_TARG_ADDR_HI", 0x8, 0x8},
    Official{"NOC_RET_ADDR_LO", 0xC, 0xC},
    Official{"NOC_RET_ADDR_MID", 0x10, 0x10},
    Official{"NOC_RET_ADDR_HI", 0x14, 0x14},
    Official{"NOC_PACKET_TAG", 0x18, 0x18},
    Official{"NOC_CTRL", 0x1C, 0x1C},
    Official{"NOC_AT_LEN_BE", 0x20, 0x20},
    Official{"NOC_AT_LEN_BE_1", none, 0x24},
    Official{"NOC_AT_DATA", 0x24, 0x28},
    Official{"NOC_BRCST_EXCLUDE", none, 0x2C},
    Official{"NOC_L1_ACC_AT_INSTRN", none, 0x30},
    Official{"NOC_SEC_CTRL", none, 0x34},
    Official{"NOC_CMD_CTRL", 0x28, 0x40},
    Official{"NOC_NODE_ID", 0x2C, 0x44},
    Official{"NOC_ENDPOINT_ID", 0x30, 0x48},
    Official{"NUM_MEM_PARITY_ERR", 0x40, 0x50},
    Official{"NUM_HEADER_1B_ERR", 0x44, 0x54},
    Official{"NUM_HEADER_2B_ERR", 0x48, 0x58},
    Official{"ECC_CTRL", 0x4C, 0x5C},
    Official{"NOC_CLEAR_OUTSTANDING_REQ_CNT", 0x50, 0x60},
    Official{"CMD_BUF_STATUS", 0x54, none},  // the page
    Official{"CMD_BUF_AVAIL", none, 0x64},
    Official{"CMD_BUF_OVFL", none, 0x68},
    Official{"NIU_CFG_0", cfg(0), cfg(0)},
    Official{"ROUTER_CFG_0", cfg(1), cfg(1)},
    Official{"ROUTER_CFG_1", cfg(2), cfg(2)},
    Official{"ROUTER_CFG_2", cfg(3), cfg(3)},
    Official{"ROUTER_CFG_3", cfg(4), cfg(4)},
    Official{"ROUTER_CFG_4", cfg(5), cfg(5)},
    Official{"NOC_X_ID_TRANSLATE_TABLE", cfg(0x6), cfg(0x6)},
    Official{"NOC_Y_ID_TRANSLATE_TABLE", cfg(0xA), cfg(0xC)},
    Official{"NOC_ID_LOGICAL", cfg(0xE), cfg(0x12)},
    Official{"MEMORY_SHUTDOWN_CONTROL", none, cfg(0x13)},
    Official{"NOC_ID_TRANSLATE_COL_MASK", none, cfg(0x14)},
    Official{"NOC_ID_TRANSLATE_ROW_MASK", none, cfg(0x15)},
    Official{"DDR_COORD_TRANSLATE_TABLE", none, cfg(0x16)},
    Official{"DDR_COORD_TRANSLATE_COL_SWAP", none, cfg(0x1C)},
    Official{"DEBUG_COUNTER_RESET", none, cfg(0x1D)},
    Official{"NIU_TRANS_COUNT_RTZ_CFG", none, cfg(0x1E)},
    Official{"NIU_TRANS_COUNT_RTZ_CLR", none, cfg(0x1F)},
    Official{"NOC_STATUS", status(0), status(0)},
    Official{"ROUTER_DEBUG", 0x300, status(0x40)},  // the page
    Official{"NIU_TRANS_COUNT_RTZ_NUM", none, status(0x5E)},
    Official{"NIU_TRANS_COUNT_RTZ_SOURCE", none, status(0x5F)},
    Official{"NIU_DEBUG", 0x380, status(0x60)},  // the page
    Official{"NOC_SEC_FENCE_RANGE", none, 0x400},
    Official{"NOC_SEC_FENCE_ATTRIBUTE", none, 0x480},
    Official{"NOC_SEC_FENCE_MASTER_LEVEL", none, 0x4A0},
    Official{"NOC_SEC_FENCE_FIFO_STATUS", none, 0x4A4},
    Official{"NOC_SEC_FENCE_FIFO_RDDATA", none, 0x4A8},
    Official{"PORT1_FLIT_COUNTER", none, 0x500},
    Official{"PORT2_FLIT_COUNTER", none, 0x580},
};

TEST(NiuRegisters, OffsetsAreTheOfficialOnes) {
  ASSERT_EQ(official.size(), niu_registers.size());
  for (std::size_t i = 0; i < official.size(); ++i) {
    const NiuRegister& row = niu_registers[i];
    EXPECT_EQ(row.name, official[i].name);
    EXPECT_EQ(row.wormhole.count == 0 ? none : row.wormhole.offset, official[i].wormhole) << row.name;
    EXPECT_EQ(row.blackhole.count == 0 ? none : row.blackhole.offset, official[i].blackhole) << row.name;
  }
  EXPECT_EQ(command_buffer_stride(Arch::wormhole), 0x400U);
  EXPECT_EQ(command_buffer_stride(Arch::blackhole), 0x800U);
}

TEST(NiuRegisters, CountersAreApartAndHaveTheirOfficialNumbers) {
  std::array<unsigned, niu_counters> taken{};
  for (const CounterRow& row : counter_rows)
    for (unsigned i = 0; i < row.count; ++i)
      ++taken.at(row.index + i);
  for (unsigned i = 0; i < niu_counters; ++i)
    EXPECT_EQ(taken[i], i < 0x3E ? 1U : 0U) << i;
  EXPECT_EQ("NIU_MST_RD_RESP_RECEIVED"_counter, 2U);
  EXPECT_EQ("NIU_MST_CMD_ACCEPTED"_counter, 4U);
  EXPECT_EQ("NIU_MST_NONPOSTED_WR_REQ_SENT"_counter, 0xAU);
  EXPECT_EQ("NIU_MST_REQS_OUTSTANDING_ID"_counter, 0x10U);
  EXPECT_EQ("NIU_MST_WRITE_REQS_OUTGOING_ID"_counter, 0x20U);
  EXPECT_EQ("NIU_SLV_REQ_ACCEPTED"_counter, 0x34U);
  EXPECT_EQ("NIU_SLV_POSTED_WR_REQ_STARTED"_counter, 0x3DU);
}

template <class Rows>
void expect_apart(const Rows& rows, bool covers_all) {
  for (const Arch arch : all_archs) {
    std::uint32_t taken = 0;
    for (const BitsRow& row : rows) {
      if (!row.archs.contains(arch)) continue;
      EXPECT_EQ(taken & row.bits.mask(), 0U) << row.name;
      taken |= row.bits.mask();
    }
    EXPECT_TRUE(!covers_all || taken == ~0U) << std::hex << taken;
  }
}

TEST(NiuFields, AreApart) {
  expect_apart(ctrl_rows, true);
  expect_apart(packet_tag_rows, true);
  expect_apart(brcst_exclude_rows, false);
  expect_apart(niu_cfg_0_rows, false);
  expect_apart(node_id_rows, false);
}

/// noc_parameters.h: NOC_CMD_*.
TEST(NiuFields, CtrlIsTheOfficialOne) {
  EXPECT_EQ("NOC_CMD_WR_BE"_ctrl.mask(), 0x1U << 2U);
  EXPECT_EQ("NOC_CMD_WR_INLINE"_ctrl.mask(), 0x1U << 3U);
  EXPECT_EQ("NOC_CMD_RESP_MARKED"_ctrl.mask(), 0x1U << 4U);
  EXPECT_EQ("NOC_CMD_BRCST_PACKET"_ctrl.mask(), 0x1U << 5U);
  EXPECT_EQ("NOC_CMD_VC_LINKED"_ctrl.mask(), 0x1U << 6U);
  EXPECT_EQ("NOC_CMD_VC_STATIC"_ctrl.mask(), 0x1U << 7U);
  EXPECT_EQ("NOC_CMD_PATH_RESERVE"_ctrl.mask(), 0x1U << 8U);
  EXPECT_EQ("NOC_CMD_STATIC_VC_BUDDY"_ctrl.put(1) | "NOC_CMD_STATIC_VC_CLASS"_ctrl.put(2), 5U << 13U) << "channel 5";
  EXPECT_EQ("NOC_CMD_BRCST_XY"_ctrl.mask(), 0x1U << 16U);
  EXPECT_EQ("NOC_CMD_BRCST_SRC_INCLUDE"_ctrl.mask(), 0x1U << 17U);
  EXPECT_EQ("NOC_CMD_ARB_PRIORITY"_ctrl.put(9), 9U << 27U);
  EXPECT_EQ("NOC_PACKET_TRANSACTION_ID"_tag.put(0xA), 0xAU << 10U);
  EXPECT_EQ("NOC_PACKET_TAG_HEADER_STORE"_tag.mask(), 0x1U << 9U);
}

/// noc_parameters.h: NOC_XY_ENCODING and NOC_MULTICAST_ENCODING.
TEST(NiuFields, AddressesComeApart) {
  constexpr std::uint32_t x = 18;
  constexpr std::uint32_t y = 27;
  const NocAddress wormhole =
      noc_address(Arch::wormhole, 0x1234, 0x8U | x << 4U | y << 10U | 3U << 16U | 5U << 22U, 99);
  EXPECT_EQ(wormhole, (NocAddress{.address = 0x8'0000'1234, .tile = {x, y}, .start = {3, 5}}));
  const NocAddress blackhole = noc_address(Arch::blackhole, 0x1234, 0x1000'0000, x | y << 6U | 3U << 12U | 5U << 18U);
  EXPECT_EQ(blackhole, (NocAddress{.address = 0x1000'0000'0000'1234, .tile = {x, y}, .start = {3, 5}}));
}

}  // namespace
}  // namespace tensim::noc
