#include "reference/server.hpp"

#include <algorithm>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

#include "arch/debug_registers.hpp"
#include "reference/library.hpp"
#include "tensix/registers/dst.hpp"

namespace tensim::reference {
namespace {

// The debug port on register arrays; Dst is array 2. Names: tt-metal tensix.h.
constexpr std::uint32_t array_read_enable = 0xFFB12060;
constexpr std::uint32_t array_read_command = 0xFFB12064;
constexpr std::uint32_t array_read_data = 0xFFB1206C;
constexpr std::uint32_t dst_array = 2U << 16U;
constexpr unsigned words_per_row = tensix::Dst::columns / 2;
constexpr unsigned word_shift = 12;

class Server {
 public:
  Server(const Device& device, int socket, std::span<std::uint8_t> shared)
      : device_(device), socket_(socket), shared_(shared) {}

  [[noreturn]] void run() {
    for (;;) {
      Request request;
      if (recv(socket_, &request, sizeof request, MSG_WAITALL) != sizeof request) _exit(0);
      const Response response = answer(request);
      if (send(socket_, &response, sizeof response, MSG_NOSIGNAL) != sizeof response) _exit(0);
    }
  }

 private:
  Response answer(const Request& request) {
    switch (request.operation) {
      case Operation::read: device_.read(request.address, shared_.data(), request.count); return {};
      case Operation::write: device_.write(request.address, shared_.data(), request.count); return {};
      case Operation::clock: clock(request.clocks); return {.clocks = request.clocks};
      case Operation::run_until: return run_until(request);
      case Operation::read_dst: read_dst(request.address, request.count); return {};
    }
    return {.failed = true};
  }

  void clock(std::uint64_t clocks) {
    constexpr std::uint64_t at_once = 1U << 20;
    for (; clocks > 0; clocks -= std::min(clocks, at_once))
      device_.clock(static_cast<std::uint32_t>(std::min(clocks, at_once)));
  }

  bool all_met(std::uint32_t count) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      Condition condition;
      std::memcpy(&condition, shared_.data() + i * sizeof condition, sizeof condition);
      if (device_.read_word(condition.address) != condition.value) return false;
    }
    return true;
  }

  Response run_until(const Request& request) {
    for (std::uint64_t clocks = 0;; ++clocks) {
      if (all_met(request.count)) return {.met = true, .clocks = clocks};
      if (clocks == request.clocks) return {.met = false, .clocks = clocks};
      device_.clock(1);
    }
  }

  void read_dst(std::uint32_t first_row, std::uint32_t rows) {
    device_.write_word(array_read_enable, 1);
    std::uint8_t* to = shared_.data();
    for (std::uint32_t row = first_row; row < first_row + rows; ++row)
      for (std::uint32_t word = 0; word < words_per_row; ++word, to += sizeof word) {
        device_.write_word(array_read_command, dst_array | word << word_shift | row);
        const std::uint32_t value = device_.read_word(array_read_data);
        std::memcpy(to, &value, sizeof value);
      }
    device_.write_word(array_read_enable, 0);
  }

  Device device_;
  int socket_;
  std::span<std::uint8_t> shared_;
};

[[noreturn]] void give_up(const Error& error, int socket, std::span<std::uint8_t> shared) {
  const std::size_t length = std::min(error.text.size(), shared.size() - 1);
  std::memcpy(shared.data(), error.text.data(), length);
  shared[length] = 0;
  const Response response{.failed = true, .kind = error.kind};
  const bool sent = send(socket, &response, sizeof response, MSG_NOSIGNAL) == sizeof response;
  _exit(sent ? 0 : 1);
}

}  // namespace

void serve(const OpenOptions& options, int socket, std::span<std::uint8_t> shared) {
  const auto library = open_library(options.library);
  if (const auto* error = std::get_if<Error>(&library)) give_up(*error, socket, shared);
  const auto device = Device::open(std::get<Interface>(library), options.arch, options.tile);
  if (const auto* error = std::get_if<Error>(&device)) give_up(*error, socket, shared);
  const Response ready;
  if (send(socket, &ready, sizeof ready, MSG_NOSIGNAL) != sizeof ready) _exit(0);
  Server(std::get<Device>(device), socket, shared).run();
}

}  // namespace tensim::reference
