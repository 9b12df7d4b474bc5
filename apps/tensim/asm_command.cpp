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

nlohmann::json to_json(const AsmOptions& options, const isa::Assembly& assembly) {
  nlohmann::json document{{"schema", "tensim.asm/1"},
                          {"arch", name(options.arch)},
                          {"words", nlohmann::json::array()},
                          {"diagnostics", nlohmann::json::array()}};
  for (const isa::AssembledWord& word : assembly.words) {
    nlohmann::json entry{
        {"word", fmt::format("{:#010x}", word.word)}, {"file", assembly.files[word.file]}, {"line", word.line}};
    if (const auto rotated = isa::ttinsn_of_word(word.word)) entry["ttinsn"] = fmt::format("{:#010x}", *rotated);
    document["words"].push_back(std::move(entry));
  }
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
    document["diagnostics"].push_back(to_json(diagnostic));
  return document;
}

/// The words as the user wants them: hexadecimal lines or little-endian binary, rotated for a RISC-V stream or not.
std::string rendered(const AsmOptions& options, const isa::Assembly& assembly) {
  std::string text;
  for (const isa::AssembledWord& word : assembly.words) {
    const std::uint32_t value = options.ttinsn ? std::rotl(word.word, 2) : word.word;
    if (!options.binary) {
      text +=
          fmt::format("{:#010x}  # {}\n", value, to_text(isa::decode(options.arch, word.word), isa::Syntax::vendor));
      continue;
    }
    for (unsigned byte = 0; byte < 4; ++byte)
      text.push_back(static_cast<char>(value >> (8 * byte)));
  }
  return text;
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
  const auto text = read_input(options.file);
  if (!text) return bad_input(common, fmt::format("cannot read '{}'", options.file));
  isa::AssembleOptions assemble_options;
  assemble_options.load = [](const std::string& path) { return read_input(path); };
  isa::Assembly assembly = isa::assemble(options.arch, *text, options.file, assemble_options);
  if (options.ttinsn) check_ttinsn(assembly);
  if (common.json) print_json(to_json(options, assembly));
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
    fmt::print(stderr, "{}", to_text(diagnostic));
  if (!assembly.ok()) return ExitCode::bad_input;
  const std::string result = rendered(options, assembly);
  if (!options.output.empty()) {
    std::ofstream file(options.output, std::ios::binary);
    file << result;
    if (!file.flush()) return bad_input(common, fmt::format("cannot write '{}'", options.output));
  } else if (!common.json) {
    print(result);
  }
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
