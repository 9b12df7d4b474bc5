// What a listener that wants to know the order of things hears of the cores, of those who act in their name, and of what lands
// (event/happening.hpp). Tile::run_core() and Tile::refill_queue() are where an observed core is told from others.
#include "tensix/coprocessor.hpp"
#include "tile/core_engine.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using riscv::Core;
using time::Phase;

void Tile::run_observed(Core& core, Key first, Key limit) {
  run_engine(ObservedBus{{*this}}, core, {first, limit, time_.horizon});
}

bool Tile::refill_observed(Core& core) {
  return refill_engine(ObservedBus{{*this}}, core, time_.horizon);
}

/// The core has been put behind the rounds that it slept through from `from` on.
void Tile::note_rounds(Core& core, Cycle from) {
  journal_.add_rounds(from, (core.clock - from) / core.spin.lap.cycles, core.spin.spans);
  core.spanned = core.clock;
}

/// The core has waited until then, and has not got what it waited for.
void Tile::note_time_until(Core& core, Cycle cycle) {
  if (core.spanned >= cycle) return;
  journal_.add(event::CoreSpan{.from = core.spanned,
                               .count = cycle - core.spanned,
                               .pc = core.pc,
                               .core = static_cast<std::uint8_t>(core.number),
                               .kind = event::CoreSpan::Kind::held,
                               .stall = core.waiting});
  core.spanned = cycle;
}

/// What the host does before the first cycle comes before everything.
Tile::Key Tile::key_of(const Moment& moment) {
  return moment.cycle == never ? 0 : time::key(moment.cycle, moment.phase, moment.agent);
}

/// The core's oldest store has been written to L1.
void Tile::note_block(const Core& core, Cycle cycle) {
  const riscv::QueuedStore& store = core.stores.front();
  journal_.add(time::key(cycle, Phase::store, core.number),
               event::Landed{.core = static_cast<std::uint8_t>(core.number),
                             .count = store.merged,
                             .mask = store.mask,
                             .pc = store.pc,
                             .address = store.address});
}

void Tile::note_release(std::uint8_t released, const Moment& moment) {
  const bool is_of_tile = moment.agent <= coprocessor_agent;
  const std::uint8_t by = is_of_tile ? static_cast<std::uint8_t>(moment.agent) : event::Released::outside;
  journal_.add(key_of(moment), event::Released{by, released});
}

// ---- the mover, TDMA-RISC, the Scalar Unit ----

namespace {

void add_config_words(std::vector<event::Access>& accesses, Arch arch, const MemoryOperation& operation) {
  for (std::uint32_t at = 0; at < operation.size; at += 4) {
    const auto store = tensix::riscv_config_store(arch, operation.to + at, 0);
    if (!store) continue;
    const bool is_shared = store->first >= tensix::config_global_base(arch);
    for (std::size_t bank = 0; bank < (is_shared ? 1 : tensix::config_bank_count); ++bank)
      if (is_shared || (store->banks >> bank & 1U) != 0)
        accesses.push_back({.resource = event::Resource::config,
                            .owner = static_cast<std::uint8_t>(bank),
                            .write = true,
                            .first = store->first,
                            .count = store->count});
  }
}

}  // namespace

void Tile::note_move(const MemoryOperation& operation, event::Moved::By by, const Moment& moment) {
  using event::Resource;
  std::vector<event::Access>& accesses = journal_.accesses();
  if (operation.size != 0 && operation.source == MemoryOperation::Source::l1)
    accesses.push_back({.resource = Resource::l1, .first = operation.from, .count = operation.size});
  if (operation.size != 0 && operation.target == MemoryOperation::Target::l1)
    accesses.push_back({.resource = Resource::l1, .write = true, .first = operation.to, .count = operation.size});
  if (operation.target == MemoryOperation::Target::config) add_config_words(accesses, arch, operation);
  journal_.add_with_accesses(key_of(moment), event::Moved{.by = by, .who = operation.who});
}

void Tile::note_register(const tensix::Record& request, const Access& access, const Answer& answer,
                         const Moment& moment) {
  journal_.add(key_of(moment), event::Moved{.by = event::Moved::By::scalar_unit,
                                            .who = request.thread,
                                            .is_store = access.is_store,
                                            .address = access.address,
                                            .value = access.is_store ? access.value : answer.value});
}

// ---- scripts ----

/// As the core's program would have it. It waits for its store.
void Tile::note_scripted_store(unsigned core, const ScriptedAccess& access, Key when) {
  journal_.add(when, event::Stored{.core = static_cast<std::uint8_t>(core),
                                   .pc = Script::origin_of_line(access.line) * 4,
                                   .address = access.address,
                                   .value = access.value});
}

/// Its value is used at once: the script goes on with it.
void Tile::note_scripted_load(unsigned core, const ScriptedAccess& access, std::uint32_t value, Key when) {
  constexpr std::uint8_t some_register = 1;  // any but x0, which takes nothing
  const auto number = static_cast<std::uint8_t>(core);
  const std::uint32_t pc = Script::origin_of_line(access.line) * 4;
  journal_.add(when,
               event::Loaded{.core = number, .to = some_register, .pc = pc, .address = access.address, .value = value});
  journal_.add(when, event::Used{.core = number, .reg = some_register, .pc = pc});
}

void Tile::note_fed(unsigned thread, const Script::Word& fed, Cycle cycle) {
  journal_.add(time::key(cycle, Phase::store, script_agent),
               event::Stored{.core = static_cast<std::uint8_t>(thread + 1),
                             .pc = fed.origin * 4,
                             .address = timing_->cores.instruction_buffer,
                             .value = fed.word});
}

}  // namespace tensim::tile
