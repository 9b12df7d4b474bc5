// Runs the command as a user does.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/places.hpp"

namespace tensim::test {

struct Outcome {
  int exit_code = -1;
  std::string output;  // standard output and, unless redirected, standard error
};

/// A file that is gone when the test is done with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, const std::string& content = "")
      : path_(testing::TempDir() + "/" + name + "." + std::to_string(getpid())) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline Outcome run(const std::string& arguments, const std::string& input = "",
                   const std::string& redirection = "2>&1") {
  const TemporaryFile input_file("tensim_command_input", input);
  Outcome outcome;
  std::FILE* pipe =
      popen((TENSIM_COMMAND " " + arguments + " < " + input_file.path() + " " + redirection).c_str(), "r");
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, got);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tensim::test
