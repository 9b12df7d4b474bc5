// word -> text -> word, over every form of every opcode, both architectures and both syntaxes.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "isa/assembler/assemble.hpp"
#include "isa/disassemble.hpp"
#include "isa/table.hpp"

namespace tensim::isa {
namespace {

constexpr unsigned words_per_form = 300;

/// Random words of every form: fields only, and fields with unused bits as well.
std::vector<Word> random_words(Arch arch) {
  std::mt19937 random(0x7E45);
  std::vector<Word> words;
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms) {
      if (!form.archs.contains(arch)) continue;
      words.push_back(form.base());
      words.push_back(form.base() | (form.used_mask() & ~form.select_mask));
      for (unsigned i = 0; i < words_per_form; ++i) {
        const Word parameters = static_cast<Word>(random()) & parameter_mask & ~form.select_mask;
        words.push_back(form.base() | (i % 4 == 0 ? parameters : parameters & form.used_mask()));
      }
    }
  return words;
}

class IsaRoundTrip : public ::testing::TestWithParam<std::tuple<Arch, Syntax>> {};

TEST_P(IsaRoundTrip, TextAssemblesToTheWordItCameFrom) {
  const auto [arch, syntax] = GetParam();
  const std::vector<Word> words = random_words(arch);
  std::string text;
  for (const Word word : words)
    text += to_text(decode(arch, word), syntax) + "\n";
  const Assembly assembly = assemble(arch, text, "round_trip.s");
  for (const Diagnostic& diagnostic : assembly.diagnostics)
    if (diagnostic.severity == Diagnostic::Severity::error) ADD_FAILURE() << to_text(diagnostic);
  ASSERT_EQ(assembly.words.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    ASSERT_EQ(assembly.words[i].word, words[i]) << to_text(decode(arch, words[i]), syntax);
}

TEST_P(IsaRoundTrip, EveryWordWhateverItsOpcodeComesBack) {
  const auto [arch, syntax] = GetParam();
  std::mt19937 random(0xB1ac);
  std::vector<Word> words;
  std::string text;
  for (unsigned i = 0; i < 50'000; ++i) {
    words.push_back(static_cast<Word>(random()));
    text += to_text(decode(arch, words.back()), syntax) + "\n";
  }
  const Assembly assembly = assemble(arch, text, "round_trip.s");
  ASSERT_TRUE(assembly.ok());
  ASSERT_EQ(assembly.words.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    ASSERT_EQ(assembly.words[i].word, words[i]);
}

std::string syntax_name(Syntax syntax) {
  switch (syntax) {
    case Syntax::vendor: return "vendor";
    case Syntax::named: return "named";
    case Syntax::brief: return "brief";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(AllArchsAndSyntaxes, IsaRoundTrip,
                         ::testing::Combine(::testing::Values(Arch::wormhole, Arch::blackhole),
                                            ::testing::Values(Syntax::vendor, Syntax::named, Syntax::brief)),
                         [](const auto& instance) {
                           return std::string(name(std::get<0>(instance.param))) + "_" +
                                  syntax_name(std::get<1>(instance.param));
                         });

}  // namespace
}  // namespace tensim::isa
