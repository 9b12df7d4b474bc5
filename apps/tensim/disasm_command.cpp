// tensim disasm: words, raw binaries and ELF files to text.
#include <algorithm>
#include <cctype>
#include <memory>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "commands.hpp"
#include "host/elf_text.hpp"
#include "input.hpp"
#include "isa/disassemble.hpp"
#include "word_reader.hpp"

namespace tensim::command {
namespace {

enum class InputFormat { automatic, binary, hex, elf };

struct DisasmOptions {
  Arch arch = Arch::blackhole;
  std::string file;
  InputFormat format = InputFormat::automatic;
  bool named = false;
  bool riscv = false;  // the words are a RISC-V stream in which .ttinsn words stand rotated
  std::uint32_t base = 0;
};

struct Section {
  std::string name;
  std::uint32_t address = 0;
  bool is_riscv = false;
  WordReader words;
};

using Sections = std::variant<std::vector<Section>, std::string>;

constexpr std::string_view input_hint = "(--input bin, hex or elf says what the file is)";

Sections parse_binary(const DisasmOptions& options, std::string_view content) {
  if (content.size() % 4 != 0)
    return fmt::format("{} bytes are not a whole number of words {}", content.size(), input_hint);
  return std::vector{Section{"", options.base, options.riscv, WordReader(content, WordReader::Format::binary)}};
}

Sections parse_hex(const DisasmOptions& options, std::string_view content) {
  const WordReader words(content, WordReader::Format::hex);
  // Read it all before anything is printed: a bad word is an error, not half an answer.
  WordReader trial = words;
  while (trial.next()) {
  }
  if (!trial.problem().empty()) return fmt::format("{} {}", trial.problem(), input_hint);
  return std::vector{Section{"", options.base, options.riscv, words}};
}

Sections parse_elf(std::string_view content) {
  auto result = host::executable_sections(std::as_bytes(std::span(content)));
  if (auto* message = std::get_if<std::string>(&result)) return std::move(*message);
  std::vector<Section> sections;
  for (host::TextSection& section : std::get<std::vector<host::TextSection>>(result)) {
    const std::string_view bytes(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
    sections.push_back({std::move(section.name), section.address, true, WordReader(bytes, WordReader::Format::binary)});
  }
  return sections;
}

bool is_text(std::string_view content) {
  return std::ranges::all_of(content, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isprint(byte) != 0 || std::isspace(byte) != 0;
  });
}

Sections parse(const DisasmOptions& options, std::string_view content) {
  InputFormat format = options.format;
  if (format == InputFormat::automatic)
    format = host::is_elf(std::as_bytes(std::span(content))) ? InputFormat::elf
             : is_text(content)                              ? InputFormat::hex
                                                             : InputFormat::binary;
  switch (format) {
    case InputFormat::elf: return parse_elf(content);
    case InputFormat::hex: return parse_hex(options, content);
    default: return parse_binary(options, content);
  }
}

/// A word of a section: a Tensix word to decode, or a RISC-V instruction to leave alone.
struct Line {
  std::uint32_t address = 0;
  std::uint32_t raw = 0;
  bool is_tensix = true;
  isa::Decoded decoded;
};

Line line_of(const DisasmOptions& options, const Section& section, std::uint32_t address, std::uint32_t raw) {
  const bool is_tensix = !section.is_riscv || isa::is_ttinsn(raw);
  const isa::Word word = section.is_riscv ? isa::word_of_ttinsn(raw) : raw;
  return {address, raw, is_tensix, isa::decode(options.arch, word)};
}

template <class Visitor>
void for_each_line(const DisasmOptions& options, const Section& section, Visitor visit) {
  WordReader words = section.words;
  std::uint32_t address = section.address;
  while (const auto raw = words.next()) {
    visit(line_of(options, section, address, *raw));
    address += 4;
  }
}

std::string remark(const isa::Decoded& decoded) {
  if (decoded.status != isa::Decoded::Status::defined) return std::string(describe(decoded.status));
  if (decoded.unused_bits != 0) return fmt::format("unused bits {:#x} set", decoded.unused_bits);
  return {};
}

nlohmann::json to_json(const Line& line) {
  nlohmann::json entry{{"address", fmt::format("{:#x}", line.address)}, {"raw", fmt::format("{:#010x}", line.raw)}};
  if (!line.is_tensix) {
    entry["kind"] = "riscv";
    return entry;
  }
  entry["kind"] = "tensix";
  entry["word"] = fmt::format("{:#010x}", line.decoded.word);
  entry["status"] = describe(line.decoded.status);
  entry["vendor"] = isa::to_text(line.decoded, isa::Syntax::vendor);
  entry["named"] = isa::to_text(line.decoded, isa::Syntax::named);
  if (line.decoded.unused_bits != 0) entry["unused_bits"] = fmt::format("{:#x}", line.decoded.unused_bits);
  return entry;
}

void print_json(const DisasmOptions& options, const std::vector<Section>& sections) {
  print(fmt::format("{{\n\"schema\": \"tensim.disasm/1\",\n\"arch\": \"{}\",\n\"sections\": [", name(options.arch)));
  std::string_view between_sections = "\n";
  for (const Section& section : sections) {
    print(fmt::format("{}{{\"name\": {}, \"address\": \"{:#x}\", \"lines\": [", between_sections,
                      json_line(section.name), section.address));
    between_sections = ",\n";
    std::string_view between_lines = "\n";
    for_each_line(options, section, [&](const Line& line) {
      print(fmt::format("{}{}", between_lines, json_line(to_json(line))));
      between_lines = ",\n";
    });
    print("]}");
  }
  print("]\n}\n");
}

std::string to_text(const Style& style, const DisasmOptions& options, const Line& line) {
  const std::string place = style.dim(fmt::format("{:8x}:  {:08x}", line.address, line.raw));
  if (!line.is_tensix) return fmt::format("{}  .word {:#010x}{}\n", place, line.raw, style.dim("  # RISC-V"));
  const std::string note = remark(line.decoded);
  return fmt::format("{}  {}{}\n", place,
                     isa::to_text(line.decoded, options.named ? isa::Syntax::named : isa::Syntax::vendor),
                     note.empty() ? "" : style.warning("  # " + note));
}

void print_text(const CommonOptions& common, const DisasmOptions& options, const std::vector<Section>& sections) {
  const Style style = common.style();
  for (const Section& section : sections) {
    if (!section.name.empty()) print(fmt::format("{}\n", style.strong(fmt::format("section {}:", section.name))));
    for_each_line(options, section, [&](const Line& line) { print(to_text(style, options, line)); });
  }
}

ExitCode run(const CommonOptions& common, const DisasmOptions& options) {
  const Input input = read_input(options.file);
  if (!input.content) return bad_input(common, fmt::format("cannot read '{}': {}", options.file, input.problem));
  const Sections sections = parse(options, *input.content);
  if (const auto* message = std::get_if<std::string>(&sections))
    return bad_input(common, fmt::format("{}: {}", options.file, *message));
  if (common.json)
    print_json(options, std::get<std::vector<Section>>(sections));
  else
    print_text(common, options, std::get<std::vector<Section>>(sections));
  return ExitCode::fine;
}

}  // namespace

void add_disasm_command(Context context) {
  auto options = std::make_shared<DisasmOptions>();
  CLI::App* command = context.app.add_subcommand("disasm", "disassemble words, a raw binary or an ELF file");
  add_arch_option(*command, options->arch);
  command->add_option("FILE", options->file, "ELF file, hexadecimal text or binary; - for standard input")->required();
  add_choice<InputFormat>(*command, "--input", options->format,
                          {{"auto", InputFormat::automatic},
                           {"bin", InputFormat::binary},
                           {"hex", InputFormat::hex},
                           {"elf", InputFormat::elf}},
                          "what FILE is");
  command->add_flag("--named", options->named, "symbolic operands instead of the vendor's objdump form");
  command->add_flag("--riscv", options->riscv,
                    "bin or hex input is a RISC-V stream: .ttinsn words stand rotated in it");
  command->add_option("--base", options->base, "address of the first word of bin or hex input");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
