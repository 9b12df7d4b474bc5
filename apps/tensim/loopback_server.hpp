// Serves a debugging session to one client, over TCP on this machine alone.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "handle.hpp"

namespace tensim::command {

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  int value() const { return value_; }
  bool is_open() const { return value_ >= 0; }

 private:
  int value_;
};

class LoopbackServer {
 public:
  /// On 127.0.0.1; port 0 lets the system choose one. Or why it cannot be done.
  static std::variant<LoopbackServer, std::string> listen(std::uint16_t port);

  std::uint16_t port() const { return port_; }
  /// Waits for a client and serves it until the session is over, or the client is gone. Afterwards nobody listens.
  void serve(const GdbSession& session);

 private:
  LoopbackServer(Descriptor listener, std::uint16_t port) : listener_(std::move(listener)), port_(port) {}

  Descriptor listener_;
  std::uint16_t port_;
};

}  // namespace tensim::command
