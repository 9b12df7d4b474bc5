// A session of the GDB remote serial protocol about one tile: bytes of the client in, bytes for the client out. Each core
// is a thread, 1 to 5; all stop and go together. No sockets here: whoever has one calls advance() while is_running(), and
// receive() with what has come in meanwhile. Page: "Remote Protocol" of the GDB manual.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "debug/debugger.hpp"
#include "debug/packet.hpp"
#include "scenario/scenario.hpp"

namespace tensim::debug {

class GdbSession {
 public:
  enum class End : std::uint8_t {
    not_yet,
    exited,    // the run has come to its end, and the client knows
    detached,  // the run is to go on without it
    killed,
  };

  /// `scenario` has to outlive the session.
  GdbSession(const scenario::Scenario& scenario, const tile::Tile& tile, tile::Cycle budget);

  void receive(std::string_view bytes);
  std::string take_output() { return std::exchange(output_, {}); }

  bool is_running() const { return is_running_ && end_ == End::not_yet; }
  /// A bounded part of the run.
  void advance();

  End end() const { return end_; }
  Debugger& debugger() { return debugger_; }

 private:
  using Handler = void (GdbSession::*)(std::string_view arguments);
  struct Command {
    std::string_view prefix;
    Handler handle;
  };
  static const Command* find(std::string_view payload);

  void handle(const PacketReader::Item& item);
  void handle_packet(std::string_view payload);
  void send(std::string_view payload);
  void send_error();
  void send_console(std::string_view text);
  void stop_with(const Stop& stop);
  void resume(std::optional<tile::CoreId> step);

  // ---- of the session ----
  void tell_features(std::string_view arguments);
  void stop_acknowledging(std::string_view arguments);
  void tell_attached(std::string_view arguments);
  void tell_stop(std::string_view arguments);
  void detach(std::string_view arguments);
  void kill(std::string_view arguments);
  void kill_and_say_so(std::string_view arguments);
  void answer_empty(std::string_view arguments);
  void run_monitor(std::string_view arguments);

  // ---- of threads ----
  void choose_thread(std::string_view arguments);
  void tell_alive(std::string_view arguments);
  void tell_current(std::string_view arguments);
  void tell_threads(std::string_view arguments);
  void tell_no_more_threads(std::string_view arguments);
  void tell_extra_info(std::string_view arguments);
  void tell_target_description(std::string_view arguments);
  void tell_thread_list(std::string_view arguments);
  void send_part(const std::string& document, std::string_view range);

  // ---- of state ----
  void read_registers(std::string_view arguments);
  void write_registers(std::string_view arguments);
  void read_one_register(std::string_view arguments);
  void write_one_register(std::string_view arguments);
  void read_memory(std::string_view arguments);
  void write_memory(std::string_view arguments);
  void write_binary_memory(std::string_view arguments);
  void write_bytes(std::uint32_t address, std::string_view bytes);
  std::string register_text(unsigned number) const;

  // ---- of running ----
  void add_point(std::string_view arguments);
  void remove_point(std::string_view arguments);
  void continue_run(std::string_view arguments);
  void continue_with_signal(std::string_view arguments);
  void step(std::string_view arguments);
  void step_with_signal(std::string_view arguments);
  void go(std::string_view address, std::optional<tile::CoreId> step);
  void tell_actions(std::string_view arguments);
  void take_actions(std::string_view arguments);

  const scenario::Scenario& scenario_;
  Debugger debugger_;
  PacketReader reader_;
  std::string output_;
  std::string last_packet_;  // in case the client asks for it again
  Stop last_stop_;
  tile::CoreId general_ = tile::CoreId::brisc;    // whose registers and memory
  tile::CoreId continued_ = tile::CoreId::brisc;  // who steps
  bool acknowledges_ = true;
  bool is_running_ = false;
  End end_ = End::not_yet;
};

}  // namespace tensim::debug
