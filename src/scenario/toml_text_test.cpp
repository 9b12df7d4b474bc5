#include "scenario/toml_text.hpp"

#include <gtest/gtest.h>

namespace tensim::scenario {
namespace {

TEST(TomlText, BeyondAsciiIsFineInStringsAndComments) {
  for (const std::string_view text :
       {"", "\xEF\xBB\xBFtitle = 1", "# é\n", "title = \"é\" # é\n", "title = 'é'", "t = \"\"\"\né\"\"\"\nu = 1",
        "t = '''é\n'é''''\n", "t = \"\"\"a\\\n   b é\"\"\"", "t = \"\\\"é\"", "\"é\" = 1", "\xEF\xBB\xBF\"é\" = 1",
        "t = ['é','é',{a=\"é\"}]", "a.\"é\" = 1"})
    EXPECT_EQ(stray_character_line(text), std::nullopt) << text;
}

TEST(TomlText, ElsewhereTheLineIsNamed) {
  EXPECT_EQ(stray_character_line("title = é"), 1U);
  EXPECT_EQ(stray_character_line("# é\n\"é\" = 'é'\né = 1"), 3U);
  EXPECT_EQ(stray_character_line("t = \"\"\"\n\n\"\"\" é"), 3U);
  EXPECT_EQ(stray_character_line("t = '\\' é"), 1U) << "a backslash means nothing in a literal string";
  EXPECT_EQ(stray_character_line("t = \"\\é\""), 1U);
  EXPECT_EQ(stray_character_line("t = \"\"\"\\\n é\"\"\""), 2U);
  EXPECT_EQ(stray_character_line("t = \"open\né"), 2U);
  EXPECT_EQ(stray_character_line("t = +\"é\""), 1U) << "not a string, but a bad number";
}

}  // namespace
}  // namespace tensim::scenario
