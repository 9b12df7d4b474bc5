// PCIe and ARC tiles as guests reach them: what is behind them is somebody else's (Outside), how long it takes is here.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arch/timing.hpp"
#include "noc/floor_plan.hpp"
#include "noc/message.hpp"

namespace tensim::chip {

/// What is behind tiles that have neither cores nor DRAM: the host's memory, ARC's registers. Asked in the order in which
/// requests arrive. Addresses as the NoC has them. Nothing, or why it is a fault.
class Outside {
 public:
  Outside() = default;
  Outside(const Outside&) = default;
  Outside& operator=(const Outside&) = default;
  Outside(Outside&&) = default;
  Outside& operator=(Outside&&) = default;
  virtual ~Outside() = default;
  virtual std::optional<std::string> read_outside(noc::Coordinates tile, std::uint64_t address,
                                                  std::span<std::uint8_t> to) = 0;
  virtual std::optional<std::string> write_outside(noc::Coordinates tile, std::uint64_t address,
                                                   std::span<const std::uint8_t> from) = 0;
};

/// A request of a guest that nobody could answer; it gets no response.
struct Unanswered {
  time::Cycle cycle = 0;
  noc::Coordinates tile;
  noc::MessagePointer message;
  std::string why;
};

struct EdgeTiming {
  explicit EdgeTiming(const Timing& timing);
  bool operator==(const EdgeTiming&) const = default;
  time::Cycle host_read;
  time::Cycle others;
};

class Edge {
 public:
  struct Arrival {
    time::Cycle cycle = 0;
    noc::Coordinates tile;
    noc::MessagePointer message;
  };

  explicit Edge(const EdgeTiming& timing) : timing_(timing) {}

  /// It is there completely at the end of its cycle. Said in the order of cycles.
  void take(Arrival arrival) { arrivals_.push_back(std::move(arrival)); }
  time::Cycle next_event() const { return arrivals_.empty() ? time::never : arrivals_.front().cycle; }
  /// Everything that arrives before `until`: visit(arrival, cycle, data), with the cycle in which the answer is ready and the
  /// data of reads. Not of what nobody can answer.
  template <class Visit>
  void run(const noc::FloorPlan& plan, Outside* outside, time::Cycle until, Visit visit) {
    for (; next_event() < until; arrivals_.pop_front()) {
      const Arrival& arrival = arrivals_.front();
      std::vector<std::uint8_t> data;
      if (auto why = access(outside, arrival, data))
        unanswered_.push_back({arrival.cycle, arrival.tile, arrival.message, std::move(*why)});
      else
        visit(arrival, ready(plan, arrival), std::move(data));
    }
  }
  bool has_unanswered() const { return !unanswered_.empty(); }
  std::vector<Unanswered> take_unanswered() { return std::exchange(unanswered_, {}); }

 private:
  static std::optional<std::string> access(Outside* outside, const Arrival& arrival, std::vector<std::uint8_t>& data);
  time::Cycle ready(const noc::FloorPlan& plan, const Arrival& arrival) const;

  EdgeTiming timing_;
  std::deque<Arrival> arrivals_;
  std::vector<Unanswered> unanswered_;
};

}  // namespace tensim::chip
