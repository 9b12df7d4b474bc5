#include "tensix/footprint.hpp"

#include <algorithm>

#include "arch/config_registers.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/mover/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;

/// Words of both banks, as the cores' window on configuration has them one behind the other.
void add_config_target(Footprint& footprint, const Coprocessor& coprocessor, const MemoryOperation& operation) {
  const unsigned words = config_words(coprocessor.arch);
  const unsigned global = config_global_base(coprocessor.arch);
  for (unsigned bank = 0; bank < config_bank_count; ++bank) {
    const unsigned first = std::max(operation.to / 4, bank * words);
    const unsigned end = std::min((operation.to + operation.size) / 4, (bank + 1) * words);
    if (first >= end) continue;
    footprint.writes(Resource::config, bank, first - bank * words, end - first);
    if (const unsigned shared = std::max(first - bank * words, global); shared < end - bank * words)
      footprint.writes(Resource::config, 1 - bank, shared, end - bank * words - shared);
  }
}

}  // namespace

/// The instruction RAM, and Blackhole's window that writes both banks, are none of these resources.
Footprint units::mover_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  constexpr const ConfigField& first = "THCON_SEC0_REG6_Source_address"_config;
  constexpr const ConfigField& last = "THCON_SEC0_REG6_Transfer_direction"_config;
  const auto word_of = [&](const ConfigField& field) { return static_cast<unsigned>(field.on(coprocessor.arch).word); };
  add_config(footprint, coprocessor, candidate.thread, word_of(first), word_of(last) - word_of(first) + 1, false);
  const MemoryOperation operation = xmov_operation(coprocessor, candidate.thread);
  if (operation.size == 0 || leaves_memory(coprocessor.arch, operation)) return footprint;
  if (operation.source == MemoryOperation::Source::l1) footprint.reads(Resource::l1, 0, 0, whole_l1);
  if (operation.target == MemoryOperation::Target::l1) footprint.writes(Resource::l1, 0, 0, whole_l1);
  if (operation.target == MemoryOperation::Target::config) add_config_target(footprint, coprocessor, operation);
  return footprint;
}

}  // namespace tensim::tensix
