#include "debug/gdb_session.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "debug/monitor.hpp"
#include "debug/stop_reply.hpp"

namespace tensim::debug {

using tile::CoreId;
using Kind = PacketReader::Item::Kind;

/// The first prefix that fits is the command, so longer ones come first.
const GdbSession::Command* GdbSession::find(std::string_view payload) {
  static constexpr std::array commands{
      Command{"qSupported", &GdbSession::tell_features},
      Command{"QStartNoAckMode", &GdbSession::stop_acknowledging},
      Command{"qAttached", &GdbSession::tell_attached},
      Command{"qRcmd,", &GdbSession::run_monitor},
      Command{"qfThreadInfo", &GdbSession::tell_threads},
      Command{"qsThreadInfo", &GdbSession::tell_no_more_threads},
      Command{"qThreadExtraInfo,", &GdbSession::tell_extra_info},
      Command{"qXfer:features:read:target.xml:", &GdbSession::tell_target_description},
      Command{"qXfer:threads:read::", &GdbSession::tell_thread_list},
      Command{"qC", &GdbSession::tell_current},
      Command{"vCont?", &GdbSession::tell_actions},
      Command{"vCont;", &GdbSession::take_actions},
      Command{"vKill;", &GdbSession::kill_and_say_so},
      Command{"vMustReplyEmpty", &GdbSession::answer_empty},
      Command{"?", &GdbSession::tell_stop},
      Command{"g", &GdbSession::read_registers},
      Command{"G", &GdbSession::write_registers},
      Command{"p", &GdbSession::read_one_register},
      Command{"P", &GdbSession::write_one_register},
      Command{"m", &GdbSession::read_memory},
      Command{"M", &GdbSession::write_memory},
      Command{"X", &GdbSession::write_binary_memory},
      Command{"Z", &GdbSession::add_point},
      Command{"z", &GdbSession::remove_point},
      Command{"c", &GdbSession::continue_run},
      Command{"C", &GdbSession::continue_with_signal},
      Command{"s", &GdbSession::step},
      Command{"S", &GdbSession::step_with_signal},
      Command{"H", &GdbSession::choose_thread},
      Command{"T", &GdbSession::tell_alive},
      Command{"D", &GdbSession::detach},
      Command{"k", &GdbSession::kill},
  };
  const auto found =
      std::ranges::find_if(commands, [&](const Command& command) { return payload.starts_with(command.prefix); });
  return found == commands.end() ? nullptr : found;
}

GdbSession::GdbSession(const scenario::Scenario& scenario, const tile::Tile& tile, tile::Cycle budget)
    : scenario_(scenario), debugger_(tile, budget) {
  const auto first = std::ranges::find_if(
      tile.cores, [](const riscv::Core& core) { return core.status != riscv::Core::Status::in_reset; });
  if (first != tile.cores.end()) general_ = continued_ = static_cast<CoreId>(first->number);
  last_stop_ = debugger_.interrupt(general_);
  last_stop_.kind = Stop::Kind::stepped;  // a plain trap: nobody interrupted anything
}

// ---- bytes ----

void GdbSession::receive(std::string_view bytes) {
  for (const char byte : bytes) {
    if (end_ != End::not_yet) return;
    if (const auto item = reader_.take(byte)) handle(*item);
  }
}

void GdbSession::handle(const PacketReader::Item& item) {
  switch (item.kind) {
    case Kind::acknowledged: return;
    case Kind::asked_again:
      if (acknowledges_) output_ += last_packet_;
      return;
    case Kind::bad_packet:
      if (acknowledges_) output_ += '-';
      return;
    case Kind::interrupt:
      if (is_running_) stop_with(debugger_.interrupt(continued_));
      return;
    case Kind::packet:
      if (acknowledges_) output_ += '+';
      return handle_packet(item.payload);
  }
}

/// While the tile runs a client waits; all it may do is give up.
void GdbSession::handle_packet(std::string_view payload) {
  const Command* command = find(payload);
  const bool gives_up =
      command != nullptr && (command->handle == &GdbSession::detach || command->handle == &GdbSession::kill ||
                             command->handle == &GdbSession::kill_and_say_so);
  if (is_running_ && !gives_up) return;
  if (command == nullptr) return send("");  // "not supported"
  (this->*command->handle)(payload.substr(command->prefix.size()));
}

void GdbSession::send(std::string_view payload) {
  last_packet_ = framed(payload);
  output_ += last_packet_;
}

void GdbSession::send_error() {
  send("E01");
}

void GdbSession::send_console(std::string_view text) {
  constexpr std::size_t most_letters = most_payload_bytes / 2 - 1;
  for (; !text.empty(); text.remove_prefix(std::min(most_letters, text.size())))
    send("O" + to_hex(text.substr(0, most_letters)));
}

// ---- stopping ----

void GdbSession::advance() {
  if (!is_running()) return;
  if (const auto stop = debugger_.advance()) stop_with(*stop);
}

void GdbSession::stop_with(const Stop& stop) {
  is_running_ = false;
  last_stop_ = stop;
  general_ = continued_ = stop.core;
  send_console(stop_text(scenario_, debugger_, stop));
  const auto code = exit_code(scenario_, debugger_, stop);
  if (!code) return send(stop_reply(debugger_, stop));
  send(fmt::format("W{:02x}", *code));
  end_ = End::exited;
}

// ---- of the session ----

void GdbSession::tell_features(std::string_view) {
  send(fmt::format("PacketSize={:x};QStartNoAckMode+;vContSupported+;qXfer:features:read+;qXfer:threads:read+",
                   most_payload_bytes));
}

void GdbSession::stop_acknowledging(std::string_view) {
  send("OK");
  acknowledges_ = false;
}

/// The run was there before the client: when the client quits, the run goes on.
void GdbSession::tell_attached(std::string_view) {
  send("1");
}

void GdbSession::tell_stop(std::string_view) {
  send(stop_reply(debugger_, last_stop_));
}

void GdbSession::detach(std::string_view) {
  send("OK");
  end_ = End::detached;
}

void GdbSession::kill(std::string_view) {
  end_ = End::killed;
}

void GdbSession::kill_and_say_so(std::string_view) {
  send("OK");
  end_ = End::killed;
}

void GdbSession::answer_empty(std::string_view) {
  send("");
}

void GdbSession::run_monitor(std::string_view arguments) {
  const auto command = from_hex(arguments);
  if (!command) return send_error();
  send_console(monitor(scenario_, debugger_, *command));
  send("OK");
}

}  // namespace tensim::debug
