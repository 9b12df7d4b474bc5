// Where the host's time goes: a thread looks, some thousand times a second, at what the others are at.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "time/doing.hpp"

namespace tensim::time {

class HostProfile {
 public:
  using Counts = std::array<std::uint64_t, doing_names.size()>;

  explicit HostProfile(unsigned threads);
  HostProfile(const HostProfile&) = delete;
  HostProfile& operator=(const HostProfile&) = delete;
  ~HostProfile() { stop(); }

  /// The thread is at what `activity` says from now on, which lives until something else is said; null: at nothing.
  /// Nobody looks at what was said before once this is back.
  void follow(unsigned thread, const Activity* activity) {
    const std::lock_guard lock(followed_[thread].mutex);
    followed_[thread].activity = activity;
  }
  /// By the thread itself.
  const Activity* followed(unsigned thread) const { return followed_[thread].activity; }

  unsigned threads() const { return threads_; }
  void stop();
  /// After stop(): how often a thread was seen at each.
  const Counts& counts() const { return counts_; }

 private:
  struct alignas(64) Followed {
    std::mutex mutex;
    const Activity* activity = nullptr;
  };

  void look();

  unsigned threads_;
  std::unique_ptr<Followed[]> followed_;
  Counts counts_{};
  std::atomic<bool> is_over_ = false;
  std::thread looker_;
};

}  // namespace tensim::time
