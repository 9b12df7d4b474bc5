#include "host/core_access.hpp"

#include <bit>

#include <fmt/format.h>

#include "isa/table.hpp"

namespace tensim::host {
namespace {

using tensix::Coprocessor;

const Region* find_region(Arch arch, CoreBit core, std::uint32_t address) {
  for (const Region& region : address_map(arch))
    if ((region.cores & core) != 0 && address - region.base < region.size_bytes) return &region;
  return nullptr;
}

unsigned thread_of(CoreBit core) {
  return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(core))) - 1;
}

AccessResult fault(const CoreAction& action, std::string_view what) {
  return {AccessResult::Status::fault, 0,
          fmt::format("{} {} {:#010x}: {}", core_name(action.core), action.is_store ? "stores to" : "loads from",
                      action.address, what)};
}

/// The thread whose instruction buffer the region is, as the core sees it.
std::optional<unsigned> buffer_thread(const Region& region, CoreBit core) {
  const std::string_view name = region.name;
  constexpr std::string_view of_brisc = "instruction buffer T";
  if (name == "own instruction buffer") return thread_of(core);
  if (name.starts_with(of_brisc)) return static_cast<unsigned>(name[of_brisc.size()] - '0');
  return std::nullopt;
}

AccessResult push(Coprocessor& coprocessor, const CoreAction& action, unsigned thread) {
  if (!action.is_store) return fault(action, "instruction buffers cannot be read");
  if (action.core == B) {
    if (!coprocessor.can_push_from_brisc(thread))
      return {AccessResult::Status::retry, 0, fmt::format("the frontend of T{} takes no more", thread)};
    coprocessor.push_from_brisc(thread, action.value, no_origin);
    return {};
  }
  if (!coprocessor.can_push(thread))
    return {AccessResult::Status::retry, 0, fmt::format("the push FIFO of T{} is full", thread)};
  coprocessor.push(thread, action.value, no_origin);
  return {};
}

AccessResult semaphore(Coprocessor& coprocessor, const CoreAction& action, unsigned index) {
  if (!action.is_store) return {AccessResult::Status::done, coprocessor.sync.semaphores[index].value, {}};
  if (!coprocessor.can_store_semaphore()) return {AccessResult::Status::retry, 0, "the Sync Unit is not free"};
  coprocessor.store_semaphore(index, action.value);
  return {};
}

/// What Auto TTSync counts an access for. BRISC's it does not know.
tensix::ResourceSet tracked(const Coprocessor& coprocessor, const CoreAction& action, tensix::TrackedRegion region,
                            std::uint32_t offset) {
  return action.core == B ? tensix::resources::none
                          : coprocessor.tracked_resources(thread_of(action.core), region, offset);
}

std::optional<AccessResult> wait_for_instructions(const Coprocessor& coprocessor, const CoreAction& action,
                                                  tensix::ResourceSet wanted) {
  if (wanted == tensix::resources::none) return std::nullopt;
  const unsigned thread = thread_of(action.core);
  if (action.is_store ? coprocessor.may_store(thread, wanted) : coprocessor.may_load(thread, wanted))
    return std::nullopt;
  return AccessResult{AccessResult::Status::retry, 0,
                      fmt::format("Auto TTSync: instructions of T{} that use {} have not passed the Wait Gate", thread,
                                  tensix::to_text(wanted))};
}

AccessResult gpr(Coprocessor& coprocessor, const CoreAction& action, const Region& region) {
  const std::uint32_t word = (action.address - region.base) / 4;
  const bool all = action.core == B;
  const unsigned thread = all ? word / 64 : thread_of(action.core);
  if (thread >= thread_count) return fault(action, "no GPR there");
  if (auto wait = wait_for_instructions(coprocessor, action,
                                        tracked(coprocessor, action, tensix::TrackedRegion::gprs, word * 4)))
    return *wait;
  std::uint32_t& reg = coprocessor.gprs.value[thread][word % 64];
  if (!action.is_store) return {AccessResult::Status::done, reg, {}};
  reg = action.value;
  coprocessor.written.add_gpr(thread, word % 64);
  return {};
}

AccessResult config(Coprocessor& coprocessor, const CoreAction& action, const Region& region) {
  const std::uint32_t offset = action.address - region.base;
  const tensix::ResourceSet wanted = tracked(coprocessor, action, tensix::TrackedRegion::config, offset);
  if (auto wait = wait_for_instructions(coprocessor, action, wanted)) return *wait;
  if (!action.is_store) {
    const auto value = tensix::riscv_config_load(coprocessor.config, coprocessor.arch, offset);
    return value ? AccessResult{AccessResult::Status::done, *value, {}} : fault(action, "no configuration word there");
  }
  const auto write = tensix::riscv_config_store(coprocessor.arch, offset, action.value);
  if (!write) return fault(action, "no configuration word that a core can write there");
  const std::optional<unsigned> thread = action.core == B ? std::nullopt : std::optional(thread_of(action.core));
  if (!coprocessor.can_store_config()) return {AccessResult::Status::retry, 0, "the Configuration Unit is not free"};
  coprocessor.store_config(
      *write, thread, thread ? coprocessor.core_access_started(*thread, wanted, true) : tensix::AutoTtSync::no_ticket);
  return {};
}

}  // namespace

std::string_view core_name(CoreBit core) {
  switch (core) {
    case B: return "BRISC";
    case T0: return "TRISC0";
    case T1: return "TRISC1";
    case T2: return "TRISC2";
    case NC: return "NCRISC";
  }
  return "?";
}

std::optional<isa::Word> semaphore_instruction(Arch arch, const CoreAction& action) {
  using namespace isa::literals;
  const Region* region = find_region(arch, action.core, action.address);
  if (!action.is_store || region == nullptr || std::string_view(region->name) != "semaphores") return std::nullopt;
  const isa::Word opcode = (action.value & 1U) != 0 ? "SEMGET"_op : "SEMPOST"_op;  // U10, U11
  return opcode << isa::parameter_bits | isa::Word{1} << (2 + (action.address - region->base) / 4);
}

std::optional<unsigned> pushed_thread(Arch arch, const CoreAction& action) {
  const Region* region = find_region(arch, action.core, action.address);
  if (!action.is_store || region == nullptr) return std::nullopt;
  return buffer_thread(*region, action.core);
}

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
  if (const auto thread = buffer_thread(*region, action.core)) return push(coprocessor, action, *thread);
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
