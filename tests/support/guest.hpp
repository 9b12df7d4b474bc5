// Guests: programs compiled for the tests, and a machine just good enough to run them.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/image.hpp"
#include "tests/places.hpp"

namespace tensim::test {

/// Empty without a compiler for them.
inline std::vector<std::uint8_t> guest_file(const std::string& name) {
  std::ifstream stream(std::string(TENSIM_GUESTS "/") + name + ".elf", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// RV32IM without time: what compiled guests use of it, in words.
class TinyMachine {
 public:
  explicit TinyMachine(const program::Image& image) : pc(image.entry) {
    for (const program::Segment& segment : image.segments)
      for (std::size_t i = 0; i < segment.bytes.size(); ++i)
        bytes_[segment.run_address + static_cast<std::uint32_t>(i)] = segment.bytes[i];
  }

  [[nodiscard]] std::uint32_t load(std::uint32_t address) const {
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < 4; ++i)
      if (const auto byte = bytes_.find(address + i); byte != bytes_.end())
        word |= std::uint32_t{byte->second} << (8 * i);
    return word;
  }

  /// False for an instruction it does not have.
  bool step() {
    const std::uint32_t word = load(pc);
    const std::uint32_t a = registers[word >> 15 & 31U];
    const std::uint32_t b = registers[word >> 20 & 31U];
    const auto immediate = static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> 20);
    std::uint32_t next = pc + 4;
    std::optional<std::uint32_t> result;
    switch (word & 0x7FU) {
      case 0x37: result = word & 0xFFFFF000U; break;
      case 0x17: result = pc + (word & 0xFFFFF000U); break;
      case 0x6F:
        result = next;
        next = pc + jump_offset(word);
        break;
      case 0x67:
        result = next;
        next = (a + immediate) & ~1U;
        break;
      case 0x63:
        if (is_taken(word >> 12 & 7U, a, b)) next = pc + branch_offset(word);
        break;
      case 0x03: result = load(a + immediate); break;
      case 0x23: store(a + ((immediate & ~31U) | (word >> 7 & 31U)), b); break;
      case 0x13: result = operate(word >> 12 & 7U, word >> 30 & (word >> 12 & 7U) / 5U, a, immediate); break;
      case 0x33: result = (word >> 25) == 1 ? a * b : operate(word >> 12 & 7U, word >> 30 & 1U, a, b); break;
      default: return false;
    }
    if (result && (word >> 7 & 31U) != 0) registers[word >> 7 & 31U] = *result;
    pc = next;
    return true;
  }

  std::uint32_t pc;
  std::array<std::uint32_t, 32> registers{};

 private:
  static std::uint32_t jump_offset(std::uint32_t word) {
    const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> 11) & 0xFFF00000U;
    return sign | (word & 0xFF000U) | (word >> 9 & 0x800U) | (word >> 20 & 0x7FEU);
  }

  static std::uint32_t branch_offset(std::uint32_t word) {
    const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> 19) & 0xFFFFF000U;
    return sign | (word << 4 & 0x800U) | (word >> 20 & 0x7E0U) | (word >> 7 & 0x1EU);
  }

  static bool is_taken(std::uint32_t kind, std::uint32_t a, std::uint32_t b) {
    const bool less = kind >= 6 ? a < b : static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    return (kind < 4 ? a == b : less) != ((kind & 1U) != 0);
  }

  static std::uint32_t operate(std::uint32_t kind, std::uint32_t variant, std::uint32_t a, std::uint32_t b) {
    switch (kind) {
      case 0: return variant != 0 ? a - b : a + b;
      case 1: return a << (b & 31U);
      case 2: return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? 1 : 0;
      case 3: return a < b ? 1 : 0;
      case 4: return a ^ b;
      case 5:
        return variant != 0 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> (b & 31U)) : a >> (b & 31U);
      case 6: return a | b;
      default: return a & b;
    }
  }

  void store(std::uint32_t address, std::uint32_t word) {
    for (std::uint32_t i = 0; i < 4; ++i)
      bytes_[address + i] = static_cast<std::uint8_t>(word >> (8 * i));
  }

  std::map<std::uint32_t, std::uint8_t> bytes_;
};

}  // namespace tensim::test
