// Every request that an NIU refuses is a fault with words of its own.
#include "report/accesses.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "noc/refusal.hpp"
#include "noc/registers.hpp"

namespace tensim::report {
namespace {

using noc::operator""_niu;

TEST(RefusedRequests, EachKindHasWordsThatNoOtherHas) {
  const tile::Access go{.core = tile::CoreId::ncrisc,
                        .is_store = true,
                        .address = noc::niu_base + "NOC_CMD_CTRL"_niu.on(Arch::blackhole).offset,
                        .value = 1};
  const Region* region = find_region(Arch::blackhole, NC, go.address);
  ASSERT_NE(region, nullptr);
  std::set<std::string> texts;
  std::size_t rows = 0;
  for (const noc::RefusalRow& row : noc::refusal_rows) {
    const std::string text = describe(tile::fault_of(row.value), go, region);
    EXPECT_EQ(text.rfind("NCRISC stores to 0xffb200", 0), 0U) << text;
    EXPECT_NE(text.find(": NoC 0 NIU: "), std::string::npos) << text;
    EXPECT_GT(row.text.size(), 20U) << row.name;
    texts.insert(text);
    ++rows;
  }
  EXPECT_EQ(texts.size(), rows);
  EXPECT_GE(rows, 40U);
}

}  // namespace
}  // namespace tensim::report
