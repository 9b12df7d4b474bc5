// A track of a Perfetto trace: slices, instants and values, as packets of protobuf that are ready to be written. Each track is a
// packet sequence of its own, with names of its own, so a file can do without any of them. One cycle is a nanosecond of the trace.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "time/order.hpp"

namespace tensim::trace {

/// What is to be written.
struct PerfettoLimits {
  time::Cycle from = 0;                             // cycles before this one,
  time::Cycle to = time::never;                     // and from this one on, are left out
  std::uint64_t bytes = std::uint64_t{256} << 20U;  // of the file: tracks are left out as a whole, the largest first
};

/// What a slice or an instant is: where it stands and why. What it is called is asked for at the end, once for each.
struct Mark {
  enum class Kind : std::uint8_t {
    instruction,  // `word` at the gate of thread `agent`, pushed by `origin`
    held,         // the same, in front of it: `reason` is an event::Stall
    latched,      // held by the wait `word`
    operation,    // `word` in a unit
    executed,     // core `agent`, from the instruction at `origin` on
    core_held,    // at `origin`: `reason` is an event::CoreStall
    rounds,       // `word` rounds of the loop at `origin`
    push,         // of `word` to thread `agent`, by the instruction at `origin`
    exchange,     // of core `agent`, with `word` of what `reason` says, by the instruction at `origin`
    text,         // number `word` of the track's own
  };
  Kind kind = Kind::text;
  std::uint8_t reason = 0;
  std::uint8_t agent = 0;
  bool is_from_brisc = false;
  std::uint32_t origin = 0;
  std::uint32_t word = 0;

  bool operator==(const Mark&) const = default;
};

/// How a mark reads.
struct MarkText {
  std::string name = {};
  std::string line = {};
  std::string reason = {};
};

/// Flows that begin and end with a slice or an instant; 0 is none.
struct Flows {
  std::uint64_t begins = 0;
  std::uint64_t passes = 0;  // one with several ends
  std::array<std::uint64_t, 2> ends = {};
};

class PerfettoTrack {
 public:
  enum class Kind : std::uint8_t { events, values };
  /// `number` of all tracks of a trace, from 1 on.
  PerfettoTrack(const PerfettoLimits& limits, std::uint32_t number, std::string name, Kind kind = Kind::events);

  // ---- events: in order of time, but that what is around others begins before them and ends behind them ----
  void begin(time::Cycle from, time::Cycle until, const Mark& mark, const Flows& flows = {});
  /// Of the slice that began last and has not ended; with the same cycles.
  void end(time::Cycle from, time::Cycle until);
  void slice(time::Cycle from, time::Cycle until, const Mark& mark, const Flows& flows = {}) {
    begin(from, until, mark, flows);
    end(from, until);
  }
  void instant(time::Cycle cycle, const Mark& mark, const Flows& flows = {});
  /// The number of a text, for Mark::Kind::text.
  std::uint32_t number_of(const std::string& text);

  // ---- values: in order of time; of several in a cycle the last ----
  void value(time::Cycle cycle, std::int64_t value);

  const std::string& name() const { return name_; }
  /// Nothing has happened on it, or what has is too much for any file.
  bool is_empty() const { return bytes_.empty() && !is_too_large_; }
  bool is_too_large() const { return is_too_large_; }

  /// Everything has been said. What is to be written: its description, names and packets; under the process `parent`.
  using Name = std::function<MarkText(const Mark& mark)>;
  std::string finish(std::uint64_t parent, const Name& name);

 private:
  struct HashOfMark {
    std::size_t operator()(const Mark& mark) const;
  };
  struct Known {
    Mark mark = {};
    std::string body = {};  // of the event, but for its type and flows
  };

  bool is_wanted(time::Cycle from, time::Cycle until) const {
    return until == from ? from >= limits_.from && from < limits_.to : until > limits_.from && from < limits_.to;
  }
  std::uint32_t find(const Mark& mark);
  void add(time::Cycle cycle, std::string_view type, std::string_view body, const Flows& flows);
  void write_value();

  PerfettoLimits limits_;
  std::uint32_t number_;
  std::string name_;
  Kind kind_;
  std::string bytes_;
  std::string sequence_;  // the fields that every packet of the track has
  std::vector<Known> known_;
  std::unordered_map<Mark, std::uint32_t, HashOfMark> numbers_;
  struct Recent {
    Mark mark = {};
    std::uint32_t number = ~0U;
  };
  static constexpr std::size_t recent_count = 64;
  std::array<Recent, recent_count> recent_{};
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> text_numbers_;
  bool has_value_ = false;  // one that has not been written
  bool is_written_ = false;
  time::Cycle value_from_ = 0;
  std::int64_t value_ = 0;
  std::int64_t written_ = 0;
  bool is_too_large_ = false;
};

/// The description of a process, which tracks are put under.
std::string perfetto_process(std::uint64_t uuid, std::uint32_t number, const std::string& name);

}  // namespace tensim::trace
