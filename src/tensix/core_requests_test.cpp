// Requests of the cores on their way to configuration and GPRs (W29, W52).
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class CoreRequests : public BothArchs {};
TENSIM_BOTH_ARCHS(CoreRequests);

constexpr std::uint32_t config = 0xFFEF0000;
constexpr std::uint32_t gprs = 0xFFE00000;

TEST_P(CoreRequests, AStoreTravelsTwoCyclesAndIsSeenInTheThird) {
  for (const std::uint32_t address : {config, gprs}) {
    CoreAccesses cores(GetParam());
    cores.step(5);
    EXPECT_TRUE(cores.store(CoreId::trisc0, address, 9).is_done());  // in cycle 4
    EXPECT_FALSE(cores.coprocessor.is_idle());
    EXPECT_EQ(cores.coprocessor.next_event(), 6U);
    EXPECT_EQ(cores.value(CoreId::brisc, address), 0U);           // 5
    EXPECT_FALSE(cores.load(CoreId::trisc0, address).is_done());  // its own loads stay behind its stores
    cores.step();
    EXPECT_EQ(cores.value(CoreId::brisc, address), 0U);  // 6: it is being processed
    cores.step();
    EXPECT_EQ(cores.value(CoreId::trisc0, address), 9U);  // 7
    EXPECT_TRUE(cores.coprocessor.is_idle());
  }
}

TEST_P(CoreRequests, OneStorePerCoreAndCycleAndAThirdWaitsIfTheUnitDoesNotCome) {
  CoreAccesses cores(GetParam());
  EXPECT_TRUE(cores.store(CoreId::trisc0, config, 1).is_done());
  EXPECT_TRUE(cores.store(CoreId::trisc0, config + 4, 2).is_done());
  EXPECT_EQ(cores.store(CoreId::trisc0, config + 8, 3).wait, Wait::config_request);
  EXPECT_TRUE(cores.store(CoreId::trisc1, config + 12, 4).is_done());
  EXPECT_TRUE(cores.store(CoreId::trisc0, gprs, 5).is_done());  // another unit
  EXPECT_TRUE(cores.store(CoreId::trisc0, gprs, 6).is_done());
  EXPECT_EQ(cores.store(CoreId::trisc0, gprs, 7).wait, Wait::gpr_request);
  cores.step(2);
  EXPECT_TRUE(cores.store(CoreId::trisc0, config + 8, 3).is_done());
}

TEST_P(CoreRequests, TheConfigurationUnitTakesOneOfThemPerCycleByTurns) {
  // B, T0, T1, T2 store in cycle 0, all to one word: processed in 2, 3, 4, 5, each seen in the cycle after.
  CoreAccesses cores(GetParam());
  for (unsigned i = 0; i < b_and_t_core_ids.size(); ++i)
    EXPECT_TRUE(cores.store(b_and_t_core_ids[i], config, i + 1).is_done());
  std::vector<std::uint32_t> seen;
  for (unsigned cycle = 1; cycle < 8; ++cycle, cores.step())
    seen.push_back(cores.coprocessor.config.bank[0][0]);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 0, 1, 2, 3, 4, 4}));
}

TEST_P(CoreRequests, ALoadCountsForTheTravelTimeAndForItsOwnThread) {  // W29
  for (const std::uint32_t address : {config, gprs}) {
    CoreAccesses cores(GetParam());
    cores.step(5);
    cores.load(CoreId::trisc1, address);
    const auto& requests = cores.coprocessor.core_requests;
    EXPECT_TRUE(requests.any_of_thread(1, 5));
    EXPECT_TRUE(requests.any_of_thread(1, 6));
    EXPECT_FALSE(requests.any_of_thread(1, 7));
    EXPECT_FALSE(requests.any_of_thread(0, 5));
    EXPECT_EQ(cores.coprocessor.next_event(), 7U);  // when C10 lets go
  }
}

TEST_P(CoreRequests, ALoadSeesWhatLandedAtTheEndOfTheCycleBefore) {
  // SETDMAREG pushed in 0 issues in 3 and is seen from 4 on; ADDDMAREG (near) issues in 4 and is seen from 7 on.
  CoreAccesses cores(GetParam());
  cores.store(CoreId::trisc0, 0xFFE40000, assemble(GetParam(), "SETDMAREG.Immediate NewValue=5, ResultHalfReg=2"));
  cores.step();
  cores.store(CoreId::trisc0, 0xFFE40000,
              assemble(GetParam(), "ADDDMAREG.Immediate RightImm6=3, LeftReg=1, ResultReg=2"));
  std::vector<std::uint32_t> seen;
  for (; cores.coprocessor.now < 10; cores.step())
    seen.push_back(cores.value(CoreId::trisc0, gprs + 8));
  const auto first = std::ranges::find(seen, 8U) - seen.begin() + 2;  // from cycle 2 on
  EXPECT_EQ(first, 7);
}

}  // namespace
}  // namespace tensim::test
