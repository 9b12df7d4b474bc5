#include "program/unwind.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/image.hpp"
#include "tests/support/guest.hpp"

namespace tensim::program {
namespace {

using test::TinyMachine;

Image guest(const std::string& name) {
  const std::vector<std::uint8_t> file = test::guest_file(name);
  if (file.empty()) return {};
  auto image = read_elf_image(file, name);
  EXPECT_TRUE(std::holds_alternative<Image>(image)) << std::get<std::string>(image);
  return std::get<Image>(std::move(image));
}

std::vector<std::uint32_t> stack_of(const Image& image, const TinyMachine& machine) {
  const LoadWord load = [&](std::uint32_t address) { return std::optional(machine.load(address)); };
  return call_stack(*image.source, machine.pc, machine.registers, load);
}

/// Runs a guest and keeps the stack of calls by itself: every instruction, those that build and drop frames included.
void follow(const Image& image, std::size_t& deepest) {
  TinyMachine machine(image);
  std::vector<std::uint32_t> calls;
  const std::uint32_t forever = 0x6F;  // j .
  for (int i = 0; i < 10000 && machine.load(machine.pc) != forever; ++i) {
    std::vector<std::uint32_t> expected{machine.pc};
    expected.insert(expected.end(), calls.rbegin(), calls.rend());
    ASSERT_EQ(stack_of(image, machine), expected) << fmt::format("at {}", image.source->describe(machine.pc));
    deepest = std::max(deepest, expected.size());
    const std::uint32_t word = machine.load(machine.pc);
    const std::uint32_t behind = machine.pc + 4;
    ASSERT_TRUE(machine.step()) << fmt::format("{:#x}", word);
    if ((word & 0xFFFU) == 0xEF || (word & 0xFFFU) == 0xE7) calls.push_back(behind);  // jal, jalr with ra
    if (word == 0x8067) {                                                             // ret
      ASSERT_FALSE(calls.empty());
      calls.pop_back();
    }
  }
  EXPECT_EQ(machine.load(machine.pc), forever);
}

class UnwindGuest : public testing::TestWithParam<const char*> {};

TEST_P(UnwindGuest, TheStackIsRightAtEveryInstruction) {
  const Image image = guest(GetParam());
  if (!image.source) GTEST_SKIP() << "no compiler for guests";
  EXPECT_EQ(image.notes, std::vector<std::string>());
  std::size_t deepest = 0;
  follow(image, deepest);
  EXPECT_EQ(deepest, 5U);
}

INSTANTIATE_TEST_SUITE_P(Unwind, UnwindGuest,
                         testing::Values("nested", "nested_o0", "nested_dwarf4", "nested_dwarf2", "nested_eh"));

TEST(Unwind, CallsAreDescribedByTheirOwnLine) {
  const Image image = guest("nested");
  if (!image.source) GTEST_SKIP() << "no compiler for guests";
  TinyMachine machine(image);
  const std::uint32_t inner = image.source->symbol("inner")->address;
  for (int i = 0; i < 10000 && machine.pc != inner; ++i)
    ASSERT_TRUE(machine.step());
  std::vector<std::string> texts = describe(*image.source, stack_of(image, machine));
  // Where in a function is the compiler's affair.
  for (std::string& text : texts)
    if (const std::size_t plus = text.find('+'); plus != std::string::npos) text.erase(plus, text.find(' ') - plus);
  EXPECT_EQ(texts, (std::vector<std::string>{"inner (nested.c:7)", "middle (nested.c:15)", "outer (nested.c:20)",
                                             "main (nested.c:25)", "_start (start.S:8)"}));
}

TEST(Unwind, WithoutFramesTheReturnAddressIsTheCaller) {
  const Image image = guest("nested_plain");
  if (!image.source) GTEST_SKIP() << "no compiler for guests";
  const std::uint32_t inner = image.source->symbol("inner")->address;
  const std::uint32_t middle = image.source->symbol("middle")->address;
  std::array<std::uint32_t, 32> registers{};
  const LoadWord none = [](std::uint32_t) { return std::nullopt; };
  registers[1] = middle + 8;
  EXPECT_EQ(call_stack(*image.source, inner, registers, none), (std::vector{inner, middle + 8}));
  registers[1] = 0xDEADBEE0;
  EXPECT_EQ(call_stack(*image.source, inner, registers, none), std::vector{inner});
}

/// One function at 0x1000 whose frames are as `row` says.
SourceTables one_function(FrameRow row) {
  SourceTables tables;
  tables.symbols.push_back({"f", "f", 0x1000, 0x100, Symbol::Kind::function, true});
  row.begin = 0x1000;
  row.end = 0x1100;
  tables.frames.push_back(row);
  return tables;
}

constexpr FrameRow::Rule saved_above{FrameRow::Rule::Kind::saved, -4};

TEST(Unwind, DepthIsBounded) {
  FrameRow row;
  row.frame_offset = 16;
  row.return_address = saved_above;
  const SourceMap source(one_function(row));
  const LoadWord always = [](std::uint32_t) { return std::optional<std::uint32_t>(0x1010); };
  EXPECT_EQ(call_stack(source, 0x1000, std::array<std::uint32_t, 32>{}, always).size(), max_call_depth);
}

TEST(Unwind, FramesThatDoNotGoUpEndTheStack) {
  for (const std::int32_t offset : {0, -16, 2}) {
    FrameRow row;
    row.frame_offset = offset;
    row.return_address = saved_above;
    const SourceMap source(one_function(row));
    const LoadWord always = [](std::uint32_t) { return std::optional<std::uint32_t>(0x1010); };
    std::array<std::uint32_t, 32> registers{};
    registers[2] = 0x8000;
    EXPECT_LE(call_stack(source, 0x1000, registers, always).size(), 2U) << offset;
  }
}

TEST(Unwind, WildFramesEndTheStack) {
  FrameRow row;
  row.frame_offset = 16;
  row.return_address = saved_above;
  std::array<std::uint32_t, 32> registers{};
  const auto depth = [&](std::optional<std::uint32_t> loaded) {
    const SourceMap source(one_function(row));
    return call_stack(source, 0x1004, registers, [=](std::uint32_t) { return loaded; }).size();
  };
  EXPECT_EQ(depth(std::nullopt), 1U);
  EXPECT_EQ(depth(0), 1U);
  EXPECT_EQ(depth(0x1011), 1U);
  EXPECT_EQ(depth(0xFFFFFFFE), 1U);
  row.frame_register = FrameRow::no_register;
  EXPECT_EQ(depth(0x1010), 1U);
  row.frame_register = 8;
  row.s0 = {FrameRow::Rule::Kind::unknown, 0};
  EXPECT_EQ(depth(0x1010), 2U);  // the caller's s0 is unknown
  row.return_address = {FrameRow::Rule::Kind::unknown, 0};
  EXPECT_EQ(depth(0x1010), 1U);
}

}  // namespace
}  // namespace tensim::program
