#include "isa/word_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isa/hex_word.hpp"

namespace tensim::isa {

/// Little-endian; a tail of fewer than four bytes is left out.
std::optional<std::uint32_t> WordReader::next_binary() {
  if (content_.size() - at_ < 4) return std::nullopt;
  std::uint32_t word = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    word |= std::uint32_t{static_cast<unsigned char>(content_[at_ + byte])} << (8 * byte);
  at_ += 4;
  return word;
}

/// Words apart by spaces, commas or line ends, with or without 0x; '#' starts a comment.
std::optional<std::uint32_t> WordReader::next_hex() {
  while (at_ < content_.size()) {
    const char c = content_[at_];
    if (c == '#') {
      at_ = std::min(content_.find('\n', at_), content_.size());
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == ',' || c == '\n') {
      line_ += c == '\n' ? 1 : 0;
      ++at_;
    } else {
      const std::size_t end = std::min(content_.find_first_of(" \t\r\v\f,\n#", at_), content_.size());
      const std::string_view token = content_.substr(at_, end - at_);
      const HexWord word = parse_hex_word(token);
      if (word.status != HexWord::Status::word) {
        problem_ = fmt::format("line {}: '{}' is not a 32-bit hexadecimal word", line_, token.substr(0, 40));
        return std::nullopt;
      }
      at_ = end;
      return word.value;
    }
  }
  return std::nullopt;
}

}  // namespace tensim::isa
