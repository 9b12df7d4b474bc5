// What requests do to the counters and registers of both NIUs, and to memory, as the pages have it (noc 1.3, 2, 3, 4).
#include <gtest/gtest.h>

#include "tests/support/chip_bench.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_counter;
using noc::operator""_niu;

constexpr std::uint32_t with_mask = 1U << 2U;

constexpr std::uint32_t tag_of(unsigned id) {
  return id << 10U;
}

class NiuCountersTest : public ::testing::TestWithParam<Arch>, protected ChipBench {
 protected:
  NiuCountersTest() : ChipBench(GetParam()) {}
  /// REMOTE_DEST_BUF_SIZE of stream 0: a register that cores and the NoC write and read.
  const std::uint32_t a_stream_register = on(GetParam(), 0xFFB4'0010U, 0xFFB4'0028U);
  bool is_wormhole() const { return GetParam() == Arch::wormhole; }
  std::uint32_t flits(std::uint32_t bytes) const { return bytes / noc::flit_bytes(GetParam()); }
  /// Runs the program of tile 0, and what is under way behind it.
  void run_program(const NocProgram& program) {
    start(0, program);
    ASSERT_TRUE(run(1));
    chip.run_until(chip.now() + 2000);
    chip.settle();
  }
};

TEST_P(NiuCountersTest, AMarkedMulticastCountsOneRequestAndAnAcknowledgementPerReceiver) {
  const noc::Coordinates corner = tensix(0);
  NocProgram program(plan);
  program.store(program.reg("NOC_PACKET_TAG"_niu), tag_of(6));
  program.target(name(0), data_at);
  program.back(plan.translated({corner.x + 2, corner.y + 2}), there, plan.translated({corner.x + 1, corner.y + 1}));
  program.go(ctrl_multicast_write, 64);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 4);
  program.copy(program.counter("NIU_MST_REQS_OUTSTANDING_ID"_counter + 6), 0x200);
  program.store(program.reg("NOC_CLEAR_OUTSTANDING_REQ_CNT"_niu), 1U << 6U);
  program.wait(program.counter("NIU_MST_REQS_OUTSTANDING_ID"_counter + 6), 0);
  run_program(program);
  EXPECT_EQ(counters(0)["NIU_MST_NONPOSTED_WR_REQ_SENT"_counter], 1U);
  EXPECT_EQ(counters(0)["NIU_MST_NONPOSTED_WR_DATA_WORD_SENT"_counter], flits(64));
  EXPECT_EQ(counters(0)["NIU_MST_WRITE_REQS_OUTGOING_ID"_counter + 6], 0U);
  EXPECT_EQ(word_of(tile(0), 0x200), 0xFDU) << "once up, four times down, in eight bits";
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 6], 0U);
}

TEST_P(NiuCountersTest, ClearingLeavesOtherIdsAlone) {
  NocProgram program(plan);
  for (const unsigned id : {2U, 3U}) {
    program.store(program.reg("NOC_PACKET_TAG"_niu), tag_of(id));
    program.target(name(1), data_at);  // its acknowledgement goes to tile 1
    program.back(name(2), there);
    program.go(ctrl_write, 64);
  }
  program.store(program.reg("NOC_CLEAR_OUTSTANDING_REQ_CNT"_niu), 1U << 2U | 1U << 9U);
  run_program(program);
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 2], 0U);
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 3], 1U);
  EXPECT_EQ(counters(0)["NIU_MST_WR_ACK_RECEIVED"_counter], 0U);
  EXPECT_EQ(counters(1)["NIU_MST_WR_ACK_RECEIVED"_counter], 2U) << "a response counts where it arrives";
  EXPECT_EQ(counters(1)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 2], 0xFFU);
  EXPECT_EQ(counters(1)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 3], 0xFFU);
}

TEST_P(NiuCountersTest, AReadOfAnotherTileForAThirdCountsThere) {
  fill(tile(1), there, 256, 1);
  NocProgram program(plan);
  program.target(name(1), there);
  program.back(name(2), data_at);
  program.go(ctrl_read, 256);
  run_program(program);
  EXPECT_EQ(word_of(tile(2), data_at + 252), word_of(tile(1), there + 252));
  EXPECT_EQ(counters(0)["NIU_MST_RD_REQ_SENT"_counter], 1U);
  EXPECT_EQ(counters(0)["NIU_MST_RD_RESP_RECEIVED"_counter], 0U);
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter], 1U);
  EXPECT_EQ(counters(1)["NIU_SLV_RD_RESP_SENT"_counter], 1U);
  EXPECT_EQ(counters(1)["NIU_SLV_RD_DATA_WORD_SENT"_counter], flits(256));
  EXPECT_EQ(counters(2)["NIU_MST_RD_RESP_RECEIVED"_counter], 1U);
  EXPECT_EQ(counters(2)["NIU_MST_RD_DATA_WORD_RECEIVED"_counter], flits(256));
}

TEST_P(NiuCountersTest, AnInlineWriteCountsOneFlitOfDataAtItsReceiver) {
  NocProgram program(plan);
  program.target(name(1), a_stream_register);
  program.go(ctrl_inline_write, 0, 7);
  program.go(ctrl_inline_write & ~0x10U, 0, 9);
  run_program(program);
  EXPECT_EQ(counters(0)["NIU_MST_NONPOSTED_WR_REQ_SENT"_counter], 1U);
  EXPECT_EQ(counters(0)["NIU_MST_POSTED_WR_REQ_SENT"_counter], 1U);
  EXPECT_EQ(counters(0)["NIU_MST_NONPOSTED_WR_DATA_WORD_SENT"_counter], 0U);
  EXPECT_EQ(counters(0)["NIU_MST_WRITE_REQS_OUTGOING_ID"_counter], 0U);
  EXPECT_EQ(counters(1)["NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED"_counter], 1U);
  EXPECT_EQ(counters(1)["NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED"_counter], 1U);
  EXPECT_EQ(counters(1)["NIU_SLV_WR_ACK_SENT"_counter], 1U);
}

TEST_P(NiuCountersTest, ARequestThatIsCutTakesItsIdsAtOnceAndAdvancesItsRegisters) {
  const std::uint32_t packet = noc::packet_bytes(GetParam());
  NocProgram program(plan);
  program.store(program.reg("NOC_PACKET_TAG"_niu), tag_of(4));
  program.target(name(0), data_at);
  program.back(name(1), there);
  program.initiate(ctrl_write, 2 * packet + 64);
  program.copy(program.counter("NIU_MST_REQS_OUTSTANDING_ID"_counter + 4), 0x200);
  program.wait(program.command(), 0);
  program.copy(program.reg("NOC_AT_LEN_BE"_niu), 0x204);
  program.copy(program.reg("NOC_TARG_ADDR_LO"_niu), 0x208);
  program.copy(program.reg("NOC_RET_ADDR_LO"_niu), 0x20C);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 3);
  run_program(program);
  EXPECT_EQ(word_of(tile(0), 0x200), 3U);
  EXPECT_EQ(word_of(tile(0), 0x204), 64U);
  EXPECT_EQ(word_of(tile(0), 0x208), data_at + 2 * packet);
  EXPECT_EQ(word_of(tile(0), 0x20C), there + 2 * packet);
  EXPECT_EQ(counters(0)["NIU_MST_CMD_ACCEPTED"_counter], 3U);
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 4], 0U);
  EXPECT_EQ(counters(0)["NIU_MST_WRITE_REQS_OUTGOING_ID"_counter + 4], 0U);
}

TEST_P(NiuCountersTest, BlackholesRequestFifoIsOffAndSaysSo) {
  if (is_wormhole()) return;
  NocProgram program(plan);
  program.store(0x200, 5);
  program.copy(program.reg("CMD_BUF_AVAIL"_niu), 0x200);
  program.copy(program.reg("CMD_BUF_OVFL"_niu), 0x204);
  run_program(program);
  EXPECT_EQ(word_of(tile(0), 0x200), 0U);
  EXPECT_EQ(word_of(tile(0), 0x204), 0U);
}

/// Takes whatever is written to the tiles of PCIe and ARC.
class Anything : public Outside {
 public:
  std::optional<std::string> read_outside(noc::Coordinates, std::uint64_t, std::span<std::uint8_t>) override {
    return std::nullopt;
  }
  std::optional<std::string> write_outside(noc::Coordinates, std::uint64_t, std::span<const std::uint8_t>) override {
    return std::nullopt;
  }
};

TEST_P(NiuCountersTest, WormholeLosesTheIdOfAMarkedWriteToArc) {
  Anything anything;
  chip.set_outside(&anything);
  NocProgram program(plan);
  program.store(program.reg("NOC_PACKET_TAG"_niu), tag_of(5));
  program.target(name(0), data_at);
  program.back(plan.arc(), 0x1000);
  program.go(ctrl_write, 16);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  run_program(program);
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter + 5], is_wormhole() ? 1U : 0U);
  EXPECT_EQ(counters(0)["NIU_MST_REQS_OUTSTANDING_ID"_counter], is_wormhole() ? 0xFFU : 0U);
  EXPECT_EQ(counters(0)["NIU_MST_WRITE_REQS_OUTGOING_ID"_counter + 5], 0U);
  ASSERT_EQ(tile(0).reports.size(), is_wormhole() ? 1U : 0U);
  if (!is_wormhole()) return;
  EXPECT_EQ(static_cast<noc::Refusal>(tile(0).reports[0].report.value), noc::Refusal::transaction_id_lost);
}

// ---- byte masks ----

TEST_P(NiuCountersTest, AMaskSelectsBytesFromRoundedAddressesOn) {
  const std::uint32_t off = is_wormhole() ? 0 : 4;  // Wormhole asks for multiples of 32
  fill(tile(0), data_at, 64, 1);
  NocProgram program(plan);
  program.target(name(0), data_at + off);
  program.back(name(1), there + off);
  program.go(ctrl_write | with_mask, 0x0F0F'00F0);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  run_program(program);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(tile(1).l1.data()[there + i], (0x0F0F'00F0ULL >> i & 1U) != 0 ? tile(0).l1.data()[data_at + i] : 0U) << i;
  EXPECT_EQ(counters(1)["NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED"_counter], 1U);
}

TEST_P(NiuCountersTest, AMaskAtTheEndOfL1NeedsNoBytesBehindIt) {
  const std::uint32_t end = *noc::l1_bytes(GetParam(), noc::TileKind::tensix);
  const std::uint32_t last = end - (is_wormhole() ? 32 : 16);
  fill(tile(0), last, 16, 2);
  NocProgram program(plan);
  program.target(name(0), last);
  program.back(name(1), last);
  program.go(ctrl_write | with_mask, 0xFFFF);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  run_program(program);
  EXPECT_EQ(word_of(tile(1), last + 12), word_of(tile(0), last + 12));
}

TEST_P(NiuCountersTest, ToARegisterTheMaskIsIgnoredAndFromOneItsWordIsRepeated) {
  const std::uint32_t from = data_at + a_stream_register % 16;
  const std::uint32_t value = 0x1234;
  tile(0).write(from, reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
  NocProgram program(plan);
  program.target(name(0), from);
  program.back(name(1), a_stream_register);
  program.go(ctrl_write | with_mask, 0);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 1);
  program.target(name(0), program.reg("NOC_NODE_ID"_niu));
  program.back(name(1), there);
  program.go(ctrl_write | with_mask, 0xFFF);
  program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), 2);
  program.copy(program.reg("NOC_NODE_ID"_niu), 0x204);
  program.target(name(1), a_stream_register);
  program.back(name(0), 0x208);
  program.go(ctrl_read, 4);
  program.wait(program.counter("NIU_MST_RD_RESP_RECEIVED"_counter), 1);
  run_program(program);
  EXPECT_EQ(word_of(tile(0), 0x208), 0x1234U);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(word_of(tile(1), there + 4 * i), word_of(tile(0), 0x204)) << i;
  EXPECT_EQ(word_of(tile(1), there + 12), 0U);
}

TEST_P(NiuCountersTest, TheHeaderOfAPostedWriteIsStoredASecondTime) {
  fill(tile(0), data_at, 128, 3);
  NocProgram program(plan);
  program.store(program.reg("NOC_PACKET_TAG"_niu), 1U << 9U);
  program.target(name(0), data_at);
  program.back(name(1), there);
  program.go(ctrl_posted_write, 128, 0x30000 >> 4U);
  run_program(program);
  EXPECT_EQ(std::memcmp(tile(1).l1.data() + there, tile(0).l1.data() + data_at, 128), 0);
  EXPECT_EQ(std::memcmp(tile(1).l1.data() + 0x30000, tile(0).l1.data() + data_at, 16), 0);
  EXPECT_EQ(word_of(tile(1), 0x30010), 0U);
}

// ---- atomics ----

struct AtomicCase {
  std::uint32_t at_len_be;
  std::uint32_t data;
  std::uint32_t old;     // at word 1
  std::uint32_t result;  // at word 1
  ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
};

/// Every opcode acts on word 1 of the line and is sent to word 2: that is the one that comes back (noc 2).
TEST_P(NiuCountersTest, EveryAtomicActsOnItsWordAndReturnsTheOneItWasSentTo) {
  const std::vector<AtomicCase> cases{
      {0x107D, 5, 10, 15},                                       // increment
      {0x101D, 3, 0x1FE, 0x101},                                 // of the low eight bits
      {0x4001 | 7U << 2U | 9U << 6U, 0, 7, 9},                   // compare and swap: equal,
      {0x4001 | 7U << 2U | 9U << 6U, 0, 8, 8},                   // and not
      {0x3000 | 1U << 4U, 0xAAAA'BBBB, 0x11112222, 0x1111BBBB},  // swap of the third half
      {0x6005, 77, 1, 77},                                       // swap
      {0x7004, 78, 1, 78},
      {0xA301, 79, 1, 79, Arch::blackhole},
      {0xA801, 4, 6, 10, Arch::blackhole},     // Zaamo: add,
      {0xA901, 5, 6, 3, Arch::blackhole},      // exclusive or,
      {0xAA01, 5, 6, 7, Arch::blackhole},      // or,
      {0xAB01, 5, 6, 4, Arch::blackhole},      // and,
      {0xAC01, 1, ~0U, ~0U, Arch::blackhole},  // the smaller,
      {0xAD01, 1, ~0U, 1, Arch::blackhole},    // the larger,
      {0xAE01, 1, ~0U, 1, Arch::blackhole},    // without signs
      {0xAF01, 1, ~0U, ~0U, Arch::blackhole},
      {0x9004, 3, 4, 7, Arch::blackhole},  // all four words
  };
  NocProgram program(plan);
  unsigned done = 0;
  for (const AtomicCase& each : cases) {
    if (!each.archs.contains(GetParam())) continue;
    const std::uint32_t line = there + 16 * done;
    tile(1).write(line + 4, reinterpret_cast<const std::uint8_t*>(&each.old), 4);
    const std::uint32_t mark = 1000 + done;
    tile(1).write(line + 8, reinterpret_cast<const std::uint8_t*>(&mark), 4);
    program.target(name(1), line + 8);
    program.back(name(0), data_at + 16 * done);
    program.go(ctrl_atomic, each.at_len_be, each.data);
    ++done;
  }
  program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), done);
  run_program(program);
  unsigned i = 0;
  for (const AtomicCase& each : cases) {
    if (!each.archs.contains(GetParam())) continue;
    EXPECT_EQ(word_of(tile(1), there + 16 * i + 4), each.result) << std::hex << each.at_len_be;
    EXPECT_EQ(word_of(tile(0), data_at + 16 * i), 1000 + i) << std::hex << each.at_len_be;
    ++i;
  }
  EXPECT_EQ(counters(1)["NIU_SLV_NONPOSTED_ATOMIC_RECEIVED"_counter], done);
  EXPECT_EQ(counters(1)["NIU_SLV_ATOMIC_RESP_SENT"_counter], done);
  EXPECT_EQ(counters(1)["NIU_SLV_REQ_ACCEPTED"_counter], done);
}

TEST_P(NiuCountersTest, AMulticastAtomicIsCarriedOutByEveryReceiver) {
  const noc::Coordinates corner = tensix(0);
  NocProgram program(plan);
  program.target(plan.translated({corner.x + 2, corner.y + 1}), there, plan.translated({corner.x + 1, corner.y}));
  program.back(name(0), data_at);
  program.go(0x81B1, increment_of(there), 3);
  program.wait(program.counter("NIU_MST_ATOMIC_RESP_RECEIVED"_counter), 4);
  run_program(program);
  for (unsigned y = corner.y; y <= corner.y + 1; ++y)
    for (unsigned x = corner.x + 1; x <= corner.x + 2; ++x)
      EXPECT_EQ(word_of(*chip.touch({x, y}).tile, there), 3U);
  EXPECT_EQ(counters(0)["NIU_MST_NONPOSTED_ATOMIC_SENT"_counter], 1U);
}

INSTANTIATE_TEST_SUITE_P(Chips, NiuCountersTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::chip
