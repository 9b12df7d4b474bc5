// Names for the values of a field: the bits of a mask, or the members of an enumeration.
#pragma once

#include <cstdint>
#include <string_view>

#include "arch/fixed_list.hpp"

namespace tensim {

struct Symbol {
  std::uint32_t value = 0;
  std::string_view name = {};
  std::string_view meaning = {};
};

using Symbols = FixedList<Symbol, 16>;

struct SymbolSet {
  enum class Kind : std::uint8_t { mask, enumeration };
  Kind kind = Kind::enumeration;
  Symbols symbols = {};
  /// Accepted on input and never printed: combinations and second names.
  Symbols aliases = {};

  constexpr const Symbol* find(std::string_view name) const {
    for (const Symbol& symbol : symbols)
      if (symbol.name == name) return &symbol;
    for (const Symbol& symbol : aliases)
      if (symbol.name == name) return &symbol;
    return nullptr;
  }
};

}  // namespace tensim
