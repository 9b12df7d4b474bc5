// How a run can end.
#pragma once

#include <array>
#include <cstdint>

#include "arch/named_rows.hpp"

namespace tensim::explain {

enum class OutcomeKind : std::uint8_t {
  finished,
  deadlocked,
  faulted,
  budget_exhausted,
  interrupted,  // by the user of a debugger
};

inline constexpr NamedRows outcome_rows{std::array{
    NamedRow{OutcomeKind::finished, "finished"},
    NamedRow{OutcomeKind::deadlocked, "deadlocked"},
    NamedRow{OutcomeKind::faulted, "faulted"},
    NamedRow{OutcomeKind::budget_exhausted, "budget exhausted"},
    NamedRow{OutcomeKind::interrupted, "interrupted"},
}};
static_assert(outcome_rows.cover(OutcomeKind::interrupted));

constexpr std::string_view name(OutcomeKind kind) {
  return outcome_rows.name(kind);
}

}  // namespace tensim::explain
