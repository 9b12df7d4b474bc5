// tensim asm: assembly text to words.
#include <bit>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "input.hpp"
#include "isa/assembler/assemble.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"

namespace tensim::command {
namespace {

struct AsmOptions {
  Arch arch = Arch::blackhole;
  std::string file;
  std::string output;
  bool binary = false;
  bool ttinsn = false;
};

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

void print_json(const AsmOptions& options, const isa::Assembly& assembly) {
  print(fmt::format("{{\n\"schema\": \"tensim.asm/1\",\n\"arch\": \"{}\",\n\"words\": [", name(options.arch)));
  std::string_view separator = "\n";
  for (const isa::AssembledWord& word : assembly.words) {
    print(fmt::format("{}{}", separator, json_line(to_json(assembly, word))));
    separator = ",\n";
  }
  print("],\n\"diagnostics\": [");
  separator = "\n";
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics) {
    print(fmt::format("{}{}", separator, json_line(to_json(diagnostic))));
    separator = ",\n";
  }
  print("]\n}\n");
}

/// A word as the user wants it: a hexadecimal line or little-endian binary, rotated for a RISC-V stream or not.
std::string rendered(const AsmOptions& options, isa::Word word) {
  const std::uint32_t value = options.ttinsn ? std::rotl(word, 2) : word;
  if (!options.binary)
    return fmt::format("{:#010x}  # {}\n", value, to_text(isa::decode(options.arch, word), isa::Syntax::vendor));
  std::string bytes;
  for (unsigned byte = 0; byte < 4; ++byte)
    bytes.push_back(static_cast<char>(value >> (8 * byte)));
  return bytes;
}

/// Words from 0xC0000000 up cannot stand in a RISC-V stream: the first one is an error.
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

ExitCode run(const CommonOptions& common, const AsmOptions& options) {
  isa::AssembleOptions assemble_options;
  const Input input = read_input(options.file, assemble_options.max_text_bytes);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", options.file, input.problem));
  assemble_options.load = [max_bytes = assemble_options.max_text_bytes](const std::string& path) {
    Input included = read_input(path, max_bytes);
    return isa::LoadedText{std::move(included.content), std::move(included.problem)};
  };
  isa::Assembly assembly = isa::assemble(options.arch, *input.content, options.file, assemble_options);
  if (options.ttinsn) check_ttinsn(assembly);
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
    print_error(to_text(diagnostic));
  if (assembly.ok() && !options.output.empty()) {
    std::ofstream file(options.output, std::ios::binary);
    for (const isa::AssembledWord& word : assembly.words)
      file << rendered(options, word.word);
    if (!file.flush()) return bad_input(common, fmt::format("cannot write '{}'", options.output));
  }
  if (common.json) print_json(options, assembly);
  if (!assembly.ok()) return ExitCode::bad_input;
  if (!common.json && options.output.empty())
    for (const isa::AssembledWord& word : assembly.words)
      print(rendered(options, word.word));
  return ExitCode::fine;
}

}  // namespace

void add_asm_command(Context context) {
  auto options = std::make_shared<AsmOptions>();
  CLI::App* command = context.app.add_subcommand("asm", "assemble Tensix instructions");
  add_arch_option(*command, options->arch);
  command->add_option("FILE", options->file, "assembly text; - for standard input")->required();
  command->add_option("-o,--output", options->output, "write the words there instead of printing them");
  command->add_flag("--binary", options->binary, "little-endian binary instead of hexadecimal lines");
  command->add_flag("--ttinsn", options->ttinsn, "rotate each word as a .ttinsn of a RISC-V stream");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
