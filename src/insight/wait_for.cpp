#include "insight/wait_for.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "insight/for_ever.hpp"
#include "insight/rings.hpp"
#include "tensix/footprint.hpp"
#include "tensix/frontend/wait_conditions.hpp"
#include "tensix/releases.hpp"
#include "tensix/units/sync/words.hpp"
#include "tensix/units/unpackers/words.hpp"

namespace tensim::insight {
namespace {

using isa::Word;
using tensix::Coprocessor;
using tensix::Entry;
using tensix::Releases;
using tensix::Src;
using tensix::thread_count;

/// Whether an instruction that does this would end the wait.
using EndsIt = std::function<bool(const Releases&)>;
/// No instruction does, but a store of a core may.
const EndsIt any_store = nullptr;

constexpr bool names(unsigned mask, unsigned bit) {
  return (mask >> bit & 1U) != 0;
}

/// T cores push to their own threads; BRISC does to all, NCRISC by way of the debug registers.
constexpr bool can_push_to(tile::CoreId core, unsigned thread) {
  return !tile::is_trisc(core) || tile::thread_of(core) == thread;
}

class Analysis {
 public:
  Analysis(const Coprocessor& coprocessor, const Outside& outside) : coprocessor_(coprocessor), outside_(outside) {}

  WaitForGraph run() {
    for (unsigned thread = 0; thread < thread_count; ++thread)
      stuck_[thread] = is_held(thread);
    WaitForGraph graph;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      if (stuck_[thread]) graph.agents.push_back(stuck_thread(thread));
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker)
      if (is_stuck_unpacker(unpacker)) graph.agents.push_back(stuck_unpacker(unpacker));
    if (const auto scalar = scalar_condition()) graph.agents.push_back(stuck_scalar_unit(*scalar));
    mark_for_ever(graph.agents);
    name_what_releasers_wait_for(graph.agents);
    for (unsigned thread = 0; thread < thread_count; ++thread)
      graph.partial = graph.partial || (!stuck_[thread] && has_a_program(thread));
    graph.cores = outside_.cores;
    graph.cycles = rings(graph.agents, graph.cores);
    return graph;
  }

 private:
  using Reason = Releaser::Reason;

  /// Something waits at the gate for a reason that does not pass by itself.
  bool is_held(unsigned thread) const {
    const tensix::Held& held = coprocessor_.gates.held[thread];
    return coprocessor_.frontends[thread].has_candidate() && !held.passes() && held.until == tensix::never &&
           held.stall != event::Stall::empty;
  }

  /// It has done something, or has something left to do.
  bool has_a_program(unsigned thread) const {
    return coprocessor_.accounts[thread][event::Stall::issued] != 0 || !outside_.remaining[thread].empty();
  }

  /// An UNPACR waits for its bank in the middle of its work (errata 40).
  bool is_stuck_unpacker(unsigned unpacker) const {
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    return pipe.jobs != 0 && !pipe.moving && coprocessor_.now >= pipe.job[0].data_from &&
           !pipe.job[0].may_begin(coprocessor_.src, unpacker);
  }

  static Releaser under_way() { return {.reason = Reason::coming}; }

  /// The instruction that `unpacker` works on will end the wait.
  Releaser in_unpacker(unsigned unpacker) const {
    const tensix::Record& record = coprocessor_.in_flight[coprocessor_.unpackers.pipes[unpacker].job[0].record];
    return {.reason = is_stuck_unpacker(unpacker) ? Reason::stuck : Reason::coming,
            .thread = record.thread,
            .instruction = Entry::expanded(record.word, record.source),
            .unpacker = unpacker};
  }

  /// Who has such an instruction left: the first of each thread.
  std::vector<Releaser> releasers(unsigned waiting_thread, const EndsIt& ends_it) const {
    std::vector<Releaser> found;
    const auto is_one = [&](Word word) { return ends_it(tensix::releases(coprocessor_.arch, word)); };
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      const auto& words = outside_.remaining[thread];
      const auto word = std::ranges::find_if(words, [&](const Entry& entry) { return is_one(entry.word); });
      if (word == words.end()) continue;
      const Reason others = stuck_[thread] ? Reason::stuck : Reason::coming;
      found.push_back({.reason = thread == waiting_thread ? Reason::behind_itself : others,
                       .thread = thread,
                       .instruction = *word});
    }
    for (const CoreStore& store : outside_.core_stores)
      if (is_one(store.equivalent))
        found.push_back({.reason = store.is_stuck ? Reason::stuck : Reason::coming, .core = store.core});
    return found;
  }

  /// Nobody is known to come. That nobody will can be said only if no core is left that might push what is needed.
  UnmetCondition closed(UnmetCondition unmet, const EndsIt& ends_it, std::optional<unsigned> pushed_to = {}) const {
    if (!unmet.releasers.empty()) return unmet;
    for (const LiveCore& core : outside_.cores)
      if (!pushed_to || can_push_to(core.core, *pushed_to)) add_core(core, ends_it, unmet.releasers);
    if (unmet.releasers.empty())
      unmet.releasers.push_back(
          {.reason = Reason::none_left, .thread = pushed_to, .looked_into_code = !outside_.cores.empty()});
    return unmet;
  }

  /// The core, if it may do what ends the wait: because it has that in its code, or because its code is not known.
  void add_core(const LiveCore& core, const EndsIt& ends_it, std::vector<Releaser>& found) const {
    Releaser releaser{.reason = core.is_stuck ? Reason::stuck : Reason::coming, .pusher = core};
    if (core.code != nullptr && ends_it != nullptr) {
      const auto word = std::ranges::find_if(
          *core.code, [&](const CodeWord& each) { return ends_it(tensix::releases(coprocessor_.arch, each.word)); });
      constexpr Releases by_store{.raises = 0xFF, .lowers = 0xFF};
      if (word != core.code->end())
        releaser.in_code = *word;
      else if (!core.stores_to_semaphores || !ends_it(by_store))
        return;
    }
    found.push_back(std::move(releaser));
  }

  UnmetCondition src_valid(unsigned thread, Src src) const {
    const auto file = static_cast<unsigned>(src);
    const auto ends_it = [file](const Releases& instruction) { return names(instruction.src_to_matrix, file); };
    UnmetCondition unmet{.condition = MatrixOwns{src, coprocessor_.src.matrix_bank[file]},
                         .releasers = releasers(thread, ends_it)};
    const auto& pipe = coprocessor_.unpackers.pipes[file];
    for (unsigned job = 0; job < pipe.jobs; ++job)
      if (pipe.job[job].hands_over) {
        unmet.releasers.push_back(in_unpacker(file));
        break;
      }
    return closed(std::move(unmet), ends_it);
  }

  UnmetCondition src_clear(unsigned thread, Src src) const {
    return src_clear(thread, src, coprocessor_.src.unpack_bank[static_cast<std::size_t>(src)]);
  }

  UnmetCondition src_clear(unsigned thread, Src src, unsigned bank) const {
    const auto file = static_cast<unsigned>(src);
    const auto ends_it = [file](const Releases& instruction) { return names(instruction.src_to_unpackers, file); };
    UnmetCondition unmet{.condition = UnpackersOwn{src, bank}, .releasers = releasers(thread, ends_it)};
    coprocessor_.in_flight.for_each([&](const tensix::Record& record) {
      if (record.effect == tensix::Effect::src_return && names(record.destination, file * 2 + bank))
        unmet.releasers.push_back(under_way());
    });
    return closed(std::move(unmet), ends_it);
  }

  void semaphore_conditions(unsigned thread, const tensix::LatchedWait& latch,
                            std::vector<UnmetCondition>& unmet) const {
    const auto add = [&](const Condition& condition, const EndsIt& ends_it) {
      UnmetCondition one{.condition = condition, .releasers = releasers(thread, ends_it)};
      if (!coprocessor_.can_store_semaphore()) one.releasers.push_back(under_way());
      unmet.push_back(closed(std::move(one), ends_it));
    };
    const unsigned at_zero = latch.condition_mask & 0xFFU;
    const unsigned at_maximum = latch.condition_mask >> tensix::at_maximum_shift;
    for (unsigned left = at_zero | at_maximum; left != 0; left &= left - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(left));
      const tensix::Semaphore& now = coprocessor_.sync.semaphores()[index];
      if (names(at_zero, index) && now.value == 0)
        add(SemaphoreAboveZero{index, now},
            [index](const Releases& instruction) { return names(instruction.raises, index); });
      if (names(at_maximum, index) && now.value >= now.max)
        add(SemaphoreBelowMaximum{index, now}, [index, now](const Releases& instruction) {
          return names(instruction.makes_room, index) || (now.max != 0 && names(instruction.lowers, index));
        });
    }
  }

  UnmetCondition stream_condition(const tensix::LatchedWait& latch) const {
    return {.condition = StreamReaches{.is_phase = latch.condition_mask == 1,
                                       .stream = latch.stream,
                                       .target = latch.target,
                                       .now = coprocessor_.stream_count_of(latch)},
            .releasers = {{.reason = Reason::never}}};
  }

  void stall_conditions_of(unsigned thread, const tensix::LatchedWait& latch,
                           std::vector<UnmetCondition>& unmet) const {
    using Kind = tensix::StallCondition::Kind;
    for (unsigned left = latch.condition_mask; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      if (!stall_condition_holds(coprocessor_, thread, bit)) continue;
      const tensix::StallCondition& condition = *tensix::stall_condition(coprocessor_.arch, bit);
      if (condition.kind == Kind::src_valid)
        unmet.push_back(src_valid(thread, condition.src));
      else if (condition.kind == Kind::src_clear)
        unmet.push_back(src_clear(thread, condition.src));
      else
        unmet.push_back(unit_empty(bit, condition));
    }
  }

  /// Waits for what is in a unit. Only an unpacker can hold an instruction for ever.
  UnmetCondition unit_empty(unsigned bit, const tensix::StallCondition& condition) const {
    UnmetCondition unmet{.condition = UnitEmpty{bit}, .releasers = {under_way()}};
    if (condition.kind != tensix::StallCondition::Kind::occupied) return unmet;
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
      const auto where = static_cast<tensix::Occupancy>(static_cast<unsigned>(tensix::Occupancy::unpacker0) + unpacker);
      if (condition.where == where && coprocessor_.unpackers.pipes[unpacker].jobs != 0)
        unmet.releasers = {in_unpacker(unpacker)};
    }
    return unmet;
  }

  StuckAgent stuck_thread(unsigned thread) const {
    StuckAgent agent{.agent = Agent::of_thread(thread),
                     .thread = thread,
                     .stall = coprocessor_.gates.held[thread].stall,
                     .instruction = coprocessor_.frontends[thread].candidate()};
    switch (agent.stall) {
      case event::Stall::latched_wait: {
        const tensix::LatchedWait& latch = coprocessor_.gates.latches[thread];
        if (!latch.is_valid()) break;  // dropped at the end of the last cycle
        agent.latched_by = Entry::expanded(latch.word, latch.source);
        if (latch.kind == tensix::LatchedWait::Kind::semaphore)
          semaphore_conditions(thread, latch, agent.unmet);
        else if (latch.kind == tensix::LatchedWait::Kind::stream)
          agent.unmet.push_back(stream_condition(latch));
        else
          stall_conditions_of(thread, latch, agent.unmet);
        break;
      }
      case event::Stall::mutex_held: mutex_condition(agent); break;
      case event::Stall::mutex_invalid: no_such_mutex(agent); break;
      case event::Stall::src_a_not_valid:
        if (!coprocessor_.src.matrix_side_valid(Src::a)) agent.unmet.push_back(src_valid(thread, Src::a));
        break;
      case event::Stall::src_b_not_valid:
        if (!coprocessor_.src.matrix_side_valid(Src::b)) agent.unmet.push_back(src_valid(thread, Src::b));
        break;
      case event::Stall::auto_ttsync: agent.unmet.push_back(core_accesses(thread)); break;
      default: agent.unmet.push_back(unit_ready(agent));
    }
    return agent;
  }

  UnmetCondition core_accesses(unsigned thread) const {
    return {.condition = AccessesProcessed{thread, coprocessor_.frontends[thread].auto_ttsync.awaited()},
            .releasers = {under_way()}};
  }

  /// The mutex that an ATGETM or ATRELM names.
  unsigned mutex_of(const StuckAgent& agent) const {
    std::vector<tensix::Access> accesses;
    tensix::Footprint footprint(accesses);
    coprocessor_.operation(agent.instruction.word)
        .footprint(coprocessor_, {agent.instruction, agent.thread}, footprint);
    return std::ranges::find(accesses, tensix::Resource::mutex, &tensix::Access::resource)->first;
  }

  void no_such_mutex(StuckAgent& agent) const {
    agent.unmet.push_back({.condition = MutexExists{mutex_of(agent)}, .releasers = {{.reason = Reason::never}}});
  }

  void mutex_condition(StuckAgent& agent) const {
    const unsigned mutex = mutex_of(agent);
    const unsigned owner = coprocessor_.sync.mutex_owner[mutex];
    if (owner >= thread_count) return;  // released in the last cycle
    UnmetCondition unmet{.condition = MutexFree{mutex, owner}};
    const auto& words = outside_.remaining[owner];
    const auto ends_it = [mutex](const Releases& instruction) { return instruction.mutex == mutex; };
    const auto found = std::ranges::find_if(
        words, [&](const Entry& entry) { return ends_it(tensix::releases(coprocessor_.arch, entry.word)); });
    if (found != words.end())
      unmet.releasers.push_back(
          {.reason = stuck_[owner] ? Reason::stuck : Reason::coming, .thread = owner, .instruction = *found});
    agent.unmet.push_back(closed(std::move(unmet), ends_it, owner));
  }

  bool waits_for_scalar_unit(const StuckAgent& agent) const {
    if (agent.stall == event::Stall::gate_closed) return true;
    return agent.stall == event::Stall::unit_busy &&
           coprocessor_.operation(agent.instruction.word).port == tensix::Port::scalar;
  }

  /// The unit does not take the instruction yet. For an unpacker that may be because it is stuck itself.
  UnmetCondition unit_ready(const StuckAgent& agent) const {
    if (coprocessor_.scalar.free_from == tensix::never && waits_for_scalar_unit(agent)) {
      const tensix::Record& record = coprocessor_.in_flight[coprocessor_.scalar.record];
      return {.condition = ScalarUnitFree{record.thread},
              .releasers = {{.reason = Reason::stuck,
                             .thread = record.thread,
                             .instruction = Entry::expanded(record.word, record.source)}}};
    }
    const Word word = agent.instruction.word;
    const unsigned unpacker = tensix::units::unpacker_of(word);
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    if (agent.stall == event::Stall::unit_busy && coprocessor_.operation(word).port == tensix::Port::unpackers &&
        pipe.jobs != 0)
      return {.condition = UnpackerHasRoom{unpacker, pipe.jobs}, .releasers = {in_unpacker(unpacker)}};
    return {.condition = UnitTakes{agent.stall}, .releasers = {under_way()}};
  }

  StuckAgent stuck_unpacker(unsigned unpacker) const {
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    const tensix::Record& record = coprocessor_.in_flight[pipe.job[0].record];
    return {.agent = Agent::of_unpacker(unpacker),
            .thread = record.thread,
            .stall = event::Stall::unit_busy,
            .instruction = Entry::expanded(record.word, record.source),
            .unmet = {src_clear(thread_count, unpacker == 0 ? Src::a : Src::b,
                                pipe.job[0].awaited_bank(coprocessor_.src, unpacker))}};
  }

  /// What the Scalar Unit waits for in the middle of an instruction, if nothing but others can end it.
  std::optional<UnmetCondition> scalar_condition() const {
    using Wait = tensix::ScalarUnit::Wait;
    const tensix::ScalarUnit& scalar = coprocessor_.scalar;
    const tensix::Record& record = coprocessor_.in_flight[scalar.record];
    switch (scalar.wait) {
      case Wait::none: break;
      case Wait::flush: return std::nullopt;  // whatever keeps the units busy is stuck itself
      case Wait::src_bank:
        return src_clear(thread_count, (record.destination & 0x80U) != 0 ? Src::b : Src::a, record.bank);
      case Wait::comparison:
        if (scalar.attempt != tensix::never) break;
        return closed({.condition = L1Equals{record.address}}, any_store);
    }
    if (!scalar.mmio_waits) return std::nullopt;
    const tensix::Record& request = coprocessor_.in_flight[scalar.mmio.front().record];
    return closed({.condition = RegisterAnswers{request.address}}, any_store);
  }

  /// Whose request to a register it is: packers and unpackers write them, too.
  Agent asker(Word word) const {
    switch (coprocessor_.operation(word).port) {
      case tensix::Port::packers: return {.kind = Agent::Kind::packer};
      case tensix::Port::unpackers: return {.kind = Agent::Kind::unpacker};
      default: return {.kind = Agent::Kind::scalar_unit};
    }
  }

  StuckAgent stuck_scalar_unit(const UnmetCondition& condition) const {
    const tensix::ScalarUnit& scalar = coprocessor_.scalar;
    const bool is_request = scalar.wait == tensix::ScalarUnit::Wait::none;
    const tensix::Record& record = coprocessor_.in_flight[is_request ? scalar.mmio.front().record : scalar.record];
    return {.agent = is_request ? asker(record.word) : Agent{.kind = Agent::Kind::scalar_unit},
            .thread = record.thread,
            .stall = event::Stall::unit_busy,
            .instruction = Entry::expanded(record.word, record.source),
            .unmet = {condition}};
  }

  const Coprocessor& coprocessor_;
  const Outside& outside_;
  std::array<bool, thread_count> stuck_{};
};

}  // namespace

WaitForGraph wait_for_graph(const Coprocessor& coprocessor, const Outside& outside) {
  return Analysis(coprocessor, outside).run();
}

WaitForGraph only_for_ever(WaitForGraph graph) {
  const bool some_run = std::erase_if(graph.agents, [](const StuckAgent& agent) { return !agent.for_ever; }) != 0;
  graph.partial = !graph.agents.empty() && (graph.partial || some_run);
  graph.cycles = rings(graph.agents, graph.cores);
  return graph;
}

}  // namespace tensim::insight
