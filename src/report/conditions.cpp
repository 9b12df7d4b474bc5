#include "report/conditions.hpp"

#include <fmt/format.h>

#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "arch/wait_conditions.hpp"

namespace tensim::report {
namespace {

constexpr std::string_view name(tensix::Src src) {
  return src == tensix::Src::a ? "SrcA" : "SrcB";
}

std::string text_of(const tensix::Semaphore& semaphore) {
  return fmt::format("Value {}, Max {}", semaphore.value, semaphore.max);
}

/// Words for each kind of condition.
struct Words {
  Arch arch;

  ConditionText operator()(const insight::MatrixOwns& owns) const {
    return {.what = fmt::format("the Matrix Unit must own {} bank {}", name(owns.src), owns.bank),
            .state = "it belongs to the unpackers",
            .needs = fmt::format("UNPACR of unpacker {} that flips its bank, or SETDVALID,",
                                 static_cast<unsigned>(owns.src))};
  }
  ConditionText operator()(const insight::UnpackersOwn& own) const {
    return {.what = fmt::format("the unpackers must own {} bank {}", name(own.src), own.bank),
            .state = "it belongs to the Matrix Unit",
            .needs = fmt::format("CLEARDVALID, SETRWC or Matrix Unit instruction that gives {} back", name(own.src))};
  }
  ConditionText operator()(const insight::SemaphoreAboveZero& above) const {
    return {.what = name_of_semaphore(above.semaphore) + " must rise above 0",
            .state = text_of(above.now),
            .needs = fmt::format("SEMPOST or SEMINIT of semaphore {}", above.semaphore)};
  }
  ConditionText operator()(const insight::SemaphoreBelowMaximum& below) const {
    return {.what = name_of_semaphore(below.semaphore) + " must fall below its maximum",
            .state = text_of(below.now),
            .needs = below.now.max == 0  // no SEMGET helps
                         ? fmt::format("SEMINIT of semaphore {} with a maximum above 0", below.semaphore)
                         : fmt::format("SEMGET or SEMINIT of semaphore {}", below.semaphore)};
  }
  ConditionText operator()(const insight::StreamReaches& stream) const {
    return {.what = fmt::format("stream {}: {} must reach {}", stream.stream,
                                stream.is_phase ? "phase" : "messages received", stream.target),
            .state = fmt::format("{}", stream.now),
            .needs = "the NoC overlay, which is not modelled,"};
  }
  ConditionText operator()(const insight::UnitEmpty& empty) const {
    const Symbol& condition = stall_conditions(arch).symbols[empty.bit];
    return {.what = fmt::format("{} must end", condition.name),
            .state = std::string(condition.meaning),
            .needs = "the operation in flight to complete"};
  }
  ConditionText operator()(const insight::AccessesProcessed& accesses) const {
    return {.what = fmt::format("earlier accesses of TRISC{} must have been processed", accesses.thread),
            .state = fmt::format("loads under way: {}, stores: {}; of {}", accesses.awaited.loads,
                                 accesses.awaited.stores, tensix::to_text(accesses.awaited.resources)),
            .needs = "those accesses to be processed"};
  }
  ConditionText operator()(const insight::MutexExists& exists) const {
    std::string valid;
    for (const Symbol& symbol : mutexes(arch).symbols)
      valid += fmt::format("{}{}", valid.empty() ? "" : ", ", symbol.value);
    return {.what = fmt::format("mutex {} does not exist", exists.mutex),
            .state = fmt::format("{} has mutexes {}", tensim::name(arch), valid),
            .needs = "nothing"};
  }
  ConditionText operator()(const insight::MutexFree& free) const {
    return {.what = fmt::format("mutex {} must be free", free.mutex),
            .state = fmt::format("T{} holds it", free.owner),
            .needs = fmt::format("ATRELM of mutex {} by T{}", free.mutex, free.owner)};
  }
  ConditionText operator()(const insight::ScalarUnitFree& free) const {
    return {.what = "the Scalar Unit must end what it does",
            .state = fmt::format("an instruction of T{} is in it", free.thread),
            .needs = "an operation in flight to complete"};
  }
  ConditionText operator()(const insight::UnpackerHasRoom& room) const {
    return {.what = fmt::format("unpacker {} must take another instruction", room.unpacker),
            .state = fmt::format("it holds {} and has no room", room.jobs),
            .needs = "the older one to complete"};
  }
  ConditionText operator()(const insight::UnitTakes& takes) const {
    return {.what = fmt::format("{} must end", event::name(takes.stall)),
            .state = "the unit does not take the instruction",
            .needs = "an operation in flight to complete"};
  }
  ConditionText operator()(const insight::L1Equals& equals) const {
    return {.what = fmt::format("L1 at {:#x} must become what it compares with", equals.address),
            .state = "it looks again whenever that changes",
            .needs = "write to it"};
  }
  ConditionText operator()(const insight::RegisterAnswers& answers) const {
    return {.what = fmt::format("the register at {:#x} must answer", answers.address),
            .state = "it cannot yet",
            .needs = "access that lets it"};
  }
};

}  // namespace

std::string name_of_semaphore(unsigned index) {
  return fmt::format("semaphore {} ({})", index, semaphore_index.symbols[index].name);
}

ConditionText text_of(Arch arch, const insight::Condition& condition) {
  return std::visit(Words{arch}, condition);
}

std::string name(const insight::Agent& agent) {
  using Kind = insight::Agent::Kind;
  switch (agent.kind) {
    case Kind::thread: return fmt::format("T{}", agent.number.value_or(0));
    case Kind::unpacker: return agent.number ? fmt::format("unpacker {}", *agent.number) : "an unpacker";
    case Kind::packer: return "a packer";
    case Kind::scalar_unit: return "the Scalar Unit";
    case Kind::core: return std::string(tile::name(static_cast<tile::CoreId>(agent.number.value_or(0))));
  }
  return "";
}

}  // namespace tensim::report
