#include "noc/request.hpp"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "noc/fields.hpp"

namespace tensim::noc {
namespace {

constexpr std::uint32_t marked_read = 0x2090;  // as tt-metal has them (noc 10.4)
constexpr std::uint32_t marked_write = 0x2092;
constexpr std::uint32_t posted_write = 0x2082;
constexpr std::uint32_t marked_atomic = 0x2091;
constexpr std::uint32_t multicast_write = 0x81B2;
constexpr std::uint32_t inline_write = 0x209A;
constexpr std::uint32_t increment = 0x107C;

/// TARG: tile 3,4 at 0x1000. RET: tile 5,6 at 0x2000. 64 bytes.
CommandRegisters registers(Arch arch, std::uint32_t ctrl) {
  const auto places = [](std::uint32_t x, std::uint32_t y) { return x | y << 6U; };
  CommandRegisters set{.targ_addr_lo = 0x1000, .ret_addr_lo = 0x2000, .ctrl = ctrl, .at_len_be = 64, .at_data = 0xABCD};
  if (arch == Arch::wormhole) {
    set.targ_addr_mid = places(3, 4) << 4U;
    set.ret_addr_mid = places(5, 6) << 4U;
  } else {
    set.targ_addr_hi = places(3, 4);
    set.ret_addr_hi = places(5, 6);
  }
  return set;
}

Request request(Arch arch, const CommandRegisters& set) {
  const auto decoded = decode(arch, set);
  if (const auto* refused = std::get_if<Refusal>(&decoded)) ADD_FAILURE() << name(*refused);
  return std::holds_alternative<Request>(decoded) ? std::get<Request>(decoded) : Request{};
}

class Requests : public testing::TestWithParam<Arch> {
 protected:
  Request of(const CommandRegisters& set) const { return request(GetParam(), set); }
  CommandRegisters with(std::uint32_t ctrl) const { return registers(GetParam(), ctrl); }
};
INSTANTIATE_TEST_SUITE_P(Archs, Requests, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

constexpr Place targ{{3, 4}, 0x1000};
constexpr Place ret{{5, 6}, 0x2000};

TEST_P(Requests, ReadGoesToTargAndItsDataToRet) {
  const Request read = of(with(marked_read));
  EXPECT_EQ(read.kind, RequestKind::read);
  EXPECT_EQ(read.target, targ);
  EXPECT_EQ(read.other, ret);
  EXPECT_EQ(read.length, 64U);
  EXPECT_FALSE(read.is_posted);
  EXPECT_EQ(read.channel, (StaticChannel{.class_bits = 0, .buddy = 1}));
  EXPECT_FALSE(of(with(0x2080)).is_posted) << "reads always have a response";
}

TEST_P(Requests, WriteGoesToRetAndItsAcknowledgementToTarg) {
  const Request write = of(with(marked_write));
  EXPECT_EQ(write.kind, RequestKind::write);
  EXPECT_EQ(write.target, ret);
  EXPECT_EQ(write.other, targ);
  EXPECT_FALSE(write.is_posted);
  EXPECT_TRUE(of(with(posted_write)).is_posted);
}

TEST_P(Requests, InlineWriteGoesToTargAndHasNoOtherEnd) {
  const Request write = of(with(inline_write));
  EXPECT_EQ(write.kind, RequestKind::inline_write);
  EXPECT_EQ(write.target, targ);
  EXPECT_EQ(write.other, Place{});
  EXPECT_EQ(write.immediate, 0xABCDU);
  EXPECT_EQ(write.byte_mask, 64U);
}

TEST_P(Requests, AtomicGoesToTargAndItsOldWordToRet) {
  CommandRegisters set = with(marked_atomic);
  set.at_len_be = increment;
  const Request atomic = of(set);
  EXPECT_EQ(atomic.kind, RequestKind::atomic);
  EXPECT_EQ(atomic.target, targ);
  EXPECT_EQ(atomic.other, ret);
  EXPECT_EQ(atomic.atomic, (Atomic{.kind = AtomicKind::increment, .operand = ~0U}));
}

TEST_P(Requests, BroadcastHasARectangle) {
  CommandRegisters set = with(multicast_write | 0x20040);  // including its source, linked
  (GetParam() == Arch::wormhole ? set.ret_addr_mid : set.ret_addr_hi) |= (1U | 2U << 6U)
                                                                         << (GetParam() == Arch::wormhole ? 16U : 12U);
  const Request write = of(set);
  ASSERT_TRUE(write.broadcast);
  EXPECT_EQ(write.broadcast->tiles, (Rectangle{{1, 2}, {5, 6}}));
  EXPECT_TRUE(write.broadcast->includes_source);
  EXPECT_TRUE(write.broadcast->reserves_path);
  EXPECT_FALSE(write.broadcast->is_y_major);
  EXPECT_TRUE(write.is_linked);
  EXPECT_EQ(write.channel, (StaticChannel{.class_bits = 2, .buddy = 0}));
}

TEST_P(Requests, TagsArePartOfIt) {
  CommandRegisters set = with(posted_write);
  set.packet_tag = 0xBU << 10U | 1U << 9U;
  const Request write = of(set);
  EXPECT_EQ(write.transaction_id, 0xBU);
  EXPECT_EQ(write.header_store, 0xABCD0U);
  EXPECT_EQ(of(with(posted_write | 5U << 27U)).priority, 5U);
}

TEST_P(Requests, LongOnesAreCutIntoPackets) {
  CommandRegisters set = with(marked_read);
  const std::uint32_t most = GetParam() == Arch::wormhole ? 8192 : 16384;
  for (const auto& [length, count] : {std::pair(1U, 1U), {most, 1U}, {most + 1, 2U}, {3 * most, 3U}}) {
    set.at_len_be = length;
    EXPECT_EQ(packets(GetParam(), of(set)), count) << length;
  }
}

TEST(RequestsOfBlackhole, MasksHave64BitsAndBroadcastsAQuadrant) {
  CommandRegisters set = registers(Arch::blackhole, multicast_write | 0x4);
  set.at_len_be_1 = 0x8000'0000;
  set.brcst_exclude = 7U << 8U | 3U << 14U | 1U << 21U | 1U << 22U;
  const Request write = request(Arch::blackhole, set);
  EXPECT_EQ(write.byte_mask, 0x8000'0000'0000'0040U);
  ASSERT_TRUE(write.broadcast && write.broadcast->excluded);
  const Quadrant left_out = *write.broadcast->excluded;
  EXPECT_EQ(left_out, (Quadrant{.corner = {7, 3}, .is_upward_x = false, .is_upward_y = true}));
  EXPECT_TRUE(left_out.contains({7, 3}));
  EXPECT_TRUE(left_out.contains({0, 9}));
  EXPECT_FALSE(left_out.contains({8, 9}));
  EXPECT_FALSE(left_out.contains({0, 2}));
  set.brcst_exclude &= ~(1U << 22U);
  EXPECT_FALSE(request(Arch::blackhole, set).broadcast->excluded);
}

// ---- wild requests ----

/// What the chip says of such registers between such tiles.
std::optional<Refusal> refusal_of(Arch arch, const CommandRegisters& set, const Ends& ends) {
  const auto decoded = decode(arch, set);
  if (const auto* refused = std::get_if<Refusal>(&decoded)) return *refused;
  return refusal(arch, std::get<Request>(decoded), ends);
}

struct Wild {
  Refusal expected;
  std::uint32_t ctrl;
  std::function<void(CommandRegisters&)> change = [](CommandRegisters&) {};
  Ends ends = {};
  ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
};

Ends target_is(TileKind kind) {
  return {.initiator = {}, .target = {.kind = kind, .is_off = false}, .other = {}};
}
std::function<void(CommandRegisters&)> set(std::uint32_t CommandRegisters::* which, std::uint32_t value) {
  return [=](CommandRegisters& registers) { registers.*which = value; };
}
std::function<void(CommandRegisters&)> atomic_at(std::uint32_t address, std::uint32_t response = 0x2000,
                                                 std::uint32_t at_len_be = increment) {
  return [=](CommandRegisters& registers) {
    registers.targ_addr_lo = address;
    registers.ret_addr_lo = response;
    registers.at_len_be = at_len_be;
  };
}
/// Addresses of TARG and RET, and the length.
std::function<void(CommandRegisters&)> move(std::uint32_t targ_at, std::uint32_t ret_at, std::uint32_t length) {
  return [=](CommandRegisters& registers) {
    registers.targ_addr_lo = targ_at;
    registers.ret_addr_lo = ret_at;
    registers.at_len_be = length;
  };
}

constexpr std::uint32_t mmio = 0xFFB12000;

std::vector<Wild> wild_registers() {
  using R = CommandRegisters;
  const auto at_len_be = [](std::uint32_t value) { return set(&R::at_len_be, value); };
  return {
      {Refusal::reserved_type, 0x2093},
      {Refusal::reserved_ctrl_bits, marked_read | 1U << 18U},
      {Refusal::reserved_ctrl_bits, marked_read | 1U << 26U},
      {Refusal::reserved_ctrl_bits, marked_read | 1U << 31U, {}, {}, Arch::wormhole},
      {Refusal::multicast_read, 0x80B0},
      {Refusal::accumulating_write, marked_write | 1U << 31U, {}, {}, Arch::blackhole},
      {Refusal::unicast_vc_class, marked_write | 2U << 14U},
      {Refusal::multicast_vc_class, multicast_write & ~(2U << 14U)},
      {Refusal::multicast_vc_class, multicast_write | 1U << 14U},
      {Refusal::multicast_pattern, multicast_write, set(&R::brcst_exclude, 1), {}, Arch::blackhole},
      {Refusal::length_zero, marked_read, at_len_be(0)},
      {Refusal::length_zero, marked_write, at_len_be(0)},
      {Refusal::length_above_32_bits, marked_read, set(&R::at_len_be_1, 1), {}, Arch::blackhole},
      {Refusal::split_misaligned, marked_read, move(0x1010, 0x2010, 0x4001)},
      {Refusal::header_store_not_posted_write, marked_write, set(&R::packet_tag, 1U << 9U)},
      {Refusal::header_store_not_posted_write, marked_read, set(&R::packet_tag, 1U << 9U)},
      {Refusal::delivery_to_overlay, posted_write, set(&R::packet_tag, 1U << 6U)},
      {Refusal::atomic_no_operation, marked_atomic, at_len_be(0x0000)},
      {Refusal::atomic_incr_get_ptr, marked_atomic, at_len_be(0x2000)},
      {Refusal::atomic_get_tile_map, marked_atomic, at_len_be(0x5000)},
      {Refusal::atomic_unknown_opcode, marked_atomic, at_len_be(0xF000)},
      {Refusal::atomic_of_blackhole, marked_atomic, at_len_be(0x9000), {}, Arch::wormhole},
      {Refusal::atomic_swap_form, marked_atomic, at_len_be(0x6000)},
      {Refusal::atomic_zaamo_form, marked_atomic, at_len_be(0xA000), {}, Arch::blackhole},
      {Refusal::atomic_accumulate_format, marked_atomic, at_len_be(0x9003), {}, Arch::blackhole},
  };
}

std::vector<Wild> wild_targets() {
  using R = CommandRegisters;
  constexpr std::uint32_t with_mask = marked_write | 0x4;
  const auto above = [](CommandRegisters& registers) { registers.targ_addr_mid |= 1; };
  const Ends dram = target_is(TileKind::dram);
  return {
      {Refusal::tile_off, marked_read, {}, {.target = {.kind = TileKind::tensix, .is_off = true}}},
      {Refusal::tile_off, inline_write, {}, {.target = {.kind = TileKind::tensix, .is_off = true}}},
      {Refusal::tile_without_memory, marked_write, {}, target_is(TileKind::router)},
      {Refusal::tile_not_modelled, marked_read, {}, target_is(TileKind::l2cpu)},
      {Refusal::tile_not_modelled, marked_atomic, atomic_at(0x1000), target_is(TileKind::security)},
      {Refusal::address_above_32_bits, marked_read, above},
      {Refusal::beyond_l1, marked_read, move(0x17FFF0, 0x2000, 0x20)},
      {Refusal::beyond_l1, marked_read, move(0x1000, 0x17FFF0, 0x20)},
      {Refusal::beyond_l1, marked_write, move(0xFE00'0000, 0x2000, 16)},
      {Refusal::beyond_l1, marked_read, move(0x80000, 0x2000, 16), target_is(TileKind::ethernet)},
      {Refusal::beyond_dram, marked_read, move(0xFEFF'FFC0, 0x2000, 128), dram, Arch::blackhole},
      {Refusal::beyond_dram, marked_read, move(0x7FFF'FFC0, 0x2000, 128), dram, Arch::wormhole},
      {Refusal::mmio_length, marked_write, move(0x1000, mmio, 8)},
      {Refusal::mmio_length, marked_read, move(0x1000, mmio, 64), dram},
      {Refusal::mmio_misaligned, marked_write, move(0x1002, mmio + 2, 4)},
      {Refusal::mmio_misaligned, inline_write, move(mmio + 2, 0, 0xF)},
      {Refusal::mmio_crosses_word, marked_read, move(mmio, 0x2000, 8)},
      {Refusal::mmio_crosses_word, marked_read, move(mmio + 2, 0x2002, 4)},
      {Refusal::not_congruent_4, marked_read, move(mmio + 1, 0x2002, 1)},
      {Refusal::not_congruent_16, marked_read, move(0x1004, 0x2000, 4)},
      {Refusal::not_congruent_16, marked_write, move(0x1004, 0x2000, 4), dram},
      {Refusal::not_congruent_16, marked_write, move(0x1004, mmio, 4)},
      {Refusal::not_congruent_16, with_mask, move(0x1004, mmio, 1)},
      {Refusal::not_congruent_flit, marked_read, move(0x1010, 0x2000, 16), dram},
      {Refusal::not_congruent_flit, marked_read, move(0x1020, 0x2000, 16), dram, Arch::blackhole},
      {Refusal::bridge_misaligned, marked_write, move(0x1001, 0x2001, 4), target_is(TileKind::arc)},
      {Refusal::bridge_misaligned, marked_read, move(0x1000, 0x2000, 6), target_is(TileKind::arc)},
      {Refusal::bridge_misaligned, with_mask, move(0x1000, 0x2000, 0x7), target_is(TileKind::arc)},
      {Refusal::byte_enable_misaligned, with_mask, move(0x1000, 0x2010, 1), {}, Arch::wormhole},
      {Refusal::byte_enable_source_misaligned, with_mask, move(0x1010, 0x2000, 1), {}, Arch::wormhole},
      {Refusal::byte_enable_source_misaligned, with_mask, move(mmio + 1, 0x2000, 1)},
      {Refusal::inline_to_memory, inline_write, {}, dram},
      {Refusal::inline_to_memory, inline_write, {}, target_is(TileKind::pcie)},
      {Refusal::inline_to_l1, inline_write, {}, {}, Arch::blackhole},
      {Refusal::atomic_to_mmio, marked_atomic, atomic_at(mmio)},
      {Refusal::atomic_to_memory, marked_atomic, atomic_at(0x1000), dram},
      {Refusal::atomic_misaligned, marked_atomic, atomic_at(0x1002)},
      {Refusal::atomic_response_not_l1, marked_atomic, atomic_at(0x1000, mmio)},
      {Refusal::atomic_response_not_l1, marked_atomic, atomic_at(0x1000), {.other = {.kind = TileKind::dram}}},
      {Refusal::atomic_response_misaligned, marked_atomic, atomic_at(0x1000, 0x2001)},
      {Refusal::beyond_l1, with_mask, move(0x1000, 0x17FFF0, 1U << 31U), {}, Arch::blackhole},
      {Refusal::beyond_l1, marked_atomic, set(&R::targ_addr_lo, 0xFE00'0000)},
  };
}

void expect_refused(const std::vector<Wild>& all, RefusalRow::Seen seen, std::set<Refusal> told_elsewhere) {
  std::set<Refusal> covered;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Arch arch : all_archs) {
      if (!all[i].archs.contains(arch)) continue;
      CommandRegisters wild = registers(arch, all[i].ctrl);
      if ((all[i].ctrl & 3U) == 1) wild.at_len_be = increment;
      if (all[i].change) all[i].change(wild);
      const auto refused = refusal_of(arch, wild, all[i].ends);
      ASSERT_TRUE(refused) << name(all[i].expected) << ", row " << i << ", " << name(arch);
      EXPECT_EQ(name(*refused), name(all[i].expected)) << "row " << i << ", " << name(arch);
      covered.insert(*refused);
    }
  covered.merge(told_elsewhere);
  for (const RefusalRow& row : refusal_rows) {
    const bool is_of_these = row.seen == seen && row.severity == RefusalRow::Severity::fault;
    EXPECT_TRUE(!is_of_these || covered.contains(row.value)) << row.name << " has no example";
  }
}

TEST(WildRequests, OfTheRegistersAreNamed) {
  expect_refused(wild_registers(), RefusalRow::Seen::in_registers, {});
}

TEST(WildRequests, OfTheTargetAreNamed) {
  // A tile that is not there is found before: ends_test.cpp.
  expect_refused(wild_targets(), RefusalRow::Seen::at_target, {Refusal::no_such_tile});
}

TEST(WildRequests, AreFortyKindsAndMoreWithACompleteText) {
  std::set<std::string_view> texts;
  for (const RefusalRow& row : refusal_rows) {
    EXPECT_GT(row.text.size(), 30U) << row.name;
    EXPECT_FALSE(row.source.empty()) << row.name;
    EXPECT_TRUE(texts.insert(row.text).second) << row.name << " has the text of another";
  }
  EXPECT_GE(texts.size(), 40U);
}

// ---- what is in order ----

struct Tame {
  std::uint32_t ctrl;
  std::function<void(CommandRegisters&)> change;
  Ends ends = {};
  ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
};

/// Each cell of the tables of NoC/Alignment.md that can be right, at its limits.
TEST(TameRequests, AreNotRefused) {
  constexpr std::uint32_t with_mask = marked_write | 0x4;
  const Ends dram = target_is(TileKind::dram);
  const std::vector<Tame> all{
      {marked_read, move(0x1001, 0x2001, 3)},
      {marked_read, move(0x1008, 0x2018, 4096)},
      {marked_read, move(mmio, mmio + 8, 4)},
      {marked_read, move(mmio + 1, 0x2001, 3)},
      {marked_write, move(0x1004, mmio + 4, 4)},
      {marked_write, move(0x1010, 0x2000, 100), dram},
      {marked_read, move(0x1005, 0x2045, 100), dram},
      {marked_read, move(0x1025, 0x2045, 100), dram, Arch::wormhole},
      {marked_read, move(0x1000, 0x2000, 0x10000)},
      {marked_read, move(0x1004, 0x2004, 8), target_is(TileKind::arc)},
      {marked_read, move(0x1004, 0x2004, 8), target_is(TileKind::pcie)},
      {with_mask, move(0x1020, 0x2040, 0xF0F0)},
      {with_mask, move(0x1008, 0x2004, 0xFFFF), {}, Arch::blackhole},
      {with_mask, move(mmio + 4, 0x2000, 0xF)},
      {with_mask, move(0x1004, mmio + 4, 0)},
      {with_mask, move(0x1000, 0x2000, 0xF0F), target_is(TileKind::arc)},
      {inline_write, move(mmio, 0, 0xF)},
      {inline_write, move(0x1003, 0, 0xF), {}, Arch::wormhole},
      {inline_write, move(mmio, 0, 0xF), target_is(TileKind::ethernet)},
      {marked_atomic, atomic_at(0x100C, 4)},
      {marked_atomic, atomic_at(0x1000), target_is(TileKind::ethernet)},
      {0x2081, atomic_at(0x1000, 0x2001)},  // nobody responds
      {multicast_write, move(0x1000, mmio, 4)},
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Arch arch : all_archs) {
      if (!all[i].archs.contains(arch)) continue;
      CommandRegisters tame = registers(arch, all[i].ctrl);
      all[i].change(tame);
      const auto refused = refusal_of(arch, tame, all[i].ends);
      EXPECT_FALSE(refused) << "row " << i << ", " << name(arch) << ": " << (refused ? name(*refused) : "");
    }
}

TEST(DoubtfulRequests, AreWarnedOf) {
  const auto warned = [](Arch arch, CommandRegisters set, const Ends& ends) {
    return warning(arch, request(arch, set), ends);
  };
  CommandRegisters atomic = registers(Arch::blackhole, 0x2081);
  atomic.at_len_be = increment;
  EXPECT_EQ(warned(Arch::blackhole, atomic, {}), Refusal::posted_atomic);
  EXPECT_EQ(warned(Arch::wormhole, atomic, {}), std::nullopt);
  atomic.ctrl = marked_atomic;
  EXPECT_EQ(warned(Arch::blackhole, atomic, {}), std::nullopt);
  CommandRegisters write = registers(Arch::wormhole, marked_write);
  write.packet_tag = 3U << 10U;
  EXPECT_EQ(warned(Arch::wormhole, write, target_is(TileKind::pcie)), Refusal::transaction_id_lost);
  EXPECT_EQ(warned(Arch::wormhole, write, target_is(TileKind::dram)), std::nullopt);
  EXPECT_EQ(warned(Arch::blackhole, write, target_is(TileKind::pcie)), std::nullopt);
  for (const Arch arch : all_archs) {
    EXPECT_EQ(warned(arch, registers(arch, marked_write), {}), std::nullopt);
    EXPECT_EQ(warned(arch, registers(arch, marked_write | 5U << 27U), {}), Refusal::priority_ignored);
  }
}

}  // namespace
}  // namespace tensim::noc
