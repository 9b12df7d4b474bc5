#include "report/disassembly.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/disassemble.hpp"
#include "isa/word_reader.hpp"
#include "program/elf_text.hpp"
#include "riscv/disassemble.hpp"

namespace tensim::report {
namespace {

using isa::WordReader;

struct Section {
  std::string name;
  std::uint32_t address = 0;
  bool is_riscv = false;
  WordReader words;
};

using Sections = std::variant<std::vector<Section>, DisassemblyProblem>;

Sections parse_binary(const DisassemblyOptions& options, std::string_view content) {
  if (content.size() % 4 != 0)
    return DisassemblyProblem{fmt::format("{} bytes are not a whole number of words", content.size())};
  return std::vector{Section{"", options.base, options.riscv, WordReader(content, WordReader::Format::binary)}};
}

Sections parse_hex(const DisassemblyOptions& options, std::string_view content) {
  const WordReader words(content, WordReader::Format::hex);
  // Read it all before anything is printed: a bad word is an error, not half an answer.
  WordReader trial = words;
  while (trial.next()) {
  }
  if (!trial.problem().empty()) return DisassemblyProblem{trial.problem()};
  return std::vector{Section{"", options.base, options.riscv, words}};
}

Sections parse_elf(std::string_view content) {
  auto result = program::executable_sections(std::as_bytes(std::span(content)));
  if (auto* message = std::get_if<std::string>(&result)) return DisassemblyProblem{std::move(*message), true};
  std::vector<Section> sections;
  for (program::TextSection& section : std::get<std::vector<program::TextSection>>(result)) {
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

Sections parse(const DisassemblyOptions& options, std::string_view content) {
  CodeFormat format = options.format;
  if (format == CodeFormat::automatic)
    format = program::is_elf(std::as_bytes(std::span(content))) ? CodeFormat::elf
             : is_text(content)                                 ? CodeFormat::hex
                                                                : CodeFormat::binary;
  switch (format) {
    case CodeFormat::elf: return parse_elf(content);
    case CodeFormat::hex: return parse_hex(options, content);
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

Line line_of(const DisassemblyOptions& options, const Section& section, std::uint32_t address, std::uint32_t raw) {
  const bool is_tensix = !section.is_riscv || isa::is_ttinsn(raw);
  const isa::Word word = section.is_riscv ? isa::word_of_ttinsn(raw) : raw;
  return {address, raw, is_tensix, isa::decode(options.arch, word)};
}

template <class Visitor>
void for_each_line(const DisassemblyOptions& options, const Section& section, Visitor visit) {
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

std::string riscv_text(Arch arch, const Line& line) {
  const std::string text = riscv::disassemble(arch, line.raw, line.address);
  return text.starts_with(".word") ? "no instruction" : text;
}

nlohmann::json to_json(Arch arch, const Line& line) {
  nlohmann::json entry{{"address", fmt::format("{:#x}", line.address)}, {"raw", fmt::format("{:#010x}", line.raw)}};
  if (!line.is_tensix) {
    entry["kind"] = "riscv";
    entry["text"] = riscv_text(arch, line);
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

void write_json(const DisassemblyOptions& options, const std::vector<Section>& sections, const Write& write) {
  write(fmt::format("{{\n\"schema\": \"tensim.disasm/1\",\n\"arch\": \"{}\",\n\"sections\": [", name(options.arch)));
  std::string_view between_sections = "\n";
  for (const Section& section : sections) {
    write(fmt::format("{}{{\"name\": {}, \"address\": \"{:#x}\", \"lines\": [", between_sections,
                      entry_text(section.name), section.address));
    between_sections = ",\n";
    std::string_view between_lines = "\n";
    for_each_line(options, section, [&](const Line& line) {
      write(fmt::format("{}{}", between_lines, entry_text(to_json(options.arch, line))));
      between_lines = ",\n";
    });
    write("]}");
  }
  write("]\n}\n");
}

std::string to_text(const Style& style, const DisassemblyOptions& options, const Line& line) {
  const std::string place = style.dim(fmt::format("{:8x}:  {:08x}", line.address, line.raw));
  if (!line.is_tensix)  // a word, so that the whole can be assembled again
    return fmt::format("{}  .word {:#010x}{}\n", place, line.raw, style.dim("  # " + riscv_text(options.arch, line)));
  const std::string note = remark(line.decoded);
  return fmt::format("{}  {}{}\n", place,
                     isa::to_text(line.decoded, options.named ? isa::Syntax::named : isa::Syntax::vendor),
                     note.empty() ? "" : style.warning("  # " + note));
}

void write_text(const Style& style, const DisassemblyOptions& options, const std::vector<Section>& sections,
                const Write& write) {
  for (const Section& section : sections) {
    if (!section.name.empty()) write(fmt::format("{}\n", style.strong(fmt::format("section {}:", section.name))));
    for_each_line(options, section, [&](const Line& line) { write(to_text(style, options, line)); });
  }
}

}  // namespace

std::optional<DisassemblyProblem> disassemble(std::string_view content, const DisassemblyOptions& options,
                                              Format format, const Write& write) {
  const Sections parsed = parse(options, content);
  if (const auto* problem = std::get_if<DisassemblyProblem>(&parsed)) return *problem;
  const auto& sections = std::get<std::vector<Section>>(parsed);
  if (format == Format::json)
    write_json(options, sections, write);
  else
    write_text(style_of(format), options, sections, write);
  return std::nullopt;
}

}  // namespace tensim::report
