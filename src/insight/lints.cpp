#include "insight/lints.hpp"

#include <algorithm>
#include <bit>

#include "insight/checked_state.hpp"
#include "isa/table.hpp"
#include "tensix/frontend/wait_gate.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::insight {

using namespace isa::literals;

// ---- what others report ----

namespace {

/// RMWCIB: bits that it does not write stay as they are, whatever they are.
bool writes_some_bits(const tensix::Report& report) {
  switch (isa::opcode_of(report.entry.word)) {
    case "RMWCIB0"_op:
    case "RMWCIB1"_op:
    case "RMWCIB2"_op:
    case "RMWCIB3"_op: return true;
    default: return false;
  }
}

}  // namespace

std::optional<LintKind> lint_kind_of(const tensix::Report& report) {
  using Category = tensix::Report::Category;
  switch (report.category) {
    case Category::semaphore_limit: return LintKind::lost_update;
    case Category::mux_drop: return LintKind::mux_drop;
    case Category::uninitialised_read:
      if (writes_some_bits(report)) return std::nullopt;
      return LintKind::uninitialised_read;
    case Category::undefined_data:
      if (report.issue == tensix::DataIssue::vector_early_read) return LintKind::early_read;
      if (report.issue == tensix::DataIssue::vector_undefined_row) return LintKind::uninitialised_read;
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<LintKind> lint_kind_of(const riscv::CoreReport& report) {
  if (report.category == riscv::CoreReport::Category::stale_read) return LintKind::stale_read;
  return std::nullopt;
}

// ---- what is found ----

void Lints::add(const Lint& lint) {
  const auto [known, is_new] =
      known_.try_emplace(Place{lint.kind, lint.site, lint.displaced, lint.semaphore}, found_.size());
  if (is_new) {
    found_.push_back(lint);
    return;
  }
  Lint& entry = found_[known->second];
  ++entry.count;
  entry.unmet += lint.unmet;
}

TileLints::TileLints(Arch arch)
    : Listener(event::wants_order),
      arch_(arch),
      timing_(tensix::unit_timing(arch)),
      window_(&region_of(arch, Region::Kind::semaphores)),
      semwait_displaces_(on(arch, true, false)) {}

void TileLints::start(const tensix::Coprocessor& coprocessor) {
  for (unsigned i = 0; i < semaphore_count; ++i)
    semaphores_[i].value = semaphores_[i].given = coprocessor.sync.semaphores()[i].value;
}

void TileLints::happened(const event::Event& event) {
  if (const auto* issue = std::get_if<event::Issued>(&event.what))
    issued(event, *issue);
  else if (const auto* over = std::get_if<event::WaitOver>(&event.what))
    waits_[over->thread].is_over = true;
  else if (const auto* store = std::get_if<event::Stored>(&event.what))
    stored(*store);
  else if (const auto* landed = std::get_if<event::SemaphoreStored>(&event.what))
    semaphore_stored(event, *landed);
}

// ---- threads ----

void TileLints::issued(const event::Event& event, const event::Issued& issue) {
  const Site site{actor_of_thread(0, issue.thread), Site::Kind::instruction, issue.pusher != 0, issue.word,
                  issue.origin};
  Wait& latched = waits_[issue.thread];
  if (!latched.has_held && timing_->operations[isa::opcode_of(issue.word)].held_by(latched.block_mask))
    latched.has_held = true;
  switch (isa::opcode_of(issue.word)) {
    case "SEMPOST"_op:
    case "SEMGET"_op:  // one that changes nothing is the coprocessor's to report
      for (unsigned left = tensix::sync_words::semaphore_mask_of(issue.word); left != 0; left &= left - 1)
        (void)change(static_cast<unsigned>(std::countr_zero(left)), isa::opcode_of(issue.word) == "SEMGET"_op);
      return;
    case "SEMINIT"_op: return init(event, issue, site);
    case "STALLWAIT"_op:
    case "SEMWAIT"_op:
    case "STREAMWAIT"_op:
      if (semwait_displaces_) wait(event, issue, site);
      return;
    default: return;
  }
}

void TileLints::init(const event::Event& event, const event::Issued& issue, const Site& site) {
  const auto value = static_cast<int>(tensix::sync_words::init_value.get(issue.word));
  for (unsigned left = tensix::sync_words::semaphore_mask_of(issue.word); left != 0; left &= left - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(left));
    Semaphore& semaphore = semaphores_[index];
    if (semaphore.value != semaphore.given && semaphore.value != value)
      lints_.add({.kind = LintKind::discarded_value,
                  .site = site,
                  .semaphore = index,
                  .value = semaphore.value,
                  .given = semaphore.given,
                  .cycle = event.cycle()});
    semaphore = {value, value};
  }
}

/// Of those that come to the gate here only a SEMWAIT can find a wait that has held nothing: it holds all others.
void TileLints::wait(const event::Event& event, const event::Issued& issue, const Site& site) {
  Wait& latched = waits_[issue.thread];
  if (!latched.has_held)
    lints_.add({.kind = LintKind::displaced_wait,
                .site = site,
                .displaced = latched.site,
                .cycle = event.cycle(),
                .unmet = latched.is_over ? 0U : 1U});
  latched = {.has_held = false,
             .is_over = false,
             .block_mask = tensix::latched_wait(arch_, {issue.word, 0}).block_mask,
             .site = site};
}

bool TileLints::change(unsigned semaphore, bool decrements) {
  int& value = semaphores_[semaphore].value;
  if (decrements ? value == 0 : value == tensix::SyncUnit::saturation) return false;
  value += decrements ? -1 : 1;
  return true;
}

// ---- cores ----

void TileLints::stored(const event::Stored& store) {
  if (store.address - window_->base < window_->size_bytes && tile::is_trisc(static_cast<tile::CoreId>(store.core)))
    stores_[store.core].push_back({store.address, store.pc});
}

void TileLints::semaphore_stored(const event::Event& event, const event::SemaphoreStored& stored) {
  auto& stores = stores_[stored.core];
  const std::uint32_t address = window_->base + 4U * stored.semaphore;
  const auto found = std::ranges::find(stores, address, &Store::address);
  const std::uint32_t pc = found == stores.end() ? 0 : found->pc;
  if (found != stores.end()) stores.erase(found);
  const int value = semaphores_[stored.semaphore].value;
  if (change(stored.semaphore, stored.decrements)) return;
  lints_.add({.kind = LintKind::lost_update,
              .site = {actor_of_core(0, stored.core), Site::Kind::store, false, 0, pc / 4},
              .semaphore = stored.semaphore,
              .value = value,
              .given = semaphores_[stored.semaphore].given,
              .cycle = event.cycle()});
}

}  // namespace tensim::insight
