// Lints of a tile: what of insight/lint_kinds.hpp can be heard. The others are the coprocessor's and the cores' own reports;
// report/lints.hpp joins them.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "arch/address_map.hpp"
#include "arch/semaphores.hpp"
#include "event/happening.hpp"
#include "insight/lint_kinds.hpp"
#include "insight/races.hpp"
#include "riscv/core.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/access.hpp"

namespace tensim::insight {

/// What kind of lint a report is, if it is one.
std::optional<LintKind> lint_kind_of(const tensix::Report& report);
std::optional<LintKind> lint_kind_of(const riscv::CoreReport& report);

/// One entry for each place.
struct Lint {
  LintKind kind = LintKind::lost_update;
  Site site = {};
  std::optional<Site> displaced = {};      // the wait
  std::optional<unsigned> semaphore = {};  // of the other kinds:
  int value = 0;                           // what it had,
  int given = 0;                           // and what it was last given
  std::uint64_t cycle = 0;                 // when it was met first
  std::uint64_t count = 1;
  std::uint64_t unmet = 0;  // of displaced waits: those whose conditions still held
};

class Lints {
 public:
  /// One more of its kind.
  void add(const Lint& lint);
  /// In the order in which they were met.
  const std::vector<Lint>& found() const { return found_; }

 private:
  using Place = std::tuple<LintKind, Site, std::optional<Site>, std::optional<unsigned>>;
  std::vector<Lint> found_;
  std::map<Place, std::size_t> known_;
};

/// Sites are those of a tile that is alone.
class TileLints : public event::Listener {
 public:
  explicit TileLints(Arch arch);

  /// The values that semaphores have at the start.
  void start(const tensix::Coprocessor& coprocessor);
  void happened(const event::Event& event) override;
  const Lints& lints() const { return lints_; }

 private:
  struct Semaphore {
    int value = 0;
    int given = 0;  // by SEMINIT, or at the start
  };
  /// A thread's last wait.
  struct Wait {
    bool has_held = true;  // something that its block mask catches has come
    bool is_over = true;
    std::uint16_t block_mask = 0;
    Site site = {};
  };
  struct Store {
    std::uint32_t address = 0;
    std::uint32_t pc = 0;
  };

  void issued(const event::Event& event, const event::Issued& issue);
  void init(const event::Event& event, const event::Issued& issue, const Site& site);
  void wait(const event::Event& event, const event::Issued& issue, const Site& site);
  void stored(const event::Stored& store);
  void semaphore_stored(const event::Event& event, const event::SemaphoreStored& stored);
  /// Whether the semaphore has changed.
  bool change(unsigned semaphore, bool decrements);

  Arch arch_;
  std::shared_ptr<const tensix::UnitTiming> timing_;
  const Region* window_;    // on semaphores
  bool semwait_displaces_;  // W43
  std::array<Semaphore, semaphore_count> semaphores_ = {};
  std::array<Wait, tensix::thread_count> waits_ = {};
  std::array<std::deque<Store>, tile::core_count> stores_ = {};  // to the window on semaphores, under way
  Lints lints_;
};

}  // namespace tensim::insight
