#include <gtest/gtest.h>

#include "tests/support/core_accesses.hpp"

namespace tensim::tile {
namespace {

using test::CoreAccesses;

class OverlayTest : public ::testing::TestWithParam<Arch> {
 protected:
  static constexpr std::uint32_t base = 0xFFB40000;
  CoreAccesses cores_{GetParam()};

  std::uint32_t address(unsigned stream, std::string_view name) const {
    for (const tensix::StreamRegisterRow& row : tensix::stream_register_rows)
      if (row.name == name) return base + 0x1000 * stream + 4 * row.on(GetParam());
    ADD_FAILURE() << name;
    return 0;
  }
};

TEST_P(OverlayTest, CountersOfCircularBuffersHaveSeventeenBits) {
  for (const std::string_view name : {"REMOTE_DEST_BUF_SIZE", "REMOTE_DEST_BUF_START"}) {
    const std::uint32_t counter = address(5, name);
    EXPECT_TRUE(cores_.store(CoreId::trisc0, counter, 0x3FFFF).is_done());
    EXPECT_EQ(cores_.value(CoreId::ncrisc, counter), 0x1FFFFU) << name;
    EXPECT_EQ(cores_.value(CoreId::brisc, counter + 0x1000), 0U) << "another stream";
  }
}

TEST_P(OverlayTest, CreditsAreSetWithTheSizeAndAddedTo) {
  cores_.store(CoreId::brisc, address(48, "REMOTE_DEST_BUF_SIZE"), 10);
  EXPECT_EQ(cores_.value(CoreId::brisc, address(48, "REMOTE_DEST_BUF_SPACE_AVAILABLE")), 10U);
  cores_.store(CoreId::brisc, address(48, "REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE"), 3 << 6);
  EXPECT_EQ(cores_.value(CoreId::brisc, address(48, "REMOTE_DEST_BUF_SPACE_AVAILABLE")), 13U);
}

TEST_P(OverlayTest, WhatOnlyMovingDataWouldNeedFaultsByName) {
  EXPECT_NE(cores_.store_fault(CoreId::brisc, base + 4 * 200).find("NoC overlay streams: not modelled yet"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Chips, OverlayTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::tile
