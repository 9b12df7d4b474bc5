// A core's access to something outside itself, and the answer. Loads are asked in the cycle they enter the Load/Store
// Unit, stores in the cycle they leave the store queue; an answer `wait` means: ask again when something has changed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arch/address_map.hpp"
#include "arch/named_rows.hpp"
#include "arch/sizes.hpp"
#include "noc/refusal.hpp"
#include "tensix/types.hpp"

namespace tensim::tile {

using tensix::Cycle;
using tensix::never;

enum class CoreId : std::uint8_t { brisc, trisc0, trisc1, trisc2, ncrisc };
inline constexpr unsigned core_count = size_of_both("riscv_cores"_size);
inline constexpr std::array<std::string_view, core_count> core_names{"BRISC", "TRISC0", "TRISC1", "TRISC2", "NCRISC"};

/// As scenarios, recordings, options of the command and files of programs have them.
inline constexpr std::array<std::string_view, core_count> core_keys{"brisc", "trisc0", "trisc1", "trisc2", "ncrisc"};

constexpr std::string_view name(CoreId core) {
  return core_names[static_cast<unsigned>(core)];
}
constexpr std::optional<CoreId> core_with_key(std::string_view key) {
  for (unsigned core = 0; core < core_count; ++core)
    if (core_keys[core] == key) return static_cast<CoreId>(core);
  return std::nullopt;
}
constexpr CoreBit bit(CoreId core) {
  return static_cast<CoreBit>(1U << static_cast<unsigned>(core));
}
/// The name of the core that sees the address map so.
constexpr std::string_view name(CoreBit view) {
  constexpr std::array<std::string_view, 2> ethernet{"ERISC0", "ERISC1"};
  return view < E0 ? core_names[static_cast<unsigned>(std::countr_zero(unsigned{view}))] : ethernet[view == E0 ? 0 : 1];
}
constexpr bool is_trisc(CoreId core) {
  return core == CoreId::trisc0 || core == CoreId::trisc1 || core == CoreId::trisc2;
}
/// The Tensix thread of a T core.
constexpr unsigned thread_of(CoreId core) {
  return static_cast<unsigned>(core) - 1U;
}

struct Access {
  CoreId core = CoreId::brisc;
  bool is_store = false;
  std::uint8_t size_bytes = 4;
  std::uint32_t address = 0;
  std::uint32_t value = 0;   // of a store
  std::uint32_t origin = 0;  // the pc of the instruction, divided by four
  Cycle cycle = 0;
  bool by_scalar_unit = false;  // in the name of a core
};

/// The thread whose instruction buffer, PCBuf or window is at the address, as the core sees it.
constexpr unsigned thread_at(const Access& access) {
  return is_trisc(access.core) ? thread_of(access.core) : access.address >> 16U & 3U;
}

/// Why an access has not been answered yet.
enum class Wait : std::uint8_t {
  none,
  push_fifo_full,    // own instruction buffer
  brisc_entry_full,  // BRISC's entry behind the MOP Expander
  mailbox_empty,
  mailbox_full,
  pc_buffer_empty,
  pc_buffer_full,
  pc_buffer_not_drained,  // BRISC's load: words left, the T core not waiting, or its thread not idle
  thread_not_idle,        // TTSync CoprocessorDoneCheck
  mop_not_idle,           // TTSync MOPExpanderDoneCheck
  semaphore_store,        // an earlier semaphore store has not landed
  config_request,         // an earlier request of this core to configuration has not been processed
  gpr_request,
  tdma_queue_full,
  packer_metadata_empty,
  auto_ttsync,  // an earlier instruction of the thread uses the resource
  for_ever,     // hangs the core on hardware
};

/// What makes an access meaningless.
enum class AccessFault : std::uint8_t {
  none,
  unmapped,
  misaligned,
  wrong_size,
  not_readable,
  not_writable,
  no_register,  // nothing at this offset of the block
  undefined,    // the pages leave it undefined
  not_atomic,   // an atomic outside L1
  not_modelled,
};

inline constexpr NamedRows access_fault_rows{std::array{
    NamedRow{AccessFault::none, "no fault"},
    NamedRow{AccessFault::unmapped, "nothing is mapped there"},
    NamedRow{AccessFault::misaligned, "misaligned"},
    NamedRow{AccessFault::wrong_size, "only whole words can be written"},
    NamedRow{AccessFault::not_readable, "cannot be read"},
    NamedRow{AccessFault::not_writable, "cannot be written"},
    NamedRow{AccessFault::no_register, "nothing at this offset"},
    NamedRow{AccessFault::undefined, "undefined on hardware"},
    NamedRow{AccessFault::not_atomic, "atomic instructions work on L1 only"},
    NamedRow{AccessFault::not_modelled, "not modelled yet"},
}};
static_assert(access_fault_rows.cover(AccessFault::not_modelled));

/// What an NIU does not take stands behind those: a store that initiates what is no request, or touches what it must not.
inline constexpr unsigned first_noc_refusal = access_fault_rows.count;
constexpr AccessFault fault_of(noc::Refusal refusal) {
  return static_cast<AccessFault>(first_noc_refusal + static_cast<unsigned>(refusal));
}
constexpr std::optional<noc::Refusal> refusal_of(AccessFault fault) {
  const auto number = static_cast<unsigned>(fault);
  if (number < first_noc_refusal) return std::nullopt;
  return static_cast<noc::Refusal>(number - first_noc_refusal);
}

/// Without who did what where.
constexpr std::string_view meaning(AccessFault fault) {
  if (const auto refusal = refusal_of(fault)) return noc::text(*refusal);
  return access_fault_rows.name(fault);
}

/// What can make the same load give another value later: bits of a mask. A core that polls may sleep until one of them
/// happens, unless `watch_time` is among them.
enum Watch : std::uint8_t {
  watch_nothing = 0,
  watch_devices = 1U << 0,      // an access of some core: Devices::woken says when
  watch_coprocessor = 1U << 1,  // a step of the coprocessor that changed something
  watch_time = 1U << 2,         // every cycle, or every load: one that others see, or that takes something away
};

struct Answer {
  Wait wait = Wait::none;
  AccessFault fault = AccessFault::none;
  std::uint8_t watch = watch_nothing;
  AccessFault warning = AccessFault::none;  // it is done, and ought not to be relied on
  std::uint32_t value = 0;
  const Region* region = nullptr;

  constexpr bool is_done() const { return wait == Wait::none && fault == AccessFault::none; }
};

}  // namespace tensim::tile
