#include "tensim/base.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/c_text.hpp"

namespace {

using tensim::test::CText;

TEST(CApiBase, TextsGrowAndEndWithAZero) {
  CText text;
  ASSERT_EQ(tensim_text_create(text.place()), TENSIM_OK);
  EXPECT_EQ(tensim_text_size(text.get()), 0U);
  EXPECT_EQ(tensim_text_append(text.get(), "a\0b", 3), TENSIM_OK);
  tensim_write_to_text(text.get(), "c", 1);
  EXPECT_EQ(text.str(), std::string("a\0bc", 4));
  EXPECT_EQ(tensim_text_data(text.get())[4], '\0');
}

TEST(CApiBase, NoTextIsAnEmptyOne) {
  EXPECT_STREQ(tensim_text_data(nullptr), "");
  EXPECT_EQ(tensim_text_size(nullptr), 0U);
  EXPECT_EQ(tensim_text_append(nullptr, "a", 1), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_text_create(nullptr), TENSIM_BAD_ARGUMENT);
  tensim_write_to_text(nullptr, "a", 1);
  tensim_text_free(nullptr);
}

TEST(CApiBase, WhatNoMemoryCanHoldIsAStatus) {
  CText text;
  ASSERT_EQ(tensim_text_create(text.place()), TENSIM_OK);
  EXPECT_EQ(tensim_text_append(text.get(), "a", ~std::size_t{0}), TENSIM_OUT_OF_MEMORY);
  EXPECT_EQ(tensim_text_append(text.get(), nullptr, 1), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_text_size(text.get()), 0U);
}

TEST(CApiBase, TextsAreMadeFitForATerminal) {
  CText text;
  ASSERT_EQ(tensim_printable("a\n\x1b[1mb", 7, text.place()), TENSIM_OK);
  EXPECT_STREQ(tensim_text_data(text.get()), "a\n\\x1b[1mb");
  EXPECT_EQ(tensim_printable(nullptr, 0, text.place()), TENSIM_OK);
  EXPECT_EQ(tensim_printable(nullptr, 1, text.place()), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_printable("a", 1, nullptr), TENSIM_BAD_ARGUMENT);
}

TEST(CApiBase, WhatIsMisspeltGetsASuggestion) {
  CText text;
  const char* const known[] = {"run", "arch"};
  ASSERT_EQ(tensim_suggest("rnu", known, 2, text.place()), TENSIM_OK);
  EXPECT_STREQ(tensim_text_data(text.get()), "; did you mean 'run'?");
  ASSERT_EQ(tensim_suggest("assemble", known, 2, text.place()), TENSIM_OK);
  EXPECT_STREQ(tensim_text_data(text.get()), "; expected one of run, arch");
  ASSERT_EQ(tensim_suggest("arch", nullptr, 0, text.place()), TENSIM_OK);
  EXPECT_STREQ(tensim_text_data(text.get()), "");
  const char* const incomplete[] = {"run", nullptr};
  EXPECT_EQ(tensim_suggest("rnu", incomplete, 2, text.place()), TENSIM_BAD_ARGUMENT);
  EXPECT_EQ(tensim_suggest(nullptr, known, 2, text.place()), TENSIM_BAD_ARGUMENT);
}

TEST(CApiBase, ATextThatIsNoProblemInAFileHasNoPlace) {
  EXPECT_EQ(tensim_text_file(nullptr), nullptr);
  EXPECT_EQ(tensim_text_line(nullptr), 0U);
  EXPECT_EQ(tensim_text_column(nullptr), 0U);
  CText text;
  ASSERT_EQ(tensim_text_create(text.place()), TENSIM_OK);
  EXPECT_EQ(tensim_text_file(text.get()), nullptr);
  EXPECT_EQ(tensim_text_line(text.get()), 0U);
}

TEST(CApiBase, ChipsHaveTheirNamesAndShortOnes) {
  tensim_arch arch = TENSIM_BLACKHOLE;
  for (const char* name : {"wormhole", "wh"}) {
    arch = TENSIM_BLACKHOLE;
    EXPECT_EQ(tensim_parse_arch(name, &arch), TENSIM_OK);
    EXPECT_EQ(arch, TENSIM_WORMHOLE) << name;
  }
  EXPECT_EQ(tensim_parse_arch("grayskull", &arch), TENSIM_BAD_INPUT);
  EXPECT_EQ(tensim_parse_arch(nullptr, &arch), TENSIM_BAD_ARGUMENT);
  EXPECT_STREQ(tensim_arch_name(TENSIM_BLACKHOLE), "blackhole");
  EXPECT_STREQ(tensim_arch_name(TENSIM_WORMHOLE), "wormhole");
}

TEST(CApiBase, CoresHaveTheNamesThatScenariosUse) {
  EXPECT_STREQ(tensim_core_name(TENSIM_BRISC), "brisc");
  EXPECT_STREQ(tensim_core_name(TENSIM_TRISC1), "trisc1");
  EXPECT_STREQ(tensim_core_name(TENSIM_NCRISC), "ncrisc");
  EXPECT_EQ(tensim_core_name(static_cast<tensim_core>(5)), nullptr);
}

TEST(CApiBase, TheLibraryIsAsNewAsItsHeader) {
  EXPECT_EQ(tensim_api_version(), TENSIM_API_VERSION);
}

TEST(CApiBase, EveryStatusHasItsName) {
  EXPECT_STREQ(tensim_status_name(TENSIM_OK), "TENSIM_OK");
  EXPECT_STREQ(tensim_status_name(TENSIM_BAD_INPUT), "TENSIM_BAD_INPUT");
  EXPECT_STREQ(tensim_status_name(TENSIM_DIFFERS), "TENSIM_DIFFERS");
  EXPECT_STREQ(tensim_status_name(TENSIM_RACES), "TENSIM_RACES");
}

}  // namespace
