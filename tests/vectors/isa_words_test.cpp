// The decoder against words that were derived by hand from the documented encodings (isa_words.tsv).
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "isa/decode.hpp"
#include "isa/table.hpp"

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

std::vector<ExpectedWord> read_vectors() {
  std::ifstream file(TENSIM_VECTORS "/isa_words.tsv");
  EXPECT_TRUE(file) << "tests/vectors/isa_words.tsv";
  std::vector<ExpectedWord> words;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream columns(line);
    std::string arch, word, field;
    ExpectedWord expected;
    columns >> arch >> word >> expected.name >> expected.form;
    expected.arch = parse_arch(arch).value();
    expected.word = static_cast<Word>(std::stoul(word, nullptr, 16));
    if (expected.form == "-") expected.form.clear();
    while (columns >> field) {
      ExpectedField parsed;
      if (field != "-" && std::sscanf(field.c_str(), "%u:%u=%u", &parsed.high, &parsed.low, &parsed.value) == 3)
        expected.fields.push_back(parsed);
    }
    words.push_back(std::move(expected));
  }
  return words;
}

TEST(IsaWords, DecodeAgreesWithTheHandDerivedList) {
  const auto words = read_vectors();
  ASSERT_GT(words.size(), 3000U);
  for (const ExpectedWord& expected : words) {
    const Decoded decoded = decode(expected.arch, expected.word);
    SCOPED_TRACE(testing::Message() << name(expected.arch) << " " << std::hex << expected.word << " " << expected.name);
    ASSERT_NE(decoded.form, nullptr);
    EXPECT_EQ(decoded.form->name, expected.name);
    EXPECT_EQ(decoded.form->form, expected.form);
    for (const ExpectedField& field : expected.fields) {
      const Word mask = ((Word{1} << (field.high - field.low + 1)) - 1U) << field.low;
      // The field, or several that together are it (a diagram may draw the bits of an operand apart).
      Word covered = 0;
      for (const Field& candidate : decoded.form->fields)
        if ((candidate.mask() & mask) != 0) covered |= candidate.mask();
      EXPECT_EQ(covered, mask) << field.high << ":" << field.low;
      EXPECT_EQ((expected.word & mask) >> field.low, field.value);
    }
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
