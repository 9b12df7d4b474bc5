// What UNPACR and UNPACR_NOP say they read and write.
#include "tensix/footprint.hpp"

#include "tests/support/unpacker_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using tensix::Access;
using tensix::Resource;

constexpr unsigned fp32 = 0;
constexpr unsigned bf16 = 5;

class UnpackersFootprint : public BothArchs {
 protected:
  UnpackerBench bench{GetParam()};

  std::vector<Access> of(const std::string& line, Resource resource) const {
    const Word word = assemble(GetParam(), line);
    const tensix::Candidate candidate{.entry = tensix::Entry::pushed(word, 0), .thread = 0};
    std::vector<Access> found;
    for (const Access& access : bench.coprocessor.operation(word).footprint(bench.coprocessor, candidate))
      if (access.resource == resource) found.push_back(access);
    return found;
  }
  static Access writes(Resource resource, unsigned owner, unsigned first, unsigned count) {
    return {resource, static_cast<std::uint8_t>(owner), static_cast<std::uint16_t>(first),
            static_cast<std::uint16_t>(count), true};
  }
  using Accesses = std::vector<Access>;
};
TENSIM_BOTH_ARCHS(UnpackersFootprint);

TEST_P(UnpackersFootprint, RowsAreThoseThatTheTransferFills) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(40);
  bench.set_output(64 + 32);  // row 2
  bench.coprocessor.src.unpack_bank[0] = 1;
  EXPECT_EQ(of("UNPACR.Regular", Resource::src_a), (Accesses{writes(Resource::src_a, 1, 2, 3)}));
  EXPECT_EQ(of("UNPACR.Regular", Resource::l1).size(), 1U);
  EXPECT_TRUE(of("UNPACR.Regular AllDatumsAreZero=1", Resource::l1).empty());
  // Transposed: all rows of the block of 16.
  bench.set("THCON_SEC0_REG2_Haloize_mode"_config, 1);
  EXPECT_EQ(of("UNPACR.Regular", Resource::src_a), (Accesses{writes(Resource::src_a, 1, 0, 16)}));
}

TEST_P(UnpackersFootprint, SrcBWrapsAround) {
  bench.set_up_tile(bf16, bf16, 1);
  bench.datums(32, 1);
  bench.coprocessor.unpackers.src_row[1][0] = 63;
  EXPECT_EQ(of("UNPACR.Regular WhichUnpacker=1", Resource::src_b),
            (Accesses{writes(Resource::src_b, 0, 0, 1), writes(Resource::src_b, 0, 63, 1)}));
}

TEST_P(UnpackersFootprint, DstHasBothHalvesOfThirtyTwoBits) {
  bench.set_up_tile(fp32, fp32);
  bench.set("THCON_SEC0_REG2_Unpack_If_Sel"_config, 1);
  bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 0);
  bench.datums(16);
  EXPECT_EQ(of("UNPACR.Regular", Resource::dst),
            (Accesses{writes(Resource::dst, 0, 0, 1), writes(Resource::dst, 0, 8, 1)}));
  EXPECT_TRUE(of("UNPACR.Regular", Resource::src_a).empty());
}

TEST_P(UnpackersFootprint, CountersOfBothContextsAndTheBank) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Disable_zero_compress_cntx0"_config, 1);
  const std::string line = "UNPACR.Regular MultiContextMode=1, ContextADC=2, Ch0ZInc=1, FlipSrc=1";
  const Accesses counters = of(line, Resource::adc);
  EXPECT_EQ(std::ranges::count(counters, writes(Resource::adc, 0, tensix::adc_counter(0, 0, 2), 1)), 1);
  EXPECT_EQ(std::ranges::count(counters, writes(Resource::adc, 2, tensix::adc_counter(0, 0, 2), 1)), 1);
  EXPECT_EQ(std::ranges::count(of(line, Resource::src_ownership), writes(Resource::src_ownership, 0, 0, 1)), 1);
}

TEST_P(UnpackersFootprint, NopsThatClearWaitForABankAndFillIt) {
  bench.coprocessor.src.unpack_bank[0] = 1;
  EXPECT_EQ(of("UNPACR_NOP.ZEROSRC", Resource::src_a), (Accesses{writes(Resource::src_a, 1, 0, 64)}));
  EXPECT_EQ(of("UNPACR_NOP.ZEROSRC BothBanks=1", Resource::src_a).size(), 2U);
  EXPECT_EQ(of("UNPACR_NOP.ZEROSRC", Resource::src_ownership).at(0).first, 0U);  // the Matrix Unit's
  EXPECT_EQ(of("UNPACR_NOP.ZEROSRC WaitLikeUnpacr=1", Resource::src_ownership).at(0).first, 1U);
  EXPECT_TRUE(of("UNPACR_NOP.Nop", Resource::src_ownership).empty());
}

}  // namespace
}  // namespace tensim::test
