// tensim disasm: words, raw binaries and ELF files to text.
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "handle.hpp"
#include "input.hpp"

namespace tensim::command {
namespace {

struct DisasmOptions {
  tensim_arch arch = TENSIM_BLACKHOLE;
  std::string file;
  tensim_code_format format = TENSIM_CODE_AUTO;
  bool named = false;
  bool riscv = false;
  std::uint32_t base = 0;
};

ExitCode run(const CommonOptions& common, const DisasmOptions& options) {
  const Input input = read_input(options.file);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", options.file, input.problem));
  tensim_disassemble_options how{};
  how.size = sizeof how;
  how.code = options.format;
  how.named = options.named ? 1 : 0;
  how.riscv = options.riscv ? 1 : 0;
  how.base = options.base;
  Text problem;
  const tensim_status status = tensim_disassemble(options.arch, input.content->data(), input.content->size(), &how,
                                                  common.format(), print_piece, nullptr, problem.place());
  if (checked(status, problem) == TENSIM_OK) return ExitCode::fine;
  // What is not ELF may only have been taken for something else.
  const char* hint = status == TENSIM_BAD_INPUT ? " (--input bin, hex or elf says what the file is)" : "";
  return bad_input(common, fmt::format("{}: {}{}", options.file, view(problem), hint));
}

}  // namespace

void add_disasm_command(Context context) {
  auto options = std::make_shared<DisasmOptions>();
  CLI::App* command = context.app.add_subcommand("disasm", "disassemble words, a raw binary or an ELF file");
  add_arch_option(*command, options->arch);
  command->add_option("FILE", options->file, "ELF file, hexadecimal text or binary; - for standard input")->required();
  add_choice<tensim_code_format>(
      *command, "--input", options->format,
      {{"auto", TENSIM_CODE_AUTO}, {"bin", TENSIM_CODE_BINARY}, {"hex", TENSIM_CODE_HEX}, {"elf", TENSIM_CODE_ELF}},
      "what FILE is");
  command->add_flag("--named", options->named, "symbolic operands instead of the vendor's objdump form");
  command->add_flag("--riscv", options->riscv,
                    "bin or hex input is a RISC-V stream: .ttinsn words stand rotated in it");
  add_number(*command, "--base", options->base, 0, 0xFFFF'FFFF, "address of the first word of bin or hex input");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
