#include "gdb_run.hpp"

#include <fmt/format.h>

#include "loopback_server.hpp"
#include "output.hpp"

namespace tensim::command {
namespace {

/// Empty, or why nobody can connect.
std::string serve(std::uint16_t port, const GdbSession& session) {
  auto listening = LoopbackServer::listen(port);
  if (auto* problem = std::get_if<std::string>(&listening)) return *problem;
  auto& server = std::get<LoopbackServer>(listening);
  print_error(fmt::format("tensim: waiting for gdb: target remote 127.0.0.1:{}\n", server.port()));
  server.serve(session);
  return "";
}

}  // namespace

std::string run_under_gdb(const Scenario& scenario, std::uint16_t port, Result& result) {
  GdbSession session;
  checked(tensim_gdb_create(scenario.get(), session.place()));
  if (const std::string problem = serve(port, session); !problem.empty()) return problem;
  checked(tensim_gdb_result(session.get(), result.place()));
  return "";
}

}  // namespace tensim::command
