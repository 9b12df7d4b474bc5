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
  interrupted,       // by the user of a debugger; of a tile: by the fault of another
  waiting_for_host,  // of a device's tile: nothing happens before its host writes what cores poll
};

inline constexpr NamedRows outcome_rows{std::array{
    NamedRow{OutcomeKind::finished, "finished"},
    NamedRow{OutcomeKind::deadlocked, "deadlocked"},
    NamedRow{OutcomeKind::faulted, "faulted"},
    NamedRow{OutcomeKind::budget_exhausted, "budget exhausted"},
    NamedRow{OutcomeKind::interrupted, "interrupted"},
    NamedRow{OutcomeKind::waiting_for_host, "waiting for the host"},
}};
static_assert(outcome_rows.cover(OutcomeKind::waiting_for_host));

constexpr std::string_view name(OutcomeKind kind) {
  return outcome_rows.name(kind);
}

}  // namespace tensim::explain
