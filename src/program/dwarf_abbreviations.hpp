// What the entries of .debug_info look like: .debug_abbrev, and the forms of their attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/byte_cursor.hpp"

namespace tensim::program {

struct Abbreviation {
  struct Attribute {
    std::uint64_t name = 0;
    std::uint64_t form = 0;
    std::uint64_t constant = 0;  // of DW_FORM_implicit_const
  };
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<Attribute> attributes;
};
using Abbreviations = std::unordered_map<std::uint64_t, Abbreviation>;

/// The table that begins at the cursor; nothing if it is broken, or larger than any compiler's.
std::optional<Abbreviations> read_abbreviations(ByteCursor table);

/// The value of an attribute as a number: 0 for texts and blocks, which are skipped. Nothing if the form is not known, and so
/// where the next attribute begins is not.
std::optional<std::uint64_t> read_attribute(ByteCursor& entry, const Abbreviation::Attribute& attribute);

}  // namespace tensim::program
