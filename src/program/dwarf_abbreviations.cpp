#include "program/dwarf_abbreviations.hpp"

#include <dwarf.h>

namespace tensim::program {
namespace {

constexpr std::size_t max_abbreviations = 1U << 16;
constexpr std::size_t max_attributes = 256;  // of an entry

bool read_attributes(ByteCursor& table, Abbreviation& abbreviation) {
  for (;;) {
    Abbreviation::Attribute attribute{.name = table.uleb(), .form = table.uleb()};
    if (attribute.form == DW_FORM_implicit_const) attribute.constant = static_cast<std::uint64_t>(table.sleb());
    if (!table.ok() || abbreviation.attributes.size() > max_attributes) return false;
    if (attribute.name == 0 && attribute.form == 0) return true;
    abbreviation.attributes.push_back(attribute);
  }
}

/// Bytes of a form that has always as many; nothing of the others.
std::optional<unsigned> fixed_bytes(std::uint64_t form) {
  switch (form) {
    case DW_FORM_flag_present: return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1: return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2: return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3: return 3;
    case DW_FORM_addr:
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_addr:
    case DW_FORM_sec_offset:
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4: return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8: return 8;
    case DW_FORM_data16: return 16;
    default: return std::nullopt;
  }
}

std::uint64_t number(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < sizeof value; ++i)
    value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

}  // namespace

std::optional<Abbreviations> read_abbreviations(ByteCursor table) {
  Abbreviations all;
  for (std::uint64_t code = table.uleb(); code != 0; code = table.uleb()) {
    Abbreviation abbreviation{.tag = table.uleb(), .has_children = table.u8() != 0, .attributes = {}};
    if (!read_attributes(table, abbreviation) || all.size() > max_abbreviations) return std::nullopt;
    all.emplace(code, std::move(abbreviation));
  }
  return table.ok() ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<std::uint64_t> read_attribute(ByteCursor& entry, const Abbreviation::Attribute& attribute) {
  if (const auto bytes = fixed_bytes(attribute.form)) return number(entry.take(*bytes));
  const auto skipped = [&](std::uint64_t bytes) {
    entry.take(bytes);
    return std::uint64_t{0};
  };
  switch (attribute.form) {
    case DW_FORM_implicit_const: return attribute.constant;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx: return entry.uleb();
    case DW_FORM_sdata: return static_cast<std::uint64_t>(entry.sleb());
    case DW_FORM_string: entry.string(); return 0;
    case DW_FORM_block1: return skipped(entry.u8());
    case DW_FORM_block2: return skipped(entry.u16());
    case DW_FORM_block4: return skipped(entry.u32());
    case DW_FORM_block:
    case DW_FORM_exprloc: return skipped(entry.uleb());
    default: return std::nullopt;
  }
}

}  // namespace tensim::program
