#include "isa/assembler/assemble.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "isa/assembler/expression.hpp"
#include "isa/assembler/instruction.hpp"
#include "isa/assembler/lexer.hpp"
#include "isa/assembler/suggest.hpp"

namespace tensim::isa {
namespace {

constexpr std::size_t max_include_depth = 16;
constexpr std::size_t max_repeat_depth = 16;
constexpr std::size_t max_errors = 20;
constexpr std::array<std::string_view, 7> directives{".equ", ".set", ".rept", ".endr", ".include", ".word", ".ttinsn"};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

std::string beside(const std::string& including_file, std::string_view path) {
  const std::size_t slash = including_file.rfind('/');
  if (path.starts_with('/') || slash == std::string::npos) return std::string(path);
  return including_file.substr(0, slash + 1) + std::string(path);
}

class Assembler {
 public:
  Assembler(Arch arch, const AssembleOptions& options) : arch_(arch), options_(options) {}

  Assembly run(std::string_view text, std::string file_name) {
    file(text, std::move(file_name), 0);
    return std::move(assembly_);
  }

 private:
  struct File {
    std::uint32_t index;
    std::vector<std::string_view> lines;
    std::size_t include_depth;
  };

  bool stopped() const { return errors_ >= max_errors || exhausted_; }

  void report(Diagnostic::Severity severity, const File& file, std::size_t line, unsigned column, std::string message) {
    // A line of a repeated body is reported once.
    if (!reported_.insert({file.index, line, column}).second) return;
    if (severity == Diagnostic::Severity::error) ++errors_;
    assembly_.diagnostics.push_back({severity,
                                     {assembly_.files[file.index], static_cast<unsigned>(line + 1), column},
                                     std::move(message),
                                     std::string(file.lines[line])});
  }
  void error(const File& file, std::size_t line, unsigned column, std::string message) {
    report(Diagnostic::Severity::error, file, line, column, std::move(message));
  }

  void file(std::string_view text, std::string name, std::size_t include_depth) {
    assembly_.files.push_back(std::move(name));
    const File file{static_cast<std::uint32_t>(assembly_.files.size() - 1), lines_of(text), include_depth};
    block(file, 0, file.lines.size(), 0);
  }

  /// Lines [begin, end), which hold every .endr of the .repts they open.
  void block(const File& file, std::size_t begin, std::size_t end, std::size_t repeat_depth) {
    for (std::size_t line = begin; line < end && !stopped(); ++line) {
      if (++steps_ > options_.max_steps) {
        exhaust(file, line, line);
        return;
      }
      TokenCursor cursor(tokenize(file.lines[line]));
      const Token first = cursor.peek();
      if (first.kind == Token::Kind::end) continue;
      if (first.kind != Token::Kind::name) {
        error(file, line, first.column, fmt::format("expected an instruction or a directive, found '{}'", first.text));
      } else if (first.text == ".rept") {
        line = repeat(file, line, end, cursor, repeat_depth);
      } else {
        statement(file, line, cursor);
      }
    }
  }

  std::size_t exhaust(const File& file, std::size_t line, std::size_t resume_at) {
    exhausted_ = true;
    error(file, line, 1, fmt::format("more than {} lines processed", options_.max_steps));
    return resume_at;
  }

  void statement(const File& file, std::size_t line, TokenCursor& cursor) {
    const Token first = cursor.peek();
    if (cursor.peek(1).is("=")) {
      cursor.take();
      return constant(file, line, cursor, first);
    }
    if (first.text == ".equ" || first.text == ".set") return equate(file, line, cursor);
    if (first.text == ".word" || first.text == ".ttinsn") return raw_words(file, line, cursor);
    if (first.text == ".include") return include(file, line, cursor);
    if (first.text == ".endr") return error(file, line, first.column, ".endr without .rept");
    if (first.text.starts_with('.'))
      return error(file, line, first.column,
                   fmt::format("unknown directive '{}'{}", first.text, suggestion(first.text, directives)));
    const InstructionResult result = assemble_instruction(arch_, cursor, constants_);
    for (const LineProblem& warning : result.warnings)
      report(Diagnostic::Severity::warning, file, line, warning.column, warning.message);
    if (result.error) return error(file, line, result.error->column, result.error->message);
    emit(file, line, result.word);
  }

  void emit(const File& file, std::size_t line, Word word) {
    if (assembly_.words.size() >= options_.max_words) {
      exhausted_ = true;
      return error(file, line, 1, fmt::format("more than {} words", options_.max_words));
    }
    assembly_.words.push_back({word, file.index, static_cast<std::uint32_t>(line + 1)});
  }

  std::optional<std::int64_t> value(const File& file, std::size_t line, TokenCursor& cursor) {
    const ExpressionResult result = evaluate(cursor, {&constants_, nullptr});
    if (!result.error) return result.value;
    error(file, line, result.error->column, result.error->message);
    return std::nullopt;
  }

  bool expect_end(const File& file, std::size_t line, const TokenCursor& cursor) {
    if (cursor.at_end()) return true;
    error(file, line, cursor.peek().column,
          fmt::format("expected the end of the line, found '{}'", cursor.peek().text));
    return false;
  }

  /// NAME = value, the cursor on the '=' (or, from .equ, on the ',').
  void constant(const File& file, std::size_t line, TokenCursor& cursor, const Token& name) {
    cursor.take();
    if (const auto result = value(file, line, cursor); result && expect_end(file, line, cursor))
      constants_.insert_or_assign(std::string(name.text), *result);
  }

  void equate(const File& file, std::size_t line, TokenCursor& cursor) {
    cursor.take();
    const Token name = cursor.take();
    if (name.kind != Token::Kind::name || !cursor.peek().is(","))
      return error(file, line, name.column, "expected .equ NAME, value");
    constant(file, line, cursor, name);
  }

  void raw_words(const File& file, std::size_t line, TokenCursor& cursor) {
    cursor.take();
    do {
      const unsigned column = cursor.peek().column;
      const auto word = value(file, line, cursor);
      if (!word) return;
      if (*word < 0 || *word > 0xFFFF'FFFF)
        return error(file, line, column, fmt::format("{} is not a 32-bit word", *word));
      emit(file, line, static_cast<Word>(*word));
    } while (cursor.take_if(",") && !stopped());
    expect_end(file, line, cursor);
  }

  void include(const File& including, std::size_t line, TokenCursor& cursor) {
    const unsigned column = cursor.take().column;
    const Token path = cursor.take();
    if (path.kind != Token::Kind::string) return error(including, line, path.column, "expected .include \"file\"");
    if (!expect_end(including, line, cursor)) return;
    if (including.include_depth >= max_include_depth)
      return error(including, line, column, "included too deeply: does a file include itself?");
    const std::string resolved = beside(assembly_.files[including.index], path.text);
    const auto text = options_.load ? options_.load(resolved) : std::nullopt;
    if (!text) return error(including, line, path.column, fmt::format("cannot read '{}'", resolved));
    file(*text, resolved, including.include_depth + 1);
  }

  /// Where the .rept at `line` ends: the line of its .endr, or `end`.
  static std::size_t matching_endr(const File& file, std::size_t line, std::size_t end) {
    std::size_t depth = 0;
    for (; line < end; ++line) {
      const std::vector<Token> tokens = tokenize(file.lines[line]);
      if (tokens[0].text == ".rept") ++depth;
      if (tokens[0].text == ".endr" && --depth == 0) break;
    }
    return line;
  }

  /// Runs the body of the .rept at `line`; returns the line of its .endr.
  std::size_t repeat(const File& file, std::size_t line, std::size_t end, TokenCursor& cursor, std::size_t depth) {
    const unsigned column = cursor.take().column;
    const std::size_t endr = matching_endr(file, line, end);
    const auto count = value(file, line, cursor);
    std::optional<std::string> counter;
    if (cursor.take_if(",")) {
      const Token name = cursor.take();
      if (name.kind != Token::Kind::name) error(file, line, name.column, "expected .rept COUNT, NAME");
      counter = std::string(name.text);
    }
    if (endr == end) error(file, line, column, ".rept without .endr");
    if (count && (*count < 0 || *count > static_cast<std::int64_t>(options_.max_words)))
      error(file, line, column, fmt::format("cannot repeat {} times; expected 0 to {}", *count, options_.max_words));
    if (depth >= max_repeat_depth) error(file, line, column, ".rept nested too deeply");
    if (!count || endr == end || depth >= max_repeat_depth || !expect_end(file, line, cursor)) return endr;
    const std::size_t errors_before = errors_;
    for (std::int64_t i = 0; i < *count && errors_ == errors_before && !stopped(); ++i) {
      if (++steps_ > options_.max_steps) return exhaust(file, line, endr);
      if (counter) constants_.insert_or_assign(*counter, i);
      block(file, line + 1, endr, depth + 1);
    }
    return endr;
  }

  Arch arch_;
  const AssembleOptions& options_;
  Assembly assembly_;
  Constants constants_;
  std::set<std::tuple<std::uint32_t, std::size_t, unsigned>> reported_;
  std::size_t errors_ = 0;
  std::size_t steps_ = 0;
  bool exhausted_ = false;
};

}  // namespace

bool Assembly::ok() const {
  return std::ranges::none_of(diagnostics,
                              [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::error; });
}

Assembly assemble(Arch arch, std::string_view text, std::string file_name, const AssembleOptions& options) {
  return Assembler(arch, options).run(text, std::move(file_name));
}

}  // namespace tensim::isa
