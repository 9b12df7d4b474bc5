// A core that goes round a loop alone in its tile, and stores something else in every round (riscv/round.hpp). What it does in
// a round is found out beforehand; then it is walked for a round to see whether pipeline, store queue and ports are as they were.
// If so, whole rounds are left out: registers gain what they would have gained, and clocks go on. What else has changed, in
// registers and in L1, is put right by the last rounds, which are executed: so nobody can tell.
#include <algorithm>
#include <cstring>
#include <utility>

#include "tensix/coprocessor.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using riscv::Core;
using riscv::Round;

namespace {

constexpr Cycle longest_round = 4096;  // a flush of the L0 data cache by itself comes round every 128 hits

/// Executed at the end of what is left out: what waits in the store queue holds old values, and each round lets at least one
/// of it go; behind it a round is stored for good.
constexpr std::uint64_t executed_rounds = riscv::StoreQueue::capacity + 2;

std::uint32_t block_of(std::uint32_t address) {
  return address & ~(riscv::QueuedStore::block_bytes - 1);
}

}  // namespace

/// The core that goes on while all others sleep, wait for ever or are in reset; null if there is none, if there are several, or if
/// somebody wants to know of every store.
Core* Tile::lone_core() {
  if (lockstep_ || listener_ != nullptr || print_rings.any || script.is_given() || time_.fed != 0) return nullptr;
  if (coprocessor.scalar.wait != tensix::ScalarUnit::Wait::none || coprocessor.l1_traffic.busy_until > now())
    return nullptr;
  look_up_keys(std::exchange(time_.look, 0U));
  Core* lone = nullptr;
  for (Core& core : cores) {
    if (time_.keys[core.number] == time::no_key && !time_.l1_ports.wants(core.number)) continue;
    if (lone != nullptr) return nullptr;
    lone = &core;
  }
  const bool is_plain = lone != nullptr && lone->retry == never && !lone->loads.has_unanswered() && !lone->stop &&
                        lone->local_ready <= now() && (!lone->spin.is_replaying || lone->spin.replay_until < now());
  return is_plain ? lone : nullptr;
}

/// Whether nobody sees what the core stores, and nobody's loads get in the way of it: cores that sleep do not execute theirs, but
/// they take the port (Core::loads_asleep()).
bool Tile::touches_nobody(const Core& core, const Round& round) const {
  const auto is_stop_word = [&](const Schedule::StopWord& word) { return round.stores_to(block_of(word.address)); };
  if (std::ranges::any_of(time_.stop_words, is_stop_word)) return false;
  for (const Core& other : cores) {
    if (other.status != Core::Status::asleep) continue;
    const bool shares_port = L1Ports::port_of(other.number) == L1Ports::port_of(core.number);
    for (unsigned i = 0; i < other.spin.record.count; ++i) {
      const riscv::RecordedLoad& load = other.spin.record.loads[i];
      if (load.is_l1 && (shares_port || round.stores_to(block_of(load.address)))) return false;
    }
  }
  return true;
}

bool Tile::beats() {
  if (beat_.stage != Beat::Stage::known) return false;
  const Core* const core = lone_core();
  const auto is_still_there = [&](const Round::Read& read) {
    return std::memcmp(l1.data() + read.address, &read.value, read.size_bytes) == 0;
  };
  return core != nullptr && core->number == beat_.core && time_.first_of_others == time::no_key &&
         std::ranges::all_of(beat_.round.reads, is_still_there) && touches_nobody(*core, beat_.round);
}

void Tile::lose_beat() {
  beat_.stage = Beat::Stage::none;
}

/// Goes on towards `end` if a core goes round alone, or seems to; nothing if that is not so.
std::optional<Tile::Halt> Tile::beat_on(Cycle end) {
  if (beat_.stage == Beat::Stage::none && !starts_to_seek()) return std::nullopt;
  Core* const core = lone_core();
  const Cycle limit = std::min(end, time::cycle_of(time_.first_of_others));
  if (core == nullptr || core->number != beat_.core || limit <= now() || !touches_nobody(*core, beat_.round)) {
    lose_beat();
    return std::nullopt;
  }
  const Halt halt = beat_.stage == Beat::Stage::sought ? seek_beat(*core, limit) : go_round(*core, limit, end);
  if (halt != Halt::reached) lose_beat();
  if (limit < end) {  // somebody else comes
    lose_beat();
    beat_.sought_next = std::max(beat_.sought_next, limit + 1);
  }
  return halt;
}

bool Tile::starts_to_seek() {
  if (now() < beat_.sought_next) return false;
  const Core* const core = lone_core();
  if (core == nullptr || core->status != Core::Status::running) return false;
  const std::optional<Round> round = round_ahead(*core, {l1.data(), l1.size()});
  if (!round || round->stored_blocks.empty()) return false;
  beat_.stage = Beat::Stage::sought;
  beat_.core = core->number;
  beat_.round = *round;
  beat_.until = now() + longest_round;
  beat_.has_start = false;
  return true;
}

/// How all is at the start of a lap.
void Tile::note_start(const Core& core) {
  beat_.has_start = true;
  beat_.at = now();
  beat_.retired = core.retired;
  beat_.account = core.account;
  beat_.state = core.loop_state();
  beat_.stores = core.stores;
  beat_.predictor = core.predictor;
  beat_.ports = time_.l1_ports;
}

/// The round to come, if all is as it was at the start of a lap, but for the registers that change.
std::optional<Round> Tile::comes_round(Core& core) {
  core.loads.retire(now());
  if (core.pc != beat_.round.head || core.clock != now() || core.status != Core::Status::running) return std::nullopt;
  const Cycle cycles = now() - beat_.at;
  riscv::LoopState before = beat_.state;
  for (unsigned i = 0; i < before.x.size(); ++i)
    if ((beat_.round.changing >> i & 1U) != 0) before.x[i] = core.x[i];
  const bool is_alike = core.loop_state() == before && core.stores.recurs(beat_.stores, cycles, now()) &&
                        core.predictor.guesses_like(beat_.predictor) &&
                        time_.l1_ports.recurs(beat_.ports, cycles, now());
  if (!is_alike) return std::nullopt;
  const std::optional<Round> next = next_round(core, {l1.data(), l1.size()});
  return next && next->goes_like(beat_.round) ? next : std::nullopt;
}

/// Walks until all is as it was when the core stood at the head of its loop.
Tile::Halt Tile::seek_beat(Core& core, Cycle end) {
  Halt halt = Halt::reached;
  while (now() < std::min(end, end_of_reach()) && halt == Halt::reached) {
    if (!beat_.has_start) {
      core.loads.retire(now());
      if (core.pc == beat_.round.head && core.clock == now() && core.status == Core::Status::running) note_start(core);
    } else if (comes_round(core)) {
      beat_.stage = Beat::Stage::known;
      beat_.lap = {now() - beat_.at, core.retired - beat_.retired, core.account - beat_.account};
      beat_.pause = Beat::first_pause;
      return Halt::reached;
    }
    if (now() >= beat_.until) {
      lose_beat();
      beat_.sought_next = now() + beat_.pause;
      beat_.pause = std::min(2 * beat_.pause, Beat::longest_pause);
      return Halt::reached;
    }
    halt = walk_beside_sleepers(now() + 1);
  }
  return halt;
}

/// Laps are left out up to some rounds before `limit`; the rest is executed, unless others come before `end`.
Tile::Halt Tile::go_round(Core& core, Cycle limit, Cycle end) {
  const Cycle cycles = beat_.lap.cycles;
  const Cycle start = now() + (cycles - (now() - beat_.at) % cycles) % cycles;
  const Cycle executed = (executed_rounds + beat_.rounds() - 1) / beat_.rounds();
  if (start + (executed + 1) * cycles <= limit) {
    if (const Halt halt = walk_beside_sleepers(start); halt != Halt::reached) return halt;
    const std::optional<Round> next = comes_round(core);
    if (!next) {
      lose_beat();
      return Halt::reached;
    }
    leave_out(core, *next, (limit - now()) / cycles - executed);
  }
  return limit < end ? Halt::reached : walk_beside_sleepers(limit);
}

void Tile::leave_out(Core& core, const Round& round, Cycle laps) {
  const Cycle skipped = laps * beat_.lap.cycles;
  for (unsigned i = 0; i < core.x.size(); ++i)
    core.x[i] += static_cast<std::uint32_t>(laps * beat_.rounds()) * round.gains[i];
  core.pass(laps, beat_.lap);
  core.stores.shift(skipped);
  core.spin.start_over();  // what it knows of loops is of before
  time_.l1_ports.shift(skipped);
  for (unsigned port = 0; port < L1Ports::port_count; ++port)
    plan_port(port);
  time_.now += skipped;
  beat_.left_out += skipped;
  time_.look = all_agents;
  catch_up(now());
}

/// Cycle by cycle, as walk() does, but whoever sleeps sleeps on.
Tile::Halt Tile::walk_beside_sleepers(Cycle end) {
  walks_ = true;
  Halt halt = Halt::reached;
  while (now() < std::min(end, end_of_reach()) && halt == Halt::reached) {
    time_.look = all_agents;
    halt = advance_window(now() + 1, now() + 1);
  }
  walks_ = false;
  return halt;
}

}  // namespace tensim::tile
