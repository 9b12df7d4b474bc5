// What the hardware makes of certain field values, where the encoding does not say: defaults, traps, undefined ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/form.hpp"

namespace tensim::isa {

struct ValueNote {
  std::uint8_t opcode;
  std::string_view field;
  bool (*applies)(Arch arch, Word value);
  std::string (*text)(Arch arch);
  bool is_mistake = false;  // no program can want it: the assembler warns
};

/// The note on this value of a field of `form`; null if there is none.
const ValueNote* value_note(Arch arch, const Form& form, const Field& field, Word value);

}  // namespace tensim::isa
