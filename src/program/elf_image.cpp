#include <algorithm>
#include <utility>

#include <elf.h>
#include <fmt/format.h>

#include "program/code_ranges.hpp"
#include "program/dwarf_frames.hpp"
#include "program/dwarf_inlined.hpp"
#include "program/dwarf_lines.hpp"
#include "program/elf_file.hpp"
#include "program/elf_symbols.hpp"
#include "program/image.hpp"
#include "text/printable.hpp"

namespace tensim::program {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t address_space = std::uint64_t{1} << 32;

std::string type_problem(std::uint16_t type) {
  switch (type) {
    case ET_EXEC: return {};
    case ET_REL: return "an object file (ET_REL): link it first";
    case ET_DYN: return "a shared object or position-independent executable (ET_DYN): link it for fixed addresses";
    case ET_CORE: return "a core dump (ET_CORE), not an executable";
    default: return fmt::format("not an executable: type {}, expected {} (ET_EXEC)", type, ET_EXEC);
  }
}

std::string segment_problem(const ProgramHeader& header, std::size_t file_size, std::uint64_t total) {
  const std::string name = fmt::format("segment at {:#x}", header.virtual_address);
  if (header.file_size > header.memory_size)
    return fmt::format("{} has {} bytes in the file but {} in memory", name, header.file_size, header.memory_size);
  if (header.offset > file_size || header.file_size > file_size - header.offset)
    return fmt::format("{} runs past the end of the file", name);
  const std::uint32_t last = std::max(header.virtual_address, header.physical_address);
  if (std::uint64_t{last} + header.memory_size > address_space)
    return fmt::format("{} with {} bytes runs past the end of the address space", name, header.memory_size);
  if (total + header.memory_size > max_image_bytes)
    return fmt::format("{} with {} bytes brings the program to more than {} bytes", name, header.memory_size,
                       max_image_bytes);
  return {};
}

/// A segment's place, either where it is loaded or where it runs.
struct Range {
  std::uint32_t address = 0;
  std::size_t size = 0;
};

std::string overlap_problem(std::vector<Range> ranges, const char* where) {
  std::erase_if(ranges, [](const Range& range) { return range.size == 0; });
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& left, const Range& right) { return left.address < right.address; });
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].address - ranges[i - 1].address < ranges[i - 1].size)
      return fmt::format("segments at {:#x} and {:#x} overlap {}", ranges[i - 1].address, ranges[i].address, where);
  return {};
}

std::string overlap_problem(const std::vector<Segment>& segments) {
  std::vector<Range> loaded;
  std::vector<Range> running;
  for (const Segment& segment : segments) {
    loaded.push_back({segment.load_address, segment.load_bytes().size()});
    running.push_back({segment.run_address, segment.bytes.size()});
  }
  std::string wrong = overlap_problem(std::move(loaded), "where they are loaded");
  return wrong.empty() ? overlap_problem(std::move(running), "where they run") : wrong;
}

std::string read_segments(const ElfFile& elf, Bytes file, std::vector<Segment>& segments) {
  std::uint64_t total = 0;
  for (const ProgramHeader& header : elf.program_headers) {
    if (header.type != PT_LOAD || header.memory_size == 0) continue;
    if (std::string wrong = segment_problem(header, file.size(), total); !wrong.empty()) return wrong;
    total += header.memory_size;
    const Bytes stored = file.subspan(header.offset, header.file_size);
    Segment& segment = segments.emplace_back();
    segment.load_address = header.physical_address;
    segment.run_address = header.virtual_address;
    segment.bytes.assign(stored.begin(), stored.end());
    segment.bytes.resize(header.memory_size);
    segment.file_size = header.file_size;
    segment.executable = (header.flags & PF_X) != 0;
  }
  if (segments.empty()) return "no segment to load";
  return overlap_problem(segments);
}

void note_oddities(const ElfFile& elf, Image& image) {
  image.compressed = (elf.flags & EF_RISCV_RVC) != 0;
  if (image.compressed) image.notes.emplace_back("may have compressed instructions (EF_RISCV_RVC)");
  const bool has_entry = std::any_of(image.segments.begin(), image.segments.end(), [&](const Segment& segment) {
    return segment.executable && image.entry - segment.run_address < segment.bytes.size();
  });
  if (!has_entry) image.notes.push_back(fmt::format("the entry {:#x} is in no executable segment", image.entry));
}

std::shared_ptr<const SourceMap> read_source(const ElfFile& elf, Image& image) {
  CodeRanges code;
  for (const Segment& segment : image.segments)
    if (segment.executable) code.add(segment.run_address, segment.bytes.size());
  code.sort();
  SourceTables tables;
  tables.symbols = read_symbols(elf, image.notes);
  SourceLines lines = read_lines(elf, code, image.notes);
  tables.inlined = read_inlined(elf, code, lines);
  tables.files = std::move(lines.files);
  tables.lines = std::move(lines.rows);
  tables.frames = read_frames(elf, code, image.notes);
  return std::make_shared<const SourceMap>(std::move(tables));
}

}  // namespace

std::variant<Image, std::string> read_elf_image(std::span<const std::uint8_t> bytes, std::string_view file) {
  if (bytes.size() > max_elf_bytes)
    return fmt::format("a file of {} bytes, more than the {} an ELF file may have", bytes.size(), max_elf_bytes);
  const auto read = read_elf_file(bytes);
  if (const auto* wrong = std::get_if<std::string>(&read)) return *wrong;
  const ElfFile& elf = std::get<ElfFile>(read);
  if (std::string wrong = type_problem(elf.type); !wrong.empty()) return wrong;
  Image image;
  image.file = text::printable(file);
  image.entry = elf.entry;
  if (std::string wrong = read_segments(elf, bytes, image.segments); !wrong.empty()) return wrong;
  note_oddities(elf, image);
  image.source = read_source(elf, image);
  return image;
}

std::variant<Image, std::string> read_raw_image(std::span<const std::uint8_t> bytes, std::uint32_t address,
                                                std::string_view file) {
  if (bytes.empty()) return std::string("an empty file");
  if (bytes.size() > max_image_bytes)
    return fmt::format("{} bytes, more than the {} a program may have", bytes.size(), max_image_bytes);
  if (address + std::uint64_t{bytes.size()} > address_space)
    return fmt::format("{} bytes at {:#x} run past the end of the address space", bytes.size(), address);
  Image image;
  image.file = text::printable(file);
  image.entry = address;
  image.segments.push_back(
      {address, address, {bytes.begin(), bytes.end()}, static_cast<std::uint32_t>(bytes.size()), true});
  image.source = std::make_shared<const SourceMap>();
  return image;
}

}  // namespace tensim::program
