#include "report/explanation.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/assembler/assemble.hpp"
#include "isa/explain.hpp"
#include "isa/explain_config.hpp"
#include "isa/hex_word.hpp"
#include "report/lint_kinds.hpp"
#include "report/race_rules.hpp"

namespace tensim::report {
namespace {

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

std::string bits_text(const ConfigField::Place& place) {
  const int high = place.shift + place.width - 1;
  return place.width == 1 ? fmt::format("bit {}", high) : fmt::format("bits {}:{}", high, place.shift);
}

nlohmann::json to_json(Arch arch, const std::vector<isa::ExplainedConfigField>& fields) {
  nlohmann::json document{{"schema", "tensim.explain_config/1"}, {"arch", name(arch)}};
  for (const isa::ExplainedConfigField& explained : fields) {
    nlohmann::json entry{
        {"name", explained.field->name},      {"kept", name(explained.space)},
        {"word", explained.place.word},       {"high", explained.place.shift + explained.place.width - 1},
        {"low", explained.place.shift},       {"core_addresses", explained.core_addresses},
        {"written_by", explained.written_by}, {"read_by", explained.read_by}};
    if (!explained.at_once.empty()) entry["at_once"] = explained.at_once;
    document["fields"].push_back(std::move(entry));
  }
  return document;
}

/// All there is to say about one field.
std::string to_text(const Style& style, Arch arch, const isa::ExplainedConfigField& explained) {
  std::string text = fmt::format("{}\n  {}\n", style.strong(explained.field->name), name(explained.space));
  for (const Arch chip : all_archs) {
    const ConfigField::Place& place = explained.field->on(chip);
    text += fmt::format("  {:<9}  {}\n", name(chip),
                        place.exists() ? fmt::format("word {}, {}", place.word, bits_text(place)) : "not there");
  }
  std::string addresses;
  for (const std::uint32_t address : explained.core_addresses)
    addresses += fmt::format("{}{:#010x}", addresses.empty() ? "" : ", ", address);
  const bool of_thread = explained.space == isa::ExplainedConfigField::Space::thread;
  text += fmt::format("\n  on {}\n    address     {} ({})\n", name(arch), addresses,
                      of_thread ? "T0, T1, T2; read only" : "bank 0, bank 1");
  for (const std::string& writer : explained.written_by)
    text += fmt::format("    written by  {}\n", writer);
  for (const std::string& reader : explained.read_by)
    text += fmt::format("    read by     {}\n", reader);
  if (!explained.at_once.empty()) text += fmt::format("    {}\n", style.warning("a write " + explained.at_once));
  return text;
}

/// Many: a line each.
std::string to_text(const Style& style, Arch arch, const std::vector<isa::ExplainedConfigField>& fields) {
  if (fields.size() == 1) return to_text(style, arch, fields.front());
  std::string text = fmt::format("{} fields on {}\n\n", fields.size(), name(arch));
  for (const isa::ExplainedConfigField& explained : fields) {
    const bool of_thread = explained.space == isa::ExplainedConfigField::Space::thread;
    const std::string word = fmt::format("{}[{}]", of_thread ? "ThreadConfig" : "Config", explained.place.word);
    text += fmt::format("  {:<16} {:<10}  {}\n", word, bits_text(explained.place), style.name(explained.field->name));
  }
  return text;
}

std::string fields_report(Arch arch, const std::vector<isa::ExplainedConfigField>& fields, Format format) {
  return format == Format::json ? document_text(to_json(arch, fields)) : to_text(style_of(format), arch, fields);
}

std::string word_report(Arch arch, isa::Word word, Format format) {
  const isa::Explanation explanation = isa::explain(arch, word);
  return format == Format::json ? document_text(to_json(explanation)) : to_text(style_of(format), explanation);
}

/// A line of assembly, or a field of the configuration.
Explained explain_name(Arch arch, std::string_view what, Format format) {
  const isa::Assembly assembly = isa::assemble(arch, what, "argument");
  if (assembly.ok()) {
    if (assembly.words.size() != 1) return ExplainProblem{"expected one word or one instruction"};
    return word_report(arch, assembly.words.front().word, format);
  }
  const auto fields = isa::find_config_fields(arch, what);
  if (!fields.empty()) return fields_report(arch, fields, format);
  return ExplainProblem{fmt::format("neither a word nor an instruction, nor a configuration field of {}\n{}",
                                    name(arch), isa::to_text(assembly.diagnostics.front()))};
}

}  // namespace

Explained explain(Arch arch, std::string_view what, bool is_ttinsn, Format format) {
  const isa::HexWord hex = isa::parse_hex_word(what);
  if (hex.status == isa::HexWord::Status::above_32_bits)
    return ExplainProblem{fmt::format("{} is above 32 bits", what)};
  if (names_race_rule(what)) return explain_race_rule(what, format);
  if (names_lint(what)) return explain_lint(what, format);
  if (hex.status == isa::HexWord::Status::not_hex) return explain_name(arch, what, format);
  if (!is_ttinsn) return word_report(arch, hex.value, format);
  if (!isa::is_ttinsn(hex.value))
    return ExplainProblem{fmt::format("{:#010x} is a RISC-V instruction, not a .ttinsn", hex.value)};
  return word_report(arch, isa::word_of_ttinsn(hex.value), format);
}

}  // namespace tensim::report
