// For the tests of this folder: an instruction word from the names of its fields.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "isa/table.hpp"

namespace tensim::tensix {

using FieldValues = std::initializer_list<std::pair<std::string_view, isa::Word>>;

inline isa::Word word_of(Arch arch, std::string_view instruction, std::string_view form, FieldValues values) {
  for (const isa::Form* row : isa::find_instruction(arch, instruction)) {
    if (row->form != form) continue;
    isa::Word word = row->base();
    for (const auto& [name, value] : values) {
      const isa::Field* field = row->field(name);
      if (field == nullptr || value > field->max()) {
        ADD_FAILURE() << instruction << " has no field " << name << " that holds " << value;
        return 0;
      }
      word |= field->put(value);
    }
    return word;
  }
  ADD_FAILURE() << "no " << instruction << " " << form << " on " << name(arch);
  return 0;
}

/// An instruction with one form, alike on both chips.
inline isa::Word word_of(std::string_view instruction, FieldValues values) {
  return word_of(Arch::blackhole, instruction, "", values);
}

}  // namespace tensim::tensix
