#include "isa/assembler/lexer.hpp"

#include <array>
#include <cctype>
#include <limits>

namespace tensim::isa {
namespace {

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}
bool continues_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Decimal, 0x hexadecimal or 0b binary, with '_' between digits.
Token number(std::string_view text, unsigned column) {
  Token token{.kind = Token::Kind::number, .text = text, .column = column};
  unsigned base = 10;
  std::size_t at = 0;
  if (text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) base = 16, at = 2;
  if (text.size() > 1 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) base = 2, at = 2;
  // C would read octal, people read decimal.
  if (base == 10 && text.size() > 1 && text[0] == '0')
    return {.kind = Token::Kind::invalid, .text = text, .column = column, .problem = "number with a leading zero"};
  std::uint64_t value = 0;
  bool has_digit = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '_') continue;
    const int digit = digit_value(text[at]);
    has_digit = true;
    if (digit < 0 || digit >= static_cast<int>(base))
      return {.kind = Token::Kind::invalid, .text = text, .column = column, .problem = "malformed number"};
    value = value * base + static_cast<unsigned>(digit);
    if (value > std::numeric_limits<std::uint32_t>::max())
      return {.kind = Token::Kind::invalid, .text = text, .column = column, .problem = "number above 32 bits"};
  }
  if (!has_digit) return {.kind = Token::Kind::invalid, .text = text, .column = column, .problem = "malformed number"};
  token.value = static_cast<std::int64_t>(value);
  return token;
}

std::string_view punctuation_at(std::string_view rest) {
  static constexpr std::array<std::string_view, 2> two{"<<", ">>"};
  for (const std::string_view candidate : two)
    if (rest.starts_with(candidate)) return rest.substr(0, 2);
  static constexpr std::string_view one = ",=|&^~+-*/%()";
  return one.find(rest[0]) != std::string_view::npos ? rest.substr(0, 1) : std::string_view{};
}

template <class Predicate>
std::string_view run_of(std::string_view text, Predicate predicate) {
  std::size_t length = 0;
  while (length < text.size() && predicate(text[length]))
    ++length;
  return text.substr(0, length);
}

}  // namespace

std::vector<Token> tokenize(std::string_view line) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::string_view rest = line.substr(at);
    const char c = rest[0];
    const auto column = static_cast<unsigned>(at + 1);
    if (is_space(c)) {
      ++at;
      continue;
    }
    if (c == '#' || c == ';' || rest.starts_with("//")) break;
    Token token{.column = column};
    std::size_t length = 1;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      token = number(run_of(rest, continues_name), column);
      length = token.text.size();
    } else if (starts_name(c)) {
      token.kind = Token::Kind::name;
      token.text = run_of(rest, continues_name);
      length = token.text.size();
    } else if (c == '"') {
      const std::size_t close = rest.find('"', 1);
      token.kind = close == std::string_view::npos ? Token::Kind::invalid : Token::Kind::string;
      token.text = rest.substr(1, close == std::string_view::npos ? close : close - 1);
      token.problem = "unterminated string";
      length = close == std::string_view::npos ? rest.size() : close + 1;
    } else if (const std::string_view punctuation = punctuation_at(rest); !punctuation.empty()) {
      token.kind = Token::Kind::punctuation;
      token.text = punctuation;
      length = punctuation.size();
    } else {
      token.kind = Token::Kind::invalid;
      token.text = rest.substr(0, 1);
      token.problem = "unexpected character";
    }
    tokens.push_back(token);
    at += length;
  }
  tokens.push_back({.kind = Token::Kind::end, .column = static_cast<unsigned>(at + 1)});
  return tokens;
}

std::string_view leading_name(std::string_view line) {
  line.remove_prefix(run_of(line, is_space).size());
  if (line.empty() || !starts_name(line[0])) return {};
  return run_of(line, continues_name);
}

}  // namespace tensim::isa
