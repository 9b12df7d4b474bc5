#include "tensix/footprint.hpp"

#include "arch/config_registers.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/mover/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;

const Settings& settings_of(Arch arch) {
  static const std::array by_arch = for_each_arch([](Arch each) {
    return Settings(each)
        .add("THCON_SEC0_REG6_Source_address"_config)
        .add("THCON_SEC0_REG6_Destination_address"_config)
        .add("THCON_SEC0_REG6_Buffer_size"_config)
        .add("THCON_SEC0_REG6_Transfer_direction"_config);
  });
  return by_arch[static_cast<std::size_t>(arch)];
}

/// Words of the cores' window on configuration, as its stores reach them.
void add_config_target(Footprint& footprint, Arch arch, const MemoryOperation& operation) {
  for (std::uint32_t at = 0; at < operation.size; at += 4) {
    const auto store = riscv_config_store(arch, operation.to + at, 0);
    if (store) add_config_store(footprint, arch, *store);
  }
}

}  // namespace

/// The instruction RAM is none of these resources.
void units::mover_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  const Arch arch = coprocessor.arch;
  footprint.reads(settings_of(arch), config_bank_of(coprocessor.config, arch, candidate.thread), candidate.thread);
  add_memory_operation(footprint, coprocessor, xmov_operation(coprocessor, candidate.thread));
}

void add_memory_operation(Footprint& footprint, const Coprocessor& coprocessor, const MemoryOperation& operation) {
  if (operation.size == 0 || !coprocessor.memory.is_attached() || leaves_memory(coprocessor.arch, operation)) return;
  if (operation.source == MemoryOperation::Source::l1)
    add_l1(footprint, coprocessor, operation.from, operation.size, false);
  if (operation.target == MemoryOperation::Target::l1)
    add_l1(footprint, coprocessor, operation.to, operation.size, true);
  if (operation.target == MemoryOperation::Target::config) add_config_target(footprint, coprocessor.arch, operation);
}

}  // namespace tensim::tensix
