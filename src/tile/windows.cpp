// The cores' windows on the coprocessor: instruction buffers, semaphores, MOP configuration, GPRs, configuration.
// Pages: PushTensixInstruction.md, SyncUnit.md, MOPExpander.md, ScalarUnit.md, BackendConfiguration.md.
#include "tile/handlers.hpp"
#include "tile/tracked_access.hpp"

namespace tensim::tile {

using tensix::TrackedRegion;

Push push_of(const Devices& devices, const tensix::Coprocessor& coprocessor, unsigned thread) {
  if (devices.control.debug_bus_has(thread)) return Push::is_lost;  // "very likely", the page says
  return coprocessor.can_push(thread) ? Push::enters : Push::finds_no_room;
}

Answer push_own(const Request& request) {
  const unsigned thread = request.own_thread();
  const Push push = push_of(request.devices, request.coprocessor, thread);
  if (push == Push::finds_no_room) return waits(Wait::push_fifo_full);
  if (push == Push::enters) request.coprocessor.push(thread, request.value(), request.access.origin);
  return done();
}

Answer push_from_brisc(const Request& request) {
  const unsigned thread = request.region.index;
  if (request.devices.control.debug_bus_has(thread)) return done();
  if (!request.coprocessor.can_push_from_brisc(thread)) return waits(Wait::brisc_entry_full);
  request.coprocessor.push_from_brisc(thread, request.value(), request.access.origin);
  return done();
}

Answer load_semaphore(const Request& request) {
  if (request.coprocessor.has_semaphore_store(request.core_number())) return waits(Wait::semaphore_store);
  return done(request.coprocessor.sync.semaphores()[request.word()].value, watch_coprocessor);
}

Answer store_semaphore(const Request& request) {
  if (!request.coprocessor.can_store_semaphore()) return waits(Wait::semaphore_store);
  request.coprocessor.store_semaphore(request.core_number(), request.word(), request.value());
  return done();
}

Answer store_mop_config(const Request& request) {
  request.coprocessor.write_mop_config(request.own_thread(), request.word(), request.value());
  return done();
}

namespace {

struct GprPlace {
  unsigned thread = 0;
  unsigned reg = 0;
};

/// B sees the threads' blocks one after the other; a T core its own, again and again (errata 46).
GprPlace gpr_place(const Request& request) {
  const auto reg = static_cast<unsigned>(request.word() % tensix::gprs_per_thread);
  if (request.region.kind == Region::Kind::gprs_own) return {request.own_thread(), reg};
  return {static_cast<unsigned>(request.word() / tensix::gprs_per_thread), reg};
}

}  // namespace

Answer load_gpr(const Request& request) {
  const GprPlace place = gpr_place(request);
  if (place.thread >= tensix::thread_count) return faults(AccessFault::no_register);
  if (request.coprocessor.core_requests.has_gpr_stores(request.core_number())) return waits(Wait::gpr_request);
  const TrackedAccess tracked(request, TrackedRegion::gprs);
  if (!tracked.may_go_out()) return waits(Wait::auto_ttsync);
  request.coprocessor.settle(request.access.cycle);
  request.coprocessor.note_core_load(request.core_number(), tracked.goes_out());
  return done(request.coprocessor.gprs.value[place.thread][place.reg], watch_of_requests(request));
}

Answer store_gpr(const Request& request) {
  const GprPlace place = gpr_place(request);
  if (place.thread >= tensix::thread_count) return faults(AccessFault::no_register);
  const TrackedAccess tracked(request, TrackedRegion::gprs);
  if (!tracked.may_go_out()) return waits(Wait::auto_ttsync);
  if (!request.coprocessor.can_store_gpr(request.core_number())) return waits(Wait::gpr_request);
  const tensix::CoreRequests::GprStore write{static_cast<std::uint8_t>(place.thread),
                                             static_cast<std::uint8_t>(place.reg), request.value()};
  request.coprocessor.store_gpr(request.core_number(), write, tracked.goes_out());
  return done();
}

Answer load_config(const Request& request) {
  if (request.coprocessor.core_requests.has_config_stores(request.core_number())) return waits(Wait::config_request);
  request.coprocessor.settle(request.access.cycle);
  const auto value = tensix::riscv_config_load(request.coprocessor.config, request.arch(), request.offset());
  if (!value) return faults(AccessFault::no_register);
  const TrackedAccess tracked(request, TrackedRegion::config);
  if (!tracked.may_go_out()) return waits(Wait::auto_ttsync);
  request.coprocessor.note_core_load(request.core_number(), tracked.goes_out());
  return done(*value, watch_of_requests(request));
}

Answer store_config(const Request& request) {
  const auto write = tensix::riscv_config_store(request.arch(), request.offset(), request.value());
  if (!write)
    return faults(tensix::locate_config(request.arch(), request.offset()) ? AccessFault::not_writable
                                                                          : AccessFault::no_register);
  const TrackedAccess tracked(request, TrackedRegion::config);
  if (!tracked.may_go_out()) return waits(Wait::auto_ttsync);
  if (!request.coprocessor.can_store_config(request.core_number())) return waits(Wait::config_request);
  request.coprocessor.store_config(request.core_number(), *write, tracked.goes_out());
  return done();
}

}  // namespace tensim::tile
