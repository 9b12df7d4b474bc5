// Everything the table knows about one word: fields, the meaning of each bit set, unit, block bits, source page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/decode.hpp"

namespace tensim::isa {

struct ExplainedBit {
  std::string_view name;
  std::string_view meaning;
};

struct ExplainedField {
  const Field* field = nullptr;
  std::int64_t value = 0;
  std::string text;                 // by its names, as the disassembler prints it
  std::vector<ExplainedBit> names;  // each name in it that has a meaning of its own
  std::string note;                 // what the hardware makes of this value, where that is not plain
};

struct Explanation {
  Decoded decoded = {};
  std::string vendor_text = {};
  std::string named_text = {};
  std::string_view unit = {};
  std::string held_by = {};  // which block bits hold it at the Wait Gate
  std::vector<ExplainedField> fields = {};
};

Explanation explain(Arch arch, Word word);

/// "B0, B5", "any of B0 to B8", "B0 to B8 all at once", "nothing: it never reaches the Wait Gate".
std::string held_by_text(const Block& block);

}  // namespace tensim::isa
