// Operations in a unit, as slices of its track. Several are in it at a time: each has the cycles since the one before it has left, so that
// together they are those in which something was there.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "trace/perfetto_track.hpp"

namespace tensim::trace {

class PerfettoUnit {
 public:
  explicit PerfettoUnit(PerfettoTrack& track) : track_(track) {}

  struct Operation {
    time::Cycle first = 0;  // cycles in which it was there
    time::Cycle last = 0;
    Mark mark = {};
    Flows flows = {};
    time::Cycle woken = 0;  // when what its flows end with had come
  };
  /// As they leave.
  void add(const Operation& operation);
  void finish();

 private:
  /// Cycles in which something was there, one behind another; those who were there, by their end.
  struct Busy {
    time::Cycle first = 0;
    time::Cycle last = 0;
    std::vector<Operation> operations = {};
  };
  /// One that leaves now has not been there for longer than so many others, apart from each other, took.
  static constexpr std::size_t most_open = 64;

  void write(const Busy& busy);

  PerfettoTrack& track_;
  std::deque<Busy> open_;  // that one which leaves later may yet reach into
};

}  // namespace tensim::trace
