#include "isa/assembler/assemble.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "isa/assembler/expression.hpp"
#include "isa/assembler/instruction.hpp"
#include "isa/assembler/lexer.hpp"
#include "isa/assembler/source_text.hpp"
#include "isa/assembler/suggest.hpp"

namespace tensim::isa {
namespace {

constexpr std::size_t max_include_depth = 16;
constexpr std::size_t max_repeat_depth = 16;
constexpr std::size_t max_errors = 20;
constexpr std::size_t max_warnings = 100;
constexpr std::array<std::string_view, 7> directives{".equ", ".set", ".rept", ".endr", ".include", ".word", ".ttinsn"};

std::string beside(const std::string& including_file, std::string_view path) {
  const std::size_t slash = including_file.rfind('/');
  if (path.starts_with('/') || slash == std::string::npos) return std::string(path);
  return including_file.substr(0, slash + 1) + std::string(path);
}

class Assembler {
 public:
  Assembler(Arch arch, const AssembleOptions& options) : arch_(arch), options_(options) {}

  Assembly run(std::string_view text, std::string file_name) {
    text_bytes_ = text.size();
    assembly_.files.push_back(file_name);
    if (text.size() > options_.max_text_bytes) {
      Diagnostic diagnostic;
      diagnostic.at = {std::move(file_name), 1, 1};
      diagnostic.message = too_much_text();
      assembly_.diagnostics.push_back(std::move(diagnostic));
      return std::move(assembly_);
    }
    index_of_.emplace(file_name, 0);
    sources_.emplace_back(std::move(file_name), text);
    file(0);
    return std::move(assembly_);
  }

 private:
  /// A file being assembled; `index` is into sources_ and Assembly::files.
  struct File {
    std::uint32_t index;
    const SourceText& source;
  };

  bool stopped() const { return errors_ >= max_errors || exhausted_; }

  std::string too_much_text() const { return fmt::format("more than {} bytes of text", options_.max_text_bytes); }

  void report(Diagnostic::Severity severity, const File& file, std::size_t line, unsigned column, std::string message) {
    const bool is_error = severity == Diagnostic::Severity::error;
    if (is_error) ++errors_;
    if (!is_error && warnings_ > max_warnings) return;
    // A line of a repeated body is shown once, but each of its errors counts: its word is missing.
    if (!reported_.insert({severity, file.index, line, column}).second) return;
    if (!is_error && ++warnings_ > max_warnings)
      message = fmt::format("more than {} warnings; the rest are not shown", max_warnings);
    assembly_.diagnostics.push_back({severity,
                                     {file.source.name(), static_cast<unsigned>(line + 1), column},
                                     std::move(message),
                                     std::string(file.source.line(line).substr(0, options_.max_line_bytes))});
  }
  void error(const File& file, std::size_t line, unsigned column, std::string message) {
    report(Diagnostic::Severity::error, file, line, column, std::move(message));
  }

  void file(std::uint32_t index) {
    const File file{index, sources_[index]};
    active_.push_back(index);
    block(file, 0, file.source.line_count(), 0);
    active_.pop_back();
  }

  /// Lines [begin, end), which hold every .endr of the .repts they open.
  void block(const File& file, std::size_t begin, std::size_t end, std::size_t repeat_depth) {
    for (std::size_t line = begin; line < end && !stopped(); ++line) {
      if (!step(file, line)) return;
      const std::string_view text = file.source.line(line);
      if (text.size() > options_.max_line_bytes) {
        error(file, line, 1, fmt::format("line of more than {} bytes", options_.max_line_bytes));
        continue;
      }
      TokenCursor cursor(tokenize(text));
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

  /// Counts a line, or one pass of a repetition; false once there have been too many.
  bool step(const File& file, std::size_t line) {
    if (++steps_ <= options_.max_steps) return true;
    exhausted_ = true;
    error(file, line, 1, fmt::format("more than {} lines processed", options_.max_steps));
    return false;
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
      if (*word < std::numeric_limits<std::int32_t>::min() || *word > std::numeric_limits<std::uint32_t>::max())
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
    // On the command line it means standard input, which can be read once only.
    if (path.text == "-") return error(including, line, path.column, "standard input cannot be included");
    if (active_.size() > max_include_depth)
      return error(including, line, column, "included too deeply: does a file include itself?");
    const std::string resolved = beside(including.source.name(), path.text);
    std::string problem;
    const auto index = loaded(resolved, problem);
    if (!index) return error(including, line, path.column, std::move(problem));
    if (std::ranges::find(active_, *index) != active_.end())
      return error(including, line, path.column, fmt::format("'{}' includes itself", resolved));
    file(*index);
  }

  /// The index of a file in sources_; it is read the first time.
  std::optional<std::uint32_t> loaded(const std::string& path, std::string& problem) {
    if (const auto known = index_of_.find(path); known != index_of_.end()) return known->second;
    if (assembly_.files.size() >= options_.max_files) {
      problem = fmt::format("more than {} files", options_.max_files);
      return std::nullopt;
    }
    LoadedText result = options_.load ? options_.load(path) : LoadedText{{}, "no file can be included here"};
    if (!result.text) {
      problem = fmt::format("cannot read '{}': {}", path, result.problem);
      return std::nullopt;
    }
    text_bytes_ += result.text->size();
    if (text_bytes_ > options_.max_text_bytes) {
      exhausted_ = true;
      problem = too_much_text();
      return std::nullopt;
    }
    texts_.push_back(std::move(*result.text));
    sources_.emplace_back(path, texts_.back());
    assembly_.files.push_back(path);
    return index_of_.emplace(path, static_cast<std::uint32_t>(sources_.size() - 1)).first->second;
  }

  struct RepeatHeader {
    std::int64_t count = 0;
    std::optional<std::string> counter = {};
  };

  /// COUNT [, NAME] behind .rept, or nothing after reporting what is wrong.
  std::optional<RepeatHeader> repeat_header(const File& file, std::size_t line, TokenCursor& cursor) {
    const unsigned column = cursor.peek().column;
    RepeatHeader header;
    const auto count = value(file, line, cursor);
    if (!count) return std::nullopt;
    header.count = *count;
    if (cursor.take_if(",")) {
      const Token name = cursor.take();
      if (name.kind != Token::Kind::name) {
        error(file, line, name.column, "expected .rept COUNT, NAME");
        return std::nullopt;
      }
      header.counter = std::string(name.text);
    }
    if (!expect_end(file, line, cursor)) return std::nullopt;
    if (header.count < 0 || header.count > static_cast<std::int64_t>(options_.max_words)) {
      error(file, line, column,
            fmt::format("cannot repeat {} times; expected 0 to {}", header.count, options_.max_words));
      return std::nullopt;
    }
    return header;
  }

  /// Runs the body of the .rept at `line`; returns the line of its .endr.
  std::size_t repeat(const File& file, std::size_t line, std::size_t end, TokenCursor& cursor, std::size_t depth) {
    const unsigned column = cursor.take().column;
    const auto endr = file.source.endr_of(line);
    if (!endr) {
      error(file, line, column, ".rept without .endr");
      return end;
    }
    if (depth >= max_repeat_depth) {
      error(file, line, column, ".rept nested too deeply");
      return *endr;
    }
    if (const auto header = repeat_header(file, line, cursor)) repeat_body(file, line, *endr, *header, depth);
    return *endr;
  }

  void repeat_body(const File& file, std::size_t line, std::size_t endr, const RepeatHeader& header,
                   std::size_t depth) {
    std::optional<std::int64_t> outer;  // what the counter's name meant before
    if (header.counter)
      if (const auto found = constants_.find(*header.counter); found != constants_.end()) outer = found->second;
    const std::size_t errors_before = errors_;
    for (std::int64_t i = 0; i < header.count && errors_ == errors_before && !stopped(); ++i) {
      if (!step(file, line)) break;
      if (header.counter) constants_.insert_or_assign(*header.counter, i);
      block(file, line + 1, endr, depth + 1);
    }
    if (!header.counter) return;
    if (outer)
      constants_.insert_or_assign(*header.counter, *outer);
    else
      constants_.erase(*header.counter);
  }

  Arch arch_;
  const AssembleOptions& options_;
  Assembly assembly_;
  Constants constants_;
  std::deque<std::string> texts_;  // of included files; deques, because the lines point into them
  std::deque<SourceText> sources_;
  std::map<std::string, std::uint32_t> index_of_;  // into sources_ and Assembly::files, by path
  std::vector<std::uint32_t> active_;              // the files being assembled, each included by the one before it
  std::set<std::tuple<Diagnostic::Severity, std::uint32_t, std::size_t, unsigned>> reported_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::size_t text_bytes_ = 0;
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
