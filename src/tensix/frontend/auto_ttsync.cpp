#include "tensix/frontend/auto_ttsync.hpp"

#include <bit>

#include "arch/sizes.hpp"
#include "isa/table.hpp"
#include "tensix/registers/config.hpp"

namespace tensim::tensix {

using namespace isa::literals;

// ---- switched by SETC16 and SOFT_RESET_0 ----

void AutoTtSync::enable(const TtSyncEnables& enables, const WordsAhead& ahead, unsigned bank) {
  const bool was_on = on_;
  enables_ = enables;
  on_ = size(arch_, "auto_ttsync"_size) != 0 && enables.tracks_anything();
  if (on_ != was_on) restart(ahead, bank);
}

void AutoTtSync::reset(const WordsAhead& ahead, unsigned bank) {
  declarations_ = default_declarations(linger_);
  restart(ahead, bank);
}

/// Pending accesses stay: their tickets are out, and later instructions have to wait for them. So do results on their way:
/// they will land.
void AutoTtSync::restart(const WordsAhead& ahead, unsigned bank) {
  const auto fill = [](auto& fifo, unsigned words) {
    fifo = {};
    for (unsigned i = 0; i < words; ++i)
      fifo.push(untracked);
  };
  fill(push_fifo_, ahead.in_push_fifo);
  fill(replay_fifo_, ahead.in_replay_fifo);
  fill(gate_fifo_, ahead.in_gate_fifo);
  in_mop_expander_ = in_replay_expander_ = untracked;
  live_ = 0;
  lingers_until_ = 0;
  bank_ = static_cast<std::uint8_t>(bank);
}

// ---- the T core's accesses ----

ResourceUse AutoTtSync::used() const {
  unsigned reads = 0;
  unsigned writes = 0;
  for (std::uint64_t left = on_ ? live_ : 0; left != 0; left &= left - 1) {
    const ResourceUse& use = records_[static_cast<unsigned>(std::countr_zero(left))].use;
    reads |= use.reads;
    writes |= use.writes;
  }
  for (unsigned resource = 0; on_ && resource < resources::count; ++resource)
    if (landing_[resource] != 0) writes |= 1U << resource;
  return {static_cast<ResourceSet>(reads), static_cast<ResourceSet>(writes)};
}

AutoTtSync::Ticket AutoTtSync::access_started(ResourceSet wanted, bool is_store) {
  if (wanted == 0 || pending_ == ~AccessMask{0}) return no_ticket;
  const auto ticket = static_cast<Ticket>(std::countr_one(pending_));
  pending_ |= AccessMask{1} << ticket;
  accesses_[ticket] = {wanted, is_store};
  return ticket;
}

void AutoTtSync::access_done(Ticket ticket, Cycle cycle, bool held) {
  if (ticket == no_ticket) return;
  const AccessMask bit = AccessMask{1} << ticket;
  const bool candidate_waited = held && held_until() == never;
  pending_ &= ~bit;
  for (std::uint64_t left = live_; left != 0; left &= left - 1)
    records_[static_cast<unsigned>(std::countr_zero(left))].waits_for &= ~bit;
  if (!candidate_waited || held_until() == never) return;
  // In every cycle in which the candidate is held its class's linger time is put into a register that shifts right: the
  // candidate stays held until that is empty (RESOURCEDECL in assembly.yaml).
  lingers_until_ = cycle + 1 + static_cast<unsigned>(std::bit_width(records_[gate_fifo_.front()].linger));
}

// ---- words on their way ----

bool AutoTtSync::takes(Word word) {
  if (!has(arch_, "auto_ttsync"_size)) return false;
  if (isa::opcode_of(word) == "RESOURCEDECL"_op) {
    declare(declarations_, word);
    return true;
  }
  if (on_) push_fifo_.push(record_of(word));
  return false;
}

AutoTtSync::RecordId AutoTtSync::record_of(Word word) {
  const ResourceUse use = resource_use(declarations_, word, bank_, enables_.subdivided_cfg);
  // The bank changes for the words behind this one, which will find it changed when they execute.
  if (const auto bank = config_bank_set_by(arch_, word)) bank_ = static_cast<std::uint8_t>(*bank);
  if (use.any() == 0) return untracked;
  const auto record = static_cast<RecordId>(std::countr_one(live_));
  live_ |= std::uint64_t{1} << record;
  records_[record] = {.waits_for = conflicting_accesses(use),
                      .use = use,
                      .linger = declarations_[instruction_class(word)].linger,
                      .holders = 1};
  return record;
}

AutoTtSync::AccessMask AutoTtSync::conflicting_accesses(const ResourceUse& use) const {
  AccessMask conflicting = 0;
  for (AccessMask left = pending_; left != 0; left &= left - 1) {
    const Access& access = accesses_[static_cast<unsigned>(std::countr_zero(left))];
    const ResourceSet relevant = access.is_store ? use.any() : use.writes;
    if ((access.resources & relevant) != 0) conflicting |= left & -left;
  }
  return conflicting;
}

void AutoTtSync::drop(RecordId& record) {
  if (record == untracked) return;
  if (--records_[record].holders == 0) live_ &= ~(std::uint64_t{1} << record);
  record = untracked;
}

// ---- the Wait Gate ----

Cycle AutoTtSync::held_until() const {
  if (gate_fifo_.empty() || gate_fifo_.front() == untracked) return 0;
  return records_[gate_fifo_.front()].waits_for != 0 ? never : lingers_until_;
}

// ---- results on their way ----

ResourceSet AutoTtSync::write_starts(ResourceSet writes) {
  if (!on_ || gate_fifo_.empty() || gate_fifo_.front() == untracked) return resources::none;
  const auto tracked = static_cast<ResourceSet>(writes & records_[gate_fifo_.front()].use.writes);
  count_landing(tracked);
  return tracked;
}

void AutoTtSync::count_landing(ResourceSet writes) {
  for (unsigned left = writes; left != 0; left &= left - 1)
    ++landing_[static_cast<unsigned>(std::countr_zero(left))];
}

void AutoTtSync::write_landed(ResourceSet written) {
  for (unsigned left = written; left != 0; left &= left - 1)
    --landing_[static_cast<unsigned>(std::countr_zero(left))];
}

AutoTtSync::Awaited AutoTtSync::awaited() const {
  Awaited awaited;
  if (held_until() != never) return awaited;
  for (AccessMask left = records_[gate_fifo_.front()].waits_for; left != 0; left &= left - 1) {
    const Access& access = accesses_[static_cast<unsigned>(std::countr_zero(left))];
    awaited.resources |= access.resources;
    ++(access.is_store ? awaited.stores : awaited.loads);
  }
  return awaited;
}

}  // namespace tensim::tensix
