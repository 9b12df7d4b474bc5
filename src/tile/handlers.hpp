// One load and one store function per kind of region; devices.cpp has the table. Loads give the whole aligned word, and
// the router cuts narrow ones out of it, unless the row says that the size matters.
#pragma once

#include "tile/devices.hpp"

namespace tensim::tile {

struct Request {
  Devices& devices;
  tensix::Coprocessor& coprocessor;
  const Access& access;
  const Region& region;

  Arch arch() const { return coprocessor.arch; }
  CoreId core() const { return access.core; }
  unsigned core_number() const { return static_cast<unsigned>(access.core); }
  std::uint32_t value() const { return access.value; }
  /// In bytes from the region's base.
  std::uint32_t offset() const { return access.address - region.base; }
  std::uint32_t word() const { return offset() / 4; }
  /// The thread of the T core that asks.
  unsigned own_thread() const { return thread_of(access.core); }
};

constexpr Answer done(std::uint32_t value = 0, std::uint8_t watch = watch_nothing) {
  return {.watch = watch, .value = value};
}
constexpr Answer waits(Wait wait) {
  return {.wait = wait};
}
constexpr Answer faults(AccessFault fault) {
  return {.fault = fault};
}

/// What can change the answer of a load of GPRs, configuration or TDMA-RISC. STALLWAIT's C10 sees each such load of a T
/// core, so a core that polls with one must not sleep: leaving out a load would be noticed.
constexpr std::uint8_t watch_of_requests(const Request& request) {
  return is_trisc(request.access.core) ? watch_time : watch_devices | watch_coprocessor;
}

using Handler = Answer (*)(const Request&);

Answer refuse_load(const Request& request);
Answer refuse_store(const Request& request);
Answer discard_store(const Request& request);
Answer not_modelled(const Request& request);
Answer no_register(const Request& request);
Answer hang(const Request& request);

// fifos.cpp
Answer load_mailbox(const Request& request);
Answer store_mailbox(const Request& request);
Answer load_pc_buffer_of_brisc(const Request& request);
Answer store_pc_buffer_of_brisc(const Request& request);
Answer load_own_pc_buffer(const Request& request);
Answer load_tt_sync(const Request& request);
/// Whether a load of the core's that was told to wait for this would be told so again. Only of what kernels often wait
/// long for: of the rest it says no, and they are asked.
bool waits_on(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core, Wait wait);

// windows.cpp: the coprocessor's
/// What becomes of a word that the T core of `thread` pushes now.
enum class Push : std::uint8_t { enters, finds_no_room, is_lost };
Push push_of(const Devices& devices, const tensix::Coprocessor& coprocessor, unsigned thread);
Answer push_own(const Request& request);
Answer push_from_brisc(const Request& request);
Answer load_semaphore(const Request& request);
Answer store_semaphore(const Request& request);
Answer store_mop_config(const Request& request);
Answer load_gpr(const Request& request);
Answer store_gpr(const Request& request);
Answer load_config(const Request& request);
Answer store_config(const Request& request);

// dst_window.cpp
Answer load_dst(const Request& request);
Answer store_dst(const Request& request);

// tile_control.cpp
Answer load_tile_control(const Request& request);
Answer store_tile_control(const Request& request);
Answer load_wall_clock(const Request& request);
Answer store_wall_clock(const Request& request);

// tdma_risc.cpp
Answer load_tdma(const Request& request);
Answer store_tdma(const Request& request);

// overlay.cpp
Answer load_stream(const Request& request);
Answer store_stream(const Request& request);

// niu.cpp
Answer load_niu(const Request& request);
Answer store_niu(const Request& request);

// ethernet_control.cpp
Answer load_ethernet_control(const Request& request);
Answer store_ethernet_control(const Request& request);

// pic.cpp
Answer load_pic(const Request& request);
Answer store_pic(const Request& request);

}  // namespace tensim::tile
