#include "insight/profiler.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "tensix/frontend/wait_gate.hpp"

namespace tensim::insight {

using event::CoreSpan;
using event::Stall;
using riscv::CoreStall;
using tensix::Entry;
using time::Cycle;

namespace {

std::uint64_t total(const auto& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0});
}

}  // namespace

std::uint64_t ThreadSite::cycles() const {
  return issued + total(held.cycles);
}

std::uint64_t CoreSite::cycles() const {
  return executed + total(held.cycles);
}

// ---- units ----

void BusyCycles::add(Cycle first, Cycle last) {
  while (!open_.empty() && open_.back().last + 1 >= first) {
    first = std::min(first, open_.back().first);
    last = std::max(last, open_.back().last);
    open_.pop_back();
  }
  open_.push_back({first, last});
  if (open_.size() < most_open) return;
  const auto kept = open_.begin() + most_open / 2;
  for (auto each = open_.begin(); each != kept; ++each)
    closed_ += each->last - each->first + 1;
  open_.erase(open_.begin(), kept);
}

std::uint64_t BusyCycles::count() const {
  std::uint64_t cycles = closed_;
  for (const Interval& each : open_)
    cycles += each.last - each.first + 1;
  return cycles;
}

// ---- threads ----

ThreadSite& Profiler::Sites::find(std::uint32_t word, std::uint32_t origin, bool is_from_brisc) {
  const std::uint64_t key = std::uint64_t{word} << 32U | origin << 1U | std::uint64_t{is_from_brisc};
  Recent& last = recent[(key ^ key >> 32U ^ key >> 40U) % recent_count];
  if (last.key == key) return all[last.place];
  const auto [found, is_new] = places.try_emplace(key, static_cast<std::uint32_t>(all.size()));
  if (is_new) {
    const std::uint32_t source = origin << (Entry::origin_shift - Entry::source_shift) |
                                 (is_from_brisc ? Entry::brisc_bit >> Entry::source_shift : 0U);
    all.push_back({.entry = Entry::expanded(word, source)});
  }
  last = {key, found->second};
  return all[last.place];
}

void Profiler::issued(const event::Issued& issue, Cycle cycle) {
  Thread& thread = threads_[issue.thread];
  ThreadSite& site = thread.sites.find(issue.word, issue.origin, issue.pusher != 0);
  ++site.issued;
  site.held[Stall::empty] += std::exchange(thread.empty, 0);
  if (!tensix::latches_wait(issue.word)) return;
  wait_is_over(issue.thread, cycle);  // displaced
  ++site.wait.times;
  thread.latched = static_cast<std::uint32_t>(&site - thread.sites.all.data());
  thread.latched_in = cycle;
}

void Profiler::held(const event::Held& hold) {
  Thread& thread = threads_[hold.thread];
  if (hold.stall == Stall::empty) {
    thread.empty += hold.count;
    return;
  }
  ThreadSite& site = thread.sites.find(hold.word, hold.origin, hold.pusher != 0);
  site.held[hold.stall] += hold.count;
  site.held[Stall::empty] += std::exchange(thread.empty, 0);
  if (hold.stall == Stall::latched_wait && thread.latched) thread.sites.all[*thread.latched].wait.cycles += hold.count;
}

/// A wait whose conditions are met is dropped in the cycle after its own.
void Profiler::wait_is_over(unsigned number, Cycle cycle) {
  Thread& thread = threads_[number];
  if (thread.latched && cycle > thread.latched_in + 1) ++thread.sites.all[*thread.latched].wait.pending;
  thread.latched.reset();
}

void Profiler::happened(const event::Event& event) {
  if (const auto* issue = std::get_if<event::Issued>(&event.what)) {
    issued(*issue, event.cycle());
  } else if (const auto* hold = std::get_if<event::Held>(&event.what)) {
    held(*hold);
  } else if (const auto* over = std::get_if<event::WaitOver>(&event.what)) {
    wait_is_over(over->thread, event.cycle());
  } else if (const auto* left = std::get_if<event::Left>(&event.what)) {
    busy_[left->unit].add(left->accepted, event.cycle());
    ++operations_[left->unit];
  }
}

// ---- cores ----

riscv::CoreAccount& Profiler::held_at(Core& core, std::uint32_t pc) {
  Core::Recent& recent = core.recent[pc / 4 % core.recent.size()];
  if (recent.pc != pc) recent = {pc, &core.held[pc]};
  return *recent.account;
}

void Profiler::add(const CoreSpan& span, std::uint64_t times) {
  Core& core = cores_[span.core];
  const bool is_executed = span.kind == CoreSpan::Kind::executed;
  const CoreStall stall = is_executed && span.pc == core.last_pc ? CoreStall::parked : span.stall;
  if (is_executed) core.last_pc = span.pc + static_cast<std::uint32_t>(4 * (span.count - 1));
  if (stall == CoreStall::none)
    core.executed.add(span.pc, span.count, times);
  else
    held_at(core, core.held_pc = span.pc)[core.held_for = stall] += span.count * times;
  core.account[stall] += span.count * times;
}

/// It has not been held for as long as it had said.
void Profiler::take_back(Core& core, Cycle cycle) {
  if (core.until <= cycle) return;
  held_at(core, core.held_pc)[core.held_for] -= core.until - cycle;
  core.account[core.held_for] -= core.until - cycle;
  core.until = cycle;
}

void Profiler::passed(std::span<const CoreSpan> spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const CoreSpan& span = spans[i];
    Core& core = cores_[span.core];
    take_back(core, span.from);
    if (span.kind != CoreSpan::Kind::rounds) {
      add(span, 1);
      core.until = span.from + span.count;
      continue;
    }
    for (const CoreSpan& each : spans.subspan(i + 1, span.spans)) {
      add(each, span.count);
      core.until += each.count * span.count;
    }
    i += span.spans;
  }
}

CoreProfile Profiler::core_profile(const Core& core, const riscv::Core& state, Cycle cycles) {
  CoreProfile profile{.ran = false, .account = core.account};
  std::map<std::uint32_t, CoreSite> sites;
  core.executed.for_each([&](std::uint32_t pc, std::uint64_t times) { sites[pc].executed = times; });
  for (const auto& [pc, account] : core.held)
    sites[pc].held = account;
  // One that waits has not said so yet, nor has one that is in reset.
  const std::uint64_t told = total(core.account.cycles);
  profile.ran = told != 0;
  // One that waits at the end of the run has said for how long it will, too.
  if (told > cycles) {
    profile.account[core.held_for] -= told - cycles;
    sites[core.held_pc].held[core.held_for] -= told - cycles;
  }
  if (told < cycles) {
    const bool is_held = state.status == riscv::Core::Status::in_reset;
    const CoreStall stall = is_held ? CoreStall::in_reset : state.waiting;
    profile.account[stall] += cycles - told;
    if (profile.ran) sites[state.pc].held[stall] += cycles - told;
  }
  for (auto& [pc, site] : sites) {
    site.pc = pc;
    profile.sites.push_back(site);
  }
  return profile;
}

Profile Profiler::finish(const tile::Tile& tile, Cycle cycles) const {
  Profile profile{.cycles = cycles};
  for (unsigned number = 0; number < tensix::thread_count; ++number) {
    const Thread& thread = threads_[number];
    ThreadProfile& result = profile.threads[number];
    result.sites = thread.sites.all;
    std::ranges::sort(result.sites, {}, [](const ThreadSite& site) {
      return std::tuple(site.entry.origin(), site.entry.is_from_brisc(), site.entry.word);
    });
    for (const ThreadSite& site : result.sites) {
      result.account[Stall::issued] += site.issued;
      for (std::size_t i = 0; i < event::stall_count; ++i)
        result.account.cycles[i] += site.held.cycles[i];
    }
    result.account[Stall::empty] += thread.empty;  // behind its last instruction
    // A tile that is left alone does not go on with the others.
    const tensix::Frontend& frontend = tile.coprocessor.frontends[number];
    const std::uint64_t told = total(result.account.cycles);
    const std::uint64_t rest = cycles - std::min(cycles, told);
    if (rest == 0) continue;
    const Stall stall = frontend.has_candidate() ? tile.coprocessor.gates.held[number].stall : Stall::empty;
    result.account[stall] += rest;
    if (stall == Stall::empty) continue;
    const Entry& entry = frontend.candidate();
    const auto site = std::ranges::find_if(result.sites, [&](const ThreadSite& each) {
      return each.entry.word == entry.word && each.entry.origin() == entry.origin();
    });
    ThreadSite& held = site != result.sites.end() ? *site : result.sites.emplace_back(ThreadSite{.entry = entry});
    held.held[stall] += rest;
  }
  for (unsigned core = 0; core < tile::core_count; ++core)
    profile.cores[core] = core_profile(cores_[core], tile.cores[core], cycles);
  for (std::size_t unit = 0; unit < profile.units.size(); ++unit)
    profile.units[unit] = {operations_[unit], busy_[unit].count()};
  return profile;
}

}  // namespace tensim::insight
