// Makes the profile of a tile out of what it tells.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "event/happening.hpp"
#include "insight/profile.hpp"
#include "tile/tile.hpp"

namespace tensim::insight {

/// Cycles in which at least one of several operations was in a unit. They are said as they end.
class BusyCycles {
 public:
  void add(time::Cycle first, time::Cycle last);
  std::uint64_t count() const;

 private:
  struct Interval {
    time::Cycle first;
    time::Cycle last;
  };
  /// An operation that ends now has not been there for longer than this many others apart took: units work in order.
  static constexpr std::size_t most_open = 64;
  std::vector<Interval> open_;  // that one which ends later may yet reach into
  std::uint64_t closed_ = 0;
};

/// How often each instruction was executed: by places where runs of them begin and end.
class ExecutedCounts {
 public:
  void add(std::uint32_t pc, std::uint64_t count, std::uint64_t times) {
    at(pc) += static_cast<std::int64_t>(times);
    at(pc + static_cast<std::uint32_t>(4 * count)) -= static_cast<std::int64_t>(times);
  }
  /// For each instruction that was, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    std::int64_t running = 0;
    for (const auto& [number, page] : pages_)
      for (std::uint32_t i = 0; i < page_words; ++i) {
        running += (*page)[i];
        if (running != 0) visit((number * page_words + i) * 4, static_cast<std::uint64_t>(running));
      }
  }

 private:
  static constexpr std::uint32_t page_words = 256;
  using Page = std::array<std::int64_t, page_words>;

  std::int64_t& at(std::uint32_t pc) {
    const std::uint32_t number = pc / 4 / page_words;
    if (last_ == nullptr || number != last_number_) {
      std::unique_ptr<Page>& page = pages_[number];
      if (page == nullptr) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return (*last_)[pc / 4 % page_words];
  }

  std::map<std::uint32_t, std::unique_ptr<Page>> pages_;  // runs do not reach past pages that nobody has
  Page* last_ = nullptr;
  std::uint32_t last_number_ = 0;
};

class Profiler : public event::Listener {
 public:
  Profiler() : Listener(event::wants_time) {}

  void happened(const event::Event& event) override;
  void passed(std::span<const event::CoreSpan> spans) override;

  /// Of a run that has left the tile like this, after `cycles`.
  Profile finish(const tile::Tile& tile, tensix::Cycle cycles) const;

 private:
  struct Sites {
    static constexpr std::size_t recent_count = 256;
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    std::vector<ThreadSite> all;
    struct Recent {
      std::uint64_t key = ~std::uint64_t{0};
      std::uint32_t place = 0;
    };
    std::array<Recent, recent_count> recent{};

    ThreadSite& find(std::uint32_t word, std::uint32_t origin, bool is_from_brisc);
  };
  struct Thread {
    Sites sites;
    std::uint64_t empty = 0;               // cycles until the next word comes
    std::optional<std::uint32_t> latched;  // the wait in its latch: its place among the sites
    time::Cycle latched_in = 0;
  };
  struct Core {
    ExecutedCounts executed;
    std::map<std::uint32_t, riscv::CoreAccount> held;  // by pc
    struct Recent {
      std::uint32_t pc = 1;  // no instruction's
      riscv::CoreAccount* account = nullptr;
    };
    std::array<Recent, 256> recent{};  // of those
    riscv::CoreAccount account;
    std::uint32_t last_pc = 1;  // executed last: one that comes again at once is a jump to itself
    std::uint32_t held_pc = 0;  // where it was held last,
    riscv::CoreStall held_for = riscv::CoreStall::none;
    time::Cycle until = 0;  // what has been told of it
  };

  void issued(const event::Issued& issue, time::Cycle cycle);
  void held(const event::Held& hold);
  void wait_is_over(unsigned thread, time::Cycle cycle);
  void add(const event::CoreSpan& span, std::uint64_t times);
  static riscv::CoreAccount& held_at(Core& core, std::uint32_t pc);
  static void take_back(Core& core, time::Cycle cycle);
  static CoreProfile core_profile(const Core& core, const riscv::Core& state, tensix::Cycle cycles);

  std::array<Thread, tensix::thread_count> threads_;
  std::array<Core, tile::core_count> cores_;
  std::array<BusyCycles, tensix::occupancy_count> busy_;
  std::array<std::uint64_t, tensix::occupancy_count> operations_{};
};

}  // namespace tensim::insight
