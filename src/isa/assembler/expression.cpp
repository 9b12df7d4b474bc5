#include "isa/assembler/expression.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "arch/semaphores.hpp"
#include "isa/assembler/suggest.hpp"

namespace tensim::isa {
namespace {

constexpr unsigned max_depth = 64;  // of parentheses and unary operators: the host's stack is finite

/// Every operator wraps at 64 bits as unsigned arithmetic does: no input is undefined behaviour.
std::int64_t wrapped(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

struct BinaryOperator {
  std::string_view text;
  int precedence;
};
constexpr std::array binary_operators{
    BinaryOperator{"|", 1},  BinaryOperator{"^", 2}, BinaryOperator{"&", 3}, BinaryOperator{"<<", 4},
    BinaryOperator{">>", 4}, BinaryOperator{"+", 5}, BinaryOperator{"-", 5}, BinaryOperator{"*", 6},
    BinaryOperator{"/", 6},  BinaryOperator{"%", 6},
};

class Evaluator {
 public:
  Evaluator(TokenCursor& cursor, const ExpressionScope& scope) : cursor_(cursor), scope_(scope) {}

  ExpressionResult run() {
    const std::int64_t value = binary(1, 0);
    return {value, error_};
  }

 private:
  std::int64_t fail(unsigned column, std::string message) {
    if (!error_) error_ = ExpressionError{column, std::move(message)};
    return 0;
  }

  std::int64_t binary(int min_precedence, unsigned depth) {
    std::int64_t left = unary(depth);
    while (!error_) {
      const BinaryOperator* op = nullptr;
      for (const BinaryOperator& candidate : binary_operators)
        if (cursor_.peek().is(candidate.text) && candidate.precedence >= min_precedence) op = &candidate;
      if (op == nullptr) break;
      const unsigned column = cursor_.take().column;
      left = apply(op->text, left, binary(op->precedence + 1, depth), column);
    }
    return left;
  }

  std::int64_t apply(std::string_view op, std::int64_t left, std::int64_t right, unsigned column) {
    const auto a = static_cast<std::uint64_t>(left);
    const auto b = static_cast<std::uint64_t>(right);
    if (op == "|") return left | right;
    if (op == "^") return left ^ right;
    if (op == "&") return left & right;
    if (op == "+") return wrapped(a + b);
    if (op == "-") return wrapped(a - b);
    if (op == "*") return wrapped(a * b);
    if (op == "<<" || op == ">>") {
      if (right < 0 || right > 63) return fail(column, fmt::format("shift by {}; expected 0 to 63", right));
      return op == "<<" ? wrapped(a << b) : left >> right;
    }
    if (right == 0) return fail(column, "division by zero");
    if (right == -1) return op == "/" ? wrapped(0 - a) : 0;
    return op == "/" ? left / right : left % right;
  }

  std::int64_t unary(unsigned depth) {
    if (depth > max_depth) return fail(cursor_.peek().column, "expression nested too deeply");
    if (cursor_.take_if("-")) return wrapped(0 - static_cast<std::uint64_t>(unary(depth + 1)));
    if (cursor_.take_if("~")) return ~unary(depth + 1);
    if (cursor_.take_if("+")) return unary(depth + 1);
    return primary(depth);
  }

  std::int64_t primary(unsigned depth) {
    const Token token = cursor_.peek();
    if (token.kind == Token::Kind::number) return cursor_.take().value;
    if (token.kind == Token::Kind::name) return name(depth);
    if (cursor_.take_if("(")) return closed(binary(1, depth + 1));
    if (token.kind == Token::Kind::invalid)
      return fail(token.column, fmt::format("{} '{}'", token.problem, token.text));
    if (token.kind == Token::Kind::end) return fail(token.column, "expected a value");
    return fail(token.column, fmt::format("expected a value, found '{}'", token.text));
  }

  std::int64_t closed(std::int64_t value) {
    if (!error_ && !cursor_.take_if(")")) return fail(cursor_.peek().column, "expected ')'");
    return value;
  }

  std::int64_t name(unsigned depth) {
    const Token token = cursor_.take();
    if (token.text == "t6_sem" && cursor_.take_if("(")) return closed(semaphore_bit(depth));
    if (scope_.constants != nullptr)
      if (const auto found = scope_.constants->find(token.text); found != scope_.constants->end()) return found->second;
    if (scope_.symbols != nullptr)
      if (const Symbol* symbol = scope_.symbols->find(token.text)) return symbol->value;
    return fail(token.column, unknown(token.text));
  }

  /// t6_sem(1) and t6_sem(MATH_PACK) are the mask bit of semaphore 1 (W45).
  std::int64_t semaphore_bit(unsigned depth) {
    const unsigned column = cursor_.peek().column;
    const SymbolSet* outer = std::exchange(scope_.symbols, &semaphore_index);
    const std::int64_t index = binary(1, depth + 1);
    scope_.symbols = outer;
    if (error_) return 0;
    if (index < 0 || index > 7) return fail(column, fmt::format("semaphore {}; expected 0 to 7", index));
    return std::int64_t{1} << index;
  }

  std::string unknown(std::string_view text) const {
    std::vector<std::string_view> known;
    if (scope_.constants != nullptr)
      for (const auto& [constant, value] : *scope_.constants)
        known.push_back(constant);
    if (scope_.symbols != nullptr) {
      for (const Symbol& symbol : scope_.symbols->symbols)
        known.push_back(symbol.name);
      for (const Symbol& symbol : scope_.symbols->aliases)
        known.push_back(symbol.name);
    }
    return fmt::format("unknown name '{}'{}", text, suggestion(text, known));
  }

  TokenCursor& cursor_;
  ExpressionScope scope_;
  std::optional<ExpressionError> error_;
};

}  // namespace

ExpressionResult evaluate(TokenCursor& cursor, const ExpressionScope& scope) {
  return Evaluator(cursor, scope).run();
}

}  // namespace tensim::isa
