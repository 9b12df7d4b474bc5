#include "tensim/debug.h"

#include <optional>
#include <utility>

#include "capi/boundary.hpp"
#include "capi/run_handles.hpp"
#include "debug/gdb_session.hpp"
#include "report/expected_texts.hpp"
#include "scenario/tile_run.hpp"

using namespace tensim;
using capi::guarded;
using debug::GdbSession;

struct tensim_gdb_session {
  std::shared_ptr<const scenario::Scenario> scenario;
  std::unique_ptr<GdbSession> session;
};

namespace {

explain::Outcome outcome_of(tensim_gdb_session& handle, tile::Tile& tile) {
  debug::Debugger& debugger = handle.session->debugger();
  auto halt = debugger.halt();
  if (!halt && handle.session->end() == GdbSession::End::detached) halt = debugger.run_to_end();
  tile = halt ? debugger.ended_tile() : debugger.tile();
  if (!halt) return scenario::outcome_of_interrupted(*handle.scenario, tile);
  explain::Outcome outcome = scenario::outcome_of(*handle.scenario, tile, *halt);
  report::check_texts(*handle.scenario, outcome);
  return outcome;
}

}  // namespace

extern "C" {

TENSIM_EXPORT tensim_status tensim_gdb_create(const tensim_scenario* scenario, tensim_gdb_session** session) {
  if (session == nullptr) return TENSIM_BAD_ARGUMENT;
  *session = nullptr;
  if (tensim_scenario_runs_cores(scenario) == 0 || tensim_scenario_runs_chip(scenario) != 0) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    auto made = std::make_unique<tensim_gdb_session>();
    made->scenario = scenario->scenario;
    auto tile = scenario::make_tile(*made->scenario, {});
    // What does not fit has been refused when the scenario was made.
    if (std::holds_alternative<std::string>(tile)) return TENSIM_INTERNAL_ERROR;
    made->session = std::make_unique<GdbSession>(*made->scenario, *std::get<std::unique_ptr<tile::Tile>>(tile),
                                                 made->scenario->budget);
    *session = made.release();
    return TENSIM_OK;
  });
}

TENSIM_EXPORT void tensim_gdb_free(tensim_gdb_session* session) {
  delete session;
}

TENSIM_EXPORT tensim_status tensim_gdb_receive(tensim_gdb_session* session, const void* bytes, size_t size) {
  if (session == nullptr || (bytes == nullptr && size != 0)) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    session->session->receive({static_cast<const char*>(bytes), size});
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_gdb_take_output(tensim_gdb_session* session, tensim_text** output) {
  return capi::new_text(output, session != nullptr, [&] { return session->session->take_output(); });
}

TENSIM_EXPORT int tensim_gdb_is_running(const tensim_gdb_session* session) {
  return session != nullptr && session->session->is_running() ? 1 : 0;
}

TENSIM_EXPORT tensim_status tensim_gdb_advance(tensim_gdb_session* session) {
  if (session == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    if (tensim_gdb_is_running(session) != 0) session->session->advance();
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_gdb_end tensim_gdb_how_ended(const tensim_gdb_session* session) {
  if (session == nullptr) return TENSIM_GDB_EXITED;
  switch (session->session->end()) {
    case GdbSession::End::not_yet: return TENSIM_GDB_NOT_YET;
    case GdbSession::End::exited: return TENSIM_GDB_EXITED;
    case GdbSession::End::detached: return TENSIM_GDB_DETACHED;
    case GdbSession::End::killed: return TENSIM_GDB_KILLED;
  }
  return TENSIM_GDB_EXITED;
}

TENSIM_EXPORT tensim_status tensim_gdb_result(tensim_gdb_session* session, tensim_result** result) {
  if (result == nullptr) return TENSIM_BAD_ARGUMENT;
  *result = nullptr;
  if (session == nullptr) return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    auto made = std::make_unique<tensim_result>();
    made->scenario = session->scenario;
    made->tile = std::make_unique<tile::Tile>(session->scenario->arch);
    made->outcome = outcome_of(*session, *made->tile);
    *result = made.release();
    return TENSIM_OK;
  });
}

}  // extern "C"
