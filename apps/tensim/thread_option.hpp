// --threads: how many threads of the host run a chip.
#pragma once

#include <optional>
#include <string>
#include <thread>

#include "commands.hpp"
#include "input.hpp"

namespace tensim::command {

inline constexpr int most_threads = 256;

inline std::string check_threads(const std::string& text) {
  if (text == "auto") return "";
  const bool is_number = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos;
  const int count = is_number ? std::stoi(text) : 0;
  return count >= 1 && count <= most_threads ? "" : "expected a number up to 256, or auto";
}

class ThreadOption {
 public:
  void add_to(CLI::App& command) {
    command
        .add_option("--threads", text_,
                    "threads of the host that run several tiles: a number, or auto; the result is the same")
        ->check(check_threads);
  }
  /// As the C interface takes it.
  int count() const {
    return text_ == "auto" ? static_cast<int>(std::thread::hardware_concurrency()) : std::stoi(text_);
  }

 private:
  std::string text_ = "1";
};

}  // namespace tensim::command
