// Runs a tile as a debugger wants it run: to a breakpoint, for one instruction of a core, until a word is touched. None of
// it changes what the tile does, or when: no memory is patched, and cycles are only looked at, one by one.
//
// There are two copies of the tile. `shown` is what the user sees; it is walked cycle by cycle where there is something to
// look for. `ahead` is the same run some way on, as it goes without a debugger: it knows where the run ends, which a walk
// cannot tell (a core that is walked through its loop never sleeps), and its end is the end that is reported. Without
// anything to look for, `shown` is copied from it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/effective_access.hpp"
#include "tile/tile.hpp"

namespace tensim::debug {

struct Watchpoint {
  enum class Kind : std::uint8_t { write, read, access };
  Kind kind = Kind::write;
  std::uint32_t address = 0;
  std::uint32_t bytes = 4;
  /// Memory that every core has for itself: the core that is meant.
  std::optional<tile::CoreId> core = std::nullopt;

  bool operator==(const Watchpoint&) const = default;
  bool catches(tile::CoreId who, const EffectiveAccess& access) const {
    const bool is_meant = kind == Kind::write ? access.stores : kind == Kind::read ? access.loads : true;
    return is_meant && core.value_or(who) == who && access.overlaps(address, bytes);
  }
};

/// Why the tile stands still.
struct Stop {
  enum class Kind : std::uint8_t {
    breakpoint,   // a core is about to execute it
    in_bundle,    // the same, but it stands within words that are pushed as one: before the first of them
    watchpoint,   // a core has executed an access to it
    changed,      // its bytes have been changed by something that is not a core
    stepped,      // the core has entered an instruction
    interrupted,  // by the user
    core_stopped,
    coprocessor_fault,
    nothing_left,  // a deadlock, or the end
    met,           // the words that the run was to go on until
    budget_spent,
  };
  Kind kind = Kind::interrupted;
  tile::CoreId core = tile::CoreId::brisc;
  Watchpoint::Kind watch = Watchpoint::Kind::write;
  std::uint32_t address = 0;  // of a breakpoint in a bundle, or the access that a watchpoint caught
};

class Debugger {
 public:
  using Halt = tile::Tile::Halt;
  static constexpr std::size_t most_breakpoints = 1024;
  static constexpr std::size_t most_watchpoints = 64;
  static constexpr std::uint32_t most_watched_bytes = 4096;

  /// `tile` is at its start; the run ends with cycle `budget`.
  Debugger(const tile::Tile& tile, tile::Cycle budget);

  const tile::Tile& tile() const { return *shown_; }
  /// The same cycle, but where the run has ended with cores that sleep over what they poll, they do.
  const tile::Tile& tile_to_explain() const { return end_ && halt_ == Halt::nothing_left ? *ahead_ : *shown_; }

  // ---- what to look for; false if there is too much of it already, or if it makes no sense ----
  bool add_breakpoint(std::uint32_t address);
  void remove_breakpoint(std::uint32_t address);
  bool add_watchpoint(const Watchpoint& watchpoint);
  /// Whichever core it is meant for.
  void remove_watchpoint(const Watchpoint& watchpoint);

  // ---- running ----
  /// Everything goes on; if `step` is given, until that core has entered an instruction.
  void resume(std::optional<tile::CoreId> step);
  /// Some way on. Nothing if there is no reason to stop yet.
  std::optional<Stop> advance();
  /// Stands still here.
  Stop interrupt(tile::CoreId core);

  // ---- changing things: the run is another one from here on ----
  tile::Tile& change();

  // ---- the end ----
  /// Goes on to the end as if nobody looked; how it ended.
  Halt run_to_end();
  /// How the run ended, if the user has seen its end; `reached` means that the budget is spent.
  std::optional<Halt> halt() const { return end_ ? halt_ : std::nullopt; }
  /// What has become of the tile, if run_to_end() was called or halt() says something.
  const tile::Tile& ended_tile() const { return *ahead_; }

 private:
  /// Where a core was when it was looked at last.
  struct Seen {
    std::uint64_t retired = 0;
    std::uint32_t pc = 0;
    bool in_reset = true;
    bool is_reported = false;  // the user knows that it is here
    bool operator==(const Seen&) const = default;
  };
  using Places = std::array<Seen, tile::core_count>;
  using Accesses = std::array<std::optional<EffectiveAccess>, tile::core_count>;
  using StoresUnderWay = std::array<bool, most_watchpoints>;  // by a core, to what each watchpoint watches

  bool has_to_walk() const { return step_ || !breakpoints_.empty() || !watchpoints_.empty(); }
  void follow_changes();
  void go_ahead();
  std::optional<Stop> ending();
  Stop end_with(Halt halt);
  std::optional<Stop> leap();
  std::optional<Stop> walk_cycle();
  std::optional<Stop> walk_one();
  void look_at_cores();
  bool is_breakpoint(std::uint32_t address) const;
  std::optional<Stop> breakpoint_hit() const;
  std::optional<Stop> bundle_at_risk() const;
  bool has_passed(const Stop& at_risk, const Places& before) const;
  Accesses accesses() const;
  std::optional<Stop> watchpoint_hit(const Accesses& before, const Places& places) const;
  bool is_being_stored(const Watchpoint& watchpoint) const;
  StoresUnderWay stores_under_way() const;
  std::optional<Stop> changed_by_others(const StoresUnderWay& stores);
  std::vector<std::uint8_t> bytes_of(const Watchpoint& watchpoint) const;
  void remember_watched_bytes();
  Stop stand(const Stop& stop);

  std::unique_ptr<tile::Tile> shown_;
  std::unique_ptr<tile::Tile> ahead_;
  tile::Cycle budget_;
  tile::Cycle chunk_cycles_;
  bool is_changed_ = false;   // `ahead` has to ask its waiting accesses again
  std::optional<Halt> halt_;  // of `ahead`
  std::optional<Stop> end_;   // of `shown`
  std::vector<std::uint32_t> breakpoints_;
  std::vector<Watchpoint> watchpoints_;
  std::vector<std::vector<std::uint8_t>> watched_;  // the bytes of each, as they were
  std::optional<tile::CoreId> step_;
  std::uint64_t step_from_ = 0;
  tile::CoreId current_ = tile::CoreId::brisc;
  Places seen_{};
};

}  // namespace tensim::debug
