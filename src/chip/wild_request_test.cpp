// Requests that no NIU is meant to get, as programs make them: each kind stops its core at the store that does it, with a
// name of its own (noc/refusal.hpp).
#include <set>

#include <gtest/gtest.h>

#include "tests/support/chip_bench.hpp"

namespace tensim::chip {
namespace {

using namespace tensim::test;
using noc::operator""_niu;
using noc::Refusal;
using tile::CoreId;

constexpr std::uint32_t a_stream_register = 0xFFB4'0028;
constexpr std::uint32_t instruction_buffer = 0xFFE4'0000;
constexpr std::uint32_t with_mask = 1U << 2U;
constexpr std::uint32_t linked = 1U << 6U;

/// A program of tile 0 whose last store is wild.
struct Wild {
  explicit Wild(const ChipBench& on) : bench(on), program(on.plan) {}

  void set(const noc::NiuRegister& row, std::uint32_t value) { program.store(program.reg(row), value); }
  void read(noc::Coordinates from, std::uint32_t address, std::uint32_t to, std::uint32_t length) {
    program.target(from, address);
    program.back(bench.name(0), to);
    program.initiate(ctrl_read, length);
  }
  void write(std::uint32_t from, noc::Coordinates tile, std::uint32_t to, std::uint32_t length,
             std::uint32_t ctrl = ctrl_write) {
    program.target(bench.name(0), from);
    program.back(tile, to);
    program.initiate(ctrl, length);
  }
  void write_inline(noc::Coordinates tile, std::uint32_t to) {
    program.target(tile, to);
    program.initiate(ctrl_inline_write, 0xF);
  }
  void atomic(std::uint32_t opcode, noc::Coordinates tile, std::uint32_t at, std::uint32_t to = data_at) {
    program.target(tile, at);
    program.back(bench.name(0), to);
    program.initiate(ctrl_atomic, opcode);
  }
  void multicast(noc::Coordinates start, noc::Coordinates end, std::uint32_t ctrl = ctrl_multicast_write) {
    program.target(bench.name(0), data_at);
    program.back(end, there, start);
    program.initiate(ctrl, 64);
  }
  /// Three command buffers with the longest packets: the first two are accepted, and the third has to wait.
  void fill_the_niu() {
    for (unsigned buffer = 0; buffer < 3; ++buffer) {
      program.use(buffer);
      write(data_at, other, there, noc::packet_bytes(bench.plan.arch()));
    }
  }
  /// What leads to a tile of which this is true.
  template <class Is>
  noc::Coordinates where(Is is) const {
    for (unsigned y = 0; y < 32; ++y)
      for (unsigned x = 0; x < 32; ++x)
        if (is(bench.plan.tile({x, y}))) return {x, y};
    ADD_FAILURE() << "no such tile";
    return {};
  }

  const ChipBench& bench;
  NocProgram program;
  noc::Coordinates other = bench.name(1);
};

struct WildRow {
  Refusal refusal;
  void (*make)(Wild&);
  ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
};

const std::vector<WildRow> wild_rows{
    // ---- the command buffer alone ----
    {Refusal::reserved_type, [](Wild& w) { w.write(data_at, w.other, there, 64, ctrl_write | 1U); }},
    {Refusal::reserved_ctrl_bits, [](Wild& w) { w.write(data_at, w.other, there, 64, ctrl_write | 1U << 18U); }},
    {Refusal::multicast_read,
     [](Wild& w) {
       w.program.target(w.other, there, w.other);
       w.program.back(w.bench.name(0), data_at);
       w.program.initiate(1U << 5U, 64);
     }},
    {Refusal::accumulating_write, [](Wild& w) { w.write(data_at, w.other, there, 64, ctrl_write | 1U << 31U); },
     Arch::blackhole},
    {Refusal::unicast_vc_class, [](Wild& w) { w.write(data_at, w.other, there, 64, 0x8092); }},
    {Refusal::multicast_vc_class, [](Wild& w) { w.multicast(w.other, w.other, 0x21B2); }},
    {Refusal::multicast_pattern,
     [](Wild& w) {
       w.set("NOC_BRCST_EXCLUDE"_niu, 1);
       w.multicast(w.other, w.other);
     },
     Arch::blackhole},
    {Refusal::length_zero, [](Wild& w) { w.write(data_at, w.other, there, 0); }},
    {Refusal::length_above_32_bits,
     [](Wild& w) {
       w.set("NOC_AT_LEN_BE_1"_niu, 1);
       w.write(data_at, w.other, there, 64);
     },
     Arch::blackhole},
    {Refusal::split_misaligned, [](Wild& w) { w.write(data_at + 16, w.other, there + 16, 40'000); }},
    {Refusal::header_store_not_posted_write,
     [](Wild& w) {
       w.set("NOC_PACKET_TAG"_niu, 1U << 9U);
       w.write(data_at, w.other, there, 64);
     }},
    {Refusal::delivery_to_overlay,
     [](Wild& w) {
       w.set("NOC_PACKET_TAG"_niu, 1U << 6U);
       w.write(data_at, w.other, there, 64);
     }},
    {Refusal::atomic_no_operation, [](Wild& w) { w.atomic(0x0000, w.other, there); }},
    {Refusal::atomic_incr_get_ptr, [](Wild& w) { w.atomic(0x2000, w.other, there); }},
    {Refusal::atomic_get_tile_map, [](Wild& w) { w.atomic(0x5000, w.other, there); }},
    {Refusal::atomic_unknown_opcode, [](Wild& w) { w.atomic(0x8000, w.other, there); }},
    {Refusal::atomic_of_blackhole, [](Wild& w) { w.atomic(0x9000, w.other, there); }, Arch::wormhole},
    {Refusal::atomic_swap_form, [](Wild& w) { w.atomic(0x6000, w.other, there); }},
    {Refusal::atomic_zaamo_form, [](Wild& w) { w.atomic(0xA000, w.other, there); }, Arch::blackhole},
    {Refusal::atomic_accumulate_format, [](Wild& w) { w.atomic(0x9003, w.other, there); }, Arch::blackhole},
    // ---- the tiles at its ends ----
    {Refusal::no_such_tile,
     [](Wild& w) { w.read(w.where([](const auto& tile) { return !tile; }), there, data_at, 64); }},
    {Refusal::tile_off,
     [](Wild& w) {
       w.read(w.where([&](const auto& tile) { return tile && w.bench.plan.is_off(*tile); }), there, data_at, 64);
     }},
    {Refusal::tile_without_memory,
     [](Wild& w) {
       const auto is_router = [&](const auto& tile) {
         return tile && !w.bench.plan.is_off(*tile) && w.bench.plan.kind(*tile) == noc::TileKind::router;
       };
       w.read(w.where(is_router), there, data_at, 64);
     }},
    {Refusal::tile_not_modelled,
     [](Wild& w) {
       w.program.target(w.other, there);
       w.program.back(w.bench.bank(), 0);  // memory takes no responses
       w.program.initiate(ctrl_read, 64);
     }},
    {Refusal::address_above_32_bits,
     [](Wild& w) {
       w.program.target(w.other, there);
       const std::uint32_t places = w.other.x | w.other.y << 6U;
       w.set("NOC_TARG_ADDR_MID"_niu, on(w.bench.plan.arch(), places << 4U, 0U) | 1U);
       w.program.back(w.bench.name(0), data_at);
       w.program.initiate(ctrl_read, 64);
     }},
    {Refusal::beyond_l1,
     [](Wild& w) {
       w.read(w.other, *noc::l1_bytes(w.bench.plan.arch(), noc::TileKind::tensix) - 16, data_at + 48, 32);
     }},
    {Refusal::beyond_dram,
     [](Wild& w) { w.read(w.bench.bank(), on(w.bench.plan.arch(), 0x8000'0000U, 0xFF00'0000U) - 64, data_at, 128); }},
    {Refusal::mmio_length, [](Wild& w) { w.write(data_at + 8, w.other, a_stream_register, 8); }},
    {Refusal::mmio_misaligned, [](Wild& w) { w.write_inline(w.other, a_stream_register + 2); }},
    {Refusal::mmio_crosses_word, [](Wild& w) { w.read(w.other, a_stream_register + 2, data_at + 2, 4); }},
    {Refusal::not_congruent_4, [](Wild& w) { w.read(w.other, a_stream_register, data_at + 1, 1); }},
    {Refusal::not_congruent_16, [](Wild& w) { w.read(w.other, there, data_at + 4, 64); }},
    {Refusal::not_congruent_flit, [](Wild& w) { w.read(w.bench.bank(), 16, data_at, 16); }},
    {Refusal::bridge_misaligned, [](Wild& w) { w.read(w.bench.plan.arc(), 0x1000, data_at, 2); }},
    {Refusal::byte_enable_misaligned,
     [](Wild& w) { w.write(data_at, w.other, there + 16, 0xF, ctrl_write | with_mask); }, Arch::wormhole},
    {Refusal::byte_enable_source_misaligned,
     [](Wild& w) { w.write(a_stream_register + 2, w.other, there, 0xF, ctrl_write | with_mask); }},
    {Refusal::inline_to_memory, [](Wild& w) { w.write_inline(w.bench.bank(), 0); }},
    {Refusal::inline_to_l1, [](Wild& w) { w.write_inline(w.other, there); }, Arch::blackhole},
    {Refusal::atomic_to_mmio, [](Wild& w) { w.atomic(increment_of(0), w.other, a_stream_register); }},
    {Refusal::atomic_to_memory, [](Wild& w) { w.atomic(increment_of(0), w.bench.bank(), 0); }},
    {Refusal::atomic_misaligned, [](Wild& w) { w.atomic(increment_of(0), w.other, there + 2); }},
    {Refusal::atomic_response_not_l1, [](Wild& w) { w.atomic(increment_of(0), w.other, there, a_stream_register); }},
    {Refusal::atomic_response_misaligned, [](Wild& w) { w.atomic(increment_of(0), w.other, there, data_at + 2); }},
    // ---- what NIUs are doing ----
    {Refusal::multicast_without_receiver,
     [](Wild& w) { w.multicast(w.bench.name(0), w.bench.name(0)); }},  // itself, which is not included
    {Refusal::register_while_busy,
     [](Wild& w) {
       w.fill_the_niu();
       w.set("NOC_AT_DATA"_niu, 5);
     }},
    {Refusal::go_while_busy,
     [](Wild& w) {
       w.fill_the_niu();
       w.program.store(w.program.command(), 1);
     }},
    {Refusal::go_during_split,
     [](Wild& w) {
       w.write(data_at, w.other, there, 60'000);
       w.program.use(1);
       w.write(data_at, w.other, there, 64);
     }},
    {Refusal::linked_elsewhere,
     [](Wild& w) {
       w.write(data_at, w.other, there, 64, ctrl_write | linked);
       w.program.wait(w.program.command(), 0);
       w.write(data_at, w.bench.name(2), there, 64);
     }},
    {Refusal::linked_other_channel,
     [](Wild& w) {
       w.write(data_at, w.other, there, 64, ctrl_write | linked);
       w.program.wait(w.program.command(), 0);
       w.write(data_at, w.other, there, 64, 0x92);  // buddy 0
     }},
    {Refusal::request_fifo, [](Wild& w) { w.set("NIU_CFG_0"_niu, 1U << 16U | 1U << 14U); }, Arch::blackhole},
    {Refusal::return_to_zero_interrupt, [](Wild& w) { w.set("NIU_TRANS_COUNT_RTZ_CFG"_niu, 1); }, Arch::blackhole},
    {Refusal::register_unknown, [](Wild& w) { w.program.store(noc::niu_base + 0x38, 1); }},
    {Refusal::register_read_only, [](Wild& w) { w.set("NOC_NODE_ID"_niu, 1); }},
    {Refusal::mmio_not_reachable, [](Wild& w) { w.write_inline(w.other, instruction_buffer); }},
};

/// Kinds that no store of a core in a chip has, and why.
struct ElsewhereRow {
  Refusal refusal;
  std::string_view why;
};
constexpr std::array elsewhere{
    ElsewhereRow{Refusal::link_left_open, "no store does it: what a program has left open is in its outcome"},
    ElsewhereRow{Refusal::no_network, "a tile without a chip: below"},
    ElsewhereRow{Refusal::posted_atomic, "a warning: linked_test.cpp"},
    ElsewhereRow{Refusal::multicast_unreserved, "a warning: linked_test.cpp"},
    ElsewhereRow{Refusal::transaction_id_lost, "a warning: niu_counters_test.cpp"},
    ElsewhereRow{Refusal::priority_ignored, "a warning: noc/request_test.cpp"},
    ElsewhereRow{Refusal::coordinates_by_chance, "a warning: below"},
};

/// Some of it is harvested, so that there are tiles that are off.
noc::FloorPlan card(Arch arch) {
  return noc::FloorPlan(*noc::product(on<std::string_view>(arch, "n150", "p100")));
}

class WildRequestTest : public ::testing::TestWithParam<Arch> {};

TEST_P(WildRequestTest, EachKindStopsItsCoreAtItsStoreWithItsOwnName) {
  std::set<Refusal> seen;
  for (const WildRow& row : wild_rows) {
    if (!row.archs.contains(GetParam())) continue;
    SCOPED_TRACE(noc::name(row.refusal));
    std::array<time::Cycle, 2> cycles{};
    for (const bool lockstep : {false, true}) {
      ChipBench bench(card(GetParam()));
      bench.chip.walk_in_lockstep(lockstep);
      Wild wild(bench);
      row.make(wild);
      const auto guilty = static_cast<std::uint32_t>(code_at + 4 * wild.program.last_store());
      bench.start(0, wild.program);
      EXPECT_FALSE(bench.run(1, 5000));
      const auto& stop = bench.tile(0).core(CoreId::brisc).stop;
      ASSERT_TRUE(stop.has_value());
      const auto refusal = tile::refusal_of(static_cast<tile::AccessFault>(stop->access_fault));
      ASSERT_TRUE(refusal.has_value()) << tile::meaning(static_cast<tile::AccessFault>(stop->access_fault));
      EXPECT_EQ(noc::name(*refusal), noc::name(row.refusal));
      EXPECT_EQ(stop->pc, guilty);
      EXPECT_GT(stop->cycle, 0U);
      cycles[lockstep ? 1 : 0] = stop->cycle;
    }
    EXPECT_EQ(cycles[0], cycles[1]);
    EXPECT_TRUE(seen.insert(row.refusal).second) << "one row for each";
  }
  EXPECT_GE(seen.size(), 40U);
}

TEST(WildRequestRows, NoKindIsLeftOut) {
  std::set<Refusal> known;
  for (const WildRow& row : wild_rows)
    known.insert(row.refusal);
  for (const ElsewhereRow& row : elsewhere)
    known.insert(row.refusal);
  for (const noc::RefusalRow& row : noc::refusal_rows)
    EXPECT_TRUE(known.contains(row.value)) << row.name;
}

/// What a newcomer sends from: a variable on the stack.
TEST_P(WildRequestTest, ACoresOwnMemoryIsNotReachedWhateverTheLength) {
  ChipBench bench(GetParam());
  Wild wild(bench);
  wild.write(0xFFB0'0100, wild.other, there + 0x100, 64);
  bench.start(0, wild.program);
  EXPECT_FALSE(bench.run(1, 5000));
  ASSERT_TRUE(bench.tile(0).core(CoreId::brisc).stop.has_value());
  EXPECT_EQ(bench.tile(0).core(CoreId::brisc).stop->access_fault, tile::fault_of(Refusal::mmio_not_reachable));
}

TEST_P(WildRequestTest, ATileWithoutAChipSaysThatNothingWouldArrive) {
  ChipBench bench(GetParam());
  Wild wild(bench);
  wild.write(data_at, wild.other, there, 64);
  tile::Tile alone(GetParam());
  const auto& words = wild.program.words();
  alone.write(code_at, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
  alone.release(CoreId::brisc, code_at);
  EXPECT_EQ(alone.run_until(5000), tile::Tile::Halt::core_stopped);
  ASSERT_TRUE(alone.core(CoreId::brisc).stop.has_value());
  EXPECT_EQ(alone.core(CoreId::brisc).stop->access_fault, tile::fault_of(Refusal::no_network));
}

/// Blackhole's name of a column that it does not have leads to memory, Wormhole's to a router or memory: carried out, if it can
/// be, and noted.
TEST_P(WildRequestTest, CoordinatesThatAreNoTilesAreNoted) {
  for (const bool is_name : {true, false}) {
    ChipBench bench(GetParam());
    const noc::Coordinates behind = bench.name(0).x == 18 ? noc::Coordinates{26, 18} : noc::Coordinates{17, 2};
    Wild wild(bench);
    wild.write(data_at, is_name ? bench.name(1) : behind, there, 64);
    const auto guilty = static_cast<std::uint32_t>(code_at + 4 * wild.program.last_store());
    bench.start(0, wild.program);
    ASSERT_TRUE(bench.run(1, 5000));
    const auto& reports = bench.tile(0).reports;
    ASSERT_EQ(reports.size(), is_name ? 0U : 1U);
    if (is_name) continue;
    EXPECT_EQ(static_cast<Refusal>(reports[0].report.value), Refusal::coordinates_by_chance);
    EXPECT_EQ(reports[0].report.pc, guilty);
  }
}

/// A register over there that refuses a store stops that tile, and says who sent it.
TEST_P(WildRequestTest, AWildStoreOverTheNocNamesItsIssuer) {
  ChipBench bench(GetParam());
  Wild wild(bench);
  wild.write_inline(wild.other, wild.program.reg("NOC_NODE_ID"_niu));
  const auto guilty = static_cast<std::uint32_t>(code_at + 4 * wild.program.last_store());
  bench.start(0, wild.program);
  bench.run(1, 5000);
  const auto& fault = bench.tile(1).noc_fault;
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->fault, tile::fault_of(Refusal::register_read_only));
  EXPECT_EQ(fault->noc, 0U);
  EXPECT_EQ(fault->issuer.tile, bench.tensix(0));
  EXPECT_EQ(fault->issuer.pc, guilty);
  EXPECT_LT(fault->issuer.cycle, fault->cycle);
}

/// Tile 0 has tile 1's NIU send what stops tile 2.
TEST_P(WildRequestTest, ARequestThatWasStartedOverTheNocIsOfWhoStartedIt) {
  ChipBench bench(GetParam());
  NocProgram waits(bench.plan);
  waits.target(bench.name(2), waits.reg("NOC_NODE_ID"_niu));
  waits.store(waits.reg("NOC_CTRL"_niu), ctrl_inline_write);
  bench.start(1, waits);
  NocProgram starts(bench.plan);
  starts.wait_cycles(1000);
  starts.target(bench.name(1), waits.command());
  starts.initiate(ctrl_inline_write, 0xF, 1);
  const auto guilty = static_cast<std::uint32_t>(code_at + 4 * starts.last_store());
  bench.start(0, starts);
  bench.chip.run_until(5000);
  const auto& fault = bench.tile(2).noc_fault;
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->issuer.tile, bench.tensix(0));
  EXPECT_EQ(fault->issuer.core, static_cast<unsigned>(CoreId::brisc));
  EXPECT_EQ(fault->issuer.pc, guilty);
  EXPECT_FALSE(fault->issuer.is_host);
}

TEST_P(WildRequestTest, ARequestThatTheHostStartedIsTheHosts) {
  ChipBench bench(GetParam());
  NocProgram describes(bench.plan);
  describes.target(bench.name(1), describes.reg("NOC_NODE_ID"_niu));
  describes.store(describes.reg("NOC_CTRL"_niu), ctrl_inline_write);
  bench.start(0, describes);
  bench.chip.run_until(1000);
  bench.chip.settle();
  bench.tile(0).write_register(describes.command(), 1);
  bench.chip.find(bench.tensix(0))->is_idle = false;
  bench.chip.run_until(5000);
  const auto& fault = bench.tile(1).noc_fault;
  ASSERT_TRUE(fault.has_value());
  EXPECT_TRUE(fault->issuer.is_host);
  EXPECT_EQ(fault->issuer.tile, bench.tensix(0));
}

INSTANTIATE_TEST_SUITE_P(Chips, WildRequestTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

}  // namespace
}  // namespace tensim::chip
