#include "tile/script.hpp"

#include <algorithm>
#include <utility>

#include "tile/core_bus.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using time::Phase;

// ---- the lists ----

Script::Script(std::shared_ptr<const ScriptLists> lists) : lists_(std::move(lists)) {
  for (unsigned core = 0; core < core_count; ++core)
    if (const auto& accesses = lists_->accesses[core]; !accesses.empty()) cores_[core].next = accesses.front().cycle;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    fed_[thread].due = lists_->threads[thread].start;
}

bool Script::is_done() const {
  if (!is_given()) return true;
  for (unsigned core = 0; core < core_count; ++core)
    if (cores_[core].done != lists_->accesses[core].size()) return false;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    if (!is_fed(thread)) return false;
  return true;
}

Access Script::access(unsigned core, Cycle cycle) const {
  const ScriptedAccess& next = next_access(core);
  return {.core = static_cast<CoreId>(core),
          .is_store = next.is_store,
          .address = next.address,
          .value = next.value,
          .origin = origin_of_line(next.line),
          .cycle = cycle};
}

std::optional<Script::Waiting> Script::waiting(unsigned core) const {
  if (!is_given() || cores_[core].wait == Wait::none) return std::nullopt;
  return Waiting{access(core, cores_[core].asked), cores_[core].wait, next_access(core).cycle};
}

std::vector<ScriptedAccess> Script::accesses_to_come(unsigned core) const {
  if (!is_given()) return {};
  const std::vector<ScriptedAccess>& all = lists_->accesses[core];
  return {all.begin() + static_cast<std::ptrdiff_t>(cores_[core].done), all.end()};
}

void Script::answered(unsigned core, Cycle cycle, const Answer& answer) {
  Core& state = cores_[core];
  state.asked = cycle;
  state.wait = answer.wait;
  state.next = never;
  if (answer.fault != AccessFault::none && !fault_) fault_ = Fault{access(core, cycle), answer.fault, answer.region};
  if (!answer.is_done()) return;
  const ScriptedAccess& done = next_access(core);
  if (!done.is_store && done.checks && answer.value != done.value) mismatches_.push_back({done, cycle, answer.value});
  ++state.done;
  if (state.done != lists_->accesses[core].size()) state.next = std::max(next_access(core).cycle, cycle + 1);
}

std::vector<std::uint32_t> Script::words_to_come(unsigned thread) const {
  if (!is_given()) return {};
  const std::vector<std::uint32_t>& all = lists_->threads[thread].words;
  return {all.begin() + static_cast<std::ptrdiff_t>(fed_[thread].count), all.end()};
}

Script::Word Script::feed(unsigned thread, Cycle cycle) {
  Fed& fed = fed_[thread];
  const FedWords& list = lists_->threads[thread];
  fed.due = cycle + list.cycles_per_word;
  const std::size_t place = fed.count++;
  return {list.words[place], static_cast<std::uint32_t>(place)};
}

// ---- the tile's side ----

namespace {

Phase phase_of(const ScriptedAccess& access) {
  return access.is_store ? Phase::store : Phase::load;
}

}  // namespace

/// When the script does something next. A word that finds no room is fed in the cycle whose step has made some.
Tile::Key Tile::key_of_script() const {
  Key next = time::no_key;
  if (!script.is_given()) return next;
  for (unsigned core = 0; core < core_count; ++core)
    if (const Cycle cycle = script.next_cycle(core); cycle != never)
      next = std::min(next, time::key(cycle, phase_of(script.next_access(core)), core));
  const Cycle last_step = std::max<Cycle>(coprocessor.now, 1) - 1;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    if (!script.is_fed(thread) && coprocessor.can_push(thread))
      next = std::min(next, time::key(std::max(script.due(thread), last_step), Phase::store, script_agent));
  return next;
}

/// Does what the script has at `key`.
void Tile::run_script(Key key) {
  const Cycle cycle = time::cycle_of(key);
  const unsigned agent = time::agent_of(key);
  if (agent == script_agent) return feed_threads(cycle);
  CoreBus bus{*this};
  const ScriptedAccess& access = script.next_access(agent);
  const bool is_store = access.is_store;
  if (is_store && notes_orders() && !script.waiting(agent)) note_scripted_store(agent, access, key);
  const std::uint32_t pc = Script::origin_of_line(access.line) * 4;
  const Answer answer = is_store ? bus.store(cores[agent], access.address, access.value, 4, pc, cycle)
                                 : bus.load(cores[agent], access.address, 4, pc, cycle);
  if (time_.conflict) return;  // the run is repeated up to here
  if (!is_store && answer.is_done() && notes_orders()) note_scripted_load(agent, access, answer.value, key);
  script.answered(agent, cycle, answer);
  if (!script.fault()) return;
  time_.window = std::min(time_.window, is_store ? cycle + 1 : cycle);
  time_.horizon = std::min(time_.horizon, time_.window);
}

/// One word for each thread that is due one, if its push FIFO takes it.
void Tile::feed_threads(Cycle cycle) {
  catch_up(cycle + 1);
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    if (script.is_fed(thread) || cycle < script.due(thread) || !coprocessor.can_push(thread)) continue;
    const Script::Word fed = script.feed(thread, cycle);
    coprocessor.push(thread, fed.word, fed.origin);
    if (notes_orders()) note_fed(thread, fed, cycle);
  }
  wake_device_sleepers({cycle, Phase::store, script_agent});
}

/// Accesses of the named cores that wait are asked again, in the same cycle if their place in it is yet to come.
void Tile::retry_script(std::uint8_t named, const Moment& moment) {
  look_again_at(coprocessor_and_devices);  // a thread may have room for words, too
  const Key changed = time::key(moment.cycle, moment.phase, moment.agent);
  for (unsigned core = 0; core < core_count; ++core) {
    if ((named >> core & 1U) == 0 || !script.waits(core)) continue;
    const bool is_to_come = time::key(moment.cycle, phase_of(script.next_access(core)), core) > changed;
    script.ask_again(core, is_to_come ? moment.cycle : moment.cycle + 1);
  }
}

}  // namespace tensim::tile
