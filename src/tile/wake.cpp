// Who has to look again when something has changed: accesses that wait, and cores that sleep over what they poll.
#include <algorithm>
#include <bit>
#include <cstring>

#include "arch/config_registers.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tile/core_bus.hpp"
#include "tile/handlers.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {

using riscv::Core;
using time::Phase;

/// What changes in a cycle is seen by loads of the next; what a load changes, also by later loads of its own cycle.
void Tile::wake_core(Core& core, const Moment& moment) {
  const bool is_seen_at_once = moment.phase == Phase::load && core.number > moment.agent;
  watch(core, false);
  const Cycle from = core.clock;
  core.wake(is_seen_at_once ? moment.cycle - 1 : moment.cycle);
  if (journal_.wants(event::wants_time) && core.clock != from) note_rounds(core, from);
  look_again_at(1U << core.number);
}

void Tile::watch(const Core& core, bool on) {
  const auto bit = static_cast<std::uint8_t>(1U << core.number);
  time_.sleepers = static_cast<std::uint8_t>(on ? time_.sleepers | bit : time_.sleepers & ~bit);
  time_.device_sleepers = static_cast<std::uint8_t>(time_.device_sleepers & ~bit);
  for (unsigned i = 0; i < core.spin.record.count; ++i) {
    const riscv::RecordedLoad& load = core.spin.record.loads[i];
    if (!load.is_l1) {
      if (on) time_.device_sleepers |= bit;
      continue;
    }
    std::uint8_t& page = time_.watched[load.address / page_bytes];
    page = static_cast<std::uint8_t>(on ? page | bit : page & ~bit);
  }
}

void Tile::forget_stop_words() {
  time_.stop_words.clear();
  time_.met.reset();
}

void Tile::look_at_stop_words(Cycle cycle) {
  const auto has_its_value = [&](const Schedule::StopWord& word) {
    return std::memcmp(l1.data() + word.address, &word.value, sizeof word.value) == 0;
  };
  if (!std::ranges::all_of(time_.stop_words, has_its_value)) return;
  time_.met = cycle;
  time_.window = std::min(time_.window, cycle + 1);
  time_.horizon = std::min(time_.horizon, cycle + 1);
  look_again_at(all_agents);
}

void Tile::l1_changed(std::uint32_t address, std::uint32_t bytes, const Moment& moment) {
  if (print_rings.any) print_rings.look(l1, address, bytes, moment.cycle);
  if (!time_.stop_words.empty()) look_at_stop_words(moment.cycle);
  if (coprocessor.scalar.wait == tensix::ScalarUnit::Wait::comparison) {
    tensix::units::l1_changed(coprocessor, address, bytes, moment.cycle);
    look_again_at(coprocessor_and_devices);
  }
  std::uint8_t pollers = 0;
  for (std::uint32_t page = address / page_bytes; page <= (address + bytes - 1) / page_bytes; ++page) {
    pollers |= time_.watched[page];
    if (const int owner = time_.read_ahead.write(moment.agent, page); owner != ReadAhead::nobody)
      misjudged(page, static_cast<unsigned>(owner), moment);
  }
  if (pollers == 0) return;
  for (Core& core : cores)
    if ((pollers >> core.number & 1U) != 0 && !sees_the_same(core, moment.cycle + 1)) wake_core(core, moment);
}

/// A page that was taken for another core's; if that core has read ahead, the run is repeated.
void Tile::misjudged(std::uint32_t page, unsigned owner, const Moment& moment) {
  time_.read_ahead.share(page);
  if (walks_ || time_.conflict || cores[owner].clock <= moment.cycle) return;
  time_.conflict = moment.cycle;
  time_.misread_page = page;
  look_again_at(all_agents);
}

void Tile::wake_device_sleepers(const Moment& moment) {
  if (time_.device_sleepers == 0) return;
  for (Core& core : cores)
    if ((time_.device_sleepers >> core.number & 1U) != 0 && !sees_the_same(core, moment.cycle + 1))
      wake_core(core, moment);
}

/// Whether the loads of the core's loop would give what they gave, in `cycle`.
bool Tile::sees_the_same(const Core& core, Cycle cycle) {
  const auto is_still_there = [&](const riscv::RecordedLoad& recorded) {
    if (recorded.is_line())
      return std::memcmp(l1.data() + recorded.line_address(), recorded.line.data(), recorded.size_bytes) == 0;
    if (recorded.is_l1) return std::memcmp(l1.data() + recorded.address, &recorded.value, recorded.size_bytes) == 0;
    const Answer answer = load(devices, coprocessor,
                               {.core = static_cast<CoreId>(core.number),
                                .size_bytes = recorded.size_bytes,
                                .address = recorded.address,
                                .cycle = cycle});
    return answer.is_done() && answer.value == recorded.value;
  };
  const auto first = core.spin.record.loads.begin();
  return std::all_of(first, first + core.spin.record.count, is_still_there);
}

namespace {

/// Whether it is known of all loads of the core that have no answer that they would get none now.
bool loads_wait_on(const Devices& devices, const tensix::Coprocessor& coprocessor, const Core& core) {
  for (unsigned i = 0; i < core.loads.size(); ++i)
    if (const riscv::LoadInFlight& load = core.loads[i];
        !load.is_answered() && !waits_on(devices, coprocessor, static_cast<CoreId>(core.number), load.wait))
      return false;
  return true;
}

}  // namespace

/// Stores of a cycle come after everything else in it; loads before.
void Tile::retry_accesses(Core& core, const Moment& moment) {
  if (core.stores.is_blocked() && (time_.fed >> core.number & 1U) == 0) {
    core.stores.retry(moment.phase == Phase::store ? moment.cycle + 1 : moment.cycle);
    look_again_at(1U << core.number);
  }
  if (core.loads.has_unanswered() && !loads_wait_on(devices, coprocessor, core)) {
    core.retry = std::min(core.retry, moment.cycle + 1);
    look_again_at(1U << core.number);
  }
}

/// Lock-step does not rely on anybody saying when an access that waits should be asked again: all are, in every cycle.
void Tile::ask_again() {
  time_.fed = 0;
  for (Core& core : cores) {
    if (core.status == Core::Status::in_reset) continue;
    core.stores.retry(time_.now);
    if (core.loads.has_unanswered()) core.retry = time_.now;
  }
  for (unsigned core = 0; core < core_count; ++core)
    if (script.waits(core)) script.ask_again(core, time_.now);
}

void Tile::coprocessor_stepped() {
  const Moment moment{coprocessor.now - 1, Phase::step, coprocessor_agent};
  coprocessor.scalar.mmio_waits = false;
  wake_device_sleepers(moment);
  for (unsigned left = time_.waiting; left != 0; left &= left - 1)
    retry_accesses(cores[static_cast<unsigned>(std::countr_zero(left))], moment);
  if (script.is_given()) retry_script(all_cores, moment);
}

/// After every access to a device: even a load may change what others find there.
void Tile::devices_changed(const Moment& moment) {
  coprocessor.scalar.mmio_waits = false;
  wake_device_sleepers(moment);
  if (devices.woken == 0) return;
  const std::uint8_t woken = std::exchange(devices.woken, std::uint8_t{0});
  for (Core& core : cores)
    if ((woken >> core.number & 1U) != 0) retry_accesses(core, moment);
  if (script.is_given()) retry_script(woken, moment);
}

/// True if no core has run past `cycle`, in which something concerns a core's private state. If cores may have, that is
/// noted as a conflict: the run is repeated up to there and walked (run_marked()), and it happens then.
bool Tile::require_exact(Cycle cycle) {
  if (!walks_ && !time_.conflict) time_.conflict = cycle;
  look_again_at(all_agents);
  return walks_;
}

/// Configuration that acts on cores: RISCV_IC_INVALIDATE names those whose instruction caches are emptied.
void Tile::apply_config_effects(Cycle cycle) {
  const bool invalidates = (coprocessor.config_effects & tensix::invalidates_icaches) != 0;
  if (!invalidates) {
    coprocessor.config_effects = 0;
    return;
  }
  if (!require_exact(cycle)) return;
  coprocessor.config_effects = 0;
  const ConfigField::Place& caches = "RISCV_IC_INVALIDATE_InvalidateAll"_config.on(arch);
  const std::uint32_t named = caches.get(coprocessor.config.bank[0][static_cast<std::size_t>(caches.word)]);
  for (Core& core : cores)
    if ((named >> core.number & 1U) != 0) core.icache.invalidate();
}

}  // namespace tensim::tile
