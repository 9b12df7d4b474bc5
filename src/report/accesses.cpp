#include "report/accesses.hpp"

#include <fmt/format.h>

#include "tile/tile_control.hpp"

namespace tensim::report {

using tile::Access;
using tile::AccessFault;
using tile::CoreId;
using tile::Wait;

namespace {

std::string what_it_does(const Access& access, std::string_view who) {
  return fmt::format("{} {} {:#010x}", who, access.is_store ? "stores to" : "loads from", access.address);
}

std::string mailbox(const Access& access) {
  const auto other = static_cast<CoreId>(access.address >> 12U & 3U);
  return access.is_store
             ? fmt::format("{} has sent four words that nobody has read, to {} or others", tile::name(access.core),
                           tile::name(other))
             : fmt::format("the mailbox from {} to {} is empty", tile::name(other), tile::name(access.core));
}

}  // namespace

std::string reason(Wait wait, const Access& access) {
  const unsigned thread = tile::thread_at(access);
  switch (wait) {
    case Wait::none: return "it waits for nothing";
    case Wait::push_fifo_full: return fmt::format("the push FIFO of T{} is full", thread);
    case Wait::brisc_entry_full: return fmt::format("the frontend of T{} takes no more", thread);
    case Wait::mailbox_empty:
    case Wait::mailbox_full: return mailbox(access);
    case Wait::pc_buffer_empty: return fmt::format("PCBuf {} is empty: BRISC has pushed nothing", thread);
    case Wait::pc_buffer_full: return fmt::format("PCBuf {} holds 16 words that TRISC{} has not read", thread, thread);
    case Wait::pc_buffer_not_drained:
      return fmt::format("PCBuf {} is not empty, or TRISC{} does not wait for it, or thread T{} is not idle", thread,
                         thread, thread);
    case Wait::thread_not_idle: return fmt::format("thread T{} has instructions in flight", thread);
    case Wait::mop_not_idle: return fmt::format("a MOP of T{} is queued or being expanded", thread);
    case Wait::semaphore_store: return "an earlier store to the semaphores has not been processed";
    case Wait::config_request: return "the Configuration Unit has not processed this core's last stores";
    case Wait::gpr_request: return "this core's last stores to GPRs have not been processed";
    case Wait::tdma_queue_full: return "the command queue of TDMA-RISC is full";
    case Wait::packer_metadata_empty: return "the packer has put nothing into its metadata FIFO";
    case Wait::auto_ttsync: return fmt::format("an earlier instruction of T{} uses the same registers", thread);
    case Wait::for_ever: return "on hardware the core hangs";
  }
  return "";
}

std::string describe(Wait wait, const Access& access) {
  if (wait == Wait::for_ever && access.is_store)
    return what_it_does(access, tile::name(access.core)) +
           ", another thread's instruction buffer: on hardware the core hangs";
  return fmt::format("{}: {}", what_it_does(access, tile::name(access.core)), reason(wait, access));
}

namespace {

/// The region, or the register in it, if it has a name.
std::string place_of(const Access& access, const Region* region) {
  if (region == nullptr) return "nothing is mapped there";
  if (region->kind == Region::Kind::tile_control)
    for (const Arch arch : all_archs)
      if (const DebugRegister* reg = tile::find_debug_register(arch, access.address);
          reg != nullptr && region->archs.contains(arch))
        return std::string(reg->name);
  return std::string(region->name);
}

}  // namespace

std::string describe(AccessFault fault, const Access& access, const Region* region) {
  return describe(fault, access, region, tile::name(access.core));
}

std::string describe(AccessFault fault, const Access& access, const Region* region, std::string_view who) {
  const bool is_of_the_place = fault != AccessFault::none && fault != AccessFault::unmapped &&
                               fault != AccessFault::misaligned && fault != AccessFault::not_atomic;
  const std::string where = is_of_the_place ? place_of(access, region) + ": " : "";
  return fmt::format("{}: {}{}", what_it_does(access, who), where, tile::meaning(fault));
}

}  // namespace tensim::report
