// DRAM tiles: memory behind three tiles of either NoC, which takes requests in the order in which they arrive, answers after
// an access time, and is not faster than its banks are (noc 8). Pages give no row, refresh or bank-group behaviour, and none is
// modelled.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
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
  int data_room_flits;  // flits of writes,
  unsigned answers;     // and answers to reads that it has begun with and that have not left
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
  /// What becomes of a request.
  struct Served {
    Cycle room;    // its tile can keep another one
    Cycle answer;  // can leave
  };

  Dram(const noc::FloorPlan& plan, const DramTiming& timing);

  const DramTiming& timing() const { return timing_; }
  SparseMemory& memory(unsigned device) { return memories_[device]; }
  const SparseMemory& memory(unsigned device) const { return memories_[device]; }

  /// Said in the order of cycles.
  void take(const noc::FloorPlan& plan, Arrival arrival);
  /// The tile's NIU knows in this cycle that an answer to a read has left it. Said in the order of cycles.
  void answer_has_left(const noc::FloorPlan& plan, noc::Coordinates tile, unsigned noc, Cycle cycle);
  bool has_requests() const { return requests_ != 0; }
  /// Everything that a bank begins with before `until`, of what has arrived and left before that: visit(arrival, served, data),
  /// with the data of reads.
  template <class Visit>
  void run(const noc::FloorPlan& plan, Cycle until, Visit visit) {
    while (requests_ != 0) {
      const auto [bank, cycle] = first_to_begin(plan);
      if (cycle >= until) return;
      const Arrival arrival = take_first(*bank, cycle);
      const Served served = serve(plan, *bank, arrival);
      visit(arrival, served, access(plan, arrival));
    }
  }

 private:
  struct Bank {
    double free_from = 0;
    Cycle begun = 0;  // with the last of those that have left the queue
    std::deque<Arrival> queue;
  };
  struct Begin {
    Bank* bank;
    Cycle cycle;
  };
  /// A NIU of a DRAM tile, and its answers to reads.
  struct Niu {
    unsigned answers = 0;
    std::deque<Cycle> left;  // when they have, of those that `answers` still counts
  };

  Niu& niu(const noc::FloorPlan& plan, noc::Coordinates tile, unsigned noc) {
    return nius_[plan.index(tile) * noc::noc_count + noc];
  }
  Begin first_to_begin(const noc::FloorPlan& plan);
  Cycle begins(const noc::FloorPlan& plan, const Bank& bank);
  Arrival take_first(Bank& bank, Cycle cycle);
  Served serve(const noc::FloorPlan& plan, Bank& bank, const Arrival& arrival);
  Served serve_read(const noc::FloorPlan& plan, Bank& bank, const Arrival& arrival);
  Served serve_write(const noc::FloorPlan& plan, Bank& bank, const Arrival& arrival);
  double bank_cycles(const Arrival& arrival) const;
  std::vector<std::uint8_t> access(const noc::FloorPlan& plan, const Arrival& arrival);

  DramTiming timing_;
  std::vector<SparseMemory> memories_;
  std::vector<Bank> banks_;
  std::vector<Niu> nius_;  // by tile and NoC
  std::size_t requests_ = 0;
};

}  // namespace tensim::chip
