// How long LLK's reductions of rows take per tile of 32x32, instruction by instruction as its math thread pushes them,
// with Src handed over by SETDVALID as in its measurements (docs/kernels_of_others.md has the cards' figures).
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class ReductionTime : public BothArchs {};
TENSIM_BOTH_ARCHS(ReductionTime);

constexpr const char* release_src = "SETRWC FlipSrcA=1, FlipSrcB=1\n";
constexpr const char* next_tile = "SETC16 CfgIndex=40, NewValue=0\n";  // where in Dst the tile goes

std::string mvmul(unsigned dst_row, bool releases_src = false) {
  return "MVMUL DstRow=" + std::to_string(dst_row) + (releases_src ? ", FlipSrcA=1, FlipSrcB=1\n" : "\n");
}

/// Cycles from one tile to the next, in the long run. A tile takes `banks` pairs of Src banks.
Cycle cycles_per_tile(Arch arch, const std::string& tile, std::size_t banks) {
  const std::string hand_over =
      "STALLWAIT block=STALL_TDMA, cond=SRCA_CLR|SRCB_CLR\nSETDVALID FlipSrcA=1, FlipSrcB=1\n";
  const auto last_issue = [&](std::size_t tiles) {
    return simulate(arch, {repeat(tiles * banks, hand_over), repeat(tiles, tile), ""}).cycles(1).back();
  };
  constexpr std::size_t few = 4;
  constexpr std::size_t many = 12;
  const Cycle cycles = last_issue(many) - last_issue(few);
  EXPECT_EQ(cycles % (many - few), 0U);
  return cycles / (many - few);
}

TEST_P(ReductionTime, SumOfRowsFaceByFaceInFourPhases) {
  // Four phases on one block of Dst, then four on the next: 1 + 3 * 6 for each of eight halves of faces, and SETC16, three
  // SETRWCs. Cards: 157.3, with the ends of the measurement.
  std::string tile = next_tile;
  for (const unsigned row : {0U, 32U}) {
    for (const bool left : {true, false})
      for (const unsigned half : {0U, 8U})
        for (unsigned phase = 0; phase < 4; ++phase)
          tile += mvmul(row + half, left && half == 8 && phase == 3);
    tile += release_src;
  }
  tile += "SETRWC\n";
  EXPECT_EQ(cycles_per_tile(GetParam(), tile, 4), 156U);
}

TEST_P(ReductionTime, SumOfRowsOfAWholeTileInFourPhases) {
  // Four blocks take turns, and each needs six cycles: 8 * 6 for eight turns, and a cycle of SETC16 and two SETRWCs, of
  // which the block that is waited for hides two. Blackhole's cards: 50.1, with the ends of the measurement.
  std::string tile = next_tile;
  for (unsigned turn = 0; turn < 8; ++turn)
    for (const unsigned dst_row : {0U, 8U, 32U, 40U})
      tile += mvmul(dst_row);
  tile += release_src;
  tile += "SETRWC\n";
  EXPECT_EQ(cycles_per_tile(GetParam(), tile, 1), 49U);
}

TEST_P(ReductionTime, MaximumOfRowsThroughSrcB) {
  // Two pools, one row of Dst to SrcB and back transposed, for each half of the tile. Blackhole's cards: 58.06.
  const auto half = [](const std::string& row, const std::string& next_row) {
    const std::string at_row = " DstRow=" + row;
    return "GMPOOL InstrMod19Low=1, FlipSrcA=1, FlipSrcB=1," + at_row + "\nGMPOOL InstrMod19Low=1," + at_row +
           "\nSETRWC\nMOVD2B SrcRow=16," + at_row + "\nTRNSPSRCB\nMOVD2B SrcRow=16," + at_row +
           "\nSETRWC\nSETRWC\nZEROSRC ClearSrcA=1, SingleBankMatrixUnit=1\nELWADD" + at_row +
           "\nELWADD DstRow=" + next_row + "\n";
  };
  const std::string tile =
      next_tile + half("0", "8") + repeat(3, "SETRWC") + release_src + half("32", "40") + release_src;
  EXPECT_EQ(cycles_per_tile(GetParam(), tile, 4), 58U);
}

}  // namespace
}  // namespace tensim::test
