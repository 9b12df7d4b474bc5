#include "tensix/core_requests.hpp"

#include <algorithm>

#include "arch/timing.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {

namespace {

static_assert(cycles(Arch::wormhole, "core_request_travel"_cycles) == 2 &&
                  cycles(Arch::blackhole, "core_request_travel"_cycles) == 2,
              "CoreRequests::depth is as many");

Cycle travel(Arch arch) {
  return static_cast<Cycle>(cycles(arch, "core_request_travel"_cycles));
}

template <class Stores>
bool has_arrived(const Stores& stores, Cycle now) {
  return !stores.empty() && stores.front().due <= now;
}

}  // namespace

void CoreRequests::add(unsigned core, const ConfigStore& write, Cycle due) {
  config_stores_[core].push({due, write});
  ++stores_;
}

void CoreRequests::add(unsigned core, const GprStore& write, Cycle due) {
  gpr_stores_[core].push({due, write});
  ++stores_;
}

bool CoreRequests::config_store_has_arrived(Cycle now) const {
  return std::ranges::any_of(config_stores_, [&](const auto& stores) { return has_arrived(stores, now); });
}

std::optional<ConfigStore> CoreRequests::take_config_store(Cycle now) {
  for (unsigned turn = 1; turn <= core_count; ++turn) {
    const unsigned core = (last_served_ + turn) % core_count;
    if (!has_arrived(config_stores_[core], now)) continue;
    last_served_ = static_cast<std::uint8_t>(core);
    --stores_;
    return config_stores_[core].pop().write;
  }
  return std::nullopt;
}

std::optional<CoreRequests::GprStore> CoreRequests::take_gpr_store(Cycle now) {
  for (auto& stores : gpr_stores_)
    if (has_arrived(stores, now)) {
      --stores_;
      return stores.pop().write;
    }
  return std::nullopt;
}

Cycle CoreRequests::next_event(Cycle now) const {
  Cycle event = never;
  for (unsigned core = 0; core < core_count; ++core) {
    if (!config_stores_[core].empty()) event = std::min(event, std::max(config_stores_[core].front().due, now));
    if (!gpr_stores_[core].empty()) event = std::min(event, std::max(gpr_stores_[core].front().due, now));
    if (noted_until_[core] != 0 && noted_until_[core] >= now) event = std::min(event, noted_until_[core]);
  }
  return event;
}

void Coprocessor::store_config(unsigned core, const ConfigStore& write) {
  core_requests.add(core, write, now - 1 + travel(arch));
  has_requests_ = changed_ = true;
}

void Coprocessor::store_gpr(unsigned core, const CoreRequests::GprStore& write) {
  core_requests.add(core, write, now - 1 + travel(arch));
  has_requests_ = changed_ = true;
}

void Coprocessor::note_core_load(unsigned core) {
  core_requests.note(core, now + travel(arch) - 1);
}

void Coprocessor::note_core_store(unsigned core) {
  core_requests.note(core, now - 1 + travel(arch));
}

/// Cores' requests share the Configuration Unit's group with the threads' instructions, which come first (assumed).
void Coprocessor::land_core_requests() {
  if (core_requests.config_store_has_arrived(now) && units::takes_core_request(*this)) {
    write_config(*core_requests.take_config_store(now));
    changed_ = true;
  }
  while (const auto write = core_requests.take_gpr_store(now)) {
    gprs.value[write->thread][write->reg] = write->value;
    written.add_gpr(write->thread, write->reg);
    changed_ = true;
  }
}

void Coprocessor::settle(Cycle cycle) {
  if (cycle != now || in_flight.next_completion() >= now) return;
  retire();
  changed_ = true;
}

}  // namespace tensim::tensix
