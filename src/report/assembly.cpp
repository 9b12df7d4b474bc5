#include "report/assembly.hpp"

#include <bit>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"

namespace tensim::report {
namespace {

nlohmann::json to_json(const isa::Diagnostic& diagnostic) {
  return {{"severity", diagnostic.severity == isa::Diagnostic::Severity::error ? "error" : "warning"},
          {"file", diagnostic.at.file},
          {"line", diagnostic.at.line},
          {"column", diagnostic.at.column},
          {"message", diagnostic.message}};
}

nlohmann::json to_json(const isa::Assembly& assembly, const isa::AssembledWord& word) {
  nlohmann::json entry{
      {"word", fmt::format("{:#010x}", word.word)}, {"file", assembly.files[word.file]}, {"line", word.line}};
  if (const auto rotated = isa::ttinsn_of_word(word.word)) entry["ttinsn"] = fmt::format("{:#010x}", *rotated);
  return entry;
}

/// A hexadecimal line or little-endian binary, rotated for a RISC-V stream or not.
std::string rendered(Arch arch, isa::Word word, const WordsFormat& format) {
  const std::uint32_t value = format.ttinsn ? std::rotl(word, 2) : word;
  if (!format.binary)
    return fmt::format("{:#010x}  # {}\n", value, to_text(isa::decode(arch, word), isa::Syntax::vendor));
  std::string bytes;
  for (unsigned byte = 0; byte < 4; ++byte)
    bytes.push_back(static_cast<char>(value >> (8 * byte)));
  return bytes;
}

}  // namespace

void check_ttinsn(isa::Assembly& assembly) {
  for (const isa::AssembledWord& word : assembly.words) {
    if (isa::ttinsn_of_word(word.word)) continue;
    isa::Diagnostic diagnostic;
    diagnostic.at = {assembly.files[word.file], word.line, 1};
    diagnostic.message =
        fmt::format("{:#010x} cannot be a .ttinsn: words from 0xc0000000 up look like RISC-V", word.word);
    assembly.diagnostics.push_back(diagnostic);
    return;
  }
}

void write_words(Arch arch, const isa::Assembly& assembly, const WordsFormat& format, const Write& write) {
  for (const isa::AssembledWord& word : assembly.words)
    write(rendered(arch, word.word, format));
}

void write_assembly_json(Arch arch, const isa::Assembly& assembly, const Write& write) {
  write(fmt::format("{{\n\"schema\": \"tensim.asm/1\",\n\"arch\": \"{}\",\n\"words\": [", name(arch)));
  std::string_view separator = "\n";
  for (const isa::AssembledWord& word : assembly.words) {
    write(fmt::format("{}{}", separator, entry_text(to_json(assembly, word))));
    separator = ",\n";
  }
  write("],\n\"diagnostics\": [");
  separator = "\n";
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics) {
    write(fmt::format("{}{}", separator, entry_text(to_json(diagnostic))));
    separator = ",\n";
  }
  write("]\n}\n");
}

}  // namespace tensim::report
