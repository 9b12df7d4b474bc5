// tensim asm: assembly text to words.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "handle.hpp"
#include "input.hpp"

namespace tensim::command {
namespace {

struct AsmOptions {
  tensim_arch arch = TENSIM_BLACKHOLE;
  std::string file;
  std::string output;
  bool binary = false;
  bool ttinsn = false;
};

int load_file(void* /*context*/, const char* path, tensim_text* content) {
  return load_into(path, TENSIM_MAX_ASSEMBLY_BYTES, content);
}

/// The words, to standard output or to a file.
void write_words(const AsmOptions& options, const Assembly& assembly, tensim_write_function write, void* context) {
  const tensim_words_format format = options.binary ? TENSIM_WORDS_BINARY : TENSIM_WORDS_LINES;
  checked(tensim_assembly_write(assembly.get(), format, options.ttinsn ? 1 : 0, write, context));
}

/// Empty, or why that cannot be done.
std::string write_file(const AsmOptions& options, const Assembly& assembly) {
  OutputFile file;
  file.open(options.output);
  write_words(options, assembly, OutputFile::write_piece, &file);
  return file.finish();
}

ExitCode run(const CommonOptions& common, const AsmOptions& options) {
  const Input input = read_input(options.file, TENSIM_MAX_ASSEMBLY_BYTES);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", options.file, input.problem));
  Assembly assembly;
  tensim_status status = checked(tensim_assemble(options.arch, input.content->data(), input.content->size(),
                                                 options.file.c_str(), load_file, nullptr, assembly.place()));
  if (options.ttinsn) status = checked(tensim_assembly_check_ttinsn(assembly.get()));
  Text diagnostics;
  checked(tensim_assembly_diagnostics(assembly.get(), diagnostics.place()));
  print_error(view(diagnostics));
  const bool is_fine = status == TENSIM_OK;
  if (is_fine && !options.output.empty())
    if (const std::string problem = write_file(options, assembly); !problem.empty()) return bad_input(common, problem);
  if (common.json) checked(tensim_assembly_write_json(assembly.get(), print_piece, nullptr));
  if (!is_fine) return ExitCode::bad_input;
  if (!common.json && options.output.empty()) write_words(options, assembly, print_piece, nullptr);
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
