#include "program/source_map.hpp"

#include <gtest/gtest.h>

namespace tensim::program {
namespace {

using Kind = Symbol::Kind;

SourceTables tables() {
  SourceTables result;
  result.symbols = {{"main", "main", 0x1010, 0x20, Kind::function, true},
                    {"helper", "helper", 0x1000, 0x10, Kind::function, false},
                    {"n::f(int)", "_ZN1n1fEi", 0x1040, 0x10, Kind::function, true},
                    {"n::f(char)", "_ZN1n1fEc", 0x1050, 0x10, Kind::function, true},
                    {"buffer", "buffer", 0x2000, 0x40, Kind::data, true},
                    {"helper", "helper", 0x0800, 0x10, Kind::function, true},
                    {"__stack_top", "__stack_top", 0x8000, 0, Kind::other, true}};
  result.files = {"kernel.c", "lib/helper.c"};
  result.lines = {{0x1010, 0, 40}, {0x1018, 0, 41}, {0x1030, 0, 0}, {0x1000, 1, 7}, {0x1010, 0, 0}};
  return result;
}

TEST(SourceMap, DescribesAsMuchAsIsKnown) {
  const SourceMap map(tables());
  EXPECT_EQ(map.describe(0x1010), "main (kernel.c:40)");
  EXPECT_EQ(map.describe(0x102C), "main+0x1c (kernel.c:41)");
  EXPECT_EQ(map.describe(0x100C), "helper+0xc (lib/helper.c:7)");
  EXPECT_EQ(map.describe(0x1044), "n::f(int)+0x4");
  EXPECT_EQ(map.describe(0x1030), "0x1030");
  EXPECT_EQ(map.describe(0x700), "0x700");
}

TEST(SourceMap, LocatesLinesWithoutFunctions) {
  SourceTables lines_only = tables();
  lines_only.symbols.clear();
  const SourceMap map(std::move(lines_only));
  const std::optional<SourceLocation> location = map.locate(0x1018);
  ASSERT_TRUE(location);
  EXPECT_EQ(location->function, "");
  EXPECT_EQ(location->line, 41U);
  EXPECT_EQ(map.describe(0x1018), "0x1018 (kernel.c:41)");
  EXPECT_FALSE(map.locate(0x1030));
}

TEST(SourceMap, FindsSymbolsByName) {
  const SourceMap map(tables());
  EXPECT_EQ(map.symbol("main")->address, 0x1010U);
  EXPECT_EQ(map.symbol("helper")->address, 0x0800U);  // the global one
  EXPECT_EQ(map.symbol("_ZN1n1fEc")->address, 0x1050U);
  EXPECT_EQ(map.symbol("n::f(char)")->address, 0x1050U);
  EXPECT_EQ(map.symbol("n::f")->address, 0x1040U);
  EXPECT_EQ(map.symbol("__stack_top")->address, 0x8000U);
  EXPECT_EQ(map.symbol("mai"), nullptr);
  EXPECT_EQ(map.symbol(""), nullptr);
}

TEST(SourceMap, FindsDataByAddress) {
  const SourceMap map(tables());
  EXPECT_EQ(map.data_at(0x203F)->name, "buffer");
  EXPECT_EQ(map.data_at(0x2040), nullptr);
  EXPECT_EQ(map.data_at(0x1010), nullptr);
}

TEST(SourceMap, AnEmptyOneKnowsNothing) {
  const SourceMap map;
  EXPECT_FALSE(map.locate(0));
  EXPECT_EQ(map.symbol("main"), nullptr);
  EXPECT_EQ(map.frame_at(0), nullptr);
  EXPECT_EQ(map.describe(0x1234), "0x1234");
}

}  // namespace
}  // namespace tensim::program
