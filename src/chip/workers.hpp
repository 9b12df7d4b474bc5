// Threads that share the tiles of a window. A tile stays with its thread as long as that is fair, for what the host's caches hold of
// it; whoever is done with his own takes of others'. One thread or many: who runs a tile changes nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "time/host_profile.hpp"

namespace tensim::chip {

/// "4", or "auto" for as many as the host has processors; nothing if it is neither. 256 at most.
std::optional<unsigned> read_threads(std::string_view text);

class Workers {
 public:
  /// What costs less microseconds is not shared: threads that sleep have to be woken.
  static constexpr float worth_sharing = 8;
  /// So many at once, the caller of share() among them. Their threads are started when there is work for several.
  explicit Workers(unsigned threads, float least = worth_sharing) : threads_(threads), least_(least) {}
  /// It hears what each of them is at; null: nobody does.
  void tell(time::HostProfile* profile) { profile_ = profile; }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  unsigned threads() const { return threads_; }

  /// Calls `run` for each of `items`, in any order, and comes back when all are done. Each has a `cost`, which is kept here, and an
  /// `activity()`.
  template <class Item, class Run>
  void share(const std::vector<Item*>& items, Run run) {
    const auto timed = [&](std::size_t i, unsigned thread) {
      if (profile_ != nullptr) profile_->follow(thread, &items[i]->activity());
      const auto start = Clock::now();
      run(*items[i]);
      const std::chrono::duration<float, std::micro> took = Clock::now() - start;
      items[i]->cost += (took.count() - items[i]->cost) / newest_of;
    };
    costs_.clear();
    for (const Item* const item : items)
      costs_.push_back(item->cost);
    share_out(timed);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr float newest_of = 4;    // the last windows
  static constexpr unsigned spins = 4096;  // before one goes to sleep
  static constexpr unsigned spins_before_yield = 128;

  /// Those of a thread: whoever comes takes the next one.
  struct alignas(64) Part {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };

  using RunOne = std::function<void(std::size_t item, unsigned thread)>;
  void share_out(const RunOne& run);
  void cut(float sum);
  void start();
  void work(unsigned own);
  void help(unsigned own);
  template <class Done>
  void wait_until(std::atomic<std::uint32_t>& word, Done done) const;

  unsigned threads_;
  float least_;
  unsigned spins_ = 0;
  std::vector<float> costs_;
  std::unique_ptr<Part[]> parts_;
  std::vector<std::thread> helpers_;
  const RunOne* run_ = nullptr;
  time::HostProfile* profile_ = nullptr;
  time::Activity waiting_;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;    // odd: it is over for good
  alignas(64) std::atomic<std::uint32_t> at_work_ = 0;  // helpers
  std::atomic_flag has_failed_ = ATOMIC_FLAG_INIT;
  std::exception_ptr failure_;
};

}  // namespace tensim::chip
