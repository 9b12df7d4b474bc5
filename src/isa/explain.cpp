#include "isa/explain.hpp"

#include <fmt/format.h>

#include "isa/disassemble.hpp"
#include "isa/table.hpp"
#include "isa/value_notes.hpp"

namespace tensim::isa {
namespace {

std::vector<ExplainedBit> names_in(const Field& field, Word value) {
  std::vector<ExplainedBit> names;
  if (field.symbols == nullptr) return names;
  const bool is_mask = field.symbols->kind == SymbolSet::Kind::mask;
  for (const Symbol& symbol : field.symbols->symbols) {
    // A combination such as STALL_THREAD is explained by its bits.
    const bool is_bit = (symbol.value & (symbol.value - 1U)) == 0;
    const bool is_set = is_mask ? is_bit && (value & symbol.value) != 0 : symbol.value == value;
    if (is_set && !symbol.meaning.empty()) names.push_back({symbol.name, symbol.meaning});
  }
  return names;
}

}  // namespace

std::string held_by_text(const Block& block) {
  if (block.rule == Block::Rule::never) return "nothing: it never reaches the Wait Gate";
  if (block.rule == Block::Rule::all_of) return "B0 to B8 all at once";
  if (block.bits == all_block_bits) return "any of B0 to B8";
  std::string text;
  for (unsigned bit = 0; bit < 9; ++bit)
    if ((block.bits >> bit & 1U) != 0) text += fmt::format("{}B{}", text.empty() ? "" : ", ", bit);
  return text;
}

Explanation explain(Arch arch, Word word) {
  Explanation explanation{.decoded = decode(arch, word)};
  explanation.vendor_text = to_text(explanation.decoded, Syntax::vendor);
  explanation.named_text = to_text(explanation.decoded, Syntax::named);
  const Form* form = explanation.decoded.form;
  if (form == nullptr) return explanation;
  explanation.unit = unit_table(form->unit).name;
  explanation.held_by = held_by_text(form->block);
  for (const Field& field : form->fields) {
    const Word value = field.get(word);
    const ValueNote* note = value_note(arch, *form, field, value);
    explanation.fields.push_back({.field = &field,
                                  .value = field_value(field, word),
                                  .text = to_text(field, word),
                                  .names = names_in(field, value),
                                  .note = note != nullptr ? note->text(arch) : std::string()});
  }
  return explanation;
}

}  // namespace tensim::isa
