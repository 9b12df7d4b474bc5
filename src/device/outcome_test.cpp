// How a tile of a device stands, with a host that may write.
#include <array>

#include <gtest/gtest.h>

#include "device/device.hpp"
#include "noc/counters.hpp"
#include "report/device_faults.hpp"
#include "report/run.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::device {
namespace {

using explain::OutcomeKind;
using noc::operator""_counter;
using noc::operator""_niu;
using test::NocProgram;
using tile::CoreId;

constexpr std::uint32_t code = 0x4000;
constexpr std::uint32_t go_word = 0x8000;

class DeviceOutcomeTest : public ::testing::TestWithParam<Arch> {
 protected:
  Device device_{GetParam()};
  Coordinates tile_ = *first_tensix();

  std::optional<Coordinates> first_tensix() const {
    for (unsigned y = 0; y < device_.plan().height(); ++y)
      for (unsigned x = 0; x < device_.plan().width(); ++x)
        if (device_.plan().has_tensix({x, y})) return Coordinates{x, y};
    return std::nullopt;
  }
  void start(NocProgram program) {
    program.stay();
    const auto& words = program.words();
    device_.write(tile_, code, {reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size()});
    device_.release(tile_, CoreId::brisc, code);
  }
  void write_word(std::uint32_t address, std::uint32_t value) {
    device_.write(tile_, address, {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
  }
  OutcomeKind kind() { return device_.outcome(tile_)->kind; }
};

TEST_P(DeviceOutcomeTest, ACoreThatPollsForTheHostIsNotDeadlocked) {
  NocProgram program(device_.plan());
  program.wait(go_word, 0x80);
  start(program);
  device_.clock(200'000);
  EXPECT_EQ(kind(), OutcomeKind::waiting_for_host);
  const std::string text = report::run_report(device_.programs(tile_), *device_.outcome(tile_), report::Format::plain);
  EXPECT_NE(text.find("waiting for the host after 200000 cycles"), std::string::npos) << text;
  EXPECT_NE(text.find("on word 0x00008000, which reads 0x0\n  the host can write it\n"), std::string::npos) << text;
  write_word(go_word, 0x80);
  EXPECT_EQ(kind(), OutcomeKind::budget_exhausted) << "it has something to do";
  device_.clock(1000);
  EXPECT_EQ(kind(), OutcomeKind::finished);
  device_.clock(200'000);
  EXPECT_EQ(kind(), OutcomeKind::finished) << "time changes nothing about it";
}

TEST_P(DeviceOutcomeTest, AHostCannotWriteACounterOfTheNiu) {
  NocProgram program(device_.plan());
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  start(program);
  device_.clock(200'000);
  EXPECT_EQ(kind(), OutcomeKind::deadlocked);
}

TEST_P(DeviceOutcomeTest, ARefusedRequestNamesTileCoreNocPlaceAndCycle) {
  NocProgram program(device_.plan(), 1);
  program.store(program.reg("NOC_CTRL"_niu), 3);  // bits 1:0 are 3
  program.store(program.reg("NOC_CMD_CTRL"_niu), 1);
  start(program);
  device_.clock(200'000);
  device_.settle();
  const std::vector<Fault> faults = device_.take_faults();
  ASSERT_EQ(faults.size(), 1U);
  const std::string text = report::text_of(faults.front());
  const std::string cycle = std::to_string(faults.front().cycle);
  EXPECT_EQ(text.rfind("cycle " + cycle + ", tile " + std::to_string(tile_.x) + "," + std::to_string(tile_.y) +
                           ": BRISC stopped in cycle " + cycle + " at 0x40",
                       0),
            0U)
      << text;
  EXPECT_NE(text.find("BRISC stores to 0xffb3"), std::string::npos) << text;
  EXPECT_NE(text.find("NoC 1 NIU: bits 1:0 of NOC_CTRL are 3"), std::string::npos) << text;
}

TEST_P(DeviceOutcomeTest, WhatCameOverTheNocIsOneFaultWhateverTheHostDoesThen) {
  device_.set_on_fault(OnFault::go_on);
  NocProgram program(device_.plan(), 1);
  program.target(device_.plan().translated(tile_), program.reg("NOC_NODE_ID"_niu));
  program.go(test::ctrl_inline_write, 0xF, 1);
  start(program);
  device_.clock(200'000);
  device_.settle();
  const std::vector<Fault> faults = device_.take_faults();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, Fault::Kind::noc_access);
  EXPECT_NE(report::text_of(faults[0]).find(" over NoC 1, by the request of cycle "), std::string::npos);
  write_word(program.reg("ROUTER_CFG_2"_niu), 7);
  device_.clock(200'000);
  device_.settle();
  EXPECT_TRUE(device_.take_faults().empty()) << "it has been told already";
}

INSTANTIATE_TEST_SUITE_P(Chips, DeviceOutcomeTest, ::testing::ValuesIn(all_archs),
                         [](const auto& each) { return std::string(tensim::name(each.param)); });

}  // namespace
}  // namespace tensim::device
