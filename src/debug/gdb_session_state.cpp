// Part of gdb_session.hpp: threads, registers and memory.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "debug/gdb_session.hpp"
#include "debug/memory.hpp"
#include "debug/registers.hpp"
#include "debug/stop_reply.hpp"
#include "debug/thread_choice.hpp"
#include "report/cores.hpp"

namespace tensim::debug {

using tile::CoreId;

namespace {

constexpr std::size_t digits_per_register = 8;
constexpr std::string_view unavailable = "xxxxxxxx";

/// Registers go over the wire in the order of their bytes in memory.
std::string word_text(std::uint32_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return to_hex(bytes);
}

std::optional<std::uint32_t> word_of(std::string_view digits) {
  const auto bytes = from_hex(digits);
  if (!bytes || bytes->size() != sizeof(std::uint32_t)) return std::nullopt;
  std::uint32_t value = 0;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

std::string extra_info(const scenario::Scenario& scenario, const Debugger& debugger, CoreId core) {
  return fmt::format("{} {}", name(core),
                     report::text_of(scenario, explain::core_state(debugger.tile_to_explain(), core)));
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      default: escaped += letter;
    }
  }
  return escaped;
}

}  // namespace

// ---- threads ----

void GdbSession::choose_thread(std::string_view arguments) {
  const bool is_general = take_prefix(arguments, "g");
  if (!is_general && !take_prefix(arguments, "c")) return send_error();
  const auto choice = thread_choice(arguments);
  if (!choice) return send_error();
  if (choice->core) (is_general ? general_ : continued_) = *choice->core;
  send("OK");
}

void GdbSession::tell_alive(std::string_view arguments) {
  const auto choice = thread_choice(arguments);
  if (!choice || !choice->core) return send_error();
  send("OK");
}

void GdbSession::tell_current(std::string_view) {
  send(fmt::format("QC{:x}", thread_id(general_)));
}

void GdbSession::tell_threads(std::string_view) {
  std::string ids;
  for (unsigned i = 0; i < tile::core_count; ++i)
    ids += fmt::format("{}{:x}", ids.empty() ? "m" : ",", thread_id(static_cast<CoreId>(i)));
  send(ids);
}

void GdbSession::tell_no_more_threads(std::string_view) {
  send("l");
}

void GdbSession::tell_extra_info(std::string_view arguments) {
  const auto choice = thread_choice(arguments);
  if (!choice || !choice->core) return send_error();
  send(to_hex(extra_info(scenario_, debugger_, *choice->core)));
}

void GdbSession::tell_thread_list(std::string_view arguments) {
  std::string list = "<?xml version=\"1.0\"?>\n<threads>\n";
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto core = static_cast<CoreId>(i);
    list += fmt::format("<thread id=\"{:x}\" name=\"{}\">{}</thread>\n", thread_id(core), thread_names[i],
                        xml_text(extra_info(scenario_, debugger_, core)));
  }
  send_part(list + "</threads>\n", arguments);
}

void GdbSession::tell_target_description(std::string_view arguments) {
  send_part(target_description(scenario_.arch), arguments);
}

/// `range` is "offset,length"; "l" before the last part, "m" before others.
void GdbSession::send_part(const std::string& document, std::string_view range) {
  const auto offset = take_number(range);
  const bool has_length = take_prefix(range, ",");
  const auto length = whole_number(range);
  if (!offset || !has_length || !length) return send_error();
  if (*offset >= document.size()) return send("l");
  const std::string part = document.substr(*offset, std::min<std::size_t>(*length, most_payload_bytes / 2));
  send((*offset + part.size() == document.size() ? "l" : "m") + part);
}

// ---- registers ----

std::string GdbSession::register_text(unsigned number) const {
  const auto value = read_register(debugger_.tile(), general_, number);
  return value ? word_text(*value) : std::string(unavailable);
}

void GdbSession::read_registers(std::string_view) {
  std::string text;
  for (unsigned number = 0; number < register_count(scenario_.arch); ++number)
    text += register_text(number);
  send(text);
}

/// Only those that differ are written: the client sends back what it read, also of registers that cannot be written.
void GdbSession::write_registers(std::string_view arguments) {
  const std::size_t count = arguments.size() / digits_per_register;
  if (arguments.size() % digits_per_register != 0 || count > register_count(scenario_.arch)) return send_error();
  bool all_written = true;
  for (unsigned number = 0; number < count; ++number) {
    const std::string_view digits = arguments.substr(number * digits_per_register, digits_per_register);
    const auto value = word_of(digits);
    if (digits == register_text(number)) continue;
    all_written = value && write_register(debugger_.change(), general_, number, *value) && all_written;
  }
  send(all_written ? "OK" : "E01");
}

void GdbSession::read_one_register(std::string_view arguments) {
  const auto number = whole_number(arguments);
  if (!number || *number >= register_count(scenario_.arch)) return send_error();
  send(register_text(*number));
}

void GdbSession::write_one_register(std::string_view arguments) {
  const auto number = take_number(arguments);
  const bool has_value = take_prefix(arguments, "=");
  const auto value = word_of(arguments);
  if (!number || !has_value || !value || *number >= register_count(scenario_.arch)) return send_error();
  send(write_register(debugger_.change(), general_, *number, *value) ? "OK" : "E01");
}

// ---- memory ----

void GdbSession::read_memory(std::string_view arguments) {
  const auto address = take_number(arguments);
  const bool has_length = take_prefix(arguments, ",");
  const auto length = whole_number(arguments);
  if (!address || !has_length || !length) return send_error();
  const std::size_t bytes = std::min<std::size_t>(*length, most_payload_bytes / 2);
  const std::string read = debug::read_memory(debugger_.tile(), general_, *address, bytes);
  if (read.empty() && bytes != 0) return send_error();
  send(to_hex(read));
}

void GdbSession::write_bytes(std::uint32_t address, std::string_view bytes) {
  if (bytes.empty()) return send("OK");  // how a client finds out whether there is such a command
  send(debug::write_memory(debugger_.change(), general_, address, bytes) ? "OK" : "E01");
}

void GdbSession::write_memory(std::string_view arguments) {
  const auto address = take_number(arguments);
  const bool has_length = take_prefix(arguments, ",");
  const auto length = take_number(arguments);
  const bool has_bytes = take_prefix(arguments, ":");
  const auto bytes = from_hex(arguments);
  if (!address || !has_length || !length || !has_bytes || !bytes || bytes->size() != *length) return send_error();
  write_bytes(*address, *bytes);
}

void GdbSession::write_binary_memory(std::string_view arguments) {
  const auto address = take_number(arguments);
  const bool has_length = take_prefix(arguments, ",");
  const auto length = take_number(arguments);
  const bool has_bytes = take_prefix(arguments, ":");
  if (!address || !has_length || !length || !has_bytes || arguments.size() != *length) return send_error();
  write_bytes(*address, arguments);
}

}  // namespace tensim::debug
