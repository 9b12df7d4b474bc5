#include "program/dwarf_frames.hpp"

#include <map>
#include <optional>

#include <dwarf.h>
#include <fmt/format.h>

#include "program/dwarf_frame_program.hpp"

namespace tensim::program {
namespace {

constexpr std::size_t max_rows = 1U << 20;
constexpr std::size_t max_commons = 1U << 16;

/// .eh_frame differs from .debug_frame in how entries name what they share, and in how it encodes addresses.
struct FrameSection {
  std::span<const std::uint8_t> bytes;
  std::uint32_t address = 0;
  bool exceptions = false;
};

/// Only 4-byte addresses, absolute or relative to themselves: what compilers for RV32 write.
bool is_supported(std::uint8_t encoding) {
  const unsigned format = encoding & 0x0FU;
  const unsigned base = encoding & 0xF0U;
  return (format == DW_EH_PE_absptr || format == DW_EH_PE_udata4 || format == DW_EH_PE_sdata4) &&
         (base == DW_EH_PE_absptr || base == DW_EH_PE_pcrel);
}

/// False for what is not understood.
bool read_augmentation(ByteCursor data, std::string_view letters, FrameCommon& common) {
  for (const char letter : letters) {
    if (letter == 'R') {
      common.pointer_encoding = data.u8();
    } else if (letter == 'P') {
      if (!is_supported(data.u8())) return false;
      data.u32();
    } else if (letter == 'L') {
      data.u8();
    } else if (letter != 'S' && letter != 'B') {
      return false;
    }
  }
  return data.ok() && is_supported(common.pointer_encoding);
}

std::optional<FrameCommon> read_common(ByteCursor entry) {
  FrameCommon common;
  const std::uint8_t version = entry.u8();
  if (version != 1 && version != 3 && version != 4) return std::nullopt;
  const std::string_view augmentation = entry.string();
  if (version == 4 && (entry.u8() != 4 || entry.u8() != 0)) return std::nullopt;
  common.code_factor = entry.uleb();
  common.data_factor = entry.sleb();
  const std::uint64_t return_register = version == 1 ? entry.u8() : entry.uleb();
  if (return_register >= 32) return std::nullopt;
  common.return_register = static_cast<std::uint8_t>(return_register);
  if (!augmentation.empty()) {
    if (augmentation[0] != 'z') return std::nullopt;
    common.has_augmentation_data = true;
    if (!read_augmentation(ByteCursor(entry.take(entry.uleb())), augmentation.substr(1), common)) return std::nullopt;
  }
  common.initial.return_register = common.return_register;
  std::vector<FrameRow> no_rows;
  FrameRow initial = common.initial;
  if (!entry.ok() || !run_frame_program(common, entry, initial, no_rows)) return std::nullopt;
  common.initial = initial;
  return common;
}

class FrameReader {
 public:
  FrameReader(const FrameSection& section, const CodeRanges& code, std::vector<FrameRow>& rows)
      : section_(section), code_(code), rows_(rows) {}

  /// False if something was left out.
  bool run() {
    ByteCursor cursor(section_.bytes);
    bool good = true;
    while (cursor.more() && rows_.size() < max_rows) {
      const std::size_t offset = cursor.position();
      const std::uint32_t length = cursor.u32();
      if (length == 0) continue;  // ends .eh_frame of one object; another may follow
      // 64-bit DWARF (length ~0) ends here too.
      const ByteCursor entry(cursor.take(length));
      if (!cursor.ok()) return false;
      good = read_entry(offset, entry) && good;
    }
    return good && cursor.ok() && rows_.size() < max_rows;
  }

 private:
  bool read_entry(std::size_t offset, ByteCursor entry) {
    const std::uint32_t id = entry.u32();
    if (id == (section_.exceptions ? 0 : ~std::uint32_t{0})) {
      const std::optional<FrameCommon> common = read_common(entry);
      if (common && commons_.size() < max_commons) commons_.emplace(offset, *common);
      return common.has_value();
    }
    const std::size_t common_offset = section_.exceptions ? offset + 4 - id : id;
    const auto common = commons_.find(common_offset);
    return common != commons_.end() && read_description(offset, entry, common->second);
  }

  bool read_description(std::size_t offset, ByteCursor entry, const FrameCommon& common) {
    FrameRow row = common.initial;
    row.begin = entry.u32();
    const bool relative = section_.exceptions && (common.pointer_encoding & 0xF0U) == DW_EH_PE_pcrel;
    if (relative) row.begin += section_.address + static_cast<std::uint32_t>(offset) + 8;
    const std::uint64_t end = std::uint64_t{row.begin} + entry.u32();
    row.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, ~std::uint32_t{0}));
    if (common.has_augmentation_data) entry.take(entry.uleb());
    if (!entry.ok()) return false;
    return !code_.contain(row.begin) || run_frame_program(common, entry, row, rows_);
  }

  const FrameSection& section_;
  const CodeRanges& code_;
  std::vector<FrameRow>& rows_;
  std::map<std::size_t, FrameCommon> commons_;
};

}  // namespace

std::vector<FrameRow> read_frames(const ElfFile& file, const CodeRanges& code, std::vector<std::string>& notes) {
  std::vector<FrameRow> rows;
  for (const char* name : {".debug_frame", ".eh_frame"}) {
    FrameSection section{file.contents(name, notes), 0, std::string_view(name) == ".eh_frame"};
    if (section.bytes.empty()) continue;
    section.address = file.section(name)->address;
    if (!FrameReader(section, code, rows).run())
      notes.push_back(fmt::format("parts of {} are not understood: call stacks may be short", name));
  }
  return rows;
}

}  // namespace tensim::program
