// The decoder and the disassembler against the files of this directory; README.md says where they are from.
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "isa/table.hpp"
#include "tests/places.hpp"

namespace tensim::isa {
namespace {

struct ExpectedField {
  unsigned high = 0;
  unsigned low = 0;
  Word value = 0;
};

struct ExpectedWord {
  Arch arch = Arch::blackhole;
  Word word = 0;
  std::string name;
  std::string form;
  std::vector<ExpectedField> fields;
};

/// The lines of a file of this directory that are not comments, split at tabs.
std::vector<std::vector<std::string>> read_columns(const std::string& name) {
  std::ifstream file(TENSIM_VECTORS "/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream text(line);
    auto& columns = lines.emplace_back();
    for (std::string column; std::getline(text, column, '\t');)
      columns.push_back(column);
  }
  return lines;
}

std::optional<Word> parse_word(const std::string& text) {
  Word word = 0;
  int length = 0;
  if (std::sscanf(text.c_str(), "0x%8x%n", &word, &length) != 1 || length != 10 || text.size() != 10)
    return std::nullopt;
  return word;
}

/// "21:20=1 9:0=8", or "-" for none; nothing if it is malformed.
std::optional<std::vector<ExpectedField>> parse_fields(const std::string& text) {
  std::vector<ExpectedField> fields;
  if (text == "-") return fields;
  std::istringstream items(text);
  for (std::string item; items >> item;) {
    ExpectedField field;
    int length = 0;
    if (std::sscanf(item.c_str(), "%u:%u=%u%n", &field.high, &field.low, &field.value, &length) != 3 ||
        static_cast<std::size_t>(length) != item.size() || field.high < field.low || field.high >= parameter_bits)
      return std::nullopt;
    fields.push_back(field);
  }
  if (fields.empty()) return std::nullopt;
  return fields;
}

std::vector<ExpectedWord> read_vectors() {
  std::vector<ExpectedWord> words;
  for (const auto& columns : read_columns("isa_words.tsv")) {
    const bool complete = columns.size() == 5;
    const auto arch = complete ? parse_arch(columns[0]) : std::nullopt;
    const auto word = complete ? parse_word(columns[1]) : std::nullopt;
    const auto fields = complete ? parse_fields(columns[4]) : std::nullopt;
    if (!arch || !word || !fields) {
      ADD_FAILURE() << "malformed line: " << testing::PrintToString(columns);
      continue;
    }
    words.push_back({*arch, *word, columns[2], columns[3] == "-" ? "" : columns[3], *fields});
  }
  return words;
}

/// What the form's own fields say about bits [high:low]: the field, or several that together are it (a diagram may draw
/// the bits of an operand apart). Nothing if they cover other bits as well, or not all.
std::optional<Word> value_by_fields(const Form& form, Word word, const ExpectedField& range) {
  const Word mask = ((Word{1} << (range.high - range.low + 1)) - 1U) << range.low;
  Word covered = 0;
  Word value = 0;
  for (const Field& field : form.fields) {
    if ((field.mask() & mask) == 0) continue;
    covered |= field.mask();
    if (field.low >= range.low) value += field.get(word) << (field.low - range.low);
  }
  if (covered != mask) return std::nullopt;
  return value;
}

TEST(IsaWords, DecodeAgreesWithTheIndependentList) {
  const auto words = read_vectors();
  ASSERT_GT(words.size(), 3000U);
  for (const ExpectedWord& expected : words) {
    const Decoded decoded = decode(expected.arch, expected.word);
    SCOPED_TRACE(testing::Message() << name(expected.arch) << " " << std::hex << expected.word << " " << expected.name);
    ASSERT_NE(decoded.form, nullptr);
    EXPECT_EQ(decoded.form->name, expected.name);
    EXPECT_EQ(decoded.form->form, expected.form);
    for (const ExpectedField& field : expected.fields)
      EXPECT_EQ(value_by_fields(*decoded.form, expected.word, field), field.value) << field.high << ":" << field.low;
  }
}

TEST(IsaText, BothSyntaxesAreAsTheyWere) {
  const auto lines = read_columns("isa_text.tsv");
  ASSERT_GT(lines.size(), 300U);
  for (const auto& columns : lines) {
    ASSERT_EQ(columns.size(), 4U) << testing::PrintToString(columns);
    const auto arch = parse_arch(columns[0]);
    const auto word = parse_word(columns[1]);
    ASSERT_TRUE(arch && word) << testing::PrintToString(columns);
    EXPECT_EQ(to_text(decode(*arch, *word), Syntax::vendor), columns[2]) << columns[0] << " " << columns[1];
    EXPECT_EQ(to_text(decode(*arch, *word), Syntax::named), columns[3]) << columns[0] << " " << columns[1];
  }
}

TEST(IsaWords, TheListHasEveryOpcodeAndFormOfBothArchitectures) {
  std::set<std::tuple<Arch, std::string, std::string>> listed;
  for (const ExpectedWord& expected : read_vectors())
    listed.insert({expected.arch, expected.name, expected.form});
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      for (const Arch arch : all_archs) {
        if (!form.archs.contains(arch)) continue;
        EXPECT_TRUE(listed.contains({arch, std::string(form.name), std::string(form.form)}))
            << name(arch) << " " << form.name << " " << form.form;
      }
}

}  // namespace
}  // namespace tensim::isa
