// Constant expressions: numbers, names, t6_sem(i), and | ^ & << >> + - * / % ~ with C's precedence.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/symbol.hpp"
#include "isa/assembler/lexer.hpp"

namespace tensim::isa {

using Constants = std::map<std::string, std::int64_t, std::less<>>;

/// Reads tokens of one line from left to right.
class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool take_if(std::string_view punctuation) {
    if (!peek().is(punctuation)) return false;
    take();
    return true;
  }
  bool at_end() const { return peek().kind == Token::Kind::end; }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

struct ExpressionError {
  unsigned column = 0;
  std::string message;
};

/// What a name can mean here: constants defined by the program first, then the names of the field being filled.
struct ExpressionScope {
  const Constants* constants = nullptr;
  const SymbolSet* symbols = nullptr;
};

/// The value of the expression at the cursor, or what is wrong with it.
struct ExpressionResult {
  std::int64_t value = 0;
  std::optional<ExpressionError> error;
};
ExpressionResult evaluate(TokenCursor& cursor, const ExpressionScope& scope);

}  // namespace tensim::isa
