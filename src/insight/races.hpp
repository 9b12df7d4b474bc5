// Pairs of operations that nothing orders, one entry for each pair of sites. All of it is data; report/races.hpp has the
// words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "event/access.hpp"
#include "insight/clocks.hpp"
#include "insight/order_rules.hpp"

namespace tensim::insight {

/// A place in a program, and what stands there.
struct Site {
  enum class Kind : std::uint8_t { instruction, mop, load, store, atomic, noc_read, noc_write, noc_atomic };
  ActorNumber actor = 0;  // the thread or core
  Kind kind = Kind::instruction;
  bool is_from_brisc = false;  // the thread's instruction, pushed by BRISC
  std::uint32_t word = 0;      // of the instruction
  std::uint32_t origin = 0;    // tensix::Entry::origin(), or pc divided by four

  auto operator<=>(const Site&) const = default;
};
using SiteNumber = std::uint32_t;

/// How the two lay in the time of this run.
struct Distance {
  bool overlapped = false;  // the first was not over when the second began
  bool reversed = false;    // the program has them in this order, and the second was over first
  std::uint64_t cycles = 0;
};

struct Race {
  SiteNumber first = 0;
  SiteNumber second = 0;
  bool first_writes = false;
  bool second_writes = false;
  event::Access what = {};        // the first piece of state that was met: one element, with the bits that both use
  std::uint16_t place = 0;        // whose state: a tile, or memory
  bool is_issue_ordered = false;  // the second is behind the first one's issue, and not behind its end
  RuleNumber rule = 0;
  Severity severity = Severity::error;
  bool is_same_value = false;  // what is written is there already: one level lower
  std::uint64_t cycle = 0;     // of the second, when it was met first
  std::uint64_t count = 0;
  std::uint64_t overlapped = 0;
  std::uint64_t reversed = 0;
  std::optional<std::uint64_t> closest = {};  // of those that were in order

  /// The other's counts, too.
  void add(const Race& other);
  friend bool operator==(const Race&, const Race&) = default;
};

class Races {
 public:
  SiteNumber site(const Site& site);
  const Site& operator[](SiteNumber number) const { return sites_[number]; }

  /// One more of `race`'s kind. An operation may meet another in many cells: that is one.
  void add(const Race& race, std::uint32_t first_number, std::uint32_t second_number, const Distance& distance);
  std::size_t errors() const;
  /// Takes out those of which `is_meant` says that they are.
  template <class IsMeant>
  void suppress(IsMeant is_meant) {
    std::erase_if(found_, is_meant);
    known_.clear();
  }
  /// In the order in which they were met.
  const std::vector<Race>& found() const { return found_; }
  /// The same in the same order.
  friend bool operator==(const Races& a, const Races& b) { return a.sites_ == b.sites_ && a.found_ == b.found_; }

 private:
  void make_room();

  using Pair = std::tuple<SiteNumber, SiteNumber, event::Resource, RuleNumber>;
  struct Known {
    std::size_t index;
    std::uint32_t first_number;
    std::uint32_t second_number;
  };
  std::vector<Site> sites_;
  std::vector<SiteNumber> numbers_;  // by what a site's parts come to, or behind that; at most half of it is taken
  std::vector<Race> found_;
  std::map<Pair, Known> known_;
};

}  // namespace tensim::insight
