#include "loopback_server.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tensim::command {
namespace {

constexpr int at_once = 0;
constexpr int for_ever = -1;
// A client that does not hang up after the end is not waited for longer.
constexpr int farewell_ms = 2000;

/// Whether there is something to read, or the other side is gone, within the time.
bool is_readable(const Descriptor& socket, int timeout_ms) {
  pollfd state{.fd = socket.value(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do
    ready = poll(&state, 1, timeout_ms);
  while (ready < 0 && errno == EINTR);
  return ready != 0;
}

/// Empty when the other side is gone.
std::string receive(const Descriptor& socket) {
  std::array<char, 4096> buffer{};
  ssize_t got = 0;
  do
    got = recv(socket.value(), buffer.data(), buffer.size(), 0);
  while (got < 0 && errno == EINTR);
  return got <= 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(got));
}

/// False when the other side is gone.
bool send_all(const Descriptor& socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Descriptor accept_client(const Descriptor& listener) {
  int client = -1;
  do
    client = accept(listener.value(), nullptr, nullptr);
  while (client < 0 && (errno == EINTR || errno == ECONNABORTED));
  const int on = 1;
  if (client >= 0) setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return Descriptor(client);
}

/// False when the other side is gone.
bool send_output(const Descriptor& client, const GdbSession& session) {
  Text output;
  checked(tensim_gdb_take_output(session.get(), output.place()));
  return send_all(client, view(output));
}

/// False when the other side is gone.
bool exchange_bytes(const Descriptor& client, const GdbSession& session) {
  if (!send_output(client, session)) return false;
  if (!is_readable(client, tensim_gdb_is_running(session.get()) != 0 ? at_once : for_ever)) {
    checked(tensim_gdb_advance(session.get()));
    return true;
  }
  const std::string bytes = receive(client);
  checked(tensim_gdb_receive(session.get(), bytes.data(), bytes.size()));
  return !bytes.empty();
}

/// Lets the last packets arrive: closing a socket with something unread in it would take them back.
void say_farewell(const Descriptor& client) {
  shutdown(client.value(), SHUT_WR);
  while (is_readable(client, farewell_ms) && !receive(client).empty()) {
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (is_open()) close(value_);
}

std::variant<LoopbackServer, std::string> LoopbackServer::listen(std::uint16_t port) {
  const auto problem = [&] { return fmt::format("cannot listen on 127.0.0.1:{}: {}", port, std::strerror(errno)); };
  Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.is_open()) return problem();
  const int on = 1;
  setsockopt(listener.value(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (bind(listener.value(), any, size) != 0 || ::listen(listener.value(), 1) != 0 ||
      getsockname(listener.value(), any, &size) != 0)
    return problem();
  return LoopbackServer(std::move(listener), ntohs(address.sin_port));
}

void LoopbackServer::serve(const GdbSession& session) {
  const Descriptor client = accept_client(listener_);
  listener_ = Descriptor();
  if (!client.is_open()) return;
  while (tensim_gdb_how_ended(session.get()) == TENSIM_GDB_NOT_YET)
    if (!exchange_bytes(client, session)) return;
  if (send_output(client, session)) say_farewell(client);
}

}  // namespace tensim::command
