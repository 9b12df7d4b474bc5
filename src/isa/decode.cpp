#include "isa/decode.hpp"

#include "isa/table.hpp"

namespace tensim::isa {

Decoded decode(Arch arch, Word word) {
  const auto forms = forms_of(arch, opcode_of(word));
  if (forms.empty()) return {.arch = arch, .word = word, .status = Decoded::Status::undefined_opcode};
  for (const Form* form : forms)
    if (form->matches(word))
      return {.arch = arch,
              .word = word,
              .status = Decoded::Status::defined,
              .form = form,
              .unused_bits = form->unused_bits(word)};
  return {.arch = arch, .word = word, .status = Decoded::Status::undefined_form};
}

}  // namespace tensim::isa
