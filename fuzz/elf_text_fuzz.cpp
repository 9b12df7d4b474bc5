// Any bytes are an ELF file, or are refused with a reason.
#include "program/elf_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)tensim::program::executable_sections(std::as_bytes(std::span(data, size)));
  return 0;
}
