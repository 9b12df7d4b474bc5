#include "program/dwarf_inlined.hpp"

#include <unordered_map>

#include <dwarf.h>

#include "program/dwarf_abbreviations.hpp"
#include "program/dwarf_line_header.hpp"
#include "text/printable.hpp"

namespace tensim::program {
namespace {

constexpr std::size_t max_rows = 1U << 18;
constexpr std::size_t max_attributes_read = 1U << 26;  // of all entries: small files can have a great many
constexpr std::size_t max_depth = 256;
constexpr std::size_t max_tables = 1024;  // of each kind: units may point anywhere into one that is long

using Bytes = std::span<const std::uint8_t>;

Bytes from(Bytes section, std::uint64_t offset) {
  return offset < section.size() ? section.subspan(static_cast<std::size_t>(offset)) : Bytes{};
}

/// The sections that it takes.
struct DebugSections {
  Bytes info;
  Bytes abbreviations;
  Bytes ranges;       // .debug_ranges, up to DWARF 4
  Bytes range_lists;  // .debug_rnglists
  Bytes lines;
  LineStrings strings;
};

/// A unit of .debug_info: its entries, and what they refer to.
struct Unit {
  unsigned version = 0;
  const Abbreviations* abbreviations = nullptr;
  std::optional<std::uint64_t> line_table;
  std::uint32_t base = 0;  // of addresses in lists of ranges
};

/// An attribute that an entry has.
struct Attribute {
  std::uint64_t form = 0;
  std::uint64_t value = 0;
};
/// Those of an entry that are of interest.
struct Entry {
  std::optional<Attribute> low, high, ranges, call_file, call_line, line_table;
};

/// An address, and not an index into a table of such.
bool is_address(const std::optional<Attribute>& attribute) {
  return attribute && attribute->form == DW_FORM_addr;
}

class InlinedReader {
 public:
  InlinedReader(const DebugSections& sections, const CodeRanges& code, SourceLines& lines)
      : sections_(sections), code_(code), lines_(lines) {
    for (std::uint32_t i = 0; i < lines.files.size(); ++i)
      files_.emplace(lines.files[i], i);
  }

  std::vector<InlinedRow> read() {
    ByteCursor info(sections_.info);
    while (info.more() && !is_full()) {
      // 64-bit DWARF (length ~0) ends here: no unit is as long.
      ByteCursor unit(info.take(info.u32()));
      if (!info.ok()) break;
      if (const auto head = read_head(unit)) read_entries(*head, unit);
    }
    return std::move(rows_);
  }

 private:
  bool is_full() const { return rows_.size() > max_rows || attributes_read_ > max_attributes_read; }

  std::optional<Unit> read_head(ByteCursor& cursor) {
    Unit unit;
    unit.version = cursor.u16();
    if (unit.version < 2 || unit.version > 5) return std::nullopt;
    const unsigned kind = unit.version == 5 ? cursor.u8() : unsigned{DW_UT_compile};
    if (kind != DW_UT_compile && kind != DW_UT_partial) return std::nullopt;
    std::uint64_t abbreviations = unit.version == 5 ? 0 : cursor.u32();
    const unsigned address_bytes = cursor.u8();
    if (unit.version == 5) abbreviations = cursor.u32();
    if (!cursor.ok() || address_bytes != 4) return std::nullopt;
    if (abbreviations_.size() == max_tables) return std::nullopt;
    const auto [known, is_new] = abbreviations_.try_emplace(abbreviations);
    if (is_new) known->second = read_abbreviations(ByteCursor(from(sections_.abbreviations, abbreviations)));
    if (!known->second) return std::nullopt;
    unit.abbreviations = &*known->second;
    return unit;
  }

  /// False if it cannot be told where the next one begins.
  bool read_entry(ByteCursor& cursor, const Abbreviation& abbreviation, Entry& entry) {
    for (const Abbreviation::Attribute& attribute : abbreviation.attributes) {
      ++attributes_read_;
      const auto value = read_attribute(cursor, attribute);
      if (!value) return false;
      const Attribute read{attribute.form, *value};
      switch (attribute.name) {
        case DW_AT_low_pc: entry.low = read; break;
        case DW_AT_high_pc: entry.high = read; break;
        case DW_AT_ranges: entry.ranges = read; break;
        case DW_AT_call_file: entry.call_file = read; break;
        case DW_AT_call_line: entry.call_line = read; break;
        case DW_AT_stmt_list: entry.line_table = read; break;
        default: break;
      }
    }
    return cursor.ok();
  }

  void read_entries(Unit unit, ByteCursor& cursor) {
    std::vector<bool> is_inlined;  // of the entries that this one is in
    std::uint32_t depth = 0;
    while (cursor.more() && !is_full()) {
      const std::uint64_t code = cursor.uleb();
      if (code == 0) {
        if (is_inlined.empty()) return;
        if (is_inlined.back()) --depth;
        is_inlined.pop_back();
        continue;
      }
      const auto abbreviation = unit.abbreviations->find(code);
      Entry entry;
      if (abbreviation == unit.abbreviations->end() || !read_entry(cursor, abbreviation->second, entry)) return;
      const std::uint64_t tag = abbreviation->second.tag;
      if (is_inlined.empty()) begin_unit(unit, entry);
      if (tag == DW_TAG_inlined_subroutine) add(unit, entry, depth);
      if (!abbreviation->second.has_children) continue;
      if (is_inlined.size() == max_depth) return;
      is_inlined.push_back(tag == DW_TAG_inlined_subroutine);
      if (is_inlined.back()) ++depth;
    }
  }

  static void begin_unit(Unit& unit, const Entry& entry) {
    if (entry.line_table) unit.line_table = entry.line_table->value;
    if (is_address(entry.low)) unit.base = static_cast<std::uint32_t>(entry.low->value);
  }

  void add(const Unit& unit, const Entry& entry, std::uint32_t depth) {
    if (!entry.call_line || !entry.call_file) return;
    const auto file = file_of(unit, entry.call_file->value);
    if (!file) return;
    const InlinedRow row{.depth = depth, .file = *file, .line = static_cast<std::uint32_t>(entry.call_line->value)};
    if (is_address(entry.low) && entry.high) {
      const auto begin = static_cast<std::uint32_t>(entry.low->value);
      const auto high = static_cast<std::uint32_t>(entry.high->value);
      add(row, begin, is_address(entry.high) ? high : begin + high);
    } else if (entry.ranges && entry.ranges->form != DW_FORM_rnglistx) {
      if (unit.version == 5)
        add_range_list(row, unit.base, ByteCursor(from(sections_.range_lists, entry.ranges->value)));
      else
        add_ranges(row, unit.base, ByteCursor(from(sections_.ranges, entry.ranges->value)));
    }
  }

  void add(InlinedRow row, std::uint32_t begin, std::uint32_t end) {
    if (begin >= end || !code_.contain(begin) || is_full()) return;
    row.begin = begin;
    row.end = end;
    rows_.push_back(row);
  }

  void add_ranges(const InlinedRow& row, std::uint32_t base, ByteCursor list) {
    constexpr std::uint32_t new_base = ~std::uint32_t{0};
    while (list.more() && !is_full()) {
      ++attributes_read_;
      const std::uint32_t begin = list.u32();
      const std::uint32_t end = list.u32();
      if (begin == 0 && end == 0) return;
      if (begin == new_base)
        base = end;
      else
        add(row, base + begin, base + end);
    }
  }

  void add_range_list(const InlinedRow& row, std::uint32_t base, ByteCursor list) {
    while (list.more() && !is_full()) {
      ++attributes_read_;
      switch (list.u8()) {
        case DW_RLE_base_address: base = list.u32(); break;
        case DW_RLE_offset_pair: {
          const auto begin = static_cast<std::uint32_t>(list.uleb());
          add(row, base + begin, base + static_cast<std::uint32_t>(list.uleb()));
          break;
        }
        case DW_RLE_start_end: {
          const std::uint32_t begin = list.u32();
          add(row, begin, list.u32());
          break;
        }
        case DW_RLE_start_length: {
          const std::uint32_t begin = list.u32();
          add(row, begin, begin + static_cast<std::uint32_t>(list.uleb()));
          break;
        }
        default: return;  // its end, or indices into a table of addresses
      }
    }
  }

  /// Its index among the files of the lines.
  std::optional<std::uint32_t> file_of(const Unit& unit, std::uint64_t index) {
    if (!unit.line_table || tables_.size() == max_tables) return std::nullopt;
    const auto [table, is_new] = tables_.try_emplace(*unit.line_table);
    if (is_new) {
      ByteCursor rest(from(sections_.lines, *unit.line_table));
      ByteCursor lines(rest.take(rest.u32()));
      table->second = read_line_header(lines, sections_.strings);
    }
    const LineHeader::File* const file = table->second ? table->second->file(index) : nullptr;
    if (file == nullptr) return std::nullopt;
    const std::string path = text::printable(table->second->path(*file));
    const auto [known, is_new_file] = files_.try_emplace(path, static_cast<std::uint32_t>(lines_.files.size()));
    if (is_new_file) lines_.files.push_back(path);
    return known->second;
  }

  const DebugSections& sections_;
  const CodeRanges& code_;
  SourceLines& lines_;
  std::vector<InlinedRow> rows_;
  std::unordered_map<std::string, std::uint32_t> files_;                           // in lines_
  std::unordered_map<std::uint64_t, std::optional<Abbreviations>> abbreviations_;  // by where they begin
  std::unordered_map<std::uint64_t, std::optional<LineHeader>> tables_;            // likewise
  std::size_t attributes_read_ = 0;
};

}  // namespace

std::vector<InlinedRow> read_inlined(const ElfFile& file, const CodeRanges& code, SourceLines& lines) {
  std::vector<std::string> notes;  // nobody misses what is left out, and the lines have said what is wrong with theirs
  const DebugSections sections{
      .info = file.contents(".debug_info", notes),
      .abbreviations = file.contents(".debug_abbrev", notes),
      .ranges = file.contents(".debug_ranges", notes),
      .range_lists = file.contents(".debug_rnglists", notes),
      .lines = file.contents(".debug_line", notes),
      .strings = {file.contents(".debug_line_str", notes), file.contents(".debug_str", notes)}};
  return InlinedReader(sections, code, lines).read();
}

}  // namespace tensim::program
