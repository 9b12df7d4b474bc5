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
    tensix::Footprint footprint(found);
    bench.coprocessor.operation(word).footprint(bench.coprocessor, candidate, footprint);
    std::erase_if(found, [&](const Access& access) { return access.resource != resource; });
    return found;
  }
  static Access reads(Resource resource, unsigned first, unsigned count) {
    return {.resource = resource, .first = first, .count = count};
  }
  static Access writes(Resource resource, unsigned owner, unsigned first, unsigned count) {
    return {resource, static_cast<std::uint8_t>(owner), true, first, count};
  }
  using Accesses = std::vector<Access>;

  /// What is said when the bank has been filled.
  struct Filled : event::Listener {
    Filled() : Listener(event::wants_order) {}
    void happened(const event::Event& event) override {
      if (const auto* filled = std::get_if<event::BankFilled>(&event.what)) {
        events.push_back(*filled);
        accesses.assign(event.accesses.begin(), event.accesses.end());
      }
    }
    std::vector<event::BankFilled> events;
    Accesses accesses;
  };
  Filled run(const std::string& line) {
    Filled filled;
    event::Journal journal;
    journal.want(event::wants_order);
    bench.coprocessor.journal = &journal;
    bench.run(line);
    bench.coprocessor.journal = nullptr;
    journal.hand_on(filled);
    return filled;
  }
};
TENSIM_BOTH_ARCHS(UnpackersFootprint);

TEST_P(UnpackersFootprint, RowsAreSaidWhenTheBankIsFilled) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(40);
  bench.set_output(64 + 32);  // row 2
  bench.coprocessor.src.unpack_bank[0] = 1;
  EXPECT_TRUE(of("UNPACR.Regular", Resource::src_a).empty());  // not known at the gate
  const Filled filled = run("UNPACR.Regular");
  ASSERT_EQ(filled.events.size(), 1U);
  EXPECT_EQ(filled.events[0].bank, 1U);
  EXPECT_FALSE(filled.events[0].hands_over);
  EXPECT_EQ(filled.accesses, (Accesses{writes(Resource::src_a, 1, 2, 3)}));
  // Transposed: all rows of the block of 16.
  bench.set("THCON_SEC0_REG2_Haloize_mode"_config, 1);
  EXPECT_EQ(run("UNPACR.Regular").accesses, (Accesses{writes(Resource::src_a, 1, 0, 16)}));
}

TEST_P(UnpackersFootprint, TheBankIsTheOneThatTheInstructionBeforeLeft) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(16);
  const Filled filled = run("UNPACR.Regular FlipSrc=1\nUNPACR.Regular");
  ASSERT_EQ(filled.events.size(), 2U);
  EXPECT_TRUE(filled.events[0].hands_over);
  EXPECT_EQ(filled.events[0].bank, 0U);
  EXPECT_EQ(filled.events[1].bank, 1U);
  EXPECT_GT(filled.events[1].accepted, filled.events[0].accepted);
}

TEST_P(UnpackersFootprint, BytesOfL1AreThoseThatAreRead) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(40);
  EXPECT_EQ(of("UNPACR.Regular", Resource::l1), (Accesses{reads(Resource::l1, UnpackerBench::tile_at, 80)}));
  EXPECT_TRUE(of("UNPACR.Regular AllDatumsAreZero=1", Resource::l1).empty());
}

TEST_P(UnpackersFootprint, SrcBWrapsAround) {
  bench.set_up_tile(bf16, bf16, 1);
  bench.datums(32, 1);
  bench.coprocessor.unpackers.src_row[1][0] = 63;
  EXPECT_EQ(run("UNPACR.Regular WhichUnpacker=1").accesses,
            (Accesses{writes(Resource::src_b, 0, 0, 1), writes(Resource::src_b, 0, 63, 1)}));
}

TEST_P(UnpackersFootprint, SettingsAreThoseOfTheContext) {
  const auto has = [](const Accesses& accesses, const ConfigField::Place& place) {
    return std::ranges::any_of(accesses, [&](const Access& access) {
      return access.first == static_cast<unsigned>(place.word) && (access.mask & place.bits()) == place.bits();
    });
  };
  const Accesses said = of("UNPACR.Regular MultiContextMode=1, ContextNumber=1", Resource::config);
  EXPECT_TRUE(has(said, "THCON_SEC0_REG3_Base_cntx1_address"_config.on(GetParam())));
  EXPECT_FALSE(has(said, "THCON_SEC0_REG3_Base_address"_config.on(GetParam())));
  EXPECT_FALSE(has(said, "THCON_SEC1_REG3_Base_cntx1_address"_config.on(GetParam())));
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
  EXPECT_EQ(of("UNPACR_NOP.ZEROSRC", Resource::src_ownership).at(0).first, 0U);  // the Matrix Unit's
  EXPECT_EQ(of("UNPACR_NOP.ZEROSRC WaitLikeUnpacr=1", Resource::src_ownership).at(0).first, 1U);
  EXPECT_TRUE(of("UNPACR_NOP.Nop", Resource::src_ownership).empty());
  EXPECT_EQ(run("UNPACR_NOP.ZEROSRC").accesses, (Accesses{writes(Resource::src_a, 1, 0, 64)}));
  EXPECT_EQ(run("UNPACR_NOP.ZEROSRC BothBanks=1").accesses.size(), 2U);
  EXPECT_TRUE(run("UNPACR_NOP.Nop").events.empty());
}

TEST_P(UnpackersFootprint, SetdvalidHandsOverWithoutRows) {
  bench.coprocessor.src.unpack_bank[1] = 1;
  const Filled filled = run("SETDVALID FlipSrcA=1, FlipSrcB=1");
  ASSERT_EQ(filled.events.size(), 2U);
  EXPECT_TRUE(filled.events[0].hands_over && filled.events[1].hands_over);
  EXPECT_EQ(filled.events[1].unpacker, 1U);
  EXPECT_EQ(filled.events[1].bank, 1U);
  EXPECT_TRUE(filled.accesses.empty());
}

TEST(UnpackersFootprintBlackhole, ARowThatIsRepeatedIsEight) {
  UnpackerBench bench(Arch::blackhole);
  bench.set_up_tile(bf16, bf16, 1);
  bench.adc(1).channel[1].x.set(15);
  bench.coprocessor.unpackers.src_row[1][0] = 56;
  std::vector<Access> accesses;
  struct Rows : event::Listener {
    explicit Rows(std::vector<Access>& to) : Listener(event::wants_order), found(to) {}
    void happened(const event::Event& event) override {
      for (const Access& access : event.accesses)
        if (access.resource == Resource::src_b) found.push_back(access);
    }
    std::vector<Access>& found;
  } rows(accesses);
  event::Journal journal;
  journal.want(event::wants_order);
  bench.coprocessor.journal = &journal;
  bench.run("UNPACR.Regular WhichUnpacker=1, srcb_bcast=1");
  bench.coprocessor.journal = nullptr;
  journal.hand_on(rows);
  EXPECT_EQ(accesses, (std::vector<Access>{{Resource::src_b, 0, true, 56, 8}}));
}

}  // namespace
}  // namespace tensim::test
