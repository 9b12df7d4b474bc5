#include "scenario/toml_text.hpp"

namespace tensim::scenario {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  std::optional<unsigned> run() {
    while (at_ < text_.size() && !stray_) {
      const char letter = text_[at_];
      if (letter == '#')
        skip_comment();
      else if ((letter == '"' || letter == '\'') && may_open_string())
        skip_string(letter);
      else
        take();
    }
    return stray_;
  }

 private:
  static bool is_ascii(char letter) { return static_cast<unsigned char>(letter) < 0x80; }

  /// Within a bare word the parser takes a quote for a part of it, and reads on.
  bool may_open_string() const {
    return at_ == 0 || std::string_view(" \t\r\n=[{,.").find(text_[at_ - 1]) != std::string_view::npos ||
           !is_ascii(text_[at_ - 1]);  // the byte order mark: anything else was stray
  }

  /// A character that may not be beyond ASCII.
  void take() {
    if (!is_ascii(text_[at_])) stray_ = line_;
    skip();
  }

  void skip() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n')
      ++at_;
  }

  /// A string that is not closed ends with its line, as the parser's patience does.
  void skip_string(char quote) {
    const std::string_view rest = text_.substr(at_);
    const bool long_form = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    at_ += long_form ? 3 : 1;
    while (at_ < text_.size() && !stray_) {
      const char letter = text_[at_];
      if (letter == '\\' && quote == '"') {
        skip_escape();
      } else if (letter == quote && (!long_form || closes(quote))) {
        at_ += long_form ? 3 : 1;
        for (unsigned more = 0; long_form && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more)
          ++at_;  // up to two quotes may stand before the closing ones
        return;
      } else if (letter == '\n' && !long_form) {
        return;
      } else {
        skip();
      }
    }
  }

  bool closes(char quote) const {
    const std::string_view rest = text_.substr(at_);
    return rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
  }

  /// The parser takes white space behind a backslash for a continued line, and looks at what follows it.
  void skip_escape() {
    skip();
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      skip();
    if (at_ < text_.size()) take();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  std::optional<unsigned> stray_;
};

}  // namespace

std::optional<unsigned> stray_character_line(std::string_view text) {
  return Scanner(text).run();
}

}  // namespace tensim::scenario
