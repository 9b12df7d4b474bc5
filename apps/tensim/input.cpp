#include "input.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace tensim::command {

std::optional<std::string> read_input(const std::string& path) {
  constexpr std::size_t limit = std::size_t{1} << 30U;
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> owned(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"),
                                                              [](std::FILE* f) { return f ? std::fclose(f) : 0; });
  std::FILE* file = path == "-" ? stdin : owned.get();
  if (file == nullptr) return std::nullopt;
  std::string content;
  char buffer[1 << 16];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) {
    content.append(buffer, got);
    if (content.size() > limit) return std::nullopt;
  }
  if (std::ferror(file) != 0) return std::nullopt;
  return content;
}

}  // namespace tensim::command
