#include "tile/memory_operation.hpp"

#include <algorithm>
#include <cstring>

namespace tensim::tile {
namespace {

using Source = MemoryOperation::Source;
using Target = MemoryOperation::Target;

bool fits(std::uint32_t from, std::uint32_t size, std::size_t memory) {
  return from <= memory && size <= memory - from;
}

/// The 32-bit word of what is written, `at` bytes into it.
std::uint32_t word_of(const MemoryOperation& operation, std::span<const std::uint8_t> l1, std::uint32_t at) {
  std::uint32_t word = 0;
  if (operation.source == Source::l1) std::memcpy(&word, &l1[operation.from + at], sizeof word);
  if (operation.source == Source::value) word = operation.value[at / 4];
  return word;
}

void write(const MemoryOperation& operation, std::span<const std::uint8_t> l1, std::span<std::uint8_t> target) {
  if (operation.source == Source::l1) {
    std::memmove(&target[operation.to], &l1[operation.from], operation.size);
    return;
  }
  for (std::uint32_t at = 0; at < operation.size; at += 4) {
    const std::uint32_t word = word_of(operation, l1, at);
    std::memcpy(&target[operation.to + at], &word, sizeof word);
  }
}

void write_config(const MemoryOperation& operation, std::span<const std::uint8_t> l1,
                  tensix::Coprocessor& coprocessor) {
  for (std::uint32_t at = 0; at < operation.size; at += 4) {
    const auto store = tensix::riscv_config_store(coprocessor.arch, operation.to + at, word_of(operation, l1, at));
    if (store) coprocessor.write_config(*store);
  }
  coprocessor.state_changed_from_outside();
}

}  // namespace

bool carry_out(const MemoryOperation& operation, tensix::Coprocessor& coprocessor, std::span<std::uint8_t> l1,
               std::span<std::uint8_t> iram) {
  if (operation.size == 0) return true;
  if (operation.source == Source::l1 && !fits(operation.from, operation.size, l1.size())) return false;
  switch (operation.target) {
    case Target::nowhere: return true;
    case Target::config: write_config(operation, l1, coprocessor); return true;
    case Target::l1:
    case Target::iram: {
      const std::span<std::uint8_t> target = operation.target == Target::l1 ? l1 : iram;
      if (!fits(operation.to, operation.size, target.size())) return false;
      write(operation, l1, target);
      return true;
    }
  }
  return false;
}

}  // namespace tensim::tile
