// DRAM tiles: memory behind three tiles of either NoC, which takes requests in the order in which they arrive, answers after
// an access time, and is not faster than its banks are (noc 8). Pages give no row, refresh or bank-group behaviour, and none is
// modelled.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "arch/timing.hpp"
#include "chip/sparse_memory.hpp"
#include "noc/floor_plan.hpp"
#include "noc/message.hpp"

namespace tensim::chip {

using time::Cycle;
using time::never;

/// Times and rates, worked out from the rows once.
struct DramTiming {
  explicit DramTiming(const Timing& timing);
  bool operator==(const DramTiming&) const = default;
  Cycle receive;  // from the NIU to the bank
  Cycle read;
  Cycle write;
  double cycles_per_64_bytes;
  int request_room;     // read requests that a tile keeps,
  int data_room_flits;  // and flits of writes
};

class Dram {
 public:
  /// A request that has come by this tile: its first flit was in the NIU in `head`, its last in `cycle`.
  struct Arrival {
    Cycle cycle = 0;
    Cycle head = 0;
    noc::Coordinates tile;
    noc::MessagePointer message;
  };

  Dram(const noc::FloorPlan& plan, const DramTiming& timing);

  SparseMemory& memory(unsigned device) { return memories_[device]; }
  const SparseMemory& memory(unsigned device) const { return memories_[device]; }

  /// It is there completely at the end of its cycle. Said in the order of cycles.
  void take(Arrival arrival) { arrivals_.push_back(std::move(arrival)); }
  Cycle next_event() const { return arrivals_.empty() ? never : arrivals_.front().cycle; }
  /// What becomes of a request.
  struct Served {
    Cycle room;    // its tile can keep another one
    Cycle answer;  // can leave
  };
  /// Everything that arrives before `until`: visit(arrival, served, data), with the data of reads.
  template <class Visit>
  void run(const noc::FloorPlan& plan, Cycle until, Visit visit) {
    for (; next_event() < until; arrivals_.pop_front()) {
      const Arrival& arrival = arrivals_.front();
      const Served served = serve(plan, arrival);
      visit(arrival, served, access(plan, arrival));
    }
  }

 private:
  Served serve(const noc::FloorPlan& plan, const Arrival& arrival);
  Served serve_read(double& free, const Arrival& arrival, double cycles, Cycle flits) const;
  Served serve_write(double& free, const Arrival& arrival, double cycles, Cycle flits) const;
  std::vector<std::uint8_t> access(const noc::FloorPlan& plan, const Arrival& arrival);

  DramTiming timing_;
  std::vector<SparseMemory> memories_;
  std::vector<double> free_from_;  // by bank
  std::deque<Arrival> arrivals_;
};

}  // namespace tensim::chip
