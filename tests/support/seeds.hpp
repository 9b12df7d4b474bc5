// Random programs by their seeds, of which the environment may choose others.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace tensim::test {

inline unsigned environment(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// Whether the environment says which: then a test cannot expect that enough of a kind were among them.
inline bool seeds_are_chosen() {
  return std::getenv("TENSIM_SEEDS") != nullptr;
}

/// `count` seeds from 0 on; TENSIM_FIRST_SEED and TENSIM_SEEDS choose others. Ends at the first failure.
template <class Visit>
void for_each_seed(unsigned count, Visit visit) {
  const unsigned first = environment("TENSIM_FIRST_SEED", 0);
  const unsigned seeds = environment("TENSIM_SEEDS", count);
  for (unsigned seed = first; seed < first + seeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    visit(seed);
  }
}

}  // namespace tensim::test
