#include "time/host_profile.hpp"

#include <chrono>

namespace tensim::time {
namespace {
constexpr std::chrono::microseconds between_looks{200};
}  // namespace

HostProfile::HostProfile(unsigned threads) : threads_(threads), followed_(std::make_unique<Followed[]>(threads)) {
  looker_ = std::thread([this] {
    while (!is_over_.load(std::memory_order_acquire)) {
      std::this_thread::sleep_for(between_looks);
      look();
    }
  });
}

void HostProfile::look() {
  for (unsigned thread = 0; thread < threads_; ++thread) {
    const std::lock_guard lock(followed_[thread].mutex);
    if (const Activity* const activity = followed_[thread].activity)
      ++counts_[static_cast<std::size_t>(activity->what())];
  }
}

void HostProfile::stop() {
  is_over_.store(true, std::memory_order_release);
  if (looker_.joinable()) looker_.join();
}

}  // namespace tensim::time
