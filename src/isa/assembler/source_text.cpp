#include "isa/assembler/source_text.hpp"

#include "isa/assembler/lexer.hpp"

namespace tensim::isa {

SourceText::SourceText(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {
  for (std::size_t at = 0; at < text.size();) {
    starts_.push_back(static_cast<std::uint32_t>(at));
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < starts_.size(); ++i) {
    const std::string_view name_of_line = leading_name(line(i));
    if (name_of_line == ".rept") open.push_back(i);
    if (name_of_line != ".endr" || open.empty()) continue;
    endr_of_rept_.emplace(open.back(), i);
    open.pop_back();
  }
}

std::string_view SourceText::line(std::size_t index) const {
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] : text_.size();
  std::string_view line = text_.substr(starts_[index], end - starts_[index]);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::optional<std::size_t> SourceText::endr_of(std::size_t line) const {
  const auto found = endr_of_rept_.find(static_cast<std::uint32_t>(line));
  if (found == endr_of_rept_.end()) return std::nullopt;
  return found->second;
}

}  // namespace tensim::isa
