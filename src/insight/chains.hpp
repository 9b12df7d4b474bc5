// Chains of causes. A chain leads from the start of a run to something that has happened, without a gap: each link is time that
// was spent with one step, and hangs on the link that it had to wait for. Chains share what they have in common; what only one of them
// goes through is added up when there are many links, so a chain takes as much memory as there are different steps in it.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "time/order.hpp"

namespace tensim::insight {

/// What time is spent with.
struct Step {
  enum class Kind : std::uint8_t {
    start,  // nothing has happened yet
    gate,   // an instruction of thread `agent` at its gate: `reason` is an event::Stall, `issued` if it passes
    unit,   // one of thread `agent` in its unit: `reason` is a tensix::Occupancy
    core,  // core `agent`: `reason` is an event::CoreStall; it executes `word` instructions from `origin` on, or waits at it
    frontend,  // a word of thread `agent` on its way from its core to its gate
    store,     // a store of core `agent` on its way
    script,    // the scenario has not pushed it, or not stored it, before
    niu,       // a request of core `agent` in its NIU
    packet,    // on its way: `reason` is a noc::MessageKind
    memory,    // a tile or DRAM answers a request
    end,       // behind the last that happened
  };
  Kind kind = Kind::start;
  std::uint8_t reason = 0;
  std::uint8_t agent = 0;
  bool is_from_brisc = false;  // the word was pushed by BRISC
  std::uint32_t tile = 0;
  std::uint32_t origin = 0;  // Entry::origin(), or a pc
  std::uint32_t word = 0;

  bool operator==(const Step&) const = default;
};

class Chains;

/// One of them, up to some cycle.
class Chain {
 public:
  Chain() = default;
  Chain(const Chain& other);
  Chain(Chain&& other) noexcept : of_(std::exchange(other.of_, nullptr)), link_(other.link_) {}
  Chain& operator=(Chain other) noexcept {
    std::swap(of_, other.of_);
    std::swap(link_, other.link_);
    return *this;
  }
  ~Chain();

  explicit operator bool() const { return of_ != nullptr; }
  /// It goes on from here; 0 of none.
  time::Cycle until() const;
  /// Goes on to `until`; nothing, if it has come as far.
  void extend(const Step& step, time::Cycle until);

 private:
  friend class Chains;
  Chain(Chains* of, std::uint32_t link) : of_(of), link_(link) {}
  Chains* of_ = nullptr;
  std::uint32_t link_ = 0;
};

/// The one that ends later; of equals the first.
inline const Chain& later(const Chain& a, const Chain& b) {
  return b.until() > a.until() ? b : a;
}

class Chains {
 public:
  Chains();
  Chains(const Chains&) = delete;
  Chains& operator=(const Chains&) = delete;

  /// The start of the run.
  Chain start() { return hold(root); }

  struct Part {
    Step step = {};
    std::uint64_t cycles = 0;
    std::uint64_t times = 0;
  };
  /// What it is made of: the most first, of equals in the order in which they were first met in the run.
  std::vector<Part> parts(const Chain& chain) const;
  /// Links that there are now.
  std::size_t size() const { return links_.size() - free_.size(); }

 private:
  friend class Chain;
  static constexpr std::uint32_t root = 0;
  static constexpr std::uint32_t nothing = ~0U;
  static constexpr std::size_t first_compaction = 1U << 18U;

  struct Sum {
    std::uint64_t cycles = 0;
    std::uint64_t times = 0;
  };
  using Sums = std::unordered_map<std::uint32_t, Sum>;  // by step
  struct Link {
    std::uint32_t before = nothing;
    std::uint32_t uses = 0;  // chains that end with it, and links that hang on it
    std::uint32_t step = 0;
    time::Cycle until = 0;
    std::uint64_t cycles = 0;  // of its own step
    std::unique_ptr<Sums> absorbed = {};
  };
  struct HashOfStep {
    std::size_t operator()(const Step& step) const;
  };

  Chain hold(std::uint32_t link) {
    ++links_[link].uses;
    return {this, link};
  }
  void release(std::uint32_t link);
  std::uint32_t number_of(const Step& step);
  std::uint32_t add(std::uint32_t before, std::uint32_t step, time::Cycle until);
  void compact();
  void absorb(Link& link, std::uint32_t before);

  std::vector<Link> links_;
  std::vector<std::uint32_t> free_;
  std::vector<Step> steps_;
  std::unordered_map<Step, std::uint32_t, HashOfStep> numbers_;
  struct Recent {
    Step step;
    std::uint32_t number = nothing;
  };
  static constexpr std::size_t recent_count = 1024;
  std::vector<Recent> recent_;
  std::size_t compact_at_ = first_compaction;
};

inline Chain::Chain(const Chain& other) : of_(other.of_), link_(other.link_) {
  if (of_ != nullptr) ++of_->links_[link_].uses;
}

inline Chain::~Chain() {
  if (of_ != nullptr) of_->release(link_);
}

inline time::Cycle Chain::until() const {
  return of_ == nullptr ? 0 : of_->links_[link_].until;
}

}  // namespace tensim::insight
