#include "insight/wait_for.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "arch/wait_conditions.hpp"
#include "insight/releases.hpp"
#include "insight/rings.hpp"
#include "isa/table.hpp"
#include "tensix/units/sync/words.hpp"
#include "tensix/units/unpackers/words.hpp"

namespace tensim::insight {
namespace {

using namespace isa::literals;
using isa::Word;
using tensix::Coprocessor;
using tensix::Entry;
using tensix::Src;
using tensix::thread_count;

using Releases = std::function<bool(Word)>;

class Analysis {
 public:
  Analysis(const Coprocessor& coprocessor, const RemainingWords& remaining, const std::vector<CoreStore>& core_stores)
      : coprocessor_(coprocessor), remaining_(remaining), core_stores_(core_stores) {}

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
    graph.cycles = rings(graph.agents);
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
    return coprocessor_.accounts[thread][event::Stall::issued] != 0 || !remaining_[thread].empty();
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
            .instruction = Entry::expanded(record.word, record.origin),
            .unpacker = unpacker};
  }

  /// Who has such an instruction left: the first of each thread.
  std::vector<Releaser> releasers(unsigned waiting_thread, const Releases& releases) const {
    std::vector<Releaser> found;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      const auto& words = remaining_[thread];
      const auto word = std::ranges::find_if(words, [&](const Entry& entry) { return releases(entry.word); });
      if (word == words.end()) continue;
      const Reason others = stuck_[thread] ? Reason::stuck : Reason::coming;
      found.push_back({.reason = thread == waiting_thread ? Reason::behind_itself : others,
                       .thread = thread,
                       .instruction = *word});
    }
    for (const CoreStore& store : core_stores_)
      if (releases(store.equivalent))
        found.push_back({.reason = store.is_stuck ? Reason::stuck : Reason::coming, .core = store.core});
    return found;
  }

  static void close(UnmetCondition& condition) {
    if (condition.releasers.empty()) condition.releasers.push_back({.reason = Reason::none_left});
  }

  UnmetCondition src_valid(unsigned thread, Src src) const {
    const char* file = src == Src::a ? "SrcA" : "SrcB";
    const unsigned unpacker = src == Src::a ? 0 : 1;
    const unsigned bank = coprocessor_.src.matrix_bank[static_cast<std::size_t>(src)];
    UnmetCondition condition{
        .what = fmt::format("the Matrix Unit must own {} bank {}", file, bank),
        .state = "it belongs to the unpackers",
        .needs = fmt::format("UNPACR of unpacker {} that flips its bank, or SETDVALID,", unpacker),
        .releasers = releasers(thread, [this, src](Word word) { return supplies(coprocessor_.arch, word, src); })};
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    for (unsigned job = 0; job < pipe.jobs; ++job)
      if (pipe.job[job].hands_over) {
        condition.releasers.push_back(in_unpacker(unpacker));
        break;
      }
    close(condition);
    return condition;
  }

  UnmetCondition src_clear(unsigned thread, Src src) const {
    return src_clear(thread, src, coprocessor_.src.unpack_bank[static_cast<std::size_t>(src)]);
  }

  UnmetCondition src_clear(unsigned thread, Src src, unsigned bank) const {
    const char* file = src == Src::a ? "SrcA" : "SrcB";
    const auto index = static_cast<unsigned>(src);
    UnmetCondition condition{
        .what = fmt::format("the unpackers must own {} bank {}", file, bank),
        .state = "it belongs to the Matrix Unit",
        .needs = fmt::format("CLEARDVALID, SETRWC or Matrix Unit instruction that gives {} back", file),
        .releasers = releasers(thread, [src](Word word) { return gives_back(word, src); })};
    coprocessor_.in_flight.for_each([&](const tensix::Record& record) {
      if (record.effect == tensix::Effect::src_return && (record.destination >> (index * 2 + bank) & 1U) != 0)
        condition.releasers.push_back(under_way());
    });
    close(condition);
    return condition;
  }

  void semaphore_conditions(unsigned thread, const tensix::LatchedWait& latch,
                            std::vector<UnmetCondition>& unmet) const {
    const auto add = [&](std::string what, std::string state, std::string needs, const Releases& releases) {
      UnmetCondition condition{std::move(what), std::move(state), std::move(needs), releasers(thread, releases)};
      if (!coprocessor_.can_store_semaphore()) condition.releasers.push_back(under_way());
      close(condition);
      unmet.push_back(std::move(condition));
    };
    const unsigned at_zero = latch.condition_mask & 0xFFU;
    const unsigned at_maximum = latch.condition_mask >> tensix::at_maximum_shift;
    for (unsigned left = at_zero | at_maximum; left != 0; left &= left - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(left));
      const tensix::Semaphore& semaphore = coprocessor_.sync.semaphores()[index];
      const std::string named = fmt::format("semaphore {} ({})", index, semaphore_index.symbols[index].name);
      const std::string state = fmt::format("Value {}, Max {}", semaphore.value, semaphore.max);
      if ((at_zero >> index & 1U) != 0 && semaphore.value == 0)
        add(named + " must rise above 0", state, fmt::format("SEMPOST or SEMINIT of semaphore {}", index),
            [index](Word word) { return raises(word, index); });
      if ((at_maximum >> index & 1U) != 0 && semaphore.value >= semaphore.max) {
        const bool hopeless = semaphore.max == 0;  // no SEMGET helps
        add(named + " must fall below its maximum", state,
            hopeless ? fmt::format("SEMINIT of semaphore {} with a maximum above 0", index)
                     : fmt::format("SEMGET or SEMINIT of semaphore {}", index),
            [index, hopeless](Word word) {
              return makes_room(word, index) && (!hopeless || isa::opcode_of(word) != "SEMGET"_op);
            });
      }
    }
  }

  /// The overlay is not modelled, so nobody changes a stream's counts.
  UnmetCondition stream_condition(const tensix::LatchedWait& latch) const {
    const char* what = latch.condition_mask == 1 ? "phase" : "messages received";
    return {.what = fmt::format("stream {}: {} must reach {}", latch.stream, what, latch.target),
            .state = fmt::format("{}", coprocessor_.stream_count_of(latch)),
            .needs = "the NoC overlay, which is not modelled,",
            .releasers = {{.reason = Reason::never}}};
  }

  void stall_conditions_of(unsigned thread, const tensix::LatchedWait& latch,
                           std::vector<UnmetCondition>& unmet) const {
    for (unsigned left = latch.condition_mask; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      if (!stall_condition_holds(coprocessor_, thread, bit)) continue;
      const Symbol& condition = stall_conditions(coprocessor_.arch).symbols[bit];
      if (condition.name == "SRCA_VLD")
        unmet.push_back(src_valid(thread, Src::a));
      else if (condition.name == "SRCB_VLD")
        unmet.push_back(src_valid(thread, Src::b));
      else if (condition.name == "SRCA_CLR")
        unmet.push_back(src_clear(thread, Src::a));
      else if (condition.name == "SRCB_CLR")
        unmet.push_back(src_clear(thread, Src::b));
      else
        unmet.push_back(unit_empty(condition));
    }
  }

  /// Waits for what is in a unit. Only an unpacker can hold an instruction for ever.
  UnmetCondition unit_empty(const Symbol& condition) const {
    UnmetCondition unmet{.what = fmt::format("{} must end", condition.name),
                         .state = std::string(condition.meaning),
                         .needs = "the operation in flight to complete",
                         .releasers = {under_way()}};
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker)
      if (condition.name == fmt::format("UNPACK{}", unpacker) && coprocessor_.unpackers.pipes[unpacker].jobs != 0)
        unmet.releasers = {in_unpacker(unpacker)};
    return unmet;
  }

  StuckAgent stuck_thread(unsigned thread) const {
    StuckAgent agent{.name = fmt::format("T{}", thread),
                     .thread = thread,
                     .stall = coprocessor_.gates.held[thread].stall,
                     .instruction = coprocessor_.frontends[thread].candidate()};
    switch (agent.stall) {
      case event::Stall::latched_wait: {
        const tensix::LatchedWait& latch = coprocessor_.gates.latches[thread];
        if (!latch.is_valid()) break;  // dropped at the end of the last cycle
        agent.latched_by = Entry::expanded(latch.word, latch.origin);
        if (latch.kind == tensix::LatchedWait::Kind::semaphore)
          semaphore_conditions(thread, latch, agent.unmet);
        else if (latch.kind == tensix::LatchedWait::Kind::stream)
          agent.unmet.push_back(stream_condition(latch));
        else
          stall_conditions_of(thread, latch, agent.unmet);
        break;
      }
      case event::Stall::mutex_held: mutex_condition(agent); break;
      case event::Stall::mutex_invalid:
        agent.unmet.push_back(no_such_mutex(tensix::sync_words::mutex.get(agent.instruction.word)));
        break;
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

  /// Auto TTSync: the T core pushed the instruction behind accesses that are still under way.
  UnmetCondition core_accesses(unsigned thread) const {
    const auto awaited = coprocessor_.frontends[thread].auto_ttsync.awaited();
    return {.what = fmt::format("earlier accesses of TRISC{} must have been processed", thread),
            .state = fmt::format("loads under way: {}, stores: {}; of {}", awaited.loads, awaited.stores,
                                 tensix::to_text(awaited.resources)),
            .needs = "those accesses to be processed",
            .releasers = {under_way()}};
  }

  UnmetCondition no_such_mutex(unsigned mutex) const {
    std::string valid;
    for (const Symbol& symbol : mutexes(coprocessor_.arch).symbols)
      valid += fmt::format("{}{}", valid.empty() ? "" : ", ", symbol.value);
    return {.what = fmt::format("mutex {} does not exist", mutex),
            .state = fmt::format("{} has mutexes {}", name(coprocessor_.arch), valid),
            .needs = "nothing",
            .releasers = {{.reason = Reason::never}}};
  }

  void mutex_condition(StuckAgent& agent) const {
    const unsigned mutex = tensix::sync_words::mutex.get(agent.instruction.word);
    const unsigned owner = coprocessor_.sync.mutex_owner[mutex];
    if (owner >= thread_count) return;  // released in the last cycle
    agent.unmet.push_back({fmt::format("mutex {} must be free", mutex),
                           fmt::format("T{} holds it", owner),
                           fmt::format("ATRELM of mutex {} by T{}", mutex, owner),
                           {owner_releases(owner, mutex)}});
  }

  Releaser owner_releases(unsigned owner, unsigned mutex) const {
    for (const Entry& entry : remaining_[owner])
      if (isa::opcode_of(entry.word) == "ATRELM"_op && tensix::sync_words::mutex.get(entry.word) == mutex)
        return {.reason = stuck_[owner] ? Reason::stuck : Reason::coming, .thread = owner, .instruction = entry};
    return {.reason = Reason::none_left, .thread = owner};
  }

  bool waits_for_scalar_unit(const StuckAgent& agent) const {
    if (agent.stall == event::Stall::gate_closed) return true;
    const auto forms = isa::forms_of(coprocessor_.arch, isa::opcode_of(agent.instruction.word));
    return agent.stall == event::Stall::unit_busy && !forms.empty() && forms.front()->unit == isa::Unit::scalar;
  }

  /// The unit does not take the instruction yet. For an unpacker that may be because it is stuck itself.
  UnmetCondition unit_ready(const StuckAgent& agent) const {
    UnmetCondition unmet{.what = fmt::format("{} must end", name(agent.stall)),
                         .state = "the unit does not take the instruction",
                         .needs = "an operation in flight to complete",
                         .releasers = {under_way()}};
    if (coprocessor_.scalar.free_from == tensix::never && waits_for_scalar_unit(agent)) {
      const tensix::Record& record = coprocessor_.in_flight[coprocessor_.scalar.record];
      unmet.what = "the Scalar Unit must end what it does";
      unmet.state = fmt::format("an instruction of T{} is in it", record.thread);
      unmet.releasers = {{.reason = Reason::stuck,
                          .thread = record.thread,
                          .instruction = Entry::expanded(record.word, record.origin)}};
      return unmet;
    }
    const std::uint8_t opcode = isa::opcode_of(agent.instruction.word);
    const unsigned unpacker = tensix::units::unpacker_of(agent.instruction.word);
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    if (agent.stall != event::Stall::unit_busy || (opcode != "UNPACR"_op && opcode != "UNPACR_NOP"_op) ||
        pipe.jobs == 0)
      return unmet;
    unmet.what = fmt::format("unpacker {} must take another instruction", unpacker);
    unmet.state = fmt::format("it holds {} and has no room", pipe.jobs);
    unmet.needs = "the older one to complete";
    unmet.releasers = {in_unpacker(unpacker)};
    return unmet;
  }

  StuckAgent stuck_unpacker(unsigned unpacker) const {
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    const tensix::Record& record = coprocessor_.in_flight[pipe.job[0].record];
    return {.name = fmt::format("unpacker {}", unpacker),
            .thread = record.thread,
            .stall = event::Stall::unit_busy,
            .instruction = Entry::expanded(record.word, record.origin),
            .unmet = {src_clear(thread_count, unpacker == 0 ? Src::a : Src::b,
                                pipe.job[0].awaited_bank(coprocessor_.src, unpacker))},
            .unpacker = unpacker};
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
        return UnmetCondition{.what = fmt::format("L1 at {:#x} must become what it compares with", record.address),
                              .state = "it looks again whenever that changes",
                              .needs = "write to it",
                              .releasers = {{.reason = Reason::none_left}}};
    }
    if (!scalar.mmio_waits) return std::nullopt;
    const tensix::Record& request = coprocessor_.in_flight[scalar.mmio.front().record];
    return UnmetCondition{.what = fmt::format("the register at {:#x} must answer", request.address),
                          .state = "it cannot yet",
                          .needs = "access that lets it",
                          .releasers = {{.reason = Reason::none_left}}};
  }

  /// Whose request to a register it is: packers and unpackers write them, too.
  std::string asker(Word word) const {
    const auto forms = isa::forms_of(coprocessor_.arch, isa::opcode_of(word));
    const isa::Unit unit = forms.empty() ? isa::Unit::scalar : forms.front()->unit;
    if (unit == isa::Unit::packers) return "a packer";
    return unit == isa::Unit::unpackers ? "an unpacker" : "the Scalar Unit";
  }

  StuckAgent stuck_scalar_unit(const UnmetCondition& condition) const {
    const tensix::ScalarUnit& scalar = coprocessor_.scalar;
    const bool is_request = scalar.wait == tensix::ScalarUnit::Wait::none;
    const tensix::Record& record = coprocessor_.in_flight[is_request ? scalar.mmio.front().record : scalar.record];
    return {.name = is_request ? asker(record.word) : "the Scalar Unit",
            .thread = record.thread,
            .stall = event::Stall::unit_busy,
            .instruction = Entry::expanded(record.word, record.origin),
            .unmet = {condition}};
  }

  /// The agent that `releaser` itself depends on, if that is stuck.
  static const StuckAgent* behind(const std::vector<StuckAgent>& agents, const Releaser& releaser) {
    if (releaser.reason != Reason::stuck) return nullptr;
    const auto found = std::ranges::find_if(agents, [&](const StuckAgent& agent) {
      if (releaser.unpacker || agent.unpacker) return releaser.unpacker == agent.unpacker;
      return releaser.thread == agent.thread;
    });
    return found == agents.end() ? nullptr : &*found;
  }

  /// Takes every agent for lost, then spares those whose every condition somebody who is not lost can end, until nothing
  /// changes: what is left waits for ever, alone or in a ring.
  static void mark_for_ever(std::vector<StuckAgent>& agents) {
    for (StuckAgent& agent : agents)
      agent.for_ever = true;
    const auto may_come = [&](const Releaser& releaser) {
      if (releaser.reason != Reason::stuck) return releaser.reason == Reason::coming;
      const StuckAgent* agent = behind(agents, releaser);
      return agent != nullptr && !agent->for_ever;
    };
    bool changed = true;
    while (changed) {
      changed = false;
      for (StuckAgent& agent : agents) {
        if (!agent.for_ever) continue;
        const bool spared = std::ranges::all_of(agent.unmet, [&](const UnmetCondition& condition) {
          return std::ranges::any_of(condition.releasers, may_come);
        });
        if (!spared) continue;
        agent.for_ever = false;
        changed = true;
      }
    }
  }

  static void name_what_releasers_wait_for(std::vector<StuckAgent>& agents) {
    for (StuckAgent& agent : agents)
      for (UnmetCondition& condition : agent.unmet)
        for (Releaser& releaser : condition.releasers) {
          const StuckAgent* other = behind(agents, releaser);
          if (other == nullptr || other->unmet.empty()) continue;
          releaser.held_at = other->instruction;
          releaser.waits_for = other->unmet.front().what;
        }
  }

  const Coprocessor& coprocessor_;
  const RemainingWords& remaining_;
  const std::vector<CoreStore>& core_stores_;
  std::array<bool, thread_count> stuck_{};
};

}  // namespace

std::vector<Entry> remaining_words(Arch arch, tensix::Frontend frontend, const std::vector<Entry>& unfed) {
  constexpr std::size_t most = 200'000;
  std::vector<Entry> words;
  std::size_t fed = 0;
  bool moved = true;
  while (words.size() < most && (moved || fed < unfed.size())) {
    moved = false;
    if (frontend.has_candidate()) {
      words.push_back(frontend.candidate());
      frontend.pop_candidate();
      moved = true;
    }
    moved = frontend.advance(arch) || moved;
    if (fed < unfed.size() && frontend.can_push()) {
      frontend.push(unfed[fed].word, unfed[fed].origin());
      ++fed;
      moved = true;
    }
  }
  return words;
}

WaitForGraph wait_for_graph(const Coprocessor& coprocessor, const RemainingWords& remaining,
                            const std::vector<CoreStore>& core_stores) {
  return Analysis(coprocessor, remaining, core_stores).run();
}

WaitForGraph only_for_ever(WaitForGraph graph) {
  const bool some_run = std::erase_if(graph.agents, [](const StuckAgent& agent) { return !agent.for_ever; }) != 0;
  graph.partial = !graph.agents.empty() && (graph.partial || some_run);
  graph.cycles = rings(graph.agents);
  return graph;
}

}  // namespace tensim::insight
