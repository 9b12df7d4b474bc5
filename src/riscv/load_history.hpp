// In which cycles a core has loaded from L1 of late. It may be ahead of others, who then ask about cycles that are past
// for it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "riscv/order.hpp"

namespace tensim::riscv {

class LoadHistory {
 public:
  /// How far ahead of those who ask a core may be.
  static constexpr Cycle reach = 512;

  void add(Cycle cycle) {
    const Cycle span = cycle / span_cycles;
    Span& entry = spans_[span % spans_.size()];
    if (entry.number != span) entry = {span, 0};
    entry.loads |= bit(cycle);
    newest_ = std::max(newest_, cycle);
  }
  bool has(Cycle cycle) const {
    if (cycle > newest_) return false;
    const Cycle span = cycle / span_cycles;
    const Span& entry = spans_[span % spans_.size()];
    return entry.number == span && (entry.loads & bit(cycle)) != 0;
  }

 private:
  static constexpr Cycle span_cycles = 64;
  struct Span {
    Cycle number = never;
    std::uint64_t loads = 0;  // a bit for each cycle
  };
  static constexpr std::uint64_t bit(Cycle cycle) { return std::uint64_t{1} << cycle % span_cycles; }

  std::array<Span, 2 * reach / span_cycles> spans_{};
  Cycle newest_ = 0;
};

}  // namespace tensim::riscv
