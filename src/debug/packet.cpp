#include "debug/packet.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tensim::debug {
namespace {

constexpr char escape = '}';
constexpr char escape_flip = 0x20;  // an escaped byte has this bit the other way round
constexpr char interrupt_byte = 0x03;

bool needs_escape(char byte) {
  return byte == '$' || byte == '#' || byte == escape || byte == '*';
}

}  // namespace

std::optional<PacketReader::Item> PacketReader::take(char byte) {
  switch (state_) {
    case State::between: return take_between(byte);
    case State::payload: take_payload(byte); return std::nullopt;
    case State::checksum_high:
      high_digit_ = byte;
      state_ = State::checksum_low;
      return std::nullopt;
    case State::checksum_low: return finish(byte);
  }
  return std::nullopt;
}

std::optional<PacketReader::Item> PacketReader::take_between(char byte) {
  switch (byte) {
    case '$': begin(); return std::nullopt;
    case '+': return Item{Item::Kind::acknowledged};
    case '-': return Item{Item::Kind::asked_again};
    case interrupt_byte: return Item{Item::Kind::interrupt};
    default: return std::nullopt;
  }
}

void PacketReader::begin() {
  state_ = State::payload;
  payload_.clear();
  is_escaped_ = false;
  is_too_long_ = false;
  sum_ = 0;
}

void PacketReader::take_payload(char byte) {
  if (byte == '$') return begin();  // the end of the last one was lost
  if (byte == '#') {
    state_ = State::checksum_high;
    return;
  }
  sum_ = static_cast<std::uint8_t>(sum_ + static_cast<std::uint8_t>(byte));
  if (!is_escaped_ && byte == escape) {
    is_escaped_ = true;
    return;
  }
  if (payload_.size() == most_payload_bytes)
    is_too_long_ = true;
  else
    payload_.push_back(is_escaped_ ? static_cast<char>(byte ^ escape_flip) : byte);
  is_escaped_ = false;
}

PacketReader::Item PacketReader::finish(char low_digit) {
  state_ = State::between;
  const auto high = hex_digit(high_digit_);
  const auto low = hex_digit(low_digit);
  const bool is_good = high && low && *high * 16 + *low == sum_ && !is_too_long_ && !is_escaped_;
  if (!is_good) return {Item::Kind::bad_packet};
  return {Item::Kind::packet, std::exchange(payload_, {})};
}

std::string framed(std::string_view payload) {
  std::string packet = "$";
  std::uint8_t sum = 0;
  const auto add = [&](char byte) {
    packet.push_back(byte);
    sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(byte));
  };
  for (const char byte : payload) {
    if (needs_escape(byte)) add(escape);
    add(needs_escape(byte) ? static_cast<char>(byte ^ escape_flip) : byte);
  }
  return packet + fmt::format("#{:02x}", sum);
}

std::optional<unsigned> hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  if (letter >= 'a' && letter <= 'f') return static_cast<unsigned>(letter - 'a' + 10);
  if (letter >= 'A' && letter <= 'F') return static_cast<unsigned>(letter - 'A' + 10);
  return std::nullopt;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text.push_back(digits[static_cast<std::uint8_t>(byte) >> 4U]);
    text.push_back(digits[static_cast<std::uint8_t>(byte) & 15U]);
  }
  return text;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = hex_digit(digits[i]);
    const auto low = hex_digit(digits[i + 1]);
    if (!high || !low) return std::nullopt;
    bytes.push_back(static_cast<char>(*high << 4U | *low));
  }
  return bytes;
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
  constexpr std::size_t most_digits = 8;
  const auto is_digit = [](char letter) { return hex_digit(letter).has_value(); };
  const auto end = std::ranges::find_if_not(text, is_digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  if (count == 0 || count > most_digits) return std::nullopt;
  std::uint32_t value = 0;
  for (const char letter : text.substr(0, count))
    value = value << 4U | *hex_digit(letter);
  text.remove_prefix(count);
  return value;
}

std::optional<std::uint32_t> whole_number(std::string_view text) {
  const auto value = take_number(text);
  return text.empty() ? value : std::nullopt;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace tensim::debug
