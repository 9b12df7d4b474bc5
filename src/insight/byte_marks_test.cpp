#include "insight/byte_marks.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/seeds.hpp"

namespace tensim::insight {
namespace {

using Naive = std::map<std::uint32_t, std::vector<ByteMark>>;

void add(ByteMarks& marks, Naive& naive, std::uint32_t cell, const ByteMark& mark) {
  marks.at(cell).push_back(mark);
  naive[cell].push_back(mark);
}

void remove(ByteMarks& marks, Naive& naive, std::uint32_t cell, std::size_t i) {
  marks.at(cell).remove(i);
  auto& all = naive[cell];
  all[i] = all.back();
  all.pop_back();
}

void expect_same(ByteMarks& marks, const Naive& naive) {
  std::size_t count = 0;
  for (const auto& [number, expected] : naive) {
    const ByteMarks::Cell cell = marks.at(number);
    ASSERT_EQ(cell.size(), expected.size()) << number;
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(cell[i], expected[i]) << number;
    count += expected.size();
  }
  marks.for_each([&](const ByteMark&) { --count; });
  EXPECT_EQ(count, 0U);
}

/// As loops leave them, with numbers that rise along the bytes, and as nobody does.
TEST(ByteMarks, AreTheSameAfterTheyHaveBeenPacked) {
  test::for_each_seed(40, [](unsigned seed) {
    std::mt19937 random(seed);
    ByteMarks marks(4096);  // a few pages
    Naive naive;
    const auto any = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    for (unsigned loop = 0; loop < 20; ++loop) {
      const auto width = 1U << any(5);
      const std::uint32_t first = any(4) == 0 ? 0x1000'0000U + any(64) : any(2048);
      ByteMark mark{.kind = static_cast<std::uint8_t>(any(2)),
                    .span = static_cast<std::uint8_t>(any(8)),
                    .number = static_cast<std::uint32_t>(random()),
                    .site = any(1000),
                    .lane = any(2) == 0 ? static_cast<std::uint32_t>(random()) : any(128)};
      const std::uint32_t step = any(4);
      const std::uint32_t bytes = 16 * any(200);
      for (std::uint32_t byte = 0; byte < bytes; byte += width, mark.number += step) {
        mark.mask = static_cast<std::uint16_t>(((1U << width) - 1) << byte % 16);
        const std::uint32_t cell = first + byte / 16;
        add(marks, naive, cell, mark);
        if (any(3) == 0) remove(marks, naive, cell, any(static_cast<std::uint32_t>(naive[cell].size())));
        if (any(50) == 0) mark.number = static_cast<std::uint32_t>(random());
      }
    }
    expect_same(marks, naive);
  });
}

TEST(ByteMarks, OfALoopOverMuchMemoryTakeLittle) {
  ByteMarks marks(4096);
  std::uint32_t number = 0;
  constexpr std::uint32_t cells = 1U << 16;  // 1 MB
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    for (unsigned byte = 0; byte < 16; ++byte)
      marks.at(cell).push_back({.mask = static_cast<std::uint16_t>(1U << byte), .number = ++number, .site = 5});
  EXPECT_LT(marks.bytes(), 1U << 20);
}

}  // namespace
}  // namespace tensim::insight
