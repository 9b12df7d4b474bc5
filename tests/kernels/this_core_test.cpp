// The guest headers' this_core(), in programs compiled with -O2: one for each core.
#include <gtest/gtest.h>

#include "tests/support/guest.hpp"
#include "tile/access.hpp"

namespace tensim {
namespace {

class ThisCore : public ::testing::TestWithParam<unsigned> {};

TEST_P(ThisCore, IsTheOneTheProgramWasLinkedForAlsoInComparisons) {
  constexpr std::array<std::string_view, tile::core_count> files{"brisc", "trisc0", "trisc1", "trisc2", "ncrisc"};
  const unsigned core = GetParam();
  const auto file = test::guest_file("this_core_" + std::string(files[core]));
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  auto read = program::read_elf_image(file, "this_core");
  ASSERT_TRUE(std::holds_alternative<program::Image>(read)) << std::get<std::string>(read);
  const auto image = std::get<program::Image>(std::move(read));
  test::TinyMachine machine(image);
  const std::uint32_t park = image.source->symbol("tensim_park")->address;
  for (unsigned i = 0; i < 1000 && machine.pc != park; ++i)
    ASSERT_TRUE(machine.step()) << std::hex << machine.pc;
  constexpr std::uint32_t shared = 0x20000;
  EXPECT_EQ(machine.load(shared), core);
  EXPECT_EQ(machine.load(shared + 4), core == 0 ? 1U : 0U) << "is BRISC";
  EXPECT_EQ(machine.load(shared + 8), core == 4 ? 1U : 0U) << "is NCRISC";
  EXPECT_EQ(machine.load(shared + 12), core != 0 ? 1U : 0U) << "is not 0";
}
INSTANTIATE_TEST_SUITE_P(Cores, ThisCore, ::testing::Range(0U, tile::core_count));

}  // namespace
}  // namespace tensim
