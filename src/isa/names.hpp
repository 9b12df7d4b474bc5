// When two spellings are one name: whatever their case, with or without underscores. The vendor writes unpacr_nop,
// UNPACR_NOP and unpacrnop.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tensim::isa {

constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool is_same_name(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (true) {
    while (i < a.size() && a[i] == '_')
      ++i;
    while (j < b.size() && b[j] == '_')
      ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (upper(a[i++]) != upper(b[j++])) return false;
  }
}

/// Equal for names that are the same.
inline std::string normalised(std::string_view name) {
  std::string key;
  for (const char c : name)
    if (c != '_') key.push_back(upper(c));
  return key;
}

}  // namespace tensim::isa
