// Blackhole's packer has four contexts of settings. How they are chosen is in assembly.yaml (PACR: CfgContext, CtxtCtrl);
// that they are the blocks of Wormhole's four packers is assumed, and reported.
#include "tensix/footprint.hpp"
#include "tests/support/packing.hpp"

namespace tensim::test {
namespace {

using tensix::DataIssue;

constexpr std::uint32_t fp32 = 0;
constexpr std::uint32_t bf16 = 5;

/// A row of BF16 goes to another place from each context: `Packing::out` and 0x100 further each.
class PackerContext : public ::testing::Test {
 protected:
  Packing test{Arch::blackhole};

  PackerContext() {
    test.fill_rows(0, 4);
    test.x_range(0, 15);
    for (unsigned context = 0; context < 4; ++context) {
      set_block(context, "THCON_SEC0_REG1_Disable_zero_compress"_config, 1);
      set_block(context, "THCON_SEC0_REG1_In_data_format"_config, bf16);
      set_block(context, "THCON_SEC0_REG1_Out_data_format"_config, bf16);
      set_block(context, "THCON_SEC0_REG1_L1_Dest_addr"_config, place(context) / 16 - 1);
      test.set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config, 2, context);
    }
  }
  static constexpr std::uint32_t place(unsigned context) { return Packing::out + 0x100 * context; }
  /// THCON_SEC0_REG1, THCON_SEC0_REG8, THCON_SEC1_REG1, THCON_SEC1_REG8: words 68, 96, 116 and 144.
  void set_block(unsigned context, const ConfigField& field, std::uint32_t value) {
    constexpr std::array offsets{0U, 28U, 48U, 76U};
    test.set(field, value, offsets[context]);
  }
  /// The contexts in whose places something is, as a mask.
  unsigned packed() const {
    unsigned mask = 0;
    for (unsigned context = 0; context < 4; ++context)
      if (test.byte(place(context)) != Packing::untouched) mask |= 1U << context;
    return mask;
  }
};

TEST_F(PackerContext, TheWordNamesOne) {
  for (unsigned context = 0; context < 4; ++context) {
    test.run("PACR ReadIntfSel=1, Last=1, CfgContext=" + std::to_string(context));
    EXPECT_EQ(packed(), (2U << context) - 1U);
    EXPECT_EQ(test.half(place(context) + 2), Packing::datum(0, 1));
  }
  EXPECT_FALSE(test.coprocessor.fault);
  EXPECT_TRUE(test.reported(DataIssue::pack_context));
}

TEST_F(PackerContext, ContextNoughtIsNothingToReport) {
  test.run("PACR ReadIntfSel=1, Last=1, CfgContext=0\nPACR ReadIntfSel=1, Last=1, CtxtCtrl=1");
  EXPECT_FALSE(test.reported(DataIssue::pack_context));
}

TEST_F(PackerContext, FormatsAndCountersAreItsOwn) {
  set_block(2, "THCON_SEC0_REG1_Out_data_format"_config, fp32);
  test.set("DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config, 3, 2);
  test.run("PACR ReadIntfSel=1, Last=1, CfgContext=2");
  EXPECT_EQ(test.word(place(2) + 4), std::uint32_t{Packing::datum(3, 1)} << 16U);
}

TEST_F(PackerContext, ThePackersOwnMovesOnBehindATile) {
  // Two PACRs are a tile: the first does not end it.
  for (unsigned tile = 0; tile < 5; ++tile) {
    EXPECT_EQ(test.coprocessor.packers.context, tile % 4);
    test.run("PACR ReadIntfSel=1, CtxtCtrl=1\nPACR ReadIntfSel=1, Last=1, CtxtCtrl=1, CfgContext=3");
    EXPECT_EQ(packed(), tile < 4 ? (2U << tile) - 1U : 15U);
    EXPECT_EQ(test.half(place(tile % 4) + 32), Packing::datum(0, 0));  // the second follows the first
  }
}

TEST_F(PackerContext, OrBehindAsManyPlanesAsItIsTold) {
  // A plane is two rows. Three planes in contexts 0 and 1, then one in each: Last does not count.
  for (unsigned context = 0; context < 2; ++context)
    test.set("PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt"_config, 3, context);
  for (unsigned context = 2; context < 4; ++context)
    test.set("PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt"_config, 1, context);
  const std::string plane = "PACR ReadIntfSel=3, Last=1, CtxtCtrl=1\n";
  std::vector<unsigned> contexts;
  for (unsigned i = 0; i < 9; ++i) {
    contexts.push_back(test.coprocessor.packers.context);
    test.run(plane);
  }
  EXPECT_EQ(contexts, (std::vector<unsigned>{0, 0, 0, 1, 1, 1, 2, 3, 0}));
  // Half a plane is none.
  test.coprocessor.packers.context = 2;
  test.run("PACR ReadIntfSel=1, CtxtCtrl=1");
  EXPECT_EQ(test.coprocessor.packers.context, 2U);
  test.run("PACR ReadIntfSel=1, CtxtCtrl=1");
  EXPECT_EQ(test.coprocessor.packers.context, 3U);
}

TEST_F(PackerContext, AResetIsTheFirstAgain) {
  test.run("PACR ReadIntfSel=1, Last=1, CtxtCtrl=1");
  EXPECT_EQ(test.coprocessor.packers.context, 1U);
  test.run("PACR CtxtCtrl=2");
  EXPECT_EQ(test.coprocessor.packers.context, 0U);
  EXPECT_EQ(packed(), 1U);
}

TEST_F(PackerContext, APacrThatNamesItsContextLeavesThePackersAlone) {
  test.run("PACR ReadIntfSel=1, Last=1, CfgContext=2");
  EXPECT_EQ(test.coprocessor.packers.context, 0U);
}

TEST_F(PackerContext, TheFootprintHasTheSettingsThatAreRead) {
  const auto reads = [&](unsigned word) {
    const Word pacr = assemble(Arch::blackhole, "PACR ReadIntfSel=1, Last=1, CfgContext=3");
    std::vector<tensix::Access> accesses;
    tensix::Footprint footprint(accesses);
    test.coprocessor.operation(pacr).footprint(test.coprocessor, {tensix::Entry::pushed(pacr, 0), Packing::thread},
                                               footprint);
    for (const tensix::Access& access : accesses)
      if (access.resource == tensix::Resource::config && access.first <= word && word < access.first + access.count)
        return true;
    return false;
  };
  EXPECT_TRUE(reads(145));   // THCON_SEC1_REG8_L1_Dest_addr
  EXPECT_FALSE(reads(117));  // THCON_SEC1_REG1_L1_Dest_addr
}

}  // namespace
}  // namespace tensim::test
