// Unpackers under any configuration: rows at a time give what datums at a time do, and nothing outside L1, Src and Dst is
// touched (sanitizers see that).
#include <memory>
#include <random>

#include "tests/support/unpacker_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using tensix::UnpackIssues;
using tensix::UnpackTransfer;

class UnpackerRandom : public BothArchs {
 protected:
  std::mt19937 random{7};
  std::uint32_t any() { return static_cast<std::uint32_t>(random()); }
  /// 0 more often than not.
  std::uint32_t rarely(std::uint32_t most) { return any() % 4 == 0 ? any() % (most + 1) : 0; }

  /// Settings that mostly make sense.
  void make_plausible(UnpackerBench& bench) {
    constexpr std::array<unsigned, 14> formats{0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 14, 15, 5, 6};
    const unsigned in = formats[any() % formats.size()];
    const unsigned out = in == 0 ? std::array<unsigned, 3>{1, 4, 5}[any() % 3] : in;
    bench.set_up_tile(in, out);
    bench.set("THCON_SEC0_REG2_Unpack_If_Sel"_config, any());
    bench.set("THCON_SEC0_REG2_Haloize_mode"_config, rarely(1));
    bench.set("THCON_SEC0_REG2_Tileize_mode"_config, rarely(1));
    bench.set("THCON_SEC0_REG2_Shift_amount_cntx0"_config, rarely(15));
    bench.set("THCON_SEC0_REG2_Upsample_rate"_config, rarely(3));
    bench.set("THCON_SEC0_REG2_Force_shared_exp"_config, rarely(1));
    bench.set("THCON_SEC0_REG2_Unpack_limit_address"_config, UnpackerBench::tile_word + any() % 64);
    bench.set("THCON_SEC0_REG2_Unpack_fifo_size"_config, rarely(400));
    if (any() % 8 == 0) bench.descriptor_word(0) &= ~(1U << 4U);  // compressed
    if (any() % 8 == 0) bench.set("THCON_SEC0_REG3_Base_address"_config, UnpackerBench::l1_bytes / 16 - any() % 64);
    bench.adc().channel[0].x.set(rarely(40));
    bench.adc().channel[0].z.set(any() % 4);
    bench.adc().channel[1].x.set(any() % 1100);
    bench.set_output(any() % 2 == 0 ? any() % 2000 : 64);
    bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, any());
  }
};
TENSIM_BOTH_ARCHS(UnpackerRandom);

struct Moved {
  tensix::SrcRegisters::Bank bank{};
  tensix::Dst dst{};
  bool operator==(const Moved&) const = default;
};

TEST_P(UnpackerRandom, WholeRowsAreSixteenDatums) {
  UnpackerBench bench(GetParam());
  for (std::uint8_t& byte : bench.l1)
    byte = static_cast<std::uint8_t>(any());
  unsigned moves = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    make_plausible(bench);
    UnpackIssues issues;
    const Word word =
        assemble(GetParam(), "UNPACR.Regular WhichUnpacker=0, AllDatumsAreZero=" + std::to_string(rarely(1)));
    const UnpackTransfer transfer = plan_unpack(bench.coprocessor, 0, word, issues);
    const auto by_rows = std::make_unique<Moved>();
    const auto by_datums = std::make_unique<Moved>();
    const auto done = move_unpack(transfer, bench.coprocessor.memory, by_rows->bank, by_rows->dst);
    const auto expected = move_unpack_by_datum(transfer, bench.coprocessor.memory, by_datums->bank, by_datums->dst);
    ASSERT_EQ(*by_rows, *by_datums) << i;
    ASSERT_EQ(done.beyond_l1, expected.beyond_l1) << i;
    ASSERT_EQ(done.beyond_rows, expected.beyond_rows) << i;
    if (transfer.moves && *by_rows != Moved{}) ++moves;
  }
  EXPECT_GT(moves, 1000U);
}

TEST_P(UnpackerRandom, NoWordAndNoConfigurationDoesHarm) {
  const auto bench = std::make_unique<UnpackerBench>(GetParam());
  for (std::uint8_t& byte : bench->l1)
    byte = static_cast<std::uint8_t>(any());
  Coprocessor& coprocessor = bench->coprocessor;
  for (unsigned i = 0; i < 400; ++i) {
    for (std::uint32_t& word : coprocessor.config.bank[0])
      word = any() & any();
    for (std::uint16_t& word : coprocessor.config.thread[0])
      word = static_cast<std::uint16_t>(any() & 0xFFFEU);  // bank 0
    for (auto& context : coprocessor.adcs.context)
      for (auto& set : context.unpacker)
        for (auto& channel : set.channel) {
          channel.x.set(any() % 3000);
          channel.y.set(any());
          channel.z.set(any());
          channel.w.set(any());
        }
    if (any() % 2 == 0) bench->set("THCON_SEC0_REG3_Base_address"_config, any() % 0x2000, any() % 2);
    const Word word = 0x42000000U | (any() & 0x00FFDFFDU);  // a transfer
    coprocessor.fault.reset();
    coprocessor.src.matrix_owns = {};
    coprocessor.push(0, word, 0);
    const std::vector<std::uint8_t> before = bench->l1;
    for (unsigned step = 0; step < 100'000 && !coprocessor.is_idle() && !coprocessor.fault; ++step) {
      coprocessor.step();
      if (!coprocessor.changed() && coprocessor.next_event() != tensix::never &&
          coprocessor.next_event() > coprocessor.now)
        coprocessor.skip_to(coprocessor.next_event());
    }
    if (coprocessor.fault) {
      coprocessor = Coprocessor(GetParam());
      coprocessor.memory.l1 = bench->l1;
      continue;
    }
    ASSERT_TRUE(coprocessor.is_idle()) << i;
    ASSERT_EQ(before, bench->l1);
  }
}

}  // namespace
}  // namespace tensim::test
