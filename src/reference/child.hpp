// The process that a reference library lives in. The library ends its process when it does not like something, and may
// never come back from a call: the child's end is an error value here, with the last lines it printed, and a child that
// is late is killed. Requests go over a socket, bytes through memory that both processes share.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "arch/arch.hpp"
#include "reference/device_map.hpp"
#include "reference/error.hpp"

namespace tensim::reference {

struct OpenOptions {
  std::string library;
  Arch arch = Arch::blackhole;
  std::optional<Coordinates> tile = std::nullopt;  // the first Tensix tile if left out
  std::chrono::milliseconds time_limit{60'000};    // for one request
};

enum class Operation : std::uint8_t { read, write, clock, run_until, read_dst };

struct Request {
  Operation operation = Operation::clock;
  std::uint32_t address = 0;
  std::uint32_t count = 0;  // bytes, conditions or rows
  std::uint64_t clocks = 0;
};

struct Response {
  bool failed = false;  // then the shared memory has a text
  ErrorKind kind = ErrorKind::system;
  bool met = false;
  std::uint64_t clocks = 0;
};

/// A word and the value it has to have.
struct Condition {
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

/// As large as the smallest window: L1 is smaller.
inline constexpr std::uint32_t shared_bytes = 2U << 20;

class Child {
 public:
  static std::variant<Child, Error> start(const OpenOptions& options);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  /// What came of it; after an error of kind `ended` or `timed_out` there is no child any more.
  std::variant<Response, Error> ask(const Request& request);
  std::span<std::uint8_t> shared() { return {shared_, shared_bytes}; }

 private:
  Child() = default;
  std::variant<Response, Error> wait_for_response();
  Error end(ErrorKind kind);
  void drain_output();
  void release() noexcept;

  std::uint8_t* shared_ = nullptr;
  int socket_ = -1;
  int output_ = -1;
  int process_ = -1;
  std::string printed_;  // the end of it
  std::chrono::milliseconds time_limit_{};
};

}  // namespace tensim::reference
