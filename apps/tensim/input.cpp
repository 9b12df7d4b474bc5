#include "input.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "handle.hpp"

namespace tensim::command {

Input read_input(const std::string& path, std::size_t max_bytes) {
  const bool is_file = path != "-";
  std::error_code ignored;
  if (is_file && std::filesystem::is_directory(path, ignored)) return {{}, "it is a directory"};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> owned(is_file ? std::fopen(path.c_str(), "rb") : nullptr,
                                                              [](std::FILE* f) { return f ? std::fclose(f) : 0; });
  std::FILE* file = is_file ? owned.get() : stdin;
  if (file == nullptr) return {{}, std::strerror(errno)};
  const std::string too_large = fmt::format("it has more than {} bytes", max_bytes);
  std::string content;
  if (const auto size = is_file ? std::filesystem::file_size(path, ignored) : 0; is_file && !ignored) {
    if (size > max_bytes) return {{}, too_large};
    content.reserve(size);  // growing by doubling would take twice the memory
  }
  char buffer[1 << 16];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file)) {
    content.append(buffer, got);
    if (content.size() > max_bytes) return {{}, too_large};
  }
  if (std::ferror(file) != 0) return {{}, std::strerror(errno)};
  return {std::move(content), {}};
}

int load_into(const std::string& path, std::size_t max_bytes, tensim_text* content) {
  const Input input = read_input(path, max_bytes);
  const std::string& text = input.content ? *input.content : input.problem;
  checked(tensim_text_append(content, text.data(), text.size()));
  return input.content ? 0 : 1;
}

}  // namespace tensim::command
