// How far a tile is run, and how a run that went too far is repeated (docs/architecture/tile.md, decisions 7 and 13).
#include <algorithm>
#include <utility>

#include "tile/core_bus.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using riscv::Core;
using time::Phase;

namespace {
constexpr Cycle stretch_cycles = 65'536;          // between marks of a long run,
constexpr Cycle observed_stretch_cycles = 8'192;  // whose events are kept,
constexpr Cycle timed_stretch_cycles = 32'768;    // or where its time went alone,
constexpr Cycle window_stretch_cycles = 8'192;    // and of windows
constexpr Cycle short_run_cycles = 128;           // not worth a mark
constexpr Cycle cautious_cycles = 64;             // walked where agents had run too far ahead: there may be more of it

/// Of windows. Listeners that want to know the order of things are told in step.
Cycle end_of_stretch(Cycle now, bool is_observed) {
  return is_observed ? (now / Tile::observed_cycles + 1) * Tile::observed_cycles : now + window_stretch_cycles;
}

}  // namespace

std::optional<Tile::Halt> Tile::ended(Cycle end) const {
  if (coprocessor.fault) return Halt::coprocessor_fault;
  if (const auto core = stopped_core(); core && this->core(*core).stop->cycle < end) return Halt::core_stopped;
  if (script.fault()) return Halt::core_stopped;
  if (noc_fault && noc_fault->cycle < end) return Halt::noc_fault;
  if (time_.met) return Halt::met;
  return std::nullopt;
}

Tile::Halt Tile::run_until(Cycle end) {
  settle();
  reach_ = never;
  Halt halt = ended(now()).value_or(Halt::reached);
  const Cycle stretch = listener_ == nullptr                       ? stretch_cycles
                        : listener_->wanted() == event::wants_time ? timed_stretch_cycles
                                                                   : observed_stretch_cycles;
  time_.look = all_agents;  // whoever is outside may have changed anything
  while (now() < end && halt == Halt::reached) {
    if (time_.held == all_cores && !lockstep_)
      halt = run_without_cores(listener_ == nullptr ? end : std::min(end, now() + stretch));
    else if (const std::optional<Halt> beaten = end - now() > short_run_cycles ? beat_on(end) : std::nullopt)
      halt = *beaten;
    else if (!lockstep_ && end - now() > short_run_cycles)
      halt = run_stretch(std::min(end, now() + stretch));
    else
      halt = walk(end);
    hand_on_events();
  }
  if (halt == Halt::reached) settle();
  is_exact_ = true;
  return halt;
}

/// From a mark, which is forgotten again: at its end nobody is behind it.
Tile::Halt Tile::run_stretch(Cycle end) {
  mark();
  stretch_end_ = end;
  const Halt halt = run_marked(end);
  forget_mark();
  return halt;
}

Tile::Halt Tile::run_window(Cycle end, Cycle reach) {
  if (lockstep_) return run_until(end);
  reach_ = reach;
  if (is_exact_) time_.look = all_agents;  // whoever is outside may have changed anything
  Halt halt = ended(now()).value_or(Halt::reached);
  while (now() < end && halt == Halt::reached) {
    if (!is_marked_) {
      if (!has_anything_to_do_before(end)) {
        if (!has_next_event()) return nothing_is_left();
        time_.now = end;
        is_exact_ = false;
        return Halt::reached;
      }
      // Of a tile that only receives there is nothing that could be repeated, nor where rounds are left out.
      const auto unmarked = time_.held == all_cores ? std::optional(run_without_cores(end)) : beat_on(end);
      if (unmarked) {
        hand_on_events();
        halt = *unmarked;
        end = std::min(end, end_of_reach());
        continue;
      }
      mark();
      stretch_end_ = end_of_stretch(now(), notes_orders());
    }
    halt = run_marked(std::min(end, stretch_end_));
    end = std::min(end, end_of_reach());
    if (now() != stretch_end_ && halt != Halt::nothing_left) continue;
    // A message may wake somebody soon: the mark is good until then.
    if (now() < stretch_end_ && listener_ == nullptr) {
      is_exact_ = true;
      return halt;
    }
    forget_mark();  // nobody is behind the end of a stretch, or of everything
    hand_on_events();
    is_exact_ |= halt == Halt::nothing_left;
  }
  return halt;
}

// ---- windows that may have gone too far ----

Tile::Halt Tile::run_tentatively(Cycle end, Cycle reach) {
  reach_ = reach;
  if (is_exact_) time_.look = all_agents;  // whoever is outside may have changed anything
  if (const std::optional<Halt> halt = ended(now())) return *halt;
  if (!is_marked_) {
    if (!has_anything_to_do_before(end)) {
      if (!has_next_event()) return nothing_is_left();
      time_.now = end;
      is_exact_ = false;
      return Halt::reached;
    }
    mark();
    stretch_end_ = end_of_stretch(now(), notes_orders());
  }
  stretch_end_ = std::max(stretch_end_, end);
  is_tentative_ = true;
  const Halt halt = run_marked(end);
  is_tentative_ = false;
  return halt;
}

/// Where it has no mark, it has done nothing.
Tile::Halt Tile::take_back(Cycle cycle) {
  if (!is_marked_) {
    time_.now = cycle;
    return Halt::reached;
  }
  go_back_to(cycle);
  forget_mark();
  is_exact_ = true;
  return now() < cycle ? run_window(cycle) : ended(now()).value_or(Halt::reached);  // somebody had run too far ahead
}

void Tile::keep(Halt halt) {
  if (halt == Halt::nothing_left)
    is_exact_ = true;  // a message may wake somebody soon: the mark is good until then
  else if (is_exact_ || now() == stretch_end_)
    forget_mark();  // nobody is behind it
}

/// Whether an agent does something before `end`, as far as is known now.
bool Tile::has_anything_to_do_before(Cycle end) {
  look_up_keys(std::exchange(time_.look, 0U));
  return time::cycle_of(*std::ranges::min_element(time_.keys)) < end;
}

void Tile::settle() {
  if (is_exact_) {
    forget_mark();
    return hand_on_events();
  }
  if (is_marked_ && is_ahead())
    go_back_to(now());
  else
    come_to_now();
  forget_mark();
  hand_on_events();
  is_exact_ = true;
}

/// Where nobody is behind `now`, those who are before it come there.
void Tile::come_to_now() {
  settle_sleepers();
  catch_up(now());
}

/// For whoever reaches in from outside: even where nothing is left to do, everybody is there, and nobody asleep.
void Tile::wake_everybody() {
  lose_beat();
  settle();
  come_to_now();
}

/// Whether a core may have looked at what enters behind the end of the last window.
bool Tile::is_ahead() const {
  return std::ranges::any_of(
      cores, [this](const Core& core) { return core.status != Core::Status::in_reset && core.clock >= now(); });
}

// ---- marks ----

void Tile::mark() {
  coprocessor.activity.is(time::Doing::marks);
  hand_on_events();
  forget_arrivals();
  mark_ = static_cast<const TileState&>(*this);
  l1.mark();
  is_marked_ = true;
}

void Tile::forget_mark() {
  l1.forget_mark();
  is_marked_ = false;
}

void Tile::rest() {
  if (!mark_) return;
  settle();
  mark_ = time::CopiedPointer<TileState>();
}

/// As it was at the mark. A page that was somebody's own, and should not have been, is nobody's own from the mark on.
void Tile::go_back() {
  coprocessor.activity.is(time::Doing::marks);
  if (time_.misread_page) mark_->share(*time_.misread_page);
  static_cast<TileState&>(*this) = *mark_;
  l1.go_back();
  journal_.drop();
}

/// Back to the mark, and from there to exactly `cycle`, where nobody is behind it. Something earlier that concerns cores ahead
/// of it may show only now, as somebody was stopped by the later one before: then not further than there.
void Tile::go_back_to(Cycle cycle) {
  do {
    if (time_.conflict && !time_.misread_page) cycle = std::min(cycle, *time_.conflict);
    go_back();
    if (now() < cycle)
      advance(cycle);
    else
      come_to_now();
  } while (time_.misread_page || time_.conflict);
}

void Tile::hand_on_events() {
  if (listener_ == nullptr) return journal_.drop();
  journal_.hand_on(*listener_);
  if (time_.sleepers != 0 && notes_orders()) leave_out_sleepers();
}

/// What comes of a sleeper when it wakes begins before now, where everything has been told: as it has seen nothing new until
/// now, that beginning is left out.
void Tile::leave_out_sleepers() {
  for (Core& core : cores)
    if (core.status == Core::Status::asleep) core.told_until = now();
}

/// Up to `end` from wherever it is, with a mark to go back to. Agents may be ahead of whatever ends a run early: then the
/// run is repeated up to there, and stops exactly. Where a page was taken for somebody's own and is not, it ends, too, and
/// goes on with a new mark.
Tile::Halt Tile::run_marked(Cycle end) {
  Halt halt = advance_window(end, stretch_end_);
  const bool is_repeated = time_.misread_page.has_value();
  while (time_.misread_page) {
    end = *time_.conflict + 1;
    go_back();
    halt = advance(end);
  }
  if (!time_.conflict && (halt == Halt::reached || halt == Halt::nothing_left)) {
    if (is_repeated && !is_tentative_) forget_mark();
    return halt;
  }
  const bool was_too_far = time_.conflict.has_value();
  Cycle exact = time_.conflict.value_or(end);
  if (halt == Halt::coprocessor_fault) exact = std::min(exact, coprocessor.now);
  if (const auto core = stopped_core()) exact = std::min(exact, this->core(*core).stop->cycle);
  if (time_.met) exact = std::min(exact, *time_.met);
  if (noc_fault) exact = std::min(exact, noc_fault->cycle);
  if (const auto& fault = script.fault()) exact = std::min(exact, fault->access.cycle);
  go_back_to(exact);
  if (!is_tentative_) forget_mark();
  return walk(std::min(end, now() + (was_too_far || now() < exact ? cautious_cycles : 1)));
}

/// Cycle by cycle, with nobody ahead of anybody.
Tile::Halt Tile::walk(Cycle end) {
  settle_sleepers();
  walks_ = true;
  Halt halt = Halt::reached;
  while (now() < std::min(end, end_of_reach()) && halt == Halt::reached) {
    if (lockstep_) ask_again();
    halt = advance(now() + 1);
  }
  walks_ = false;
  return halt;
}

/// While all cores are in reset nobody runs ahead of anybody. Ends when a core is let go.
Tile::Halt Tile::run_without_cores(Cycle end) {
  walks_ = true;
  const Halt halt = advance(end);
  walks_ = false;
  return halt;
}

// ---- up to a cycle ----

/// At its end everybody is exactly there.
Tile::Halt Tile::advance(Cycle end) {
  time_.look = all_agents;
  const Halt halt = advance_window(end, end);
  is_exact_ = true;
  if (!time_.conflict && halt == Halt::reached) come_to_now();
  return halt;
}

/// All that others may see before `end` happens; cores go on by themselves up to `horizon`.
Tile::Halt Tile::advance_window(Cycle end, Cycle horizon) {
  time_.window = end;
  time_.horizon = horizon;
  is_exact_ = false;
  for (const Core& core : cores)
    if (core.stop) stop_with(core);
  if (noc_fault) stop_with(*noc_fault);
  run_to_window();
  if (time_.conflict) return Halt::reached;
  if (const std::optional<Halt> halt = ended(time_.window)) {
    time_.now = coprocessor.fault ? std::min(time_.window, time_.active) : time_.window;
    if (!coprocessor.fault) catch_up(now());
    return *halt;
  }
  if (last_activity() <= end && !has_next_event()) return nothing_is_left();
  time_.now = time_.window;
  return Halt::reached;
}

Tile::Halt Tile::nothing_is_left() {
  time_.now = std::max(now(), last_activity());
  return Halt::nothing_left;
}

/// The run ends with the cycle in which a core has stopped.
void Tile::stop_with(const Core& core) {
  time_.window = std::min(time_.window, core.stop->cycle + 1);
  time_.horizon = std::min(time_.horizon, core.stop->cycle + 1);
}

/// The first cycle in which no agent did anything any more.
Cycle Tile::last_activity() const {
  Cycle last = std::max(coprocessor.now, time_.active);  // stores leave after their core has gone to sleep, or waits
  for (const Core& core : cores)
    if (core.status != Core::Status::in_reset) last = std::max(last, core.clock);
  return last;
}

void Tile::idle_until(Cycle end) {
  const auto is_awake = [](const Core& core) { return core.status == Core::Status::running; };
  if (std::ranges::any_of(cores, is_awake)) run_until(end);  // somebody has looked at it since
  time_.now = std::max(now(), end);
  come_to_now();
  forget_mark();
  hand_on_events();
  is_exact_ = true;
}

/// Puts sleeping cores where they are at the end of the run: nothing has changed for them so far.
void Tile::settle_sleepers() {
  if (time_.sleepers == 0) return;
  for (Core& core : cores)
    if (core.status == Core::Status::asleep) wake_core(core, {now() - 1, Phase::store, coprocessor_agent});
  time_.window = time_.horizon = now();
  const bool walked = std::exchange(walks_, true);
  time_.look = all_agents;
  run_to_window();
  walks_ = walked;
}

}  // namespace tensim::tile
