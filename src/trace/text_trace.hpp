// One line per cycle and thread: what was issued, or the named reason why nothing was (W56). Cycles that were skipped read
// as if they had been walked.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "arch/arch.hpp"
#include "event/gate_listener.hpp"
#include "tensix/types.hpp"

namespace tensim::trace {

class TextTrace : public event::GateListener {
 public:
  using Write = std::function<void(const std::string& line)>;
  TextTrace(Arch arch, Write write) : arch_(arch), write_(std::move(write)) {}

  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) override;
  void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall, std::uint32_t word) override;

 private:
  Arch arch_;
  Write write_;
  /// What each thread is held by in cycles that are being skipped: all threads skip them together, and say so in turn.
  std::array<std::string, tensix::thread_count> skipped_;
};

}  // namespace tensim::trace
