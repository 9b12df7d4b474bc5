#include "host/core_access.hpp"

#include <bit>

#include <fmt/format.h>

namespace tensim::host {
namespace {

using tensix::Coprocessor;

const Region* find_region(Arch arch, CoreBit core, std::uint32_t address) {
  for (const Region& region : address_map(arch))
    if ((region.cores & core) != 0 && address - region.base < region.size_bytes) return &region;
  return nullptr;
}

std::string core_name(CoreBit core) {
  switch (core) {
    case B: return "BRISC";
    case T0: return "TRISC0";
    case T1: return "TRISC1";
    case T2: return "TRISC2";
    case NC: return "NCRISC";
  }
  return "?";
}

unsigned thread_of(CoreBit core) {
  return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(core))) - 1;
}

AccessResult fault(const CoreAction& action, std::string_view what) {
  return {AccessResult::Status::fault, 0,
          fmt::format("{} {} {:#010x}: {}", core_name(action.core), action.is_store ? "stores to" : "loads from",
                      action.address, what)};
}

AccessResult push(Coprocessor& coprocessor, const CoreAction& action, unsigned thread) {
  if (!action.is_store) return fault(action, "instruction buffers cannot be read");
  if (action.core == B) {
    if (!coprocessor.can_push_from_brisc(thread)) return {AccessResult::Status::retry, 0, {}};
    coprocessor.push_from_brisc(thread, action.value, 0);
    return {};
  }
  if (!coprocessor.can_push(thread)) return {AccessResult::Status::retry, 0, {}};
  coprocessor.push(thread, action.value, 0);
  return {};
}

AccessResult semaphore(Coprocessor& coprocessor, const CoreAction& action, unsigned index) {
  if (!action.is_store) return {AccessResult::Status::done, coprocessor.sync.semaphores[index].value, {}};
  if (!coprocessor.can_store_semaphore()) return {AccessResult::Status::retry, 0, {}};
  coprocessor.store_semaphore(index, action.value);
  return {};
}

AccessResult gpr(Coprocessor& coprocessor, const CoreAction& action, const Region& region) {
  const std::uint32_t word = (action.address - region.base) / 4;
  const bool all = action.core == B;
  const unsigned thread = all ? word / 64 : thread_of(action.core);
  if (thread >= thread_count) return fault(action, "no GPR there");
  std::uint32_t& reg = coprocessor.gprs.value[thread][word % 64];
  if (!action.is_store) return {AccessResult::Status::done, reg, {}};
  reg = action.value;
  return {};
}

AccessResult config(Coprocessor& coprocessor, const CoreAction& action, const Region& region) {
  const std::uint32_t offset = action.address - region.base;
  if (!action.is_store) {
    const auto value = tensix::riscv_config_load(coprocessor.config, coprocessor.arch, offset);
    return value ? AccessResult{AccessResult::Status::done, *value, {}} : fault(action, "no configuration word there");
  }
  const auto write = tensix::riscv_config_store(coprocessor.arch, offset, action.value);
  if (!write) return fault(action, "no configuration word that a core can write there");
  const std::optional<unsigned> thread = action.core == B ? std::nullopt : std::optional(thread_of(action.core));
  if (!coprocessor.can_store_config()) return {AccessResult::Status::retry, 0, {}};
  coprocessor.store_config(*write, thread);
  return {};
}

}  // namespace

AccessResult access(Coprocessor& coprocessor, const CoreAction& action) {
  if (action.address % 4 != 0) return fault(action, "misaligned");
  const Region* region = find_region(coprocessor.arch, action.core, action.address);
  const bool is_t_core = (action.core & t_cores) != 0;
  if (region == nullptr) {
    // Another thread's instruction buffer: the store never completes (C23).
    if (is_t_core && action.is_store && (action.address >> 16U == 0xFFE5 || action.address >> 16U == 0xFFE6))
      return {AccessResult::Status::hangs, 0,
              fmt::format("{} stores to {:#010x}, another thread's instruction buffer: on hardware the core hangs",
                          core_name(action.core), action.address)};
    return fault(action, "nothing is mapped there");
  }
  const std::string_view name = region->name;
  if (name == "own instruction buffer") return push(coprocessor, action, thread_of(action.core));
  if (name.starts_with("instruction buffer T")) return push(coprocessor, action, static_cast<unsigned>(name[20] - '0'));
  if (name == "semaphores") return semaphore(coprocessor, action, (action.address - region->base) / 4);
  if (name == "own MOP configuration") {
    if (!action.is_store) return fault(action, "MOP configuration is write-only");
    coprocessor.write_mop_config(thread_of(action.core), (action.address - region->base) / 4, action.value);
    return {};
  }
  if (name.find("tensix GPRs") != std::string_view::npos) return gpr(coprocessor, action, *region);
  if (name == "backend configuration") return config(coprocessor, action, *region);
  return fault(action, fmt::format("{}: not modelled yet", name));
}

}  // namespace tensim::host
