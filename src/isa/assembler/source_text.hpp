// The text of one source file, cut into lines once, with every .rept matched to its .endr.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tensim::isa {

class SourceText {
 public:
  SourceText(std::string name, std::string_view text);

  const std::string& name() const { return name_; }
  std::size_t line_count() const { return starts_.size(); }
  /// Counted from 0, without its line end.
  std::string_view line(std::size_t index) const;
  /// The line of the .endr that ends the .rept on `line`.
  std::optional<std::size_t> endr_of(std::size_t line) const;

 private:
  std::string name_;
  std::string_view text_;
  std::vector<std::uint32_t> starts_;  // offsets: a file of many short lines must stay small
  std::unordered_map<std::uint32_t, std::uint32_t> endr_of_rept_;
};

}  // namespace tensim::isa
