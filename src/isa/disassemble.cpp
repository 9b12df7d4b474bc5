#include "isa/disassemble.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "isa/table.hpp"

namespace tensim::isa {
namespace {

std::string number(std::int64_t value) {
  return value > 0xFFF ? fmt::format("{:#x}", value) : fmt::format("{}", value);
}

/// The names whose bits together are exactly `value`, highest bit first; wide names (STALL_THREAD) before single bits.
std::string mask_text(const SymbolSet& set, Word value) {
  std::vector<Symbol> widest_first(set.symbols.begin(), set.symbols.end());
  std::ranges::sort(widest_first, std::ranges::greater{},
                    [](const Symbol& symbol) { return std::pair(std::popcount(symbol.value), symbol.value); });
  std::vector<Symbol> chosen;
  Word rest = value;
  for (const Symbol& symbol : widest_first)
    if (symbol.value != 0 && (rest & symbol.value) == symbol.value) {
      chosen.push_back(symbol);
      rest &= ~symbol.value;
    }
  std::ranges::sort(chosen, std::ranges::greater{}, &Symbol::value);
  std::string text;
  for (const Symbol& symbol : chosen)
    text += (text.empty() ? "" : "|") + std::string(symbol.name);
  if (rest != 0 || text.empty()) text += (text.empty() ? "" : "|") + number(rest);
  return text;
}

std::string operand_text(const Operand& operand, Word word) {
  const Word value = operand.get(word);
  switch (operand.style) {
    case Operand::Style::decimal: return fmt::format("{}", value);
    case Operand::Style::signed_decimal: {
      const std::int64_t wide = value;
      const std::int64_t span = std::int64_t{1} << operand.value_width();
      return fmt::format("{}", wide >= span / 2 ? wide - span : wide);
    }
    case Operand::Style::hex: return fmt::format("0x{:0{}X}", value, (operand.value_width() + 3) / 4);
    case Operand::Style::lreg: return fmt::format("L{}", value);
  }
  return {};
}

std::string joined(std::string head, const std::vector<std::string>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i)
    head += (i == 0 ? " " : ", ") + operands[i];
  return head;
}

std::string vendor_text(const Decoded& decoded) {
  // Operands belong to the opcode: a word whose selector chooses no form still has them.
  const Form& form = decoded.form != nullptr ? *decoded.form : *forms_of(decoded.arch, opcode_of(decoded.word)).front();
  std::vector<std::string> operands;
  Word covered = 0;
  for (const Operand& operand : form.operands) {
    operands.push_back(operand_text(operand, decoded.word));
    covered |= operand.mask();
  }
  const Word left = decoded.word & parameter_mask & ~covered;
  if (left != 0) operands.push_back(fmt::format("raw={:#x}", left));
  return joined(vendor_mnemonic(form), operands);
}

std::string named_text(const Decoded& decoded, Syntax syntax) {
  const Form& form = *decoded.form;
  const bool brief = syntax == Syntax::brief;
  std::vector<std::string> operands;
  for (const Field& field : form.fields)
    if ((!brief && field.width() > 1) || field.get(decoded.word) != 0)  // a flag that is not set says nothing
      operands.push_back(fmt::format("{}={}", field.name, to_text(field, decoded.word)));
  if (brief && operands.empty() && !form.fields.empty()) {
    const Field& last = *(form.fields.end() - 1);
    operands.push_back(fmt::format("{}={}", last.name, to_text(last, decoded.word)));
  }
  if (decoded.unused_bits != 0) operands.push_back(fmt::format("raw={:#x}", decoded.unused_bits));
  std::string head(form.name);
  if (!form.form.empty()) head += "." + std::string(form.form);
  return joined(std::move(head), operands);
}

}  // namespace

std::string to_text(const Field& field, Word word) {
  const Word value = field.get(word);
  if (field.symbols != nullptr) {
    if (field.symbols->kind == SymbolSet::Kind::mask) return mask_text(*field.symbols, value);
    for (const Symbol& symbol : field.symbols->symbols)
      if (symbol.value == value) return std::string(symbol.name);
  }
  return number(field_value(field, word));
}

std::string to_text(const Decoded& decoded, Syntax syntax) {
  const bool has_operands = decoded.status != Decoded::Status::undefined_opcode;
  if (syntax == Syntax::vendor && has_operands) return vendor_text(decoded);
  if (decoded.status == Decoded::Status::defined) return named_text(decoded, syntax);
  return fmt::format(".word {:#010x}", decoded.word);
}

}  // namespace tensim::isa
