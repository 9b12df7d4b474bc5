// An interpreter without time: it executes one whole instruction of one thread at a time, chosen at random among those
// that can go on. A program whose result depends on no order must end in the same state here and in the timed model,
// whatever the schedule (M32). With the model under test it shares src/isa and src/arch only.
//
// Units take no time, so of STALLWAIT's conditions none ever holds (Src banks are not modelled), and only mutexes and
// latched SEMWAITs hold a thread. It knows NOP, DMANOP, SEMINIT, SEMPOST, SEMGET, SEMWAIT, STALLWAIT, ATGETM, ATRELM,
// SETDMAREG.Immediate, ADDDMAREG, RDCFG and WRCFG of one word; others throw std::invalid_argument.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "arch/arch.hpp"
#include "isa/form.hpp"

namespace tensim::untimed {

struct State {
  std::array<std::pair<unsigned, unsigned>, 8> semaphores{};  // value, maximum
  std::array<int, 8> mutex_owner{-1, -1, -1, -1, -1, -1, -1, -1};
  std::array<std::array<std::uint32_t, 64>, 3> gprs{};
  std::map<unsigned, std::uint32_t> config;  // word -> value, where one was written
  bool operator==(const State&) const = default;
};

using Programs = std::array<std::vector<isa::Word>, 3>;

/// The state at the end, or nothing if no thread could go on before all were done.
std::optional<State> run(Arch arch, const Programs& programs, State state, std::mt19937& random);

}  // namespace tensim::untimed
