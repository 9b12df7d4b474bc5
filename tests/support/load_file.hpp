// Reads files that scenarios name.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "scenario/scenario.hpp"

namespace tensim {

inline isa::LoadedText load_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return {std::nullopt, "cannot be read"};
  return {std::string{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}, {}};
}

}  // namespace tensim
