// One line of assembly as tokens. Comments start with '#', ';' or '//' and run to the end of the line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tensim::isa {

struct Token {
  enum class Kind : std::uint8_t { name, number, string, punctuation, invalid, end };
  Kind kind = Kind::end;
  std::string_view text = {};     // a string's without its quotes
  std::int64_t value = 0;         // of a number
  unsigned column = 0;            // from 1
  std::string_view problem = {};  // of an invalid token

  bool is(std::string_view punctuation) const { return kind == Kind::punctuation && text == punctuation; }
};

/// Always ends with an `end` token. `line` must outlive the tokens.
std::vector<Token> tokenize(std::string_view line);

/// The name a line begins with; empty if it begins with something else. Cheaper than all its tokens.
std::string_view leading_name(std::string_view line);

}  // namespace tensim::isa
