// Debug information, byte by byte.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tensim::test {

using Bytes = std::vector<std::uint8_t>;

/// One by one: GCC 12 sees insert() read beyond short lists.
inline void append(Bytes& bytes, const Bytes& more) {
  for (const std::uint8_t byte : more)
    bytes.push_back(byte);
}

inline void append_word(Bytes& bytes, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i)
    bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

inline Bytes zero_ended(std::string_view string) {
  Bytes bytes(string.begin(), string.end());
  bytes.push_back(0);
  return bytes;
}

/// A line table whose special opcodes advance by one instruction for every line_range of 4.
inline Bytes line_table(std::uint8_t version, const Bytes& names, const Bytes& program, std::uint8_t line_range = 4) {
  Bytes head{4};
  if (version >= 4) head.push_back(1);
  append(head, {1, 0, line_range, 10});
  append(head, {0, 1, 1, 1, 1, 0, 0, 0, 1});
  append(head, names);
  Bytes body{version, 0};
  if (version == 5) append(body, {4, 0});
  append_word(body, static_cast<std::uint32_t>(head.size()));
  append(body, head);
  append(body, program);
  Bytes unit;
  append_word(unit, static_cast<std::uint32_t>(body.size()));
  append(unit, body);
  return unit;
}

inline Bytes names_4(std::string_view directory, std::string_view file) {
  Bytes names = zero_ended(directory);
  append(names, {0});
  append(names, zero_ended(file));
  append(names, {1, 0, 0, 0});
  return names;
}

/// Directories and files, each with a path in the table and, for files, the index of a directory.
inline Bytes names_5(std::string_view build, std::string_view directory, std::string_view file) {
  Bytes names{1, 1, 8, 2};
  append(names, zero_ended(build));
  append(names, zero_ended(directory));
  append(names, {2, 1, 8, 2, 11, 2});
  append(names, zero_ended(file));
  append(names, {0});
  append(names, zero_ended(file));
  append(names, {1});
  return names;
}

}  // namespace tensim::test
