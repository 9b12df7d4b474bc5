#include "insight/told.hpp"

namespace tensim::insight {

void Told::happened(const event::Event& event) {
  kept_.push_back({event.when, static_cast<std::uint32_t>(accesses_.size()),
                   static_cast<std::uint32_t>(event.accesses.size()), event.what});
  accesses_.insert(accesses_.end(), event.accesses.begin(), event.accesses.end());
}

void Told::passed(std::span<const event::CoreSpan> spans) {
  spans_.insert(spans_.end(), spans.begin(), spans.end());
}

void Told::hand_on(Listener& to, time::Key end) {
  if (!spans_.empty()) {
    to.passed(spans_);
    spans_.clear();
  }
  for (; next_ < kept_.size() && kept_[next_].when < end; ++next_) {
    const Kept& kept = kept_[next_];
    to.happened({kept.when, kept.what, std::span(accesses_).subspan(kept.first_access, kept.accesses)});
  }
}

void Told::forget() {
  if (next_ < kept_.size()) {  // told before its time: it is kept
    const std::uint32_t first = kept_[next_].first_access;
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(next_));
    accesses_.erase(accesses_.begin(), accesses_.begin() + first);
    for (Kept& kept : kept_)
      kept.first_access -= first;
  } else {
    kept_.clear();
    accesses_.clear();
  }
  next_ = 0;
}

}  // namespace tensim::insight
