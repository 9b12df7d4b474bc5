// The conditions of a wait in words.
#pragma once

#include <string>

#include "arch/arch.hpp"
#include "insight/agent.hpp"
#include "insight/condition.hpp"

namespace tensim::report {

struct ConditionText {
  std::string what;   // "semaphore 1 (MATH_PACK) must rise above 0"
  std::string state;  // "Value 0, Max 2"
  std::string needs;  // "SEMPOST or SEMINIT of semaphore 1"
};

ConditionText text_of(Arch arch, const insight::Condition& condition);

/// "semaphore 1 (MATH_PACK)"
std::string name_of_semaphore(unsigned index);

/// "T1", "unpacker 0", "BRISC"
std::string name(const insight::Agent& agent);

}  // namespace tensim::report
