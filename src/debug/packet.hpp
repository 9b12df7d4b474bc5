// Packets of the GDB remote serial protocol: "$payload#checksum". Pure: bytes in, packets out, and back. Page: "Remote
// Protocol" of the GDB manual, section "Overview".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tensim::debug {

/// The longest payload taken, and said to the client as PacketSize. Longer ones are read to their end and refused.
inline constexpr std::size_t most_payload_bytes = 0x4000;

/// Takes bytes apart as they come; never holds more than one packet.
class PacketReader {
 public:
  struct Item {
    enum class Kind : std::uint8_t { packet, bad_packet, acknowledged, asked_again, interrupt };
    Kind kind;
    std::string payload = {};  // of a packet, unescaped
  };

  /// What `byte` completes; nothing most of the time. What is no part of a packet is passed over.
  std::optional<Item> take(char byte);

 private:
  enum class State : std::uint8_t { between, payload, checksum_high, checksum_low };
  std::optional<Item> take_between(char byte);
  void begin();
  void take_payload(char byte);
  Item finish(char low_digit);

  State state_ = State::between;
  std::string payload_;  // unescaped
  bool is_escaped_ = false;
  bool is_too_long_ = false;
  std::uint8_t sum_ = 0;
  char high_digit_ = '0';
};

/// The packet around `payload`, with what must not stand in one escaped.
std::string framed(std::string_view payload);

// ---- hexadecimal ----

std::optional<unsigned> hex_digit(char letter);
std::string to_hex(std::string_view bytes);
/// Nothing if it is not all pairs of digits.
std::optional<std::string> from_hex(std::string_view digits);
/// Takes a number of at most eight digits off the front of `text`; nothing if there is none, or more digits.
std::optional<std::uint32_t> take_number(std::string_view& text);
/// The same, if `text` is nothing else.
std::optional<std::uint32_t> whole_number(std::string_view text);
/// Takes `prefix` off the front of `text`, if it is there.
bool take_prefix(std::string_view& text, std::string_view prefix);

}  // namespace tensim::debug
