// What STALLWAIT can wait for, one condition after the other (W19-W32). The wait blocks SETC16, which no unit holds back;
// it passes two cycles after the last cycle in which the condition holds: one cycle later the gate sees that it does
// not, and lets go for the next. Already met it passes two cycles after the wait. Names of conditions stand for the
// chip's own bit numbers (errata 32).
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class WaitCondition : public BothArchs {};
TENSIM_BOTH_ARCHS(WaitCondition);

const std::string follower = "SETC16 CfgIndex=40, NewValue=1";

std::string wait_for(const std::string& condition) {
  return "STALLWAIT block=STALL_CFG, cond=" + condition + "\n" + follower;
}

/// Distance from the STALLWAIT of T0 to its follower.
Cycle distance(const Ran& ran) {
  return ran.cycle_of(0, "SETC16") - ran.cycle_of(0, "STALLWAIT");
}

Scenario with_operands(Scenario scenario) {
  scenario.src_a_valid = scenario.src_b_valid = true;
  return scenario;
}

TEST_P(WaitCondition, Thcon) {  // W19
  // LOADIND 3: its answer is outstanding 3 to 12 (10 cycles). On Wormhole its gate is closed until 6.
  const Ran ran = simulate(GetParam(), {"LOADIND\n" + wait_for("THCON"), "NOP\n" + wait_for("THCON"), ""});
  EXPECT_EQ(ran.cycles(0), (is_wormhole() ? Cycles{3, 6, 14} : Cycles{3, 4, 14}));
  EXPECT_EQ(ran.cycle_of(1, "SETC16") - ran.cycle_of(1, "STALLWAIT"), 2U);  // not another thread's request
  // Arithmetic has no memory request (errata 33). Wormhole keeps the thread until it is done; Blackhole's wait lasts as
  // long as the instruction is in the unit, here 3 to 5 (ruling 12).
  const Ran arithmetic = simulate(
      one_thread(GetParam(), 0, "ADDDMAREG.Immediate ResultReg=1, RightImm6=1, LeftReg=1\n" + wait_for("THCON")));
  EXPECT_EQ(arithmetic.cycles(0), (is_wormhole() ? Cycles{3, 6, 8} : Cycles{3, 4, 7}));
  EXPECT_EQ(distance(simulate(GetParam(),
                              {wait_for("THCON"), "ADDDMAREG.Immediate ResultReg=1, RightImm6=1, LeftReg=1", ""})),
            2U);  // not another thread's
}

/// `busy` 3, which occupies what `condition` names in 3 to `last`; `other` names something else.
void expect_occupancy(Arch arch, const std::string& busy, const std::string& condition, Cycle last,
                      const std::vector<std::string>& others) {
  const Ran ran = simulate(with_operands(three_threads(arch, {busy + "\n" + wait_for(condition), "", ""})));
  EXPECT_EQ(ran.cycle_of(0, "SETC16"), last + 2) << busy << " and " << condition;
  for (const std::string& other : others)
    EXPECT_EQ(distance(simulate(with_operands(three_threads(arch, {busy + "\n" + wait_for(other), "", ""})))), 2U)
        << busy << " and " << other;
  // Of this thread: T1's instruction does not hold T0's wait.
  EXPECT_EQ(distance(simulate(with_operands(three_threads(arch, {wait_for(condition), busy, ""})))), 2U) << busy;
}

TEST_P(WaitCondition, Unpackers) {  // W20, W21
  // UNPACR 3: address in 3 and 4, data in 5 to 20. (src_*_valid hands over bank 0; bank 1 is free to be filled.)
  expect_occupancy(GetParam(), "UNPACR.Regular WhichUnpacker=0", "UNPACK0", 20, {"UNPACK1", "PACK0", "MATH"});
  expect_occupancy(GetParam(), "UNPACR.Regular WhichUnpacker=1", "UNPACK1", 20, {"UNPACK0", "PACK0", "MATH"});
  expect_occupancy(GetParam(), "UNPACR.Regular WhichUnpacker=1", "UNPACK", 20, {});
}

TEST_P(WaitCondition, Packers) {  // W22
  // PACR 3: in the packer 3 to 18.
  expect_occupancy(GetParam(), "PACR", "PACK0", 18, {"UNPACK0", "UNPACK1", "MATH"});
  if (is_blackhole()) return;
  // Wormhole: one bit per packer.
  const std::array<std::string, 4> packers{"PACK0", "PACK1", "PACK2", "PACK3"};
  for (unsigned packer = 0; packer < 4; ++packer) {
    std::vector<std::string> others;
    for (unsigned other = 0; other < 4; ++other)
      if (other != packer) others.push_back(packers[other]);
    const std::string pacr = "PACR PackerMask=" + std::to_string(1U << packer);
    expect_occupancy(GetParam(), pacr, packers[packer], 18, others);
    expect_occupancy(GetParam(), pacr, "PACK", 18, {});
  }
  expect_occupancy(GetParam(), "PACR PackerMask=10", "PACK1", 18, {"PACK0", "PACK2"});
  expect_occupancy(GetParam(), "PACR PackerMask=10", "PACK3", 18, {"PACK0", "PACK2"});
}

TEST_P(WaitCondition, Math) {  // W23
  // MVMUL 3: five cycles, 3 to 7.
  expect_occupancy(GetParam(), "MVMUL DstRow=0", "MATH", 7, {"UNPACK0", "PACK0", "WAIT_SFPU"});
}

TEST_P(WaitCondition, Sfpu) {  // W30
  // A wait that is latched while the SFPU works on: STALLWAIT 3, SFPMAD 4, 5, 6, the last in the SFPU until 7.
  const std::string program =
      "STALLWAIT block=STALL_CFG, cond=WAIT_SFPU\n" + repeat(3, "SFPMAD VA=0, VB=1, VC=2, VD=3") + follower;
  EXPECT_EQ(cycles_of(GetParam(), program), (Cycles{3, 4, 5, 6, 9}));
  // One-cycle instructions leave a cycle earlier; another condition does not mind them; nor does another thread.
  EXPECT_EQ(cycles_of(GetParam(), "STALLWAIT block=STALL_CFG, cond=WAIT_SFPU\n" + repeat(3, "SFPNOP") + follower),
            (Cycles{3, 4, 5, 6, 8}));
  EXPECT_EQ(cycles_of(GetParam(), "STALLWAIT block=STALL_CFG, cond=MATH\n" + repeat(3, "SFPNOP") + follower),
            (Cycles{3, 4, 5, 6, 7}));
  EXPECT_EQ(distance(simulate(GetParam(), {wait_for("WAIT_SFPU"), repeat(9, "SFPNOP"), ""})), 2U);
}

TEST_P(WaitCondition, SrcClr) {  // W24, W25
  // Both banks are with the Matrix Unit. CLEARDVALID 13 gives one back for 14: follower 15. T0 waits from 4 on.
  for (const char* src : {"A", "B"}) {
    const std::string clr = std::string("SRC") + src + "_CLR";
    const std::string other = std::string("SRC") + (*src == 'A' ? "B" : "A") + "_CLR";
    const std::string hand_over = std::string("SETDVALID FlipSrc") + src + "=1\n";
    const std::string t0 = hand_over + hand_over + wait_for(clr);
    const Ran ran = simulate(GetParam(), {t0, repeat(10, "NOP") + "CLEARDVALID FlipSrc" + src + "=1", ""});
    EXPECT_EQ(ran.cycle_of(1, "CLEARDVALID"), 13U);
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 5, 15})) << clr;
    // The bank that the unpacker is on counts, not the other: one SETDVALID moves it to a free one.
    EXPECT_EQ(cycles_of(GetParam(), hand_over + wait_for(clr)), (Cycles{3, 4, 6})) << clr;
    EXPECT_EQ(cycles_of(GetParam(), hand_over + hand_over + wait_for(other)), (Cycles{3, 4, 5, 7})) << clr;
  }
}

TEST_P(WaitCondition, SrcVld) {  // W26, W27
  // At reset the unpackers own everything. SETDVALID 13 hands bank 0 over for 14: follower 15.
  for (const char* src : {"A", "B"}) {
    const std::string vld = std::string("SRC") + src + "_VLD";
    const std::string hand_over = std::string("SETDVALID FlipSrc") + src + "=1";
    const Ran ran = simulate(GetParam(), {wait_for(vld), repeat(10, "NOP") + hand_over, ""});
    EXPECT_EQ(ran.cycle_of(1, "SETDVALID"), 13U);
    EXPECT_EQ(ran.cycles(0), (Cycles{3, 15})) << vld;
    // The other file does not help, and the FPU's own bank counts: after CLEARDVALID it points at the next.
    const std::string other = std::string("SETDVALID FlipSrc") + (*src == 'A' ? "B" : "A") + "=1\n";
    EXPECT_TRUE(simulate(one_thread(GetParam(), 0, other + wait_for(vld))).deadlocked()) << vld;
    const std::string used_up = hand_over + "\nCLEARDVALID FlipSrc" + src + "=1\n" + wait_for(vld);
    EXPECT_TRUE(simulate(one_thread(GetParam(), 0, used_up)).deadlocked()) << vld;
  }
}

TEST_P(WaitCondition, Xmov) {  // W28
  // T1's XMOV 3 keeps the mover busy 3 to 13; it holds T0's wait as T0's own would.
  EXPECT_EQ(simulate(GetParam(), {wait_for("XMOV"), "XMOV", ""}).cycles(0), (Cycles{3, 15}));
  EXPECT_EQ(simulate(one_thread(GetParam(), 0, "XMOV\n" + wait_for("XMOV"))).cycles(0), (Cycles{3, 4, 15}));
  EXPECT_EQ(distance(simulate(GetParam(), {wait_for("MATH"), "XMOV", ""})), 2U);
}

TEST(WaitConditionBlackhole, Cfgexu) {  // W31
  // T1: WRCFG 3 to 12, the last in the Configuration Unit until 13. T0's SETDMAREG, not a SETC16, stands behind the wait.
  const std::string t0 = "STALLWAIT block=STALL_THCON, cond=CFGEXU\nDMANOP";
  EXPECT_EQ(simulate(Arch::blackhole, {t0, repeat(10, "WRCFG InputReg=0, CfgIndex=1"), ""}).cycles(0), (Cycles{3, 15}));
  EXPECT_EQ(simulate(Arch::blackhole, {t0, "", repeat(10, follower)}).cycles(0), (Cycles{3, 14}));  // SETC16: 3 to 12
  EXPECT_EQ(simulate(Arch::blackhole, {t0, repeat(10, "NOP"), ""}).cycles(0), (Cycles{3, 5}));
  // Wormhole has no such bit: STALLWAIT's bit 12 is the mover's there.
  EXPECT_EQ(simulate(Arch::wormhole, {"ttstallwait 32,0x1000\nDMANOP", repeat(10, follower), ""}).cycles(0),
            (Cycles{3, 5}));
}

TEST_P(WaitCondition, AllSelectedConditionsMustBeClearInOneCycle) {  // W32
  // MATH in 4 and 6, the SFPU in 5 and 7: there is no cycle before 8 in which both are idle, though either is in each.
  const std::string wait = "STALLWAIT block=STALL_CFG, cond=MATH|WAIT_SFPU\n";
  EXPECT_EQ(cycles_of(GetParam(), wait + "INCRWC\nSFPNOP\nINCRWC\nSFPNOP\n" + follower), (Cycles{3, 4, 5, 6, 7, 9}));
  // The last one to clear decides: PACR 3 to 18, UNPACR 4 to 21 (address 4 and 5, data 6 to 21), STALLWAIT 6.
  const Ran ran = simulate(
      one_thread(GetParam(), 0, "PACR\nUNPACR.Regular WhichUnpacker=0\n" + wait_for("PACK0|UNPACK0|THCON|MATH")));
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 4, 6, 23}));
}

TEST_P(WaitCondition, TriscCfg) {
  // W29. T0's own store of cycle 6, to configuration or to a GPR, is processed in 8: a wait latched in 7 holds until
  // then. So does a load, for as long as a store would travel: one of cycle 7 is a request in 7 and 8.
  Scenario scenario = one_thread(GetParam(), 0, "NOP\nNOP\nNOP\n" + wait_for("TRISC_CFG"));
  for (const std::uint32_t address : {0xFFEF0000U, 0xFFE00000U}) {
    scenario.actions = {store(6, T0, address, 5)};
    EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 4, 5, 6, 10}));  // in 8 the request is there, in 9 it is not
    scenario.actions = {store(6, T1, address, 5)};
    EXPECT_EQ(simulate(scenario).cycles(0), (Cycles{3, 4, 5, 6, 8}));
  }
}

}  // namespace
}  // namespace tensim::test
