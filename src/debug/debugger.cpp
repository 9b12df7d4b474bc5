#include "debug/debugger.hpp"

#include <algorithm>
#include <utility>

namespace tensim::debug {

using riscv::Core;
using tile::CoreId;
using tile::Cycle;
using tile::Tile;

namespace {

// As far as a tile runs between its own checkpoints, so that the run ahead is that of a run without a debugger.
constexpr Cycle longest_chunk = 1'000'000;
// After a change there is nothing to be the same as, and the user waits.
constexpr Cycle first_chunk_after_change = 4096;
// Walked before the caller may look whether the user wants something.
constexpr unsigned walked_at_once = 4096;

bool is_alive(const Core& core) {
  return core.status != Core::Status::in_reset && core.status != Core::Status::stopped;
}

CoreId id_of(const Core& core) {
  return static_cast<CoreId>(core.number);
}

bool touches(const riscv::QueuedStore& store, const Watchpoint& watchpoint) {
  if (store.target != riscv::Target::l1) return false;
  for (unsigned i = 0; i < riscv::QueuedStore::block_bytes; ++i)
    if ((store.mask >> i & 1U) != 0 && store.address + i - watchpoint.address < watchpoint.bytes) return true;
  return false;
}

Stop::Kind kind_of(Tile::Halt halt) {
  switch (halt) {
    case Tile::Halt::reached: return Stop::Kind::budget_spent;
    case Tile::Halt::met: return Stop::Kind::met;
    case Tile::Halt::noc_fault:
    case Tile::Halt::core_stopped: return Stop::Kind::core_stopped;
    case Tile::Halt::coprocessor_fault: return Stop::Kind::coprocessor_fault;
    case Tile::Halt::nothing_left: break;
  }
  return Stop::Kind::nothing_left;
}

}  // namespace

Debugger::Debugger(const Tile& tile, Cycle budget)
    : shown_(std::make_unique<Tile>(tile)),
      ahead_(std::make_unique<Tile>(tile)),
      budget_(budget),
      chunk_cycles_(longest_chunk) {
  shown_->walk_in_lockstep(true);
  look_at_cores();
}

// ---- what to look for ----

bool Debugger::is_breakpoint(std::uint32_t address) const {
  return std::ranges::binary_search(breakpoints_, address);
}

bool Debugger::add_breakpoint(std::uint32_t address) {
  if (is_breakpoint(address)) return true;
  if (breakpoints_.size() == most_breakpoints || address % 4 != 0) return false;
  breakpoints_.insert(std::ranges::upper_bound(breakpoints_, address), address);
  return true;
}

void Debugger::remove_breakpoint(std::uint32_t address) {
  std::erase(breakpoints_, address);
}

bool Debugger::add_watchpoint(const Watchpoint& watchpoint) {
  if (std::ranges::find(watchpoints_, watchpoint) != watchpoints_.end()) return true;
  const bool makes_sense = watchpoint.bytes != 0 && watchpoint.bytes <= most_watched_bytes;
  if (watchpoints_.size() == most_watchpoints || !makes_sense) return false;
  watchpoints_.push_back(watchpoint);
  remember_watched_bytes();
  return true;
}

void Debugger::remove_watchpoint(const Watchpoint& watchpoint) {
  std::erase_if(watchpoints_, [&](const Watchpoint& known) {
    return known.kind == watchpoint.kind && known.address == watchpoint.address && known.bytes == watchpoint.bytes;
  });
  remember_watched_bytes();
}

// ---- the run ahead ----

Tile& Debugger::change() {
  is_changed_ = true;
  end_.reset();
  halt_.reset();
  return *shown_;
}

/// What the user has changed may concern accesses that wait: in a cycle of lock-step all are asked again.
void Debugger::follow_changes() {
  if (!std::exchange(is_changed_, false)) return;
  *ahead_ = *shown_;
  ahead_->run_until(std::min(budget_, ahead_->now() + 1));
  ahead_->walk_in_lockstep(false);
  chunk_cycles_ = first_chunk_after_change;
}

void Debugger::go_ahead() {
  const Halt halt = ahead_->run_until(std::min(budget_, ahead_->now() + chunk_cycles_));
  if (halt != Halt::reached || ahead_->now() >= budget_) halt_ = halt;
  chunk_cycles_ = std::min(2 * chunk_cycles_, longest_chunk);
}

Debugger::Halt Debugger::run_to_end() {
  follow_changes();
  while (!halt_)
    go_ahead();
  return *halt_;
}

Stop Debugger::end_with(Halt halt) {
  halt_ = halt;
  CoreId core = current_;
  if (halt == Halt::core_stopped) core = shown_->stopped_core().value_or(core);
  if (halt == Halt::coprocessor_fault) core = static_cast<CoreId>(shown_->coprocessor.fault->thread + 1);
  end_ = Stop{.kind = kind_of(halt), .core = core};
  return *end_;
}

/// The end, if `shown` has come to it; otherwise `ahead` is ahead of it.
std::optional<Stop> Debugger::ending() {
  if (end_) return end_;
  if (!halt_ && shown_->now() >= ahead_->now()) go_ahead();
  if (!halt_ || shown_->now() < ahead_->now()) return std::nullopt;
  return end_with(*halt_);
}

// ---- running ----

void Debugger::resume(std::optional<CoreId> step) {
  step_ = step;
  remember_watched_bytes();
  if (!step) return;
  current_ = *step;
  step_from_ = shown_->core(*step).retired;
  seen_[static_cast<unsigned>(*step)].is_reported = true;
}

std::optional<Stop> Debugger::advance() {
  follow_changes();
  if (end_) return end_;
  if (const auto hit = breakpoint_hit()) return stand(*hit);
  if (!has_to_walk()) return leap();
  for (unsigned i = 0; i < walked_at_once; ++i)
    if (const auto stop = walk_cycle()) return stand(*stop);
  return std::nullopt;
}

Stop Debugger::interrupt(CoreId core) {
  return stand({.kind = Stop::Kind::interrupted, .core = core});
}

Stop Debugger::stand(const Stop& stop) {
  current_ = stop.core;
  seen_[static_cast<unsigned>(stop.core)].is_reported = true;
  step_.reset();
  return stop;
}

/// To where `ahead` is.
std::optional<Stop> Debugger::leap() {
  if (const auto end = ending()) return end;
  *shown_ = *ahead_;
  shown_->walk_in_lockstep(true);
  if (halt_ == Halt::nothing_left) shown_->idle_until(ahead_->now());
  look_at_cores();
  return halt_ ? ending() : std::nullopt;
}

std::optional<Stop> Debugger::walk_cycle() {
  if (const auto end = ending()) return end;
  const Accesses before = accesses();
  const StoresUnderWay stores = stores_under_way();
  const Places places = seen_;
  const auto at_risk = bundle_at_risk();
  const auto checkpoint = at_risk ? std::make_unique<Tile>(*shown_) : nullptr;
  const auto end = walk_one();
  if (at_risk && has_passed(*at_risk, places)) {
    *shown_ = *checkpoint;
    seen_ = places;
    end_.reset();
    return at_risk;
  }
  if (end) return end;
  if (const auto hit = watchpoint_hit(before, places)) return hit;
  if (const auto change = changed_by_others(stores)) return change;
  if (const auto hit = breakpoint_hit()) return hit;
  if (!step_ || shown_->core(*step_).retired == step_from_) return std::nullopt;
  return Stop{.kind = Stop::Kind::stepped, .core = *step_};
}

/// `shown` by exactly one cycle, unless something ends the run in it.
std::optional<Stop> Debugger::walk_one() {
  const Cycle next = shown_->now() + 1;
  const Halt halt = shown_->run_until(next);
  look_at_cores();
  if (halt == Halt::nothing_left) shown_->idle_until(next);
  if (halt == Halt::nothing_left || halt == Halt::reached) return std::nullopt;
  return end_with(halt);
}

void Debugger::look_at_cores() {
  for (const Core& core : shown_->cores) {
    Seen& seen = seen_[core.number];
    const bool in_reset = core.status == Core::Status::in_reset;
    const bool is_there = seen.retired == core.retired && seen.pc == core.pc && seen.in_reset == in_reset;
    if (!is_there) seen = {.retired = core.retired, .pc = core.pc, .in_reset = in_reset};
  }
}

// ---- breakpoints ----

/// A core that has come to one, and the user does not know yet.
std::optional<Stop> Debugger::breakpoint_hit() const {
  if (breakpoints_.empty()) return std::nullopt;
  for (const Core& core : shown_->cores)
    if (is_alive(core) && !seen_[core.number].is_reported && is_breakpoint(core.pc))
      return Stop{.kind = Stop::Kind::breakpoint, .core = id_of(core), .address = core.pc};
  return std::nullopt;
}

/// A core that may in this cycle enter a breakpoint's instruction together with those before it.
std::optional<Stop> Debugger::bundle_at_risk() const {
  for (const Core& core : shown_->cores) {
    const bool may_enter = core.status == Core::Status::running && core.clock <= shown_->now();
    const auto next = std::ranges::upper_bound(breakpoints_, core.pc);
    if (!may_enter || seen_[core.number].is_reported || next == breakpoints_.end()) continue;
    const std::uint32_t words = (*next - core.pc) / 4;
    if (words >= riscv::InstructionCache::words_per_line || words >= longest_bundle(*shown_, core)) continue;
    return Stop{.kind = Stop::Kind::in_bundle, .core = id_of(core), .address = *next};
  }
  return std::nullopt;
}

bool Debugger::has_passed(const Stop& at_risk, const Places& before) const {
  const Seen& place = before[static_cast<unsigned>(at_risk.core)];
  return shown_->core(at_risk.core).retired - place.retired > (at_risk.address - place.pc) / 4;
}

// ---- watchpoints ----

Debugger::Accesses Debugger::accesses() const {
  Accesses all;
  if (watchpoints_.empty()) return all;
  for (const Core& core : shown_->cores)
    if (core.status == Core::Status::running && core.clock <= shown_->now())
      all[core.number] = effective_access(*shown_, core);
  return all;
}

/// A core that has entered an access to something watched.
std::optional<Stop> Debugger::watchpoint_hit(const Accesses& before, const Places& places) const {
  for (const Core& core : shown_->cores) {
    const auto& access = before[core.number];
    if (!access || core.retired == places[core.number].retired) continue;
    for (const Watchpoint& watchpoint : watchpoints_)
      if (watchpoint.catches(id_of(core), *access))
        return Stop{.kind = Stop::Kind::watchpoint,
                    .core = id_of(core),
                    .watch = watchpoint.kind,
                    .address = std::max(access->address, watchpoint.address)};
  }
  return std::nullopt;
}

bool Debugger::is_being_stored(const Watchpoint& watchpoint) const {
  for (const Core& core : shown_->cores)
    for (unsigned i = 0; i < core.stores.size(); ++i)
      if (touches(core.stores[i], watchpoint)) return true;
  return false;
}

Debugger::StoresUnderWay Debugger::stores_under_way() const {
  StoresUnderWay stores{};
  for (std::size_t i = 0; i < watchpoints_.size(); ++i)
    stores[i] = is_being_stored(watchpoints_[i]);
  return stores;
}

/// Bytes that have changed without a core's store: those were reported when they entered.
std::optional<Stop> Debugger::changed_by_others(const StoresUnderWay& stores) {
  for (std::size_t i = 0; i < watchpoints_.size(); ++i) {
    const Watchpoint& watchpoint = watchpoints_[i];
    if (watched_[i].empty()) continue;
    const auto now = shown_->l1.begin() + watchpoint.address;
    if (std::equal(watched_[i].begin(), watched_[i].end(), now)) continue;
    watched_[i] = bytes_of(watchpoint);
    if (stores[i]) continue;
    return Stop{.kind = Stop::Kind::changed, .core = current_, .watch = watchpoint.kind, .address = watchpoint.address};
  }
  return std::nullopt;
}

/// Of L1; empty if only cores' accesses are watched.
std::vector<std::uint8_t> Debugger::bytes_of(const Watchpoint& watchpoint) const {
  const std::uint64_t end = std::uint64_t{watchpoint.address} + watchpoint.bytes;
  if (watchpoint.kind == Watchpoint::Kind::read || end > shown_->l1.size()) return {};
  const auto first = shown_->l1.begin() + watchpoint.address;
  return {first, first + watchpoint.bytes};
}

void Debugger::remember_watched_bytes() {
  watched_.clear();
  for (const Watchpoint& watchpoint : watchpoints_)
    watched_.push_back(bytes_of(watchpoint));
}

}  // namespace tensim::debug
