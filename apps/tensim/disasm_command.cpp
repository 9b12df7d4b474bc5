// tensim disasm: words, raw binaries and ELF files to text.
#include <charconv>
#include <memory>
#include <variant>

#include <fmt/format.h>

#include "commands.hpp"
#include "host/elf_text.hpp"
#include "input.hpp"
#include "isa/disassemble.hpp"

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
  std::vector<std::uint32_t> words;
};

using Sections = std::variant<std::vector<Section>, std::string>;

Sections parse_binary(const DisasmOptions& options, const std::string& content) {
  if (content.size() % 4 != 0) return fmt::format("{} bytes are not a whole number of words", content.size());
  Section section{"", options.base, options.riscv, {}};
  for (std::size_t at = 0; at < content.size(); at += 4) {
    std::uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
      word |= std::uint32_t{static_cast<unsigned char>(content[at + byte])} << (8 * byte);
    section.words.push_back(word);
  }
  return std::vector{std::move(section)};
}

/// Hexadecimal words apart by spaces, commas or line ends, with or without 0x; '#' starts a comment.
Sections parse_hex(const DisasmOptions& options, const std::string& content) {
  Section section{"", options.base, options.riscv, {}};
  unsigned line = 1;
  for (std::size_t at = 0; at < content.size();) {
    const char c = content[at];
    if (c == '#') {
      at = std::min(content.find('\n', at), content.size());
    } else if (c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '\n') {
      line += c == '\n' ? 1 : 0;
      ++at;
    } else {
      const std::size_t end = std::min(content.find_first_of(" \t\r,\n#", at), content.size());
      std::string_view token = std::string_view(content).substr(at, end - at);
      const std::string_view digits = token.starts_with("0x") || token.starts_with("0X") ? token.substr(2) : token;
      std::uint32_t word = 0;
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
      if (error != std::errc{} || stop != digits.data() + digits.size() || digits.empty())
        return fmt::format("line {}: '{}' is not a 32-bit hexadecimal word", line, token.substr(0, 40));
      section.words.push_back(word);
      at = end;
    }
  }
  return std::vector{std::move(section)};
}

Sections parse_elf(const std::string& content) {
  auto result = host::executable_sections(std::as_bytes(std::span(content)));
  if (auto* message = std::get_if<std::string>(&result)) return std::move(*message);
  std::vector<Section> sections;
  for (host::TextSection& section : std::get<std::vector<host::TextSection>>(result))
    sections.push_back({std::move(section.name), section.address, true, std::move(section.words)});
  return sections;
}

Sections parse(const DisasmOptions& options, const std::string& content) {
  InputFormat format = options.format;
  if (format == InputFormat::automatic) {
    const bool text = content.find_first_not_of("0123456789abcdefABCDEFxX \t\r\n,#") == std::string::npos ||
                      content.find('\0') == std::string::npos;
    format = host::is_elf(std::as_bytes(std::span(content))) ? InputFormat::elf
             : text                                          ? InputFormat::hex
                                                             : InputFormat::binary;
  }
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

Line line_of(const DisasmOptions& options, const Section& section, std::size_t index) {
  const std::uint32_t raw = section.words[index];
  const bool is_tensix = !section.is_riscv || isa::is_ttinsn(raw);
  const isa::Word word = section.is_riscv ? isa::word_of_ttinsn(raw) : raw;
  return {section.address + static_cast<std::uint32_t>(4 * index), raw, is_tensix, isa::decode(options.arch, word)};
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
  entry["vendor"] = to_text(line.decoded, isa::Syntax::vendor);
  entry["named"] = to_text(line.decoded, isa::Syntax::named);
  if (line.decoded.unused_bits != 0) entry["unused_bits"] = fmt::format("{:#x}", line.decoded.unused_bits);
  return entry;
}

void print_json(const DisasmOptions& options, const std::vector<Section>& sections) {
  nlohmann::json document{
      {"schema", "tensim.disasm/1"}, {"arch", name(options.arch)}, {"sections", nlohmann::json::array()}};
  for (const Section& section : sections) {
    nlohmann::json lines = nlohmann::json::array();
    for (std::size_t i = 0; i < section.words.size(); ++i)
      lines.push_back(to_json(line_of(options, section, i)));
    document["sections"].push_back(
        {{"name", section.name}, {"address", fmt::format("{:#x}", section.address)}, {"lines", std::move(lines)}});
  }
  command::print_json(document);
}

void print_text(const CommonOptions& common, const DisasmOptions& options, const std::vector<Section>& sections) {
  const Style style = common.style();
  for (const Section& section : sections) {
    if (!section.name.empty()) print(fmt::format("{}\n", style.strong(fmt::format("section {}:", section.name))));
    for (std::size_t i = 0; i < section.words.size(); ++i) {
      const Line line = line_of(options, section, i);
      const std::string place = style.dim(fmt::format("{:8x}:  {:08x}", line.address, line.raw));
      if (!line.is_tensix) {
        print(fmt::format("{}  .word {:#010x}{}\n", place, line.raw, style.dim("  # RISC-V")));
        continue;
      }
      const std::string note = remark(line.decoded);
      print(fmt::format("{}  {}{}\n", place,
                        to_text(line.decoded, options.named ? isa::Syntax::named : isa::Syntax::vendor),
                        note.empty() ? "" : style.warning("  # " + note)));
    }
  }
}

ExitCode run(const CommonOptions& common, const DisasmOptions& options) {
  const auto content = read_input(options.file);
  if (!content) return bad_input(common, fmt::format("cannot read '{}'", options.file));
  const Sections sections = parse(options, *content);
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
  command->add_option("--input", options->format, "what FILE is")
      ->transform(CLI::CheckedTransformer(std::map<std::string, InputFormat>{{"auto", InputFormat::automatic},
                                                                             {"bin", InputFormat::binary},
                                                                             {"hex", InputFormat::hex},
                                                                             {"elf", InputFormat::elf}}));
  command->add_flag("--named", options->named, "symbolic operands instead of the vendor's objdump form");
  command->add_flag("--riscv", options->riscv,
                    "bin or hex input is a RISC-V stream: .ttinsn words stand rotated in it");
  command->add_option("--base", options->base, "address of the first word of bin or hex input");
  command->callback([context, options] { context.exit_code = run(context.options, *options); });
}

}  // namespace tensim::command
