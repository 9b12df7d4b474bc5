// Hexadecimal words as users write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace tensim::isa {

struct HexWord {
  enum class Status : std::uint8_t { word, not_hex, above_32_bits };
  Status status = Status::not_hex;
  std::uint32_t value = 0;
};

/// With or without 0x.
inline HexWord parse_hex_word(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  HexWord result;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), result.value, 16);
  if (text.empty() || stop != text.data() + text.size() || error == std::errc::invalid_argument) return result;
  result.status = error == std::errc{} ? HexWord::Status::word : HexWord::Status::above_32_bits;
  return result;
}

}  // namespace tensim::isa
