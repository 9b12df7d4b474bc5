#include "report/refused_request.hpp"

#include <gtest/gtest.h>

namespace tensim::report {
namespace {

std::string text(std::uint32_t ctrl, std::uint32_t at_len_be, std::uint32_t at_len_be_1 = 0) {
  const noc::CommandRegisters registers{.targ_addr_lo = 0x1000,
                                        .targ_addr_hi = 4U | 2U << 6U | 1U << 12U | 3U << 18U,
                                        .ret_addr_lo = 0x200000,
                                        .ret_addr_hi = 5U | 6U << 6U | 2U << 12U | 4U << 18U,
                                        .ctrl = ctrl,
                                        .at_len_be = at_len_be,
                                        .at_len_be_1 = at_len_be_1,
                                        .at_data = 7};
  return text_of(Arch::blackhole, {.noc = 1, .buffer = 3, .registers = registers});
}

TEST(RefusedRequest, EachKindSaysWhereFromAndWhereTo) {
  EXPECT_EQ(text(0x2090, 64),
            "read of 64 bytes from 0x00001000 of the tile that NoC 1 calls 4,2 to 0x00200000 of the tile that NoC 1 "
            "calls 5,6 (command buffer 3, NOC_CTRL 0x2090)");
  EXPECT_EQ(text(0x2092, 4),
            "write of 4 bytes from 0x00001000 of this tile to 0x00200000 of the tile that NoC 1 calls 5,6 (command "
            "buffer 3, NOC_CTRL 0x2092)");
  EXPECT_EQ(text(0x2096, 0xF, 1),
            "write of the bytes of mask 0x10000000f from 0x00001000 of this tile to 0x00200000 of the tile that NoC 1 "
            "calls 5,6 (command buffer 3, NOC_CTRL 0x2096)");
  EXPECT_EQ(text(0x81B2, 4),
            "write of 4 bytes from 0x00001000 of this tile to 0x00200000 of the tiles that NoC 1 calls 2,4 to 5,6 "
            "(command buffer 3, NOC_CTRL 0x81b2)");
  EXPECT_EQ(text(0x209A, 0xF),
            "inline write of 0x7 to 0x00001000 of the tile that NoC 1 calls 4,2 (command buffer 3, NOC_CTRL 0x209a)");
  EXPECT_EQ(
      text(0x2091, 0x107C),
      "atomic 0x107c on 0x00001000 of the tile that NoC 1 calls 4,2, with the old value to 0x00200000 of the tile "
      "that NoC 1 calls 5,6 (command buffer 3, NOC_CTRL 0x2091)");
  EXPECT_EQ(
      text_of(Arch::blackhole,
              {.registers = {.ctrl = 0x2090, .at_len_be = 4}, .targ = explain::LedTo{noc::TileKind::dram}, .ret = {}}),
      "read of 4 bytes from 0x00000000 of the tile that NoC 0 calls 0,0 (DRAM) to 0x00000000 of the tile that NoC 0 "
      "calls 0,0 (command buffer 0, NOC_CTRL 0x2090)");
  EXPECT_EQ(text_of(Arch::blackhole, {.registers = {.ctrl = 0x209A},
                                      .targ = explain::LedTo{noc::TileKind::tensix, noc::Coordinates{1, 0}},
                                      .ret = {}}),
            "inline write of 0x0 to 0x00000000 of the tile that NoC 0 calls 0,0 (logical 1,0) (command buffer 0, "
            "NOC_CTRL 0x209a)");
  EXPECT_EQ(text(3, 0), "no kind of request that there is (command buffer 3, NOC_CTRL 0x3)");
}

}  // namespace
}  // namespace tensim::report
