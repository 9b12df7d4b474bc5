#include "reference/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/server.hpp"

namespace tensim::reference {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_output_bytes = 4096;
constexpr std::size_t shown_lines = 5;

Error system_error(std::string_view what) {
  return {ErrorKind::system, fmt::format("{}: {}", what, std::strerror(errno))};
}

/// The last lines, without the end of the last.
std::string last_lines(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::size_t start = text.size();
  for (std::size_t line = 0; line < shown_lines && start != std::string::npos && start > 0; ++line)
    start = text.rfind('\n', start - 1);
  return start == std::string::npos || start == 0 ? text : text.substr(start + 1);
}

std::string describe_end(int status) {
  if (WIFEXITED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  return "for an unknown reason";
}

/// In the child: what the library prints goes to `output`, unbuffered, because _Exit drops buffers.
[[noreturn]] void become_server(const OpenOptions& options, int socket, int output, std::span<std::uint8_t> shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close(output);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (std::setvbuf(stdout, nullptr, _IONBF, 0) != 0) _exit(1);
  serve(options, socket, shared);
}

}  // namespace

std::variant<Child, Error> Child::start(const OpenOptions& options) {
  Child child;
  child.time_limit_ = options.time_limit;
  void* memory = mmap(nullptr, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return system_error("shared memory");
  child.shared_ = static_cast<std::uint8_t*>(memory);
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) return system_error("socketpair");
  child.socket_ = sockets[0];
  std::array<int, 2> pipes{};
  if (pipe2(pipes.data(), O_CLOEXEC) != 0) {
    close(sockets[1]);
    return system_error("pipe");
  }
  child.output_ = pipes[0];
  static_cast<void>(std::fflush(nullptr));  // what is buffered must not be written twice
  child.process_ = fork();
  if (child.process_ == 0) {
    close(sockets[0]);
    close(pipes[0]);
    become_server(options, sockets[1], pipes[1], child.shared());
  }
  close(sockets[1]);
  close(pipes[1]);
  if (child.process_ < 0) return system_error("fork");
  fcntl(child.output_, F_SETFL, O_NONBLOCK);
  auto opened = child.wait_for_response();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  return child;
}

Child::Child(Child&& other) noexcept {
  *this = std::move(other);
}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  release();
  shared_ = std::exchange(other.shared_, nullptr);
  socket_ = std::exchange(other.socket_, -1);
  output_ = std::exchange(other.output_, -1);
  process_ = std::exchange(other.process_, -1);
  printed_ = std::move(other.printed_);
  time_limit_ = other.time_limit_;
  return *this;
}

Child::~Child() {
  release();
}

std::variant<Response, Error> Child::ask(const Request& request) {
  if (process_ <= 0) return Error{ErrorKind::ended, "the reference has ended before"};
  if (send(socket_, &request, sizeof request, MSG_NOSIGNAL) != sizeof request) return end(ErrorKind::ended);
  return wait_for_response();
}

std::variant<Response, Error> Child::wait_for_response() {
  const auto deadline = Clock::now() + time_limit_;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return end(ErrorKind::timed_out);
    std::array<pollfd, 2> sources{{{socket_, POLLIN, 0}, {output_, POLLIN, 0}}};
    // An output that is at its end would wake us for ever.
    const int ready = poll(sources.data(), output_ >= 0 ? 2 : 1, static_cast<int>(std::min<long>(left, 1000)));
    if (ready < 0 && errno != EINTR) return end(ErrorKind::system);
    if (sources[1].revents != 0) drain_output();
    if (ready <= 0 || sources[0].revents == 0) continue;
    Response response;
    if (recv(socket_, &response, sizeof response, MSG_WAITALL) != sizeof response) return end(ErrorKind::ended);
    if (!response.failed) return response;
    const auto* text = reinterpret_cast<const char*>(shared_);
    return Error{response.kind, std::string(text, strnlen(text, shared_bytes))};
  }
}

/// The child is gone, or goes now.
Error Child::end(ErrorKind kind) {
  if (kind != ErrorKind::ended) kill(process_, SIGKILL);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  drain_output();
  const std::string printed = last_lines(printed_);
  const std::string what = kind == ErrorKind::timed_out
                               ? fmt::format("the reference did not come back within {} ms", time_limit_.count())
                               : fmt::format("the reference ended with {}", describe_end(status));
  return {kind, printed.empty() ? what : fmt::format("{}: {}", what, printed)};
}

void Child::drain_output() {
  if (output_ < 0) return;
  std::array<char, kept_output_bytes> buffer{};
  ssize_t got = 0;
  while ((got = ::read(output_, buffer.data(), buffer.size())) > 0) {
    printed_.append(buffer.data(), static_cast<std::size_t>(got));
    if (printed_.size() > kept_output_bytes) printed_.erase(0, printed_.size() - kept_output_bytes);
  }
  if (got == 0) close(std::exchange(output_, -1));
}

void Child::release() noexcept {
  if (socket_ >= 0) close(socket_);
  if (output_ >= 0) close(output_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (shared_ != nullptr) munmap(shared_, shared_bytes);
  socket_ = output_ = process_ = -1;
  shared_ = nullptr;
}

}  // namespace tensim::reference
