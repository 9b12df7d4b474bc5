// tensim explain: everything about one word.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "isa/assembler/assemble.hpp"
#include "isa/explain.hpp"
#include "words.hpp"

namespace tensim::command {
namespace {

struct ExplainOptions {
  Arch arch = Arch::blackhole;
  std::string what;
  bool ttinsn = false;
};

nlohmann::json to_json(const isa::Explanation& explanation) {
  const isa::Decoded& decoded = explanation.decoded;
  nlohmann::json document{{"schema", "tensim.explain/1"},
                          {"arch", name(decoded.arch)},
                          {"word", fmt::format("{:#010x}", decoded.word)},
                          {"status", describe(decoded.status)},
                          {"vendor", explanation.vendor_text},
                          {"named", explanation.named_text}};
  if (decoded.form == nullptr) return document;
  document["instruction"] = decoded.form->name;
  document["form"] = decoded.form->form;
  document["opcode"] = fmt::format("{:#04x}", decoded.form->opcode);
  document["summary"] = decoded.form->summary;
  document["unit"] = explanation.unit;
  document["held_by"] = explanation.held_by;
  document["block_bits"] = decoded.form->block.bits;
  document["source"] = decoded.form->source;
  document["unused_bits"] = fmt::format("{:#x}", decoded.unused_bits);
  document["fields"] = nlohmann::json::array();
  for (const isa::ExplainedField& field : explanation.fields) {
    nlohmann::json entry{{"name", field.field->name}, {"high", field.field->high}, {"low", field.field->low},
                         {"value", field.value},      {"text", field.text},        {"meaning", field.field->meaning}};
    if (!field.note.empty()) entry["note"] = field.note;
    for (const isa::ExplainedBit& bit : field.names)
      entry["names"].push_back({{"name", bit.name}, {"meaning", bit.meaning}});
    document["fields"].push_back(std::move(entry));
  }
  return document;
}

std::string to_text(const Style& style, const isa::Explanation& explanation) {
  const isa::Decoded& decoded = explanation.decoded;
  std::string text = fmt::format("{:#010x}  {}", decoded.word, style.strong(explanation.vendor_text));
  if (decoded.form == nullptr)
    return text + fmt::format("\n  {} on {}\n", style.warning(describe(decoded.status)), name(decoded.arch));
  text += fmt::format("\n            {}\n\n", explanation.named_text);
  text += fmt::format("  {}\n", decoded.form->summary);
  text += fmt::format("  {} opcode {:#04x}, {}; held at the Wait Gate by {}\n", name(decoded.arch),
                      decoded.form->opcode, explanation.unit, explanation.held_by);
  text += fmt::format("  {}\n", style.dim(decoded.form->source));
  std::size_t width = 0;
  for (const isa::ExplainedField& field : explanation.fields)
    width = std::max(width, field.field->name.size());
  if (!explanation.fields.empty()) text += "\n";
  for (const isa::ExplainedField& field : explanation.fields) {
    const std::string bits = field.field->high == field.field->low
                                 ? fmt::format("{}", field.field->high)
                                 : fmt::format("{}:{}", field.field->high, field.field->low);
    text += fmt::format("  {:>5}  {}{}  {}  {}\n", bits, style.name(field.field->name),
                        std::string(width - field.field->name.size(), ' '), style.strong(field.text),
                        style.dim(field.field->meaning));
    for (const isa::ExplainedBit& bit : field.names)
      text += fmt::format("         {}  {}: {}\n", std::string(width, ' '), bit.name, bit.meaning);
    if (!field.note.empty())
      text += fmt::format("         {}  {}\n", std::string(width, ' '), style.warning(field.note));
  }
  if (decoded.unused_bits != 0)
    text += fmt::format("\n  {}\n", style.warning(fmt::format("unused bits {:#x} are set", decoded.unused_bits)));
  return text;
}

ExitCode run(const CommonOptions& common, const ExplainOptions& options) {
  const HexWord hex = parse_hex_word(options.what);
  if (hex.status == HexWord::Status::above_32_bits)
    return bad_input(common, fmt::format("{} is above 32 bits", options.what));
  std::optional<isa::Word> word;
  if (hex.status == HexWord::Status::word) word = hex.value;
  if (word && options.ttinsn) {
    if (!isa::is_ttinsn(*word))
      return bad_input(common, fmt::format("{:#010x} is a RISC-V instruction, not a .ttinsn", *word));
    word = isa::word_of_ttinsn(*word);
  }
  if (!word) {
    // Not a number: a line of assembly.
    const isa::Assembly assembly = isa::assemble(options.arch, options.what, "argument");
    if (!assembly.ok())
      return bad_input(
          common, fmt::format("neither a word nor an instruction\n{}", isa::to_text(assembly.diagnostics.front())));
    if (assembly.words.size() != 1) return bad_input(common, "expected one word or one instruction");
    word = assembly.words.front().word;
  }
  const isa::Explanation explanation = isa::explain(options.arch, *word);
  if (common.json)
    print_json(to_json(explanation));
  else
    print(to_text(common.style(), explanation));
  return ExitCode::fine;
}

}  // namespace

void add_explain_command(Context context) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = context.app.add_subcommand("explain", "explain a word or an instruction, bit by bit");
  add_arch_option(*command, options->arch);
  command->add_option("WORD", options->what, "hexadecimal word, or an instruction in quotes")->required();
  command->add_flag("--ttinsn", options->ttinsn, "WORD stands rotated, as in a RISC-V stream");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
