// Part of gdb_session.hpp: breakpoints, watchpoints, going on and stepping.
#include "debug/gdb_session.hpp"
#include "debug/memory.hpp"
#include "debug/registers.hpp"
#include "debug/thread_choice.hpp"

namespace tensim::debug {

using tile::CoreId;

namespace {

/// "type,address,kind": kind is the number of bytes of a watchpoint. What may follow (conditions) was not offered.
struct Point {
  unsigned type = 0;
  std::uint32_t address = 0;
  std::uint32_t kind = 0;

  bool is_breakpoint() const { return type <= 1; }
  Watchpoint watchpoint() const {
    return {.kind = static_cast<Watchpoint::Kind>(type - 2), .address = address, .bytes = kind};
  }
};

std::optional<Point> point_of(std::string_view text) {
  constexpr unsigned last_type = 4;
  const auto type = take_number(text);
  const bool has_address = take_prefix(text, ",");
  const auto address = take_number(text);
  const bool has_kind = take_prefix(text, ",");
  const auto kind = take_number(text);
  if (!type || *type > last_type || !has_address || !address || !has_kind || !kind) return std::nullopt;
  return Point{*type, *address, *kind};
}

/// What a list of actions amounts to, where all go or none do.
struct Actions {
  bool goes = false;
  bool is_wrong = false;
  std::optional<CoreId> step;
};

/// "s:2", "c", "C05:1", "t".
void add_action(Actions& actions, std::string_view text, CoreId default_core) {
  const std::size_t colon = text.find(':');
  const auto choice = colon == std::string_view::npos ? ThreadChoice{} : thread_choice(text.substr(colon + 1));
  const char action = text.empty() ? '\0' : text.front();
  if (!choice || std::string_view("cCsSt").find(action) == std::string_view::npos) {
    actions.is_wrong = true;
    return;
  }
  actions.goes = actions.goes || action != 't';
  if ((action == 's' || action == 'S') && !actions.step) actions.step = choice->core.value_or(default_core);
}

Actions actions_of(std::string_view text, CoreId default_core) {
  Actions actions;
  while (!actions.is_wrong) {
    const std::size_t end = text.find(';');
    add_action(actions, text.substr(0, end), default_core);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return actions;
}

/// Behind "05;" is an address; the signal itself means nothing to a core.
std::string_view without_signal(std::string_view text) {
  const std::size_t end = text.find(';');
  return end == std::string_view::npos ? "" : text.substr(end + 1);
}

}  // namespace

void GdbSession::add_point(std::string_view arguments) {
  const auto point = point_of(arguments);
  if (!point) return send_error();
  if (point->is_breakpoint()) return send(debugger_.add_breakpoint(point->address) ? "OK" : "E01");
  Watchpoint watchpoint = point->watchpoint();
  if (is_private(scenario_.arch, general_, point->address)) watchpoint.core = general_;
  send(debugger_.add_watchpoint(watchpoint) ? "OK" : "E01");
}

void GdbSession::remove_point(std::string_view arguments) {
  const auto point = point_of(arguments);
  if (!point) return send_error();
  if (point->is_breakpoint())
    debugger_.remove_breakpoint(point->address);
  else
    debugger_.remove_watchpoint(point->watchpoint());
  send("OK");
}

void GdbSession::resume(std::optional<CoreId> step) {
  is_running_ = true;
  debugger_.resume(step);
}

/// From `address`, if there is one.
void GdbSession::go(std::string_view address, std::optional<CoreId> step) {
  if (!address.empty()) {
    const auto pc = whole_number(address);
    if (!pc) return send_error();
    write_register(debugger_.change(), continued_, pc_register, *pc);
  }
  resume(step);
}

void GdbSession::continue_run(std::string_view arguments) {
  go(arguments, std::nullopt);
}

void GdbSession::continue_with_signal(std::string_view arguments) {
  go(without_signal(arguments), std::nullopt);
}

void GdbSession::step(std::string_view arguments) {
  go(arguments, continued_);
}

void GdbSession::step_with_signal(std::string_view arguments) {
  go(without_signal(arguments), continued_);
}

void GdbSession::tell_actions(std::string_view) {
  send("vCont;c;C;s;S;t");
}

void GdbSession::take_actions(std::string_view arguments) {
  const Actions actions = actions_of(arguments, continued_);
  if (actions.is_wrong) return send_error();
  if (!actions.goes) return stop_with({.kind = Stop::Kind::interrupted, .core = continued_});
  if (actions.step) continued_ = *actions.step;
  resume(actions.step);
}

}  // namespace tensim::debug
