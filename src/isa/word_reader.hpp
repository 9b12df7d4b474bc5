// The words of a binary or of hexadecimal text, one after the other: inputs may be hundreds of megabytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tensim::isa {

class WordReader {
 public:
  enum class Format : std::uint8_t { binary, hex };
  WordReader(std::string_view content, Format format) : content_(content), format_(format) {}

  /// The next word; nothing at the end, or at something that is not a word.
  std::optional<std::uint32_t> next() { return format_ == Format::hex ? next_hex() : next_binary(); }
  /// What is wrong with the content so far; empty if nothing is.
  const std::string& problem() const { return problem_; }

 private:
  std::optional<std::uint32_t> next_binary();
  std::optional<std::uint32_t> next_hex();

  std::string_view content_;
  Format format_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string problem_;
};

}  // namespace tensim::isa
