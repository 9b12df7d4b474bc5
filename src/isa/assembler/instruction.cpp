#include "isa/assembler/instruction.hpp"

#include <bit>

#include <fmt/format.h>

#include "isa/assembler/suggest.hpp"
#include "isa/decode.hpp"
#include "isa/names.hpp"
#include "isa/symbols.hpp"
#include "isa/table.hpp"
#include "isa/value_notes.hpp"

namespace tensim::isa {
namespace {

constexpr std::string_view raw_operand = "raw";  // bits that the syntax has no place for

/// The documented field an operand begins with: it lends the operand its names.
const Field* field_at(const Form& form, const Operand& operand) {
  for (const Field& field : form.fields)
    if (field.low == operand.low && field.width() <= operand.value_width()) return &field;
  return nullptr;
}

/// What name=value fills: a documented field, or an operand of the vendor's that may be several fields.
struct Target {
  const Field* field = nullptr;
  const Operand* operand = nullptr;
};

class InstructionAssembler {
 public:
  InstructionAssembler(Arch arch, TokenCursor& cursor, const Constants& constants)
      : arch_(arch), cursor_(cursor), constants_(constants) {}

  InstructionResult run() {
    const Token mnemonic = cursor_.take();
    const auto [base_name, form_name] = split(mnemonic.text);
    forms_ = find_instruction(arch_, base_name);
    if (forms_.empty()) return failed(mnemonic.column, unknown_instruction(base_name));
    if (!form_name.empty() || is_named_syntax(base_name)) return named(mnemonic, form_name);
    return positional(mnemonic);
  }

 private:
  static std::pair<std::string_view, std::string_view> split(std::string_view mnemonic) {
    const std::size_t dot = mnemonic.find('.');
    if (dot == std::string_view::npos) return {mnemonic, {}};
    return {mnemonic.substr(0, dot), mnemonic.substr(dot + 1)};
  }

  /// name=value makes it named; a bare name is named too, every field zero, unless it is the vendor's spelling.
  bool is_named_syntax(std::string_view mnemonic) const {
    const bool is_vendor = is_same_name(mnemonic.substr(0, 2), "tt") || mnemonic.starts_with("sfp");
    if (cursor_.at_end() || at_raw()) return !is_vendor;
    return cursor_.peek().kind == Token::Kind::name && cursor_.peek(1).is("=") && cursor_.peek().text != raw_operand;
  }

  InstructionResult failed(unsigned column, std::string message) {
    result_.error = LineProblem{column, std::move(message)};
    return result_;
  }

  std::string unknown_instruction(std::string_view name) const {
    for (const Arch other : all_archs)
      if (other != arch_ && !find_instruction(other, name).empty())
        return fmt::format("{} has no instruction '{}'; {} has", tensim::name(arch_), name, tensim::name(other));
    std::vector<std::string> spellings;
    for (unsigned opcode = 0; opcode < 256; ++opcode)
      if (const auto forms = forms_of(arch_, static_cast<std::uint8_t>(opcode)); !forms.empty())
        spellings.push_back(name.starts_with("tt") || name.starts_with("sfp") ? vendor_mnemonic(*forms[0])
                                                                              : std::string(forms[0]->name));
    const std::vector<std::string_view> known(spellings.begin(), spellings.end());
    return fmt::format("unknown instruction '{}' on {}{}", name, tensim::name(arch_), suggestion(name, known));
  }

  /// The value at the cursor if it fits `width` bits; signed fields also take their negative values.
  std::optional<Word> value(const SymbolSet* symbols, unsigned width, bool is_signed, std::string_view what) {
    const unsigned column = cursor_.peek().column;
    const ExpressionResult expression = evaluate(cursor_, {&constants_, symbols});
    if (expression.error) {
      result_.error = LineProblem{expression.error->column, expression.error->message};
      return std::nullopt;
    }
    const std::int64_t max = (std::int64_t{1} << width) - 1;
    const std::int64_t min = is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
    if (expression.value < min || expression.value > max) {
      result_.error = LineProblem{column, fmt::format("{} is {}; expected {} to {} ({} bit{})", what, expression.value,
                                                      min, max, width, width == 1 ? "" : "s")};
      return std::nullopt;
    }
    return static_cast<Word>(expression.value) & static_cast<Word>(max);
  }

  bool expect_separator() {
    if (cursor_.at_end() || cursor_.take_if(",")) return true;
    return problem(cursor_.peek().column,
                   fmt::format("expected ',' or the end of the line, found '{}'", cursor_.peek().text));
  }

  /// Puts `bits` in their place. Places may overlap (SFPLOADMACRO's operands share a bit, and an operand may hold
  /// several fields): every one given must still read back, so what is there twice must agree.
  bool place(std::string_view name, unsigned column, Word mask, Word bits) {
    for (const Placed& other : placed_) {
      if (other.mask == mask) return problem(column, fmt::format("field '{}' given twice", name));
      const Word shared = other.mask & mask;
      if (((other.bits ^ bits) & shared) != 0)
        return problem(column, fmt::format("{} and {} share {} and disagree", other.name, name,
                                           std::popcount(shared) == 1 ? "a bit" : "bits"));
    }
    // The name of the form has already given the bits that select it.
    if (((result_.word ^ bits) & mask & select_mask_) != 0)
      return problem(column, fmt::format("{} selects another form of the instruction", name));
    placed_.push_back({name, mask, bits});
    result_.word |= bits;
    return true;
  }

  bool problem(unsigned column, std::string message) {
    result_.error = LineProblem{column, std::move(message)};
    return false;
  }

  /// raw=0x...: parameter bits to set beside the operands.
  bool raw_bits() {
    const unsigned column = cursor_.take().column;
    cursor_.take();
    const auto bits = value(nullptr, parameter_bits, false, raw_operand);
    if (!bits) return false;
    if (!cursor_.at_end()) return problem(cursor_.peek().column, "raw= must be the last operand");
    for (const Placed& other : placed_)
      if ((other.mask & *bits) != 0)
        return problem(column, fmt::format("raw={:#x} sets bits of {}", *bits, other.name));
    if ((*bits & select_mask_) != 0)
      return problem(column, fmt::format("raw={:#x} selects another form of the instruction", *bits));
    result_.word |= *bits;
    return true;
  }

  bool at_raw() const { return cursor_.peek().text == raw_operand && cursor_.peek(1).is("="); }

  InstructionResult positional(const Token& mnemonic) {
    const Form& form = *forms_.front();
    result_.word = Word{form.opcode} << parameter_bits;
    std::size_t given = 0;
    while (!cursor_.at_end() && !at_raw()) {
      const unsigned column = cursor_.peek().column;
      if (given == form.operands.size()) return failed(column, count_message(form, "too many operands"));
      if (!operand(form, form.operands[given++], column)) return result_;
    }
    if (given < form.operands.size()) return failed(cursor_.peek().column, count_message(form, "too few operands"));
    if (at_raw() && !raw_bits()) return result_;
    warn(mnemonic.column);
    return result_;
  }

  bool operand(const Form& form, const Operand& operand, unsigned column) {
    const Field* field = field_at(form, operand);
    const SymbolSet* symbols = field != nullptr ? field->symbols : nullptr;
    if (operand.style == Operand::Style::lreg) symbols = &lregs;
    const bool is_signed = operand.style == Operand::Style::signed_decimal || (field != nullptr && field->is_signed);
    const auto bits = value(symbols, operand.value_width(), is_signed, operand.name);
    return bits && place(operand.name, column, operand.mask(), operand.put(*bits)) && expect_separator();
  }

  static std::string count_message(const Form& form, std::string_view what) {
    std::string names;
    for (const Operand& operand : form.operands)
      names += (names.empty() ? "" : ", ") + std::string(operand.name);
    return fmt::format("{} for {}; expected {}{}{}", what, vendor_mnemonic(form), form.operands.size(),
                       names.empty() ? "" : ": ", names);
  }

  InstructionResult named(const Token& mnemonic, std::string_view form_name) {
    const Form* form = chosen_form(form_name);
    if (form == nullptr) return failed(mnemonic.column, form_message(form_name));
    result_.word = form->base();
    select_mask_ = form->select_mask;
    while (!cursor_.at_end()) {
      if (at_raw()) {
        if (!raw_bits()) return result_;
        break;
      }
      if (!named_operand(*form)) return result_;
    }
    warn(mnemonic.column);
    return result_;
  }

  const Form* chosen_form(std::string_view form_name) const {
    if (form_name.empty()) return forms_.size() == 1 ? forms_.front() : nullptr;
    for (const Form* form : forms_)
      if (is_same_name(form->form, form_name)) return form;
    return nullptr;
  }

  std::string form_message(std::string_view form_name) const {
    if (forms_.size() == 1 && forms_[0]->form.empty())
      return fmt::format("{} has one form; write it without '.{}'", forms_[0]->name, form_name);
    std::string names;
    for (const Form* form : forms_)
      names += fmt::format("{}{}.{}", names.empty() ? "" : ", ", form->name, form->form);
    return fmt::format("{} has several forms; expected one of {}", forms_.front()->name, names);
  }

  /// A documented field; else an operand by the vendor's name (table.cpp proves that no field hides one).
  static Target find_target(const Form& form, std::string_view name) {
    for (const Field& field : form.fields)
      if (is_same_name(field.name, name)) return {.field = &field};
    for (const Operand& operand : form.operands)
      if (is_same_name(operand.name, name)) return {.operand = &operand};
    return {};
  }

  bool named_operand(const Form& form) {
    const Token name = cursor_.take();
    if (name.kind != Token::Kind::name || !cursor_.take_if("=")) return problem(name.column, "expected name=value");
    const Target target = find_target(form, name.text);
    if (target.operand != nullptr) return operand(form, *target.operand, name.column);
    if (target.field == nullptr) {
      std::vector<std::string_view> known;
      for (const Field& candidate : form.fields)
        known.push_back(candidate.name);
      return problem(name.column,
                     fmt::format("{} has no field '{}'{}", form.name, name.text, suggestion(name.text, known)));
    }
    const Field& field = *target.field;
    const auto bits = value(field.symbols, field.width(), field.is_signed, field.name);
    return bits && place(field.name, name.column, field.mask(), field.put(*bits)) && expect_separator();
  }

  void warn(unsigned column) {
    const Decoded decoded = decode(arch_, result_.word);
    if (decoded.status == Decoded::Status::undefined_form)
      result_.warnings.push_back({column, "these operands select no documented form of the instruction"});
    if (decoded.unused_bits != 0)
      result_.warnings.push_back({column, fmt::format("sets unused bits {:#x}", decoded.unused_bits)});
    if (decoded.form == nullptr) return;
    for (const Field& field : decoded.form->fields)
      if (const ValueNote* note = value_note(arch_, *decoded.form, field, field.get(result_.word));
          note != nullptr && note->is_mistake)
        result_.warnings.push_back({column, fmt::format("{}: {}", field.name, note->text(arch_))});
  }

  struct Placed {
    std::string_view name;
    Word mask;
    Word bits;
  };

  Arch arch_;
  TokenCursor& cursor_;
  const Constants& constants_;
  std::span<const Form* const> forms_;
  Word select_mask_ = 0;  // of the form, once it has been named
  std::vector<Placed> placed_;
  InstructionResult result_;
};

}  // namespace

InstructionResult assemble_instruction(Arch arch, TokenCursor& cursor, const Constants& constants) {
  return InstructionAssembler(arch, cursor, constants).run();
}

}  // namespace tensim::isa
