// In which cycles cores have loaded through a port of L1 of late. They may be ahead of those who ask.
#pragma once

#include <array>
#include <cstdint>

#include "time/order.hpp"

namespace tensim::tile {

class LoadHistory {
 public:
  using Cycle = time::Cycle;
  /// How many cycles a core that loads may be ahead of the port that asks.
  static constexpr Cycle reach = 512;

  void add(Cycle cycle) {
    const Cycle span = cycle / span_cycles;
    Span& entry = spans_[span % spans_.size()];
    if (entry.number != span) entry = {span, 0};
    entry.loads |= bit(cycle);
  }
  bool has(Cycle cycle) const {
    const Cycle span = cycle / span_cycles;
    const Span& entry = spans_[span % spans_.size()];
    return entry.number == span && (entry.loads & bit(cycle)) != 0;
  }

 private:
  static constexpr Cycle span_cycles = 64;
  struct Span {
    Cycle number = time::never;
    std::uint64_t loads = 0;  // a bit for each cycle
  };
  static constexpr std::uint64_t bit(Cycle cycle) { return std::uint64_t{1} << cycle % span_cycles; }

  std::array<Span, 2 * reach / span_cycles> spans_{};
};

}  // namespace tensim::tile
