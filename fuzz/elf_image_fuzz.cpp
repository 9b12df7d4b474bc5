// Any bytes are a program, or are refused with a reason; whatever it says about its source can be asked for.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "program/image.hpp"
#include "program/tensix_code.hpp"
#include "program/unwind.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = program::read_elf_image(std::span(data, size), "fuzz.elf");
  const auto* image = std::get_if<program::Image>(&result);
  if (image == nullptr) {
    if (std::get<std::string>(result).empty()) std::abort();
    return 0;
  }
  std::size_t total = 0;
  for (const program::Segment& segment : image->segments) {
    total += segment.bytes.size();
    if (segment.load_bytes().size() > segment.bytes.size()) std::abort();
  }
  if (total > program::max_image_bytes) std::abort();
  for (const program::Symbol& symbol : image->source->symbols())
    if (image->source->symbol(symbol.linkage_name) == nullptr) std::abort();
  // Memory that answers with addresses of code keeps stacks going.
  const program::LoadWord load = [&](std::uint32_t address) { return std::optional(image->entry + address % 64); };
  std::array<std::uint32_t, 32> registers{};
  for (std::uint32_t pc = image->entry; pc != image->entry + 64; pc += 4) {
    if (image->source->describe(pc).empty()) std::abort();
    const auto stack = program::call_stack(*image->source, pc, registers, load);
    if (stack.empty() || stack.size() > program::max_call_depth) std::abort();
    if (program::describe(*image->source, stack).size() != stack.size()) std::abort();
  }
  // What a program can push stands in its code.
  const std::array from{image->entry};
  for (const program::TensixWord& word : program::tensix_code(Arch::blackhole, *image, from).words)
    if (std::ranges::none_of(image->segments, [&](const program::Segment& segment) {
          return segment.executable && word.pc - segment.run_address < segment.bytes.size();
        }))
      std::abort();
  return 0;
}
