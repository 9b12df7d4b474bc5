#include "untimed_interpreter.hpp"

#include <algorithm>
#include <stdexcept>

#include "isa/table.hpp"

namespace tensim::untimed {
namespace {

using namespace isa::literals;
using isa::Word;

struct Wait {
  unsigned block = 0;
  unsigned semaphores = 0;
  unsigned condition = 0;
};

class Interpreter {
 public:
  Interpreter(Arch arch, const Programs& programs, State state)
      : arch_(arch), programs_(programs), state_(std::move(state)) {}

  std::optional<State> run(std::mt19937& random) {
    while (true) {
      std::vector<unsigned> ready;
      bool done = true;
      for (unsigned thread = 0; thread < 3; ++thread) {
        if (next_[thread] == programs_[thread].size()) continue;
        done = false;
        if (can_execute(thread)) ready.push_back(thread);
      }
      if (done) return state_;
      if (ready.empty()) return std::nullopt;
      // Any choice is fair in the long run: each thread that stays ready is picked with the same chance every time.
      execute(ready[std::uniform_int_distribution<std::size_t>(0, ready.size() - 1)(random)]);
    }
  }

 private:
  Word word(unsigned thread) const { return programs_[thread][next_[thread]]; }

  bool is_met(const Wait& wait) const {
    for (unsigned i = 0; i < 8; ++i) {
      if ((wait.semaphores >> i & 1U) == 0) continue;
      const auto& [value, maximum] = state_.semaphores[i];
      if ((wait.condition & 1U) != 0 && value == 0) return false;
      if ((wait.condition & 2U) != 0 && value >= maximum) return false;
    }
    return true;
  }

  bool can_execute(unsigned thread) {
    std::optional<Wait>& wait = waits_[thread];
    if (wait && is_met(*wait)) wait.reset();
    const std::uint8_t opcode = isa::opcode_of(word(thread));
    if (wait && isa::forms_of(arch_, opcode).front()->block.held_by(wait->block)) return false;
    if (opcode != "ATGETM"_op) return true;
    const int owner = state_.mutex_owner.at(word(thread) & 0xFFFFU);
    return owner == -1 || owner == static_cast<int>(thread);
  }

  void execute(unsigned thread) {
    const Word w = word(thread);
    ++next_[thread];
    auto& gprs = state_.gprs[thread];
    const unsigned index = w & 0xFFFFU;
    const auto for_semaphores = [&](auto change) {
      for (unsigned i = 0; i < 8; ++i)
        if ((w >> (2 + i) & 1U) != 0) change(state_.semaphores[i]);
    };
    switch (isa::opcode_of(w)) {
      case "NOP"_op:
      case "DMANOP"_op:
      case "STALLWAIT"_op: break;
      case "SEMINIT"_op: for_semaphores([&](auto& s) { s = {w >> 16U & 15U, w >> 20U & 15U}; }); break;
      case "SEMPOST"_op: for_semaphores([](auto& s) { s.first = std::min(s.first + 1, 15U); }); break;
      case "SEMGET"_op: for_semaphores([](auto& s) { s.first -= s.first == 0 ? 0U : 1U; }); break;
      case "SEMWAIT"_op: waits_[thread] = Wait{w >> 15U & 0x1FFU, w >> 2U & 0xFFU, w & 3U}; break;
      case "ATGETM"_op: state_.mutex_owner.at(index) = static_cast<int>(thread); break;
      case "ATRELM"_op:
        if (state_.mutex_owner.at(index) == static_cast<int>(thread)) state_.mutex_owner.at(index) = -1;
        break;
      case "SETDMAREG"_op: {
        std::uint32_t& reg = gprs[w >> 1U & 63U];
        const unsigned shift = (w & 1U) * 16;
        reg = (reg & ~(0xFFFFU << shift)) | (w >> 8U & 0xFFFFU) << shift;
        break;
      }
      case "ADDDMAREG"_op: {
        const unsigned right = w >> 6U & 63U;
        gprs[w >> 12U & 63U] = gprs[w & 63U] + ((w >> 23U & 1U) != 0 ? right : gprs[right]);
        break;
      }
      case "RDCFG"_op: gprs[w >> 16U & 63U] = state_.config[w & 0x7FFU]; break;
      case "WRCFG"_op: state_.config[w & 0x7FFU] = gprs[w >> 16U & 63U]; break;
      default: throw std::invalid_argument("the untimed interpreter does not know this instruction");
    }
  }

  Arch arch_;
  const Programs& programs_;
  State state_;
  std::array<std::size_t, 3> next_{};
  std::array<std::optional<Wait>, 3> waits_{};
};

}  // namespace

std::optional<State> run(Arch arch, const Programs& programs, State state, std::mt19937& random) {
  return Interpreter(arch, programs, std::move(state)).run(random);
}

}  // namespace tensim::untimed
