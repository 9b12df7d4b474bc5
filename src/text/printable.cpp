#include "text/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace tensim::text {
namespace {

/// How many bytes a character has that begins with this one; 0 if none does.
constexpr std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool is_utf8 = false;
};

Character first_of(std::string_view text) {
  const std::size_t length = length_of(static_cast<unsigned char>(text[0]));
  if (length == 0 || length > text.size()) return {};
  if (length == 1) return {1, static_cast<unsigned char>(text[0]), true};
  std::uint32_t code = static_cast<unsigned char>(text[0]) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return {};
    code = code << 6U | (next & 0x3FU);
  }
  // Written with more bytes than needed, half of a UTF-16 pair, or beyond Unicode: that is no UTF-8.
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_valid = code >= smallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return is_valid ? Character{length, code, true} : Character{};
}

/// Control characters, and those that turn the direction of what follows (Unicode's Bidi_Control).
constexpr bool is_obeyed(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

template <class Keeps>
std::string shown(std::string_view text, Keeps keeps) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
    if (character.is_utf8 && (!is_obeyed(character.code) || keeps(bytes[0])))
      result += bytes;
    else if (bytes == "\t")
      result += ' ';
    else
      for (const char byte : bytes)
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return shown(text, [](char) { return false; });
}

std::string printable_lines(std::string_view text) {
  return shown(text, [](char letter) { return letter == '\n' || letter == '\t'; });
}

}  // namespace tensim::text
