#include "gdb_run.hpp"

#include <fmt/format.h>

#include "debug/gdb_session.hpp"
#include "host/tile_run.hpp"
#include "loopback_server.hpp"
#include "output.hpp"

namespace tensim::command {
namespace {

host::Outcome outcome_of(const host::Scenario& scenario, debug::GdbSession& session, tile::Tile& into) {
  debug::Debugger& debugger = session.debugger();
  auto halt = debugger.halt();
  if (!halt && session.end() == debug::GdbSession::End::detached) halt = debugger.run_to_end();
  into = halt ? debugger.ended_tile() : debugger.tile();
  return halt ? host::outcome_of(scenario, into, *halt) : host::outcome_of_interrupted(scenario, into);
}

}  // namespace

std::variant<host::Outcome, std::string> run_under_gdb(const host::Scenario& scenario, const host::RunOptions& options,
                                                       std::uint16_t port, tile::Tile& into) {
  const auto made = make_tile(scenario, options);
  if (const auto* problem = std::get_if<std::string>(&made)) return host::outcome_of_problem(*problem);
  auto listening = LoopbackServer::listen(port);
  if (auto* problem = std::get_if<std::string>(&listening)) return *problem;
  auto& server = std::get<LoopbackServer>(listening);
  print_error(fmt::format("tensim: waiting for gdb: target remote 127.0.0.1:{}\n", server.port()));
  debug::GdbSession session(scenario, *std::get<std::unique_ptr<tile::Tile>>(made),
                            options.budget.value_or(scenario.budget));
  server.serve(session);
  return outcome_of(scenario, session, into);
}

}  // namespace tensim::command
