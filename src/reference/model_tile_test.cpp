#include "reference/model_tile.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "isa/assembler/assemble.hpp"

namespace tensim::reference {
namespace {

class ModelTileOf : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, ModelTileOf, testing::Values(Arch::wormhole, Arch::blackhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

std::uint32_t word_at(const ModelTile& tile, std::uint32_t address) {
  std::array<std::uint8_t, 4> bytes{};
  EXPECT_FALSE(tile.read(address, bytes));
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

std::vector<isa::Word> words_of(Arch arch, std::string_view text) {
  std::vector<isa::Word> words;
  for (const isa::AssembledWord& word : isa::assemble(arch, text, "test").words)
    words.push_back(word.word);
  return words;
}

TEST_P(ModelTileOf, ListsReplaceEachOtherInTheSamePlace) {
  ModelTile tile(GetParam());
  for (std::uint32_t round = 1; round <= 3; ++round) {
    AccessLists lists;
    lists[0].store(0x50000, round);
    lists[1].gpr(5, 100 + round).load(0xFFE00014, 0x50004);
    const auto error = tile.run(lists);
    ASSERT_FALSE(error) << error->text;
    EXPECT_EQ(word_at(tile, 0x50000), round);
    EXPECT_EQ(word_at(tile, 0x50004), 100 + round);
  }
}

TEST_P(ModelTileOf, WordsReachTheirThread) {
  ModelTile tile(GetParam());
  const auto words = words_of(GetParam(), "SEMINIT max=9, value=2, sem=4\nSEMPOST sem=4\n");
  ASSERT_EQ(words.size(), 2U);
  const auto error = tile.run_words(2, words);
  ASSERT_FALSE(error) << error->text;
  EXPECT_EQ(tile.tile().coprocessor.sync.semaphores()[2].value, 3);
}

TEST_P(ModelTileOf, BackendConfigurationIsTheWordsOfBankZero) {
  ModelTile tile(GetParam());
  AccessLists lists;
  lists[0].config(64, 0x89ABCDEF);
  const auto error = tile.run(lists);
  ASSERT_FALSE(error) << error->text;
  EXPECT_EQ(tile.tile().coprocessor.config.bank[0][64], 0x89ABCDEFU);
}

TEST_P(ModelTileOf, ThreadsWaitForEachOthersWords) {
  ModelTile tile(GetParam());
  AccessLists lists;
  lists[0].wait_for_word(GuestLayout::flag, 1, GetParam()).load(0x50000, 0x50004);
  lists[1].store(0x50000, 9).store(GuestLayout::flag, 1);
  const auto error = tile.run(lists);
  ASSERT_FALSE(error) << error->text;
  EXPECT_EQ(word_at(tile, 0x50004), 9U);
}

TEST(ModelTile, ListThatDoesNotEndSaysWhy) {
  ModelTile tile(Arch::blackhole);
  const auto error = tile.run_words(1, words_of(Arch::blackhole, "MVMUL\n"));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->text, "the list of T1 has not come to its end: a deadlock");
}

TEST(AccessList, TooLongListsAreAnError) {
  AccessLists lists;
  for (unsigned i = 0; i < (GuestLayout::free_base - GuestLayout::list_base) / 16; ++i)
    lists[0].store(0x50000, i);
  const auto placed = place_lists(lists);
  EXPECT_TRUE(std::holds_alternative<std::string>(placed));
}

TEST(AccessList, WordThatIsNoTtinsnIsStored) {
  AccessList list;
  list.push(0xC0000000);
  EXPECT_EQ(list.words().size(), 5U);
  list.clear();
  list.push(0x80000001);
  EXPECT_EQ(list.words().front(), 0x00000006U) << "rotated by two";
}

}  // namespace
}  // namespace tensim::reference
