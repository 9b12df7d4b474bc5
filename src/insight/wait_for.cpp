#include "insight/wait_for.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "arch/wait_conditions.hpp"
#include "isa/table.hpp"

namespace tensim::insight {
namespace {

using namespace isa::literals;
using isa::Word;
using tensix::Coprocessor;
using tensix::Entry;
using tensix::Src;
using tensix::thread_count;

using Releases = std::function<bool(Word)>;

bool flips(Word word, Src src) {
  return (word >> (src == Src::a ? 22U : 23U) & 1U) != 0;
}

/// Gives a bank of `src` to the Matrix Unit.
bool supplies(Arch arch, Word word, Src src) {
  const unsigned unpacker = src == Src::a ? 0 : 1;
  switch (isa::opcode_of(word)) {
    case "SETDVALID"_op: return (word >> unpacker & 1U) != 0;
    case "UNPACR"_op: return (word >> 23U & 1U) == unpacker && (word & 0x2002U) == 0 && (word >> 6U & 1U) != 0;
    case "UNPACR_NOP"_op:
      return (word >> 23U & 1U) == unpacker &&
             (arch == Arch::wormhole ? (word & 7U) == 7 : (word >> 6U & 3U) == 3 || (word >> 8U & 1U) != 0);
    default: return false;
  }
}

/// Gives a bank of `src` back to the unpackers.
bool gives_back(Word word, Src src) {
  switch (isa::opcode_of(word)) {
    case "CLEARDVALID"_op: return (word & 1U) != 0 || flips(word, src);
    case "SETRWC"_op:
    case "MVMUL"_op:
    case "ELWADD"_op:
    case "ELWSUB"_op:
    case "ELWMUL"_op:
    case "GAPOOL"_op:
    case "GMPOOL"_op:
    case "DOTPV"_op: return flips(word, src);
    default: return false;
  }
}

bool touches_semaphore(Word word, unsigned semaphore) {
  return (word >> (2U + semaphore) & 1U) != 0;
}

bool raises(Word word, unsigned semaphore) {
  const std::uint8_t opcode = isa::opcode_of(word);
  const bool init_above_zero = opcode == "SEMINIT"_op && (word >> 16U & 15U) != 0;
  return (opcode == "SEMPOST"_op || init_above_zero) && touches_semaphore(word, semaphore);
}

bool makes_room(Word word, unsigned semaphore) {
  const std::uint8_t opcode = isa::opcode_of(word);
  const bool init_with_room = opcode == "SEMINIT"_op && (word >> 16U & 15U) < (word >> 20U & 15U);
  return (opcode == "SEMGET"_op || init_with_room) && touches_semaphore(word, semaphore);
}

class Analysis {
 public:
  Analysis(const Coprocessor& coprocessor, const RemainingWords& remaining)
      : coprocessor_(coprocessor), remaining_(remaining) {}

  WaitForGraph run() {
    for (unsigned thread = 0; thread < thread_count; ++thread)
      stuck_[thread] = is_held(thread);
    WaitForGraph graph;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      if (stuck_[thread]) graph.agents.push_back(stuck_thread(thread));
    for (unsigned unpacker = 0; unpacker < 2; ++unpacker)
      if (auto agent = stuck_unpacker(unpacker)) graph.agents.push_back(std::move(*agent));
    for (StuckAgent& agent : graph.agents)
      agent.for_ever = is_for_ever(agent);
    graph.partial =
        !graph.agents.empty() && std::ranges::count(stuck_, true) < static_cast<std::ptrdiff_t>(thread_count);
    graph.cycles = rings(graph);
    return graph;
  }

 private:
  /// Something waits at the gate for a reason that does not pass by itself.
  bool is_held(unsigned thread) const {
    const tensix::Held& held = coprocessor_.held[thread];
    return coprocessor_.frontends[thread].has_candidate() && !held.passes() && held.until == tensix::never &&
           held.stall != Stall::empty;
  }

  std::vector<Releaser> releasers(unsigned waiting_thread, const Releases& releases) const {
    std::vector<Releaser> found;
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      const auto& words = remaining_[thread];
      // The instruction at the gate itself does not count: it is the one that waits.
      const std::size_t first = thread == waiting_thread ? 1 : 0;
      for (std::size_t i = first; i < words.size(); ++i)
        if (releases(words[i].word)) {
          const auto reason = thread == waiting_thread ? Releaser::Reason::behind_itself : Releaser::Reason::stuck;
          found.push_back({reason, thread, words[i]});
          break;
        }
    }
    if (found.empty()) found.push_back({Releaser::Reason::none_left, std::nullopt, std::nullopt});
    return found;
  }

  UnmetCondition src_valid(unsigned thread, Src src) const {
    const char* file = src == Src::a ? "SrcA" : "SrcB";
    const unsigned bank = coprocessor_.src.matrix_bank[static_cast<std::size_t>(src)];
    return {.what = fmt::format("the Matrix Unit must own {} bank {}", file, bank),
            .state = "it belongs to the unpackers",
            .needs = fmt::format("UNPACR of unpacker {} that flips its bank, or SETDVALID", src == Src::a ? 0 : 1),
            .releasers = releasers(thread, [this, src](Word word) { return supplies(coprocessor_.arch, word, src); })};
  }

  UnmetCondition src_clear(unsigned thread, Src src) const {
    const char* file = src == Src::a ? "SrcA" : "SrcB";
    const unsigned bank = coprocessor_.src.unpack_bank[static_cast<std::size_t>(src)];
    return {.what = fmt::format("the unpackers must own {} bank {}", file, bank),
            .state = "it belongs to the Matrix Unit",
            .needs = fmt::format("CLEARDVALID, SETRWC or a Matrix Unit instruction that gives {} back", file),
            .releasers = releasers(thread, [src](Word word) { return gives_back(word, src); })};
  }

  void semaphore_conditions(unsigned thread, const tensix::LatchedWait& latch,
                            std::vector<UnmetCondition>& unmet) const {
    for (unsigned left = latch.semaphore_mask; left != 0; left &= left - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(left));
      const tensix::Semaphore& semaphore = coprocessor_.sync.semaphores[index];
      const std::string named = fmt::format("semaphore {} ({})", index, semaphore_index.symbols[index].name);
      const std::string state = fmt::format("Value {}, Max {}", semaphore.value, semaphore.max);
      if ((latch.semaphore_condition & 1U) != 0 && semaphore.value == 0)
        unmet.push_back({named + " must rise above 0", state, fmt::format("SEMPOST or SEMINIT of semaphore {}", index),
                         releasers(thread, [index](Word word) { return raises(word, index); })});
      if ((latch.semaphore_condition & 2U) != 0 && semaphore.value >= semaphore.max) {
        const bool hopeless = semaphore.max == 0;
        unmet.push_back({named + " must fall below its maximum", state,
                         hopeless ? fmt::format("SEMINIT of semaphore {} with a maximum above 0", index)
                                  : fmt::format("SEMGET or SEMINIT of semaphore {}", index),
                         releasers(thread, [index, hopeless](Word word) {
                           return makes_room(word, index) && !(hopeless && isa::opcode_of(word) == "SEMGET"_op);
                         })});
      }
    }
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
        unmet.push_back({.what = fmt::format("{} must end", condition.name),
                         .state = std::string(condition.meaning),
                         .needs = "the operation in flight to complete",
                         .releasers = {{Releaser::Reason::stuck, thread, std::nullopt}}});
    }
  }

  StuckAgent stuck_thread(unsigned thread) const {
    StuckAgent agent{.name = fmt::format("T{}", thread),
                     .thread = thread,
                     .stall = coprocessor_.held[thread].stall,
                     .instruction = coprocessor_.frontends[thread].candidate(),
                     .latched_by = {},
                     .unmet = {},
                     .for_ever = false};
    const unsigned mutex = agent.instruction.word & 0xFFFFU;
    switch (agent.stall) {
      case Stall::latched_wait: {
        const tensix::LatchedWait& latch = coprocessor_.latches[thread];
        agent.latched_by = Entry::expanded(latch.word, latch.origin);
        if (latch.kind == tensix::LatchedWait::Kind::semaphore)
          semaphore_conditions(thread, latch, agent.unmet);
        else
          stall_conditions_of(thread, latch, agent.unmet);
        break;
      }
      case Stall::mutex_held: {
        const unsigned owner = coprocessor_.sync.mutex_owner[mutex];
        agent.unmet.push_back({fmt::format("mutex {} must be free", mutex), fmt::format("T{} holds it", owner),
                               fmt::format("ATRELM of mutex {} by T{}", mutex, owner),
                               owner_releases(thread, owner, mutex)});
        break;
      }
      case Stall::mutex_invalid:
        agent.unmet.push_back({fmt::format("mutex {} does not exist", mutex),
                               fmt::format("{} has no mutex {}", name(coprocessor_.arch), mutex),
                               "nothing",
                               {{Releaser::Reason::never, std::nullopt, std::nullopt}}});
        break;
      case Stall::src_a_not_valid: agent.unmet.push_back(src_valid(thread, Src::a)); break;
      case Stall::src_b_not_valid: agent.unmet.push_back(src_valid(thread, Src::b)); break;
      default:
        agent.unmet.push_back({fmt::format("{} must end", name(agent.stall)),
                               "the unit does not take the instruction",
                               "an operation in flight to complete",
                               {{Releaser::Reason::stuck, thread, std::nullopt}}});
    }
    return agent;
  }

  std::vector<Releaser> owner_releases(unsigned thread, unsigned owner, unsigned mutex) const {
    (void)thread;
    for (const Entry& entry : remaining_[owner])
      if (isa::opcode_of(entry.word) == "ATRELM"_op && (entry.word & 0xFFFFU) == mutex)
        return {{Releaser::Reason::stuck, owner, entry}};
    return {{Releaser::Reason::none_left, owner, std::nullopt}};
  }

  /// An UNPACR that waits for its bank in the middle of its work (errata 40).
  std::optional<StuckAgent> stuck_unpacker(unsigned unpacker) const {
    const auto& pipe = coprocessor_.unpackers.pipes[unpacker];
    if (pipe.jobs == 0 || pipe.moving || coprocessor_.now < pipe.job[0].data_from) return std::nullopt;
    const tensix::Record& record = coprocessor_.in_flight[pipe.job[0].record];
    const Src src = unpacker == 0 ? Src::a : Src::b;
    StuckAgent agent{.name = fmt::format("unpacker {}", unpacker),
                     .thread = record.thread,
                     .stall = Stall::unit_busy,
                     .instruction = Entry::expanded(record.word, record.origin),
                     .latched_by = {},
                     .unmet = {},
                     .for_ever = false};
    UnmetCondition condition = src_clear(thread_count, src);
    agent.unmet.push_back(std::move(condition));
    return agent;
  }

  static bool is_for_ever(const StuckAgent& agent) {
    return std::ranges::any_of(agent.unmet, [](const UnmetCondition& condition) {
      return std::ranges::all_of(condition.releasers,
                                 [](const Releaser& releaser) { return releaser.reason != Releaser::Reason::stuck; });
    });
  }

  /// Rings in the graph "waits for somebody of that thread".
  std::vector<std::vector<unsigned>> rings(const WaitForGraph& graph) const {
    std::array<unsigned, thread_count> waits_for{};
    for (const StuckAgent& agent : graph.agents)
      for (const UnmetCondition& condition : agent.unmet)
        for (const Releaser& releaser : condition.releasers)
          if (releaser.thread && releaser.instruction && stuck_[*releaser.thread])
            waits_for[agent.thread] |= 1U << *releaser.thread;
    std::vector<std::vector<unsigned>> found;
    for (unsigned thread = 0; thread < thread_count; ++thread)
      if ((waits_for[thread] >> thread & 1U) != 0) found.push_back({thread});
    for (unsigned a = 0; a < thread_count; ++a)
      for (unsigned b = a + 1; b < thread_count; ++b)
        if ((waits_for[a] >> b & 1U) != 0 && (waits_for[b] >> a & 1U) != 0) found.push_back({a, b});
    for (const auto& ring : {std::array{0U, 1U, 2U}, std::array{0U, 2U, 1U}})
      if ((waits_for[ring[0]] >> ring[1] & 1U) != 0 && (waits_for[ring[1]] >> ring[2] & 1U) != 0 &&
          (waits_for[ring[2]] >> ring[0] & 1U) != 0)
        found.push_back({ring[0], ring[1], ring[2]});
    return found;
  }

  const Coprocessor& coprocessor_;
  const RemainingWords& remaining_;
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

WaitForGraph wait_for_graph(const Coprocessor& coprocessor, const RemainingWords& remaining) {
  return Analysis(coprocessor, remaining).run();
}

}  // namespace tensim::insight
