#include "text/printable.hpp"

#include <gtest/gtest.h>

namespace tensim::text {
namespace {

TEST(Printable, WhatATerminalWouldObeyIsShown) {
  EXPECT_EQ(printable("plain text"), "plain text");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable(std::string_view("a\0b\x7F\r", 5)), "a\\x00b\\x7f\\x0d");
  EXPECT_EQ(printable("a\tb\n"), "a b\\x0a");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\xc2\\x9b31m")
      << "an escape code in one character";
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "txt"),
            "\\xe2\\x80\\xaetxt")
      << "from here on to the left";
}

TEST(Printable, LettersOfAnyLanguageStay) {
  for (const std::string_view text : {"\xC3\x9C"
                                      "bergabe",
                                      "\xE2\x82\xAC 5", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatIsNotUtf8IsShown) {
  EXPECT_EQ(printable("\xFF"), "\\xff");
  EXPECT_EQ(printable("\x80"
                      "a"),
            "\\x80a");
  EXPECT_EQ(printable("\xC3"), "\\xc3") << "it ends too early";
  EXPECT_EQ(printable("\xC0\x8A"), "\\xc0\\x8a") << "a line end in two bytes";
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last character";
}

TEST(Printable, LinesAndTabsOfLongerTextsStay) {
  EXPECT_EQ(printable_lines("one\n\ttwo\r\n"), "one\n\ttwo\\x0d\n");
}

}  // namespace
}  // namespace tensim::text
