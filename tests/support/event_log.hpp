// All that is told of a tile, in a form that two runs can be compared by.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "event/happening.hpp"

namespace tensim::test {

struct EventLine {
  time::Key when = 0;
  std::size_t kind = 0;  // which of event::What
  std::array<std::uint64_t, 9> fields{};
  std::vector<event::Access> accesses = {};
  int core = -1;        // of a core's own events
  bool recurs = false;  // in a loop that does nothing but look

  bool is_the_same_again(const EventLine& other) const {
    return kind == other.kind && fields == other.fields && accesses == other.accesses;
  }
  bool operator==(const EventLine&) const = default;

  std::string text() const {
    constexpr std::array names{"Issued",        "Held",          "WaitOver",        "Left",   "BankFilled",
                               "BanksReturned", "ConfigWritten", "SemaphoreStored", "Stored", "Landed",
                               "Loaded",        "Used",          "Updated",         "Fenced", "Released",
                               "Touched",       "Moved"};
    static_assert(names.size() == std::variant_size_v<event::What>);
    std::string all = "cycle " + std::to_string(time::cycle_of(when)) + " phase " +
                      std::to_string(static_cast<int>(time::phase_of(when))) + " agent " +
                      std::to_string(time::agent_of(when)) + " " + names[kind];
    for (const std::uint64_t field : fields)
      all += " " + std::to_string(field);
    return all;
  }
};

class EventLog : public event::Listener {
 public:
  EventLog() : Listener(event::wants_order | event::wants_gates) {}

  void happened(const event::Event& event) override {
    if (std::holds_alternative<event::Held>(event.what)) return;  // its stretches may be cut anywhere
    lines.push_back(std::visit([](const auto& what) { return line_of(what); }, event.what));
    lines.back().when = event.when;
    lines.back().kind = event.what.index();
    lines.back().accesses.assign(event.accesses.begin(), event.accesses.end());
  }

  std::vector<EventLine> lines;

 private:
  static EventLine line_of(const event::Issued& e) {
    return {.fields = {e.thread, e.pusher, e.push, e.word, e.origin}};
  }
  static EventLine line_of(const event::Held& e) { return {.fields = {e.thread}}; }
  static EventLine line_of(const event::WaitOver& e) { return {.fields = {e.thread}}; }
  static EventLine line_of(const event::Left& e) { return {.fields = {e.unit, e.thread, e.accepted}}; }
  static EventLine line_of(const event::BankFilled& e) {
    return {.fields = {e.unpacker, e.thread, e.bank, e.hands_over, e.waited, e.accepted}};
  }
  static EventLine line_of(const event::BanksReturned& e) { return {.fields = {e.thread, e.banks, e.accepted}}; }
  static EventLine line_of(const event::ConfigWritten& e) {
    return {.fields = {e.banks, e.count, e.first, e.values[0], e.values[1], e.values[2], e.values[3]}};
  }
  static EventLine line_of(const event::SemaphoreStored& e) { return {.fields = {e.core, e.semaphore, e.decrements}}; }
  static EventLine line_of(const event::Stored& e) {
    return {.fields = {e.core, e.bytes, e.count, e.pc, e.address, e.value, e.others[0], e.others[1], e.others[2]},
            .core = e.core};
  }
  static EventLine line_of(const event::Landed& e) {
    return {.fields = {e.core, e.count, e.mask, e.pc, e.address, e.value}};
  }
  static EventLine line_of(const event::Loaded& e) {
    return {.fields = {e.core, e.bytes, e.to, e.pc, e.address, e.value}, .core = e.core, .recurs = true};
  }
  static EventLine line_of(const event::Used& e) {
    return {.fields = {e.core, e.reg, e.pc}, .core = e.core, .recurs = true};
  }
  static EventLine line_of(const event::Updated& e) {
    return {.fields = {e.core, e.to, e.pc, e.address, e.found, e.left}, .core = e.core};
  }
  static EventLine line_of(const event::Fenced& e) { return {.fields = {e.core}, .core = e.core, .recurs = true}; }
  static EventLine line_of(const event::Released& e) { return {.fields = {e.by, e.cores}}; }
  static EventLine line_of(const event::Touched& e) {
    return {.fields = {static_cast<std::uint64_t>(e.by), e.thread, e.unit, e.accepted}};
  }
  static EventLine line_of(const event::Moved& e) {
    return {.fields = {static_cast<std::uint64_t>(e.by), e.who, e.is_store, e.address, e.value}};
  }
};

/// Whether what a core does from `first` to before `last` is the same as what it did just before that, again and again.
inline bool are_more_rounds(const std::vector<const EventLine*>& core, std::size_t first, std::size_t last) {
  constexpr std::size_t longest_round = 1000;
  for (std::size_t round = 1; round <= std::min(first, longest_round); ++round) {
    bool is_the_same = true;
    for (std::size_t i = first; i < last && is_the_same; ++i)
      is_the_same = core[i]->is_the_same_again(*core[i - round]);
    if (is_the_same) return true;
  }
  return false;
}

/// What of `told` is not as event/happening.hpp promises it, if `all` is everything; empty if nothing is.
inline std::string first_difference(const std::vector<EventLine>& all, const std::vector<EventLine>& told) {
  struct Core {
    std::vector<const EventLine*> lines;
    std::size_t left_out_from = 0;  // what comes from here on has been left out
  };
  std::array<Core, 5> cores;
  const auto check = [](Core& core) {
    return core.left_out_from == core.lines.size() ||
           are_more_rounds(core.lines, core.left_out_from, core.lines.size());
  };
  auto next = told.begin();
  for (const EventLine& line : all) {
    const bool is_told = next != told.end() && line == *next;
    if (!is_told && !line.recurs) return line.text() + " and " + (next == told.end() ? "nothing" : next->text());
    if (is_told) ++next;
    if (line.core < 0) continue;
    Core& core = cores[static_cast<std::size_t>(line.core)];
    if (is_told && !check(core)) return "what was left out before " + line.text() + " was no repetition";
    core.lines.push_back(&line);
    if (is_told) core.left_out_from = core.lines.size();
  }
  if (next != told.end()) return "nothing in its place and " + next->text();
  for (Core& core : cores)
    if (!check(core))
      return "what was left out behind " + core.lines[core.left_out_from]->text() + " was no repetition";
  return "";
}

}  // namespace tensim::test
