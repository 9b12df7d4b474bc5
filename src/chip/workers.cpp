#include "chip/workers.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace tensim::chip {

std::optional<unsigned> read_threads(std::string_view text) {
  constexpr unsigned most = 256;
  if (text == "auto") return std::clamp(std::thread::hardware_concurrency(), 1U, most);
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && count >= 1 && count <= most ? std::optional(count) : std::nullopt;
}

namespace {

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

/// Briefly on the spot, then giving way to whoever is waited for and may have no processor, then asleep.
template <class Done>
void Workers::wait_until(std::atomic<std::uint32_t>& word, Done done) const {
  for (unsigned i = 0; i < spins_; ++i) {
    if (done(word.load(std::memory_order_acquire))) return;
    if (i % spins_before_yield == spins_before_yield - 1)
      std::this_thread::yield();
    else
      pause();
  }
  for (std::uint32_t value = word.load(std::memory_order_acquire); !done(value);
       value = word.load(std::memory_order_acquire))
    word.wait(value, std::memory_order_acquire);
}

Workers::~Workers() {
  round_.fetch_or(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& helper : helpers_)
    helper.join();
  if (profile_ == nullptr) return;
  for (unsigned own = 1; own <= helpers_.size(); ++own)
    profile_->follow(own, nullptr);  // `waiting_` goes
}

void Workers::start() {
  // More threads than processors only take time from each other.
  waiting_.is(time::Doing::waiting);
  spins_ = threads_ <= std::thread::hardware_concurrency() ? spins : 0;
  parts_ = std::make_unique<Part[]>(threads_);
  for (unsigned own = 1; own < threads_; ++own)
    helpers_.emplace_back([this, own] { help(own); });
}

void Workers::help(unsigned own) {
  for (std::uint32_t round = 0;;) {
    wait_until(round_, [round](std::uint32_t value) { return value != round; });
    round = round_.load(std::memory_order_acquire);
    if (round % 2 != 0) return;
    work(own);
    if (profile_ != nullptr) profile_->follow(own, &waiting_);
    if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1) at_work_.notify_one();
  }
}

/// Its own part, then what is left of others'.
void Workers::work(unsigned own) {
  for (unsigned i = 0; i < threads_; ++i) {
    Part& part = parts_[(own + i) % threads_];
    for (std::size_t at = part.next.fetch_add(1, std::memory_order_relaxed); at < part.end;
         at = part.next.fetch_add(1, std::memory_order_relaxed)) {
      try {
        (*run_)(at, own);
      } catch (...) {
        if (!has_failed_.test_and_set()) failure_ = std::current_exception();
      }
    }
  }
}

/// Parts that cost the same, as far as is known.
void Workers::cut(float sum) {
  const float share = sum / static_cast<float>(threads_);
  std::size_t at = 0;
  float cost = 0;
  for (unsigned own = 0; own < threads_; ++own) {
    parts_[own].next.store(at, std::memory_order_relaxed);
    const float end = share * static_cast<float>(own + 1);
    while (at < costs_.size() && (own + 1 == threads_ || cost + costs_[at] / 2 < end))
      cost += costs_[at++];
    parts_[own].end = at;
  }
}

void Workers::share_out(const RunOne& run) {
  const time::Activity* const before = profile_ != nullptr ? profile_->followed(0) : nullptr;
  const float sum = std::accumulate(costs_.begin(), costs_.end(), 0.0F);
  if (threads_ < 2 || costs_.size() < 2 || sum < least_) {
    for (std::size_t i = 0; i < costs_.size(); ++i)
      run(i, 0);
    if (profile_ != nullptr) profile_->follow(0, before);
    return;
  }
  if (helpers_.empty()) start();
  cut(sum);
  run_ = &run;
  at_work_.store(threads_ - 1, std::memory_order_relaxed);
  round_.fetch_add(2, std::memory_order_release);
  round_.notify_all();
  work(0);
  if (profile_ != nullptr) profile_->follow(0, &waiting_);
  wait_until(at_work_, [](std::uint32_t value) { return value == 0; });
  if (profile_ != nullptr) profile_->follow(0, before);
  if (has_failed_.test()) {
    has_failed_.clear();
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

}  // namespace tensim::chip
