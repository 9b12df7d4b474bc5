// What a thread of the host is at: it says so itself, for whoever looks from another thread now and then (host_profile.hpp).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace tensim::time {

enum class Doing : std::uint8_t {
  other,  // reading programs, explaining, reporting
  cores,
  gates,  // frontends, wait gates and the Sync Unit
  matrix,
  vector,
  unpackers,
  packers,
  scalar,
  configuration,
  mover,
  miscellaneous,
  devices,  // NIUs, TDMA-RISC and the rest of a tile
  marks,    // to go back to
  network,  // both NoCs, and memory behind them
  waiting,  // for another thread
};
inline constexpr std::array<std::string_view, 15> doing_names{
    "other",         "cores", "gates",         "matrix",  "vector", "unpackers", "packers", "scalar",
    "configuration", "mover", "miscellaneous", "devices", "marks",  "network",   "waiting"};
static_assert(doing_names.size() == static_cast<std::size_t>(Doing::waiting) + 1);

/// One of these belongs to whatever is run by one thread at a time. A copy of its owner says nothing of its own.
class Activity {
 public:
  Activity() = default;
  Activity(const Activity&) {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
  Activity& operator=(const Activity&) { return *this; }
  ~Activity() = default;

  void is(Doing what) { what_.store(what, std::memory_order_relaxed); }
  Doing what() const { return what_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Doing> what_ = Doing::other;
};

}  // namespace tensim::time
