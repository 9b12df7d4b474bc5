#include "insight/tile_races.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "arch/address_map.hpp"
#include "arch/config_registers.hpp"
#include "arch/wait_conditions.hpp"
#include "insight/condition_units.hpp"
#include "isa/table.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::insight {

using namespace isa::literals;
using event::Access;
using event::Resource;
using tensix::LatchedWait;
using tensix::Occupancy;
using tensix::Word;

namespace {

constexpr std::size_t most_recent = 64;  // operations in a unit, with those that have just left it

/// PACRs of several packers are in the lane of the first.
Occupancy unit_of(Arch arch, const tensix::Operation& operation, Word word) {
  if (operation.occupancy != Occupancy::unpacker0 && operation.occupancy != Occupancy::packer0)
    return operation.occupancy;
  const unsigned all = tensix::occupancies(arch, word, operation.occupancy);
  return all == 0 ? operation.occupancy : static_cast<Occupancy>(std::countr_zero(all));
}

bool is_atomic(Word word) {
  switch (isa::opcode_of(word)) {
    case "ATINCGET"_op:
    case "ATINCGETPTR"_op:
    case "ATSWAP"_op:
    case "ATCAS"_op: return true;
    default: return false;
  }
}

/// The GPR that it writes comes from memory or a register of the tile.
bool loads_gpr(Word word) {
  return isa::opcode_of(word) == "LOADIND"_op || isa::opcode_of(word) == "LOADREG"_op || is_atomic(word);
}

/// Something that is told later names the instruction by the cycle in which it was accepted.
bool is_spoken_of(Occupancy unit, Word word) {
  switch (unit) {
    case Occupancy::vector:
    case Occupancy::configuration:
    case Occupancy::mover:
    case Occupancy::sync: return false;
    case Occupancy::miscellaneous: return isa::opcode_of(word) == "SETDVALID"_op;
    default: return true;
  }
}

}  // namespace

TileRaces::TileRaces(RaceContext& context, TileNumber number, IsPoll is_poll)
    : Listener(event::wants_order),
      context_(context),
      number_(number),
      first_(static_cast<ActorNumber>(number * actors_per_tile)),
      arch_(context.arch),
      is_poll_(std::move(is_poll)),
      state_(context, number) {
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    threads_.emplace_back(thread_actor(thread));
  for (unsigned core = 0; core < tile::core_count; ++core)
    cores_.emplace_back(core_actor(core));
}

void TileRaces::config_written(const event::ConfigWritten& written) {
  (void)tensix::store(config_, arch_,
                      tensix::ConfigStore{.banks = written.banks,
                                          .first = written.first,
                                          .count = written.count,
                                          .is_rmwcib = true,
                                          .value = written.values});
}

void TileRaces::start(const tile::Tile& tile) {
  for (unsigned core = 0; core < tile::core_count; ++core)
    views_[core] = tile.devices.view_of(static_cast<tile::CoreId>(core));
  const tensix::Coprocessor& coprocessor = tile.coprocessor;
  config_ = coprocessor.config;
  for (unsigned i = 0; i < semaphores_.size(); ++i) {
    const tensix::Semaphore& semaphore = coprocessor.sync.semaphores()[i];
    semaphores_[i].start(semaphore.value, semaphore.max);
    values_[i] = semaphore.value;
  }
  for (unsigned file = 0; file < banks_.size(); ++file)
    banks_[file].start(static_cast<unsigned>(std::ranges::count(coprocessor.src.matrix_owns[file], true)));
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    threads_[thread].has_auto_ttsync = coprocessor.frontends[thread].auto_ttsync.is_on();
  for (unsigned noc = 0; noc < noc::noc_count; ++noc)
    context_.flows.start(number_, noc, tile.devices.nius.niu[noc].counters);
}

void TileRaces::happened(const event::Event& event) {
  struct Visitor {
    TileRaces& races;
    const event::Event& event;
    void operator()(const event::Issued& what) const { races.issued(event, what); }
    void operator()(const event::Held&) const {}
    void operator()(const event::WaitOver& what) const { races.wait_over(what); }
    void operator()(const event::Left& what) const { races.left(event, what); }
    void operator()(const event::BankFilled& what) const { races.bank_filled(event, what); }
    void operator()(const event::BanksReturned& what) const { races.banks_returned(what); }
    void operator()(const event::ConfigWritten& what) const { races.config_written(what); }
    void operator()(const event::SemaphoreStored& what) const { races.semaphore_stored(what); }
    void operator()(const event::Stored& what) const { races.stored(event, what); }
    void operator()(const event::Landed& what) const { races.landed(event, what); }
    void operator()(const event::Loaded& what) const { races.loaded(event, what); }
    void operator()(const event::Used& what) const { races.used(what); }
    void operator()(const event::Updated& what) const { races.updated(event, what); }
    void operator()(const event::Fenced&) const {}  // stores have left the core then, and need not have landed (22a)
    void operator()(const event::Released& what) const { races.released(what); }
    void operator()(const event::Touched& what) const { races.touched(event, what); }
    void operator()(const event::Moved& what) const { races.moved(what); }
  };
  std::visit(Visitor{*this, event}, event.what);
}

// ---- instructions ----

void TileRaces::issued(const event::Event& event, const event::Issued& issue) {
  Thread& thread = threads_[issue.thread];
  const tensix::Operation& operation = context_.timing->operations[isa::opcode_of(issue.word)];
  const Occupancy unit = unit_of(arch_, operation, issue.word);
  ++thread.ordinal;
  for (const auto& [closed_lane, closed_number] : std::exchange(thread.closed_for, {}))
    thread.actor.prove_done(closed_lane, closed_number);
  acquire_push(thread, issue);
  if (!thread.proved.empty()) use_proofs(thread, issue.word);
  acquire_banks(thread, event);
  const std::uint32_t number = thread.actor.issue(static_cast<unsigned>(unit));
  const Lane lane = lane_of_unit(issue.thread, unit);
  context_.times.begin(lane, number);
  if (context_.closes_gate(unit, issue.word) && !context_.ordered_by("15w"_rule)) thread.closed_for = {{lane, number}};
  synchronise(thread, issue, number);
  for (unsigned other = 0; other < tensix::thread_count; ++other)
    thread.others[static_cast<std::size_t>(unit)][other] =
        other == issue.thread ? number : thread.actor.known().issued(lane_of_unit(other, unit));
  const SiteNumber site = context_.races.site(
      {thread_actor(issue.thread), Site::Kind::instruction, issue.pusher != 0, issue.word, issue.origin});
  if (is_spoken_of(unit, issue.word)) {
    auto& recent = thread.recent[static_cast<std::size_t>(unit)];
    recent.push_back(
        {event.cycle(), number, thread.ordinal, site, std::make_shared<const Snapshot>(thread.actor.release())});
    if (recent.size() > most_recent) recent.pop_front();
  }
  const Current current{thread.actor, lane, number, site, event.cycle(), thread.ordinal};
  if (!loads_gpr(issue.word)) {
    for (const Access& access : event.accesses)
      state_.touch(current, access, span_of(unit, issue.word, access));
    return;
  }
  // What comes from memory is later than the instruction (rule 16).
  const auto memory = static_cast<unsigned>(Occupancy::scalar_memory);
  Current request = current;
  request.number = thread.actor.issue(memory);
  request.lane = lane_of_unit(issue.thread, Occupancy::scalar_memory);
  context_.times.begin(request.lane, request.number);
  thread.others[memory][issue.thread] = request.number;
  for (const Access& access : event.accesses)
    state_.touch(access.resource == Resource::gpr && access.write ? request : current, access,
                 span_of(unit, issue.word, access));
}

/// What an instruction turned out to touch.
void TileRaces::touched(const event::Event& event, const event::Touched& touched) {
  const InUnit* operation = nullptr;
  Occupancy unit = Occupancy::scalar;
  const auto look_in = [&](Occupancy where) {
    if (operation != nullptr) return;
    operation = in_unit(touched.thread, where, touched.accepted);
    unit = where;
  };
  switch (touched.by) {
    case event::Touched::By::scalar_unit:
      look_in(Occupancy::scalar);
      look_in(Occupancy::scalar_memory);
      break;
    case event::Touched::By::packer:
      for (unsigned packer = 0; packer <= touched.unit; ++packer)
        look_in(static_cast<Occupancy>(static_cast<unsigned>(Occupancy::packer0) + packer));
      break;
    case event::Touched::By::unpacker: look_in(touched.unit == 0 ? Occupancy::unpacker0 : Occupancy::unpacker1); break;
  }
  if (operation == nullptr) return;
  const Word word = context_.races[operation->site].word;
  const bool is_of_memory = touched.by == event::Touched::By::scalar_unit;
  if (is_of_memory && is_atomic(word)) return update_flags(threads_[touched.thread], event, true);
  const Actor actor(*operation->snapshot);
  const Current current{
      actor, lane_of_unit(touched.thread, unit), operation->number, operation->site, event.cycle(), operation->ordinal};
  for (const Access& access : event.accesses)
    state_.touch(current, access, span_of(unit, word, access));
  if (is_of_memory) update_flags(threads_[touched.thread], event, false);
}

/// A word of L1 that the Scalar Unit writes may be one that somebody polls; atomics find what others have written there.
void TileRaces::update_flags(Thread& thread, const event::Event& event, bool acquires) {
  constexpr std::uint32_t most_bytes = 16;
  for (const Access& access : event.accesses) {
    if (access.resource != Resource::l1 || !access.write || access.count > most_bytes) continue;
    for (std::uint32_t word = access.first / 4; word <= (access.first + access.count - 1) / 4; ++word) {
      if (acquires) {
        Brought brought;
        add_flags(brought, word * 4, 4);
        learn(thread.actor, brought);
      }
      flags_.written({.snapshot = std::make_shared<const Snapshot>(thread.actor.release())}, word * 4, 4);
    }
  }
}

/// STOREREG and LOADREG of counters of circular buffers say what their thread has done, and find out what others have.
void TileRaces::moved(const event::Moved& moved) {
  if (moved.by != event::Moved::By::scalar_unit) return;
  const Region* const region = find_region(arch_, tile::bit(tile::CoreId::brisc), moved.address);
  if (region == nullptr || region->kind != Region::Kind::noc_overlay) return;
  Actor& actor = threads_[moved.who].actor;
  if (moved.is_store)
    streams_[moved.address] = actor.release();
  else if (const auto stream = streams_.find(moved.address); stream != streams_.end())
    actor.acquire(stream->second);
}

/// The words that a core pushed are issued in the order in which it pushed them; those of a MOP have its number.
void TileRaces::acquire_push(Thread& thread, const event::Issued& issue) {
  auto& pushes = thread.pushes[issue.pusher];
  while (!pushes.empty() && (pushes.front().number != issue.push || pushes.front().origin != issue.origin))
    pushes.pop_front();
  if (!pushes.empty() && pushes.front().snapshot != thread.joined) {
    thread.joined = pushes.front().snapshot;
    thread.actor.acquire(*thread.joined);
    if (thread.has_auto_ttsync && issue.pusher == 0) know_landed(thread, *thread.joined);
  }
}

/// Auto TTSync (rule 23a): what the T core had stored to configuration and GPRs before it pushed the word has landed.
void TileRaces::know_landed(Thread& thread, const Snapshot& pusher) {
  for (const CoreLane region : {CoreLane::config, CoreLane::gpr, CoreLane::tdma}) {
    const auto which = static_cast<unsigned>(region);
    thread.actor.prove_done(lane_of(pusher.actor, which), pusher.issued[which]);
  }
}

void TileRaces::use_proofs(Thread& thread, Word word) {
  const tensix::Operation& operation = context_.timing->operations[isa::opcode_of(word)];
  std::erase_if(thread.proved, [&](const Proved& proved) {
    if (!operation.held_by(proved.block_mask)) return false;
    for (const Snapshot& each : proved.behind)
      thread.actor.acquire(each);
    for (const auto& [lane, number] : proved.done)
      thread.actor.prove_done(lane, number);
    return true;
  });
}

/// What instructions of the Sync Unit say to others.
void TileRaces::synchronise(Thread& thread, const event::Issued& issue, std::uint32_t number) {
  const Lane lane = lane_of_unit(issue.thread, Occupancy::sync);
  const auto for_each_semaphore = [&](auto visit) {
    for (unsigned left = tensix::sync_words::semaphore_mask_of(issue.word); left != 0; left &= left - 1)
      visit(static_cast<unsigned>(std::countr_zero(left)));
  };
  switch (isa::opcode_of(issue.word)) {
    case "SEMPOST"_op:
      return for_each_semaphore([&](unsigned i) { change_semaphore(i, false, thread.actor, lane, number); });
    case "SEMGET"_op:
      return for_each_semaphore([&](unsigned i) { change_semaphore(i, true, thread.actor, lane, number); });
    case "SEMINIT"_op:
      return for_each_semaphore([&](unsigned i) {
        semaphores_[i].start(tensix::sync_words::init_value.get(issue.word),
                             tensix::sync_words::init_max.get(issue.word));
        values_[i] = static_cast<int>(tensix::sync_words::init_value.get(issue.word));
      });
    case "ATGETM"_op:
      if (const auto found = mutexes_.find(tensix::sync_words::mutex.get(issue.word)); found != mutexes_.end())
        thread.actor.acquire(found->second);
      return;
    case "ATRELM"_op: mutexes_[tensix::sync_words::mutex.get(issue.word)] = thread.actor.release(); return;
    case "SETC16"_op: {
      using namespace tensim::literals;
      const auto& field = "TENSIX_TRISC_SYNC_TrackTensixInstructions"_thread_config.on(arch_);
      const auto store = tensix::setc16(arch_, issue.thread, issue.word);
      if (store && field.exists() && store->word == field.word)
        thread.has_auto_ttsync = tensix::TtSyncEnables::from_word(store->value).tracks_anything();
      return;
    }
    case "STALLWAIT"_op:
    case "SEMWAIT"_op:
    case "STREAMWAIT"_op:
      // One that displaces another discards what that one would have proved. Wormhole's SEMWAIT does so to a wait that does not
      // catch it (W43), and might have done so to one that was over in time: nobody has made use of that one yet.
      if (on(arch_, true, false) && isa::opcode_of(issue.word) == "SEMWAIT"_op) thread.proved.clear();
      return latch(issue.thread, issue.word);
    default: return;
  }
}

/// What changes nothing is no post and no get.
void TileRaces::change_semaphore(unsigned semaphore, bool decrements, const Actor& by, Lane lane,
                                 std::uint32_t number) {
  int& value = values_[semaphore];
  if (decrements ? value == 0 : value == tensix::SyncUnit::saturation) return;
  value += decrements ? -1 : 1;
  if (decrements)
    semaphores_[semaphore].get(by, lane, number);
  else
    semaphores_[semaphore].post(by, lane, number);
}

// ---- waits ----

/// All that the thread has issued to a unit by now will be done, and what others had issued to it before that (rule 3). What passes
/// the wait while it lasts would be done, too, but might as well have come behind its end.
void TileRaces::latch(unsigned thread, Word word) {
  Wait& wait = threads_[thread].wait;
  wait = {tensix::latched_wait(arch_, {word, 0}), true, threads_[thread].actor.release(), {}};
  if (wait.latch.kind != LatchedWait::Kind::stall) return;
  for (const Symbol& condition : stall_conditions(arch_).symbols)
    if ((wait.latch.condition_mask & condition.value) != 0) add_unit_proof(wait.done, thread, condition.name);
}

void TileRaces::add_unit_proof(Proof& done, unsigned thread, std::string_view condition) const {
  const Actor& actor = threads_[thread].actor;
  const auto all_known = [&](Lane lane) { done.emplace_back(lane, actor.issued_known(lane)); };
  for (const ConditionUnit& row : condition_units) {
    if (row.condition != condition) continue;
    const Lanes& issued = threads_[thread].others[static_cast<std::size_t>(row.unit)];
    for (unsigned other = 0; other < tensix::thread_count; ++other)
      if (row.is_of_all_threads)
        all_known(lane_of_unit(other, row.unit));
      else if (issued[other] != 0)
        done.emplace_back(lane_of_unit(other, row.unit), issued[other]);
  }
  if (condition == "TRISC_CFG")
    for (const CoreLane region : {CoreLane::config, CoreLane::gpr, CoreLane::tdma})
      all_known(lane_of(core_actor(thread + 1), static_cast<unsigned>(region)));
}

void TileRaces::wait_over(const event::WaitOver& over) {
  Thread& thread = threads_[over.thread];
  if (!std::exchange(thread.wait.is_latched, false)) return;
  thread.proved.push_back(proof_of(thread.wait));
}

TileRaces::Proved TileRaces::proof_of(const Wait& wait) const {
  const LatchedWait& latch = wait.latch;
  Proved proved{.block_mask = latch.block_mask, .done = wait.done};
  if (latch.kind == LatchedWait::Kind::semaphore) {
    const auto take = [&](const std::vector<Snapshot>& snapshots) {
      proved.behind.insert(proved.behind.end(), snapshots.begin(), snapshots.end());
    };
    for (unsigned i = 0; i < semaphores_.size(); ++i) {
      if ((latch.condition_mask >> i & 1U) != 0) take(semaphores_[i].was_above_zero(wait.at));
      if ((latch.condition_mask >> (tensix::at_maximum_shift + i) & 1U) != 0)
        take(semaphores_[i].was_below_maximum(wait.at));
    }
  }
  if (latch.kind == LatchedWait::Kind::stall)
    for (const Symbol& condition : stall_conditions(arch_).symbols)
      if ((latch.condition_mask & condition.value) != 0) add_bank_proof(proved, wait, condition.name);
  return proved;
}

/// The pointers move when an instruction that hands a bank over is done: of those that are not known to be, nothing is known (rule 6a).
void TileRaces::add_bank_proof(Proved& proved, const Wait& wait, std::string_view condition) const {
  const auto is_done = [&](Lane lane, std::uint32_t number) {
    if (wait.at.known->done(lane) >= number) return true;
    return std::ranges::any_of(wait.done,
                               [&](const auto& done) { return done.first == lane && done.second >= number; });
  };
  constexpr std::array<std::array<std::string_view, 2>, 2> names{{{"SRCA_CLR", "SRCA_VLD"}, {"SRCB_CLR", "SRCB_VLD"}}};
  for (unsigned file = 0; file < 2; ++file) {
    const HandOver* bank = nullptr;
    if (condition == names[file][0]) bank = banks_[file].was_empty(is_done);
    if (condition == names[file][1]) bank = banks_[file].was_full(is_done);
    if (bank == nullptr) continue;
    proved.behind.push_back(*bank->snapshot);
    proved.done.emplace_back(bank->lane, bank->number);
  }
}

// ---- Src ----

/// An instruction of the Matrix Unit that reads a bank has waited for it, but for MOVDBGA2D.
void TileRaces::acquire_banks(Thread& thread, const event::Event& event) {
  const auto& issue = std::get<event::Issued>(event.what);
  if (context_.timing->operations[isa::opcode_of(issue.word)].occupancy != Occupancy::matrix ||
      isa::opcode_of(issue.word) == "MOVDBGA2D"_op)
    return;
  for (const Access& access : event.accesses) {
    if (access.write || (access.resource != Resource::src_a && access.resource != Resource::src_b)) continue;
    const HandOver& bank = filled_[access.resource == Resource::src_a ? 0 : 1][access.owner];
    if (bank.snapshot == nullptr) continue;
    thread.actor.acquire(*bank.snapshot);
    thread.actor.prove_done(bank.lane, bank.number);
  }
}

const TileRaces::InUnit* TileRaces::in_unit(unsigned thread, Occupancy unit, std::uint64_t accepted) const {
  const auto& recent = threads_[thread].recent[static_cast<std::size_t>(unit)];
  const auto found = std::ranges::find(recent, accepted, &InUnit::accepted);
  return found == recent.end() ? nullptr : &*found;
}

/// The unpacker has waited for the bank, in the middle of the instruction: that says nothing to its thread.
void TileRaces::bank_filled(const event::Event& event, const event::BankFilled& filled) {
  auto unit = filled.unpacker == 0 ? Occupancy::unpacker0 : Occupancy::unpacker1;
  const InUnit* operation = in_unit(filled.thread, unit, filled.accepted);
  if (operation == nullptr) {  // SETDVALID
    unit = Occupancy::miscellaneous;
    operation = in_unit(filled.thread, unit, filled.accepted);
  }
  if (operation == nullptr) return;
  Actor actor(*operation->snapshot);
  if (const HandOver& bank = returned_[filled.unpacker][filled.bank]; filled.waited && bank.snapshot != nullptr) {
    actor.acquire(*bank.snapshot);
    actor.prove_done(bank.lane, bank.number);
  }
  const Lane lane = lane_of_unit(filled.thread, unit);
  const Current current{actor, lane, operation->number, operation->site, event.cycle(), operation->ordinal};
  for (const Access& access : event.accesses)
    state_.touch(current, access, Span::until_done);
  if (!filled.hands_over) return;
  const HandOver by{std::make_shared<const Snapshot>(actor.release()), lane, operation->number};
  filled_[filled.unpacker][filled.bank] = by;
  banks_[filled.unpacker].filled(by);
}

void TileRaces::banks_returned(const event::BanksReturned& returned) {
  const InUnit* const operation = in_unit(returned.thread, Occupancy::matrix, returned.accepted);
  if (operation == nullptr) return;
  const HandOver by{operation->snapshot, lane_of_unit(returned.thread, Occupancy::matrix), operation->number};
  for (unsigned bank = 0; bank < 4; ++bank) {
    if ((returned.banks >> bank & 1U) == 0) continue;
    returned_[bank / 2][bank % 2] = by;
    banks_[bank / 2].returned(by);
  }
}

// ---- time, for reports alone ----

/// Operations of a lane leave in order, but for their acceptance nobody says which it is.
void TileRaces::left(const event::Event& event, const event::Left& left) {
  const Lane lane = lane_of_unit(left.thread, static_cast<Occupancy>(left.unit));
  std::uint32_t& next = next_to_leave_[lane % lanes_per_tile];
  const std::uint32_t issued = threads_[left.thread].actor.issued(left.unit);
  if (next + LaneTimes::kept <= issued) next = issued - LaneTimes::kept + 1;
  if (next == 0) next = 1;
  if (next > issued) return;
  context_.times.end(lane, next, event.cycle());
  ++next;
}

}  // namespace tensim::insight
