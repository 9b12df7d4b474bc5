// Every word decodes, and everything it decodes to can be explained.
#include <cstdlib>
#include <cstring>

#include "isa/explain.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (std::size_t at = 0; at + 4 <= size; at += 4) {
    isa::Word word = 0;
    std::memcpy(&word, data + at, 4);
    for (const Arch arch : all_archs) {
      const isa::Explanation explanation = isa::explain(arch, word);
      const isa::Form* form = explanation.decoded.form;
      if ((form != nullptr) != (explanation.decoded.status == isa::Decoded::Status::defined)) std::abort();
      if (form != nullptr && (form->unused_bits(word) & form->used_mask()) != 0) std::abort();
    }
  }
  return 0;
}
