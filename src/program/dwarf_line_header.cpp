#include "program/dwarf_line_header.hpp"

#include <dwarf.h>

namespace tensim::program {
namespace {

constexpr std::size_t max_path = 1024;
constexpr std::size_t max_entries = 1U << 16;

/// An entry of a DWARF 5 table: a path and the index of a directory, in forms the table declares.
struct EntryFormat {
  std::uint64_t content = 0;
  std::uint64_t form = 0;
};

struct EntryValue {
  std::string_view text;
  std::uint64_t number = 0;
};

std::optional<EntryValue> read_form(ByteCursor& cursor, std::uint64_t form, const LineStrings& strings) {
  switch (form) {
    case DW_FORM_string: return EntryValue{cursor.string().substr(0, max_path), 0};
    case DW_FORM_line_strp: return EntryValue{string_at(strings.line_strings, cursor.u32(), max_path), 0};
    case DW_FORM_strp: return EntryValue{string_at(strings.strings, cursor.u32(), max_path), 0};
    case DW_FORM_udata: return EntryValue{{}, cursor.uleb()};
    case DW_FORM_data1: return EntryValue{{}, cursor.u8()};
    case DW_FORM_data2: return EntryValue{{}, cursor.u16()};
    case DW_FORM_data4: return EntryValue{{}, cursor.u32()};
    case DW_FORM_data8: return EntryValue{{}, cursor.u64()};
    case DW_FORM_data16:  // a checksum
      cursor.take(16);
      return EntryValue{};
    case DW_FORM_block: cursor.take(cursor.uleb()); return EntryValue{};
    default: return std::nullopt;
  }
}

std::optional<LineHeader::File> read_entry(ByteCursor& cursor, const std::vector<EntryFormat>& formats,
                                           const LineStrings& strings) {
  LineHeader::File entry;
  for (const EntryFormat& format : formats) {
    const std::optional<EntryValue> value = read_form(cursor, format.form, strings);
    if (!value) return std::nullopt;
    if (format.content == DW_LNCT_path) entry.name = value->text;
    if (format.content == DW_LNCT_directory_index) entry.directory = value->number;
  }
  return entry;
}

std::optional<std::vector<LineHeader::File>> read_entries(ByteCursor& cursor, const LineStrings& strings) {
  std::vector<EntryFormat> formats(cursor.u8());
  for (EntryFormat& format : formats) {
    format.content = cursor.uleb();
    format.form = cursor.uleb();
  }
  const std::uint64_t count = cursor.uleb();
  if (!cursor.ok() || count > max_entries) return std::nullopt;
  std::vector<LineHeader::File> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::optional<LineHeader::File> entry = read_entry(cursor, formats, strings);
    if (!entry || !cursor.ok()) return std::nullopt;
    entries.push_back(*entry);
  }
  return entries;
}

bool read_tables_5(ByteCursor& cursor, const LineStrings& strings, LineHeader& header) {
  const auto directories = read_entries(cursor, strings);
  if (!directories) return false;
  for (const LineHeader::File& directory : *directories)
    header.directories.push_back(directory.name);
  auto files = read_entries(cursor, strings);
  if (files) header.files = std::move(*files);
  return files.has_value();
}

/// Before DWARF 5 directories and files count from 1. Directory 0 is not in the table.
bool read_tables_2(ByteCursor& cursor, LineHeader& header) {
  header.directories.emplace_back();
  for (std::string_view name = cursor.string(); !name.empty(); name = cursor.string()) {
    if (header.directories.size() > max_entries) return false;
    header.directories.push_back(name.substr(0, max_path));
  }
  header.files.emplace_back();
  for (std::string_view name = cursor.string(); !name.empty(); name = cursor.string())
    if (!header.add_file(name, cursor)) return false;
  return cursor.ok();
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

bool LineHeader::add_file(std::string_view name, ByteCursor& rest) {
  files.push_back({name.substr(0, max_path), rest.uleb()});
  rest.uleb();  // time
  rest.uleb();  // size
  return rest.ok() && files.size() <= max_entries;
}

const LineHeader::File* LineHeader::file(std::uint64_t index) const {
  return index < files.size() && !files[index].name.empty() ? &files[index] : nullptr;
}

std::string LineHeader::path(const File& file) const {
  std::string path;
  if (file.name[0] != '/' && file.directory < directories.size() && !directories[file.directory].empty()) {
    path = directories[file.directory];
    path += '/';
  }
  path += file.name;
  if (path[0] != '/') return path;
  const std::string build = directories.empty() ? "" : std::string(directories[0]) + '/';
  if (build.size() > 1 && path.size() > build.size() && path.compare(0, build.size(), build) == 0)
    return path.substr(build.size());
  return std::string(base_name(path));
}

std::optional<LineHeader> read_line_header(ByteCursor& unit, const LineStrings& strings) {
  LineHeader header;
  header.version = unit.u16();
  if (header.version < 2 || header.version > 5) return std::nullopt;
  if (header.version == 5) {
    const std::uint8_t address_size = unit.u8();
    const std::uint8_t segment_size = unit.u8();
    if (address_size != 4 || segment_size != 0) return std::nullopt;
  }
  ByteCursor cursor(unit.take(unit.u32()));
  header.instruction_length = cursor.u8();
  if (header.version >= 4) cursor.u8();  // operations in an instruction: 1, except for VLIW machines
  cursor.u8();                           // whether rows are statements at first
  header.line_base = static_cast<std::int8_t>(cursor.u8());
  header.line_range = cursor.u8();
  header.opcode_base = cursor.u8();
  if (!cursor.ok() || header.line_range == 0 || header.opcode_base == 0) return std::nullopt;
  const auto counts = cursor.take(header.opcode_base - 1U);
  header.operand_counts.assign(counts.begin(), counts.end());
  const bool good = header.version == 5 ? read_tables_5(cursor, strings, header) : read_tables_2(cursor, header);
  if (!good || !cursor.ok()) return std::nullopt;
  return header;
}

}  // namespace tensim::program
