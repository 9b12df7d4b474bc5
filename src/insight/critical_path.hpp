// The chain of causes that decided how long a run took, added up.
#pragma once

#include <cstdint>
#include <vector>

#include "insight/chains.hpp"

namespace tensim::insight {

struct CriticalPath {
  time::Cycle cycles = 0;                // of the run: those of the parts are as many
  std::vector<Chains::Part> parts = {};  // the most first
};

/// The chain, and whatever was behind its end until the run ended.
inline CriticalPath path_of(const Chains& chains, Chain last, time::Cycle cycles) {
  last.extend({.kind = Step::Kind::end}, cycles);
  return {cycles, chains.parts(last)};
}

}  // namespace tensim::insight
