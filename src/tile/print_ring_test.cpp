#include "tile/print_ring.hpp"

#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::GuestTile;
using tile::CoreId;
using tile::PrintedText;
using tile::PrintRing;
using tile::Tile;

constexpr std::uint32_t ring = 0x8000;
constexpr std::uint32_t data = ring + PrintRing::data_offset;

/// A ring of eight bytes with `letters` in it.
void make_ring(GuestTile& guest, std::string_view letters = "abcdefgh") {
  guest.set_word(ring, PrintRing::magic);
  guest.set_word(ring + 4, 8);
  guest.set_word(ring + PrintRing::written_offset, 0);
  guest.tile.write(data, reinterpret_cast<const std::uint8_t*>(letters.data()), letters.size());
}

/// Stores each count in turn.
std::vector<Word> program(std::initializer_list<int> counts) {
  std::vector<Word> words{lui(t1, 8)};
  for (const int count : counts) {
    words.push_back(addi(t0, zero, count));
    words.push_back(sw(t0, t1, static_cast<int>(PrintRing::written_offset)));
    for (int i = 0; i < 20; ++i)  // longer than stores are merged
      words.push_back(addi(t2, t2, 1));
  }
  words.push_back(here);
  return words;
}

class EachChipPrints : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(PrintRing, EachChipPrints, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(EachChipPrints, TextIsTakenWhenTheCountIsStored) {
  GuestTile guest(GetParam());
  make_ring(guest);
  ASSERT_TRUE(attach_print_ring(guest.tile, CoreId::trisc1, ring));
  guest.start(CoreId::trisc1, 0x1000, program({3, 5, 5, 10}));
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  const auto& texts = guest.tile.print_rings.texts;
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].text, "abc");
  EXPECT_EQ(texts[1].text, "de");
  EXPECT_EQ(texts[2].text, "fghab");  // round the end
  EXPECT_EQ(texts[2].core, CoreId::trisc1);
  EXPECT_LT(texts[0].cycle, texts[1].cycle);
  EXPECT_EQ(texts[2].lost, 0U);
}

TEST_P(EachChipPrints, ACountThatIsNonsenseIsReportedAndBounded) {
  GuestTile guest(GetParam());
  make_ring(guest);
  ASSERT_TRUE(attach_print_ring(guest.tile, CoreId::brisc, ring));
  guest.start(CoreId::brisc, 0x1000, program({20, -1, 2}));
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  const auto& texts = guest.tile.print_rings.texts;
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].text, "efghabcd");
  EXPECT_EQ(texts[0].lost, 12U);
  EXPECT_EQ(texts[1].text.size(), 8U);
  EXPECT_EQ(texts[1].lost, 0xFFFFFFFFU - 20U - 8U);
  EXPECT_EQ(texts[2].text, "hab");  // the count goes round
}

TEST_P(EachChipPrints, LockStepGivesTheSameTextsInTheSameCycles) {
  GuestTile ahead(GetParam());
  GuestTile lockstep(GetParam());
  lockstep.tile.walk_in_lockstep(true);
  for (GuestTile* guest : {&ahead, &lockstep}) {
    make_ring(*guest);
    ASSERT_TRUE(attach_print_ring(guest->tile, CoreId::brisc, ring));
    guest->start(CoreId::brisc, 0x1000, program({1, 2, 7}));
    std::vector<Word> stops = program({});
    stops.back() = ebreak;  // the run is repeated up to here, and must not print twice
    stops.insert(stops.begin(), 200, addi(t0, t0, 1));
    guest->start(CoreId::trisc0, 0x2000, stops);
    EXPECT_EQ(guest->tile.run_until(100'000), Tile::Halt::core_stopped);
  }
  EXPECT_EQ(ahead.tile.print_rings.texts.size(), 3U);
  EXPECT_EQ(ahead.tile.print_rings.texts, lockstep.tile.print_rings.texts);
}

TEST(PrintRing, IsNotAttachedWhereNoneIs) {
  GuestTile guest(Arch::blackhole);
  EXPECT_FALSE(attach_print_ring(guest.tile, CoreId::brisc, ring));
  make_ring(guest);
  EXPECT_FALSE(attach_print_ring(guest.tile, CoreId::brisc, ring + 4));
  EXPECT_FALSE(attach_print_ring(guest.tile, CoreId::brisc, ring + 2));
  EXPECT_FALSE(attach_print_ring(guest.tile, CoreId::brisc, 0xFFFFFFF0));
  guest.set_word(ring + 4, 0x7FFFFFFF);
  EXPECT_FALSE(attach_print_ring(guest.tile, CoreId::brisc, ring));
  guest.set_word(ring + 4, 0);
  EXPECT_FALSE(attach_print_ring(guest.tile, CoreId::brisc, ring));
  EXPECT_FALSE(guest.tile.print_rings.any);
}

}  // namespace
}  // namespace tensim
