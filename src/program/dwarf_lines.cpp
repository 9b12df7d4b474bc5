#include "program/dwarf_lines.hpp"

#include <unordered_map>

#include <dwarf.h>
#include <fmt/format.h>

#include "program/dwarf_line_header.hpp"
#include "text/printable.hpp"

namespace tensim::program {
namespace {

constexpr std::size_t max_rows = 1U << 21;
constexpr std::size_t max_names_total = 32U << 20;
constexpr std::uint32_t no_file = ~std::uint32_t{0};

/// The rows of all units, with the names of the files that rows name.
class RowCollector {
 public:
  RowCollector(const CodeRanges& code, SourceLines& lines) : code_(code), lines_(lines) {}

  [[nodiscard]] bool full() const {
    return lines_.rows.size() + sequence_.size() > max_rows || names_total_ > max_names_total;
  }

  std::uint32_t file(const LineHeader& header, std::uint64_t index) {
    const LineHeader::File* file = header.file(index);
    if (file == nullptr || full()) return no_file;
    const std::string path = text::printable(header.path(*file));
    names_total_ += path.size();
    const auto [entry, is_new] = indices_.try_emplace(path, static_cast<std::uint32_t>(lines_.files.size()));
    if (is_new) lines_.files.push_back(path);
    return entry->second;
  }

  void add(const LineRow& row) {
    // Of several rows for one address, the last is for the instruction; the others have none.
    if (!sequence_.empty() && sequence_.back().address == row.address)
      sequence_.back() = row;
    else
      sequence_.push_back(row);
  }

  void end_sequence(std::uint32_t address) {
    if (!sequence_.empty() && code_.contain(sequence_.front().address) && !full()) {
      lines_.rows.insert(lines_.rows.end(), sequence_.begin(), sequence_.end());
      lines_.rows.push_back({address, no_file, 0});
    }
    sequence_.clear();
  }

  /// A sequence without an end covers nothing.
  void end_unit() {
    was_full_ = was_full_ || full();
    sequence_.clear();
  }

  [[nodiscard]] bool was_full() const { return was_full_; }

 private:
  const CodeRanges& code_;
  SourceLines& lines_;
  std::unordered_map<std::string, std::uint32_t> indices_;
  std::size_t names_total_ = 0;
  std::vector<LineRow> sequence_;
  bool was_full_ = false;
};

/// Runs the program of one line table.
class LineProgram {
 public:
  LineProgram(LineHeader header, RowCollector& collector) : header_(std::move(header)), collector_(collector) {
    reset();
  }

  bool run(ByteCursor& program) {
    while (program.more() && good_ && !collector_.full())
      step(program);
    collector_.end_unit();
    return program.ok() && good_;
  }

 private:
  void reset() {
    address_ = 0;
    line_ = 1;
    set_file(1);
  }

  void set_file(std::uint64_t index) {
    file_ = no_file;
    if (header_.file(index) == nullptr) return;
    const auto [entry, is_new] = files_.try_emplace(index, no_file);
    if (is_new) entry->second = collector_.file(header_, index);
    file_ = entry->second;
  }

  void advance(std::uint64_t instructions) {
    address_ += static_cast<std::uint32_t>(instructions * header_.instruction_length);
  }

  void emit() { collector_.add({address_, file_, line_}); }

  void step(ByteCursor& program) {
    const std::uint8_t opcode = program.u8();
    if (opcode >= header_.opcode_base) {
      const unsigned adjusted = opcode - header_.opcode_base;
      advance(adjusted / header_.line_range);
      line_ += static_cast<std::uint32_t>(header_.line_base + static_cast<int>(adjusted % header_.line_range));
      emit();
    } else if (opcode == 0) {
      extended(ByteCursor(program.take(program.uleb())));
    } else {
      standard(opcode, program);
    }
  }

  void standard(std::uint8_t opcode, ByteCursor& program) {
    switch (opcode) {
      case DW_LNS_copy: return emit();
      case DW_LNS_advance_pc: return advance(program.uleb());
      case DW_LNS_advance_line: line_ += static_cast<std::uint32_t>(program.sleb()); return;
      case DW_LNS_set_file: return set_file(program.uleb());
      case DW_LNS_const_add_pc: return advance((255U - header_.opcode_base) / header_.line_range);
      case DW_LNS_fixed_advance_pc: address_ += program.u16(); return;
      default:  // columns and marks, and what later versions may have
        for (unsigned i = 0; i < header_.operand_counts[opcode - 1U]; ++i)
          program.uleb();
    }
  }

  void extended(ByteCursor operation) {
    switch (operation.u8()) {
      case DW_LNE_end_sequence:
        collector_.end_sequence(address_);
        reset();
        break;
      case DW_LNE_set_address: address_ = operation.u32(); break;
      case DW_LNE_define_file: {
        const std::string_view name = operation.string();
        if (header_.version < 5) good_ = header_.add_file(name, operation);
        break;
      }
      default:  // discriminators, and what producers add
        break;
    }
    if (!operation.ok()) good_ = false;
  }

  LineHeader header_;
  RowCollector& collector_;
  std::unordered_map<std::uint64_t, std::uint32_t> files_;  // by the index of this table
  std::uint32_t address_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t file_ = no_file;
  bool good_ = true;
};

}  // namespace

SourceLines read_lines(const ElfFile& file, const CodeRanges& code, std::vector<std::string>& notes) {
  SourceLines lines;
  ByteCursor section(file.contents(".debug_line", notes));
  if (!section.more()) return lines;
  const LineStrings strings{file.contents(".debug_line_str", notes), file.contents(".debug_str", notes)};
  RowCollector collector(code, lines);
  bool broken = false;
  while (section.more() && !collector.was_full()) {
    // 64-bit DWARF (length ~0) ends here too: no table is as long.
    ByteCursor unit(section.take(section.u32()));
    if (!section.ok()) break;
    std::optional<LineHeader> header = read_line_header(unit, strings);
    if (!header || !LineProgram(std::move(*header), collector).run(unit)) broken = true;
  }
  if (broken || !section.ok()) notes.emplace_back("some line tables (.debug_line) are broken: lines may be missing");
  if (collector.was_full()) notes.emplace_back("too many lines (.debug_line): some are missing");
  return lines;
}

}  // namespace tensim::program
