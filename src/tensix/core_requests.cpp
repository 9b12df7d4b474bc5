#include "tensix/core_requests.hpp"

#include <algorithm>

#include "tensix/coprocessor.hpp"
#include "tensix/units/configuration/unit.hpp"

namespace tensim::tensix {

namespace {

template <class Stores>
bool has_arrived(const Stores& stores, Cycle now) {
  return !stores.empty() && stores.front().due <= now;
}

}  // namespace

void CoreRequests::add(unsigned core, const ConfigStore& write, Cycle due, Ticket ticket) {
  config_stores_[core].push({due, ticket, write});
  ++stores_;
}

void CoreRequests::add(unsigned core, const GprStore& write, Cycle due, Ticket ticket) {
  gpr_stores_[core].push({due, ticket, write});
  ++stores_;
}

void CoreRequests::note(unsigned core, Cycle last, Ticket ticket) {
  if (core < 1 || core > thread_count) return;
  noted_until_[core] = std::max(noted_until_[core], last + 1);
  all_noted_until_ = std::max(all_noted_until_, last + 1);
  if (ticket == AutoTtSync::no_ticket) return;
  noted_[core - 1].push({last, ticket, {}});
  ++tracked_;
}

bool CoreRequests::config_store_has_arrived(Cycle now) const {
  return std::ranges::any_of(config_stores_, [&](const auto& stores) { return has_arrived(stores, now); });
}

std::optional<CoreRequests::Taken<ConfigStore>> CoreRequests::take_config_store(Cycle now) {
  for (unsigned turn = 1; turn <= core_count; ++turn) {
    const unsigned core = (last_served_ + turn) % core_count;
    if (!has_arrived(config_stores_[core], now)) continue;
    last_served_ = static_cast<std::uint8_t>(core);
    --stores_;
    return take(config_stores_[core], core);
  }
  return std::nullopt;
}

std::optional<CoreRequests::Taken<CoreRequests::GprStore>> CoreRequests::take_gpr_store(Cycle now) {
  for (unsigned core = 0; core < core_count; ++core)
    if (has_arrived(gpr_stores_[core], now)) {
      --stores_;
      return take(gpr_stores_[core], core);
    }
  return std::nullopt;
}

std::optional<CoreRequests::Taken<std::monostate>> CoreRequests::take_noted(Cycle now) {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (has_arrived(noted_[thread], now)) {
      --tracked_;
      return take(noted_[thread], thread + 1);
    }
  return std::nullopt;
}

Cycle CoreRequests::next_event(Cycle now) const {
  if (!any() && all_noted_until_ < now) return never;  // almost always
  Cycle event = never;
  for (unsigned core = 0; core < core_count; ++core) {
    if (!config_stores_[core].empty()) event = std::min(event, std::max(config_stores_[core].front().due, now));
    if (!gpr_stores_[core].empty()) event = std::min(event, std::max(gpr_stores_[core].front().due, now));
    if (noted_until_[core] != 0 && noted_until_[core] >= now) event = std::min(event, noted_until_[core]);
  }
  for (const auto& noted : noted_)
    if (!noted.empty()) event = std::min(event, std::max(noted.front().due, now));
  return event;
}

void Coprocessor::store_config(unsigned core, const ConfigStore& write, AutoTtSync::Ticket ticket) {
  core_requests.add(core, write, now - 1 + timing->core_request_travel, ticket);
  has_requests_ = changed_ = true;
}

void Coprocessor::store_gpr(unsigned core, const CoreRequests::GprStore& write, AutoTtSync::Ticket ticket) {
  core_requests.add(core, write, now - 1 + timing->core_request_travel, ticket);
  has_requests_ = changed_ = true;
}

void Coprocessor::note_core_load(unsigned core, AutoTtSync::Ticket ticket) {
  core_requests.note(core, now + timing->core_request_travel - 1, ticket);
  has_requests_ = has_requests_ || core_requests.any();
}

void Coprocessor::note_core_store(unsigned core, AutoTtSync::Ticket ticket) {
  core_requests.note(core, now - 1 + timing->core_request_travel, ticket);
  has_requests_ = has_requests_ || core_requests.any();
}

/// Cores' requests share the Configuration Unit's group with the threads' instructions, which come first (assumed).
void Coprocessor::land_core_requests() {
  if (core_requests.config_store_has_arrived(now) && units::takes_core_request(*this)) {
    const auto taken = *core_requests.take_config_store(now);
    write_config(taken.write);
    core_access_done(taken.thread(), taken.ticket, now);
    changed_ = true;
  }
  while (const auto taken = core_requests.take_gpr_store(now)) {
    const CoreRequests::GprStore& write = taken->write;
    gprs.value[write.thread][write.reg] = write.value;
    written.add_gpr(write.thread, write.reg);
    core_access_done(taken->thread(), taken->ticket, now);
    changed_ = true;
  }
  while (const auto taken = core_requests.take_noted(now))
    core_access_done(taken->thread(), taken->ticket, now);
}

void Coprocessor::settle(Cycle cycle) {
  if (cycle != now || in_flight.next_completion() >= now) return;
  retire();
  changed_ = true;
}

}  // namespace tensim::tensix
