// The FIFOs between cores, and the loads that wait for a thread. Pages: Mailboxes.md, PCBufs.md, ManualTTSync.md.
#include "tile/handlers.hpp"

namespace tensim::tile {
namespace {

/// Address bit 2 of a mailbox load asks whether anything is there.
constexpr std::uint32_t query_bit = 4;

CoreId other_end(const Request& request) {
  return static_cast<CoreId>(request.region.index);
}

PcBufferOverride override_of(const Devices& devices, unsigned thread) {
  return PcBufferOverride::of(devices.control.pc_buf_override(), thread);
}

}  // namespace

Answer load_mailbox(const Request& request) {
  Mailboxes& mailboxes = request.devices.mailboxes;
  const CoreId from = other_end(request);
  const bool is_empty = mailboxes.is_empty(from, request.core());
  if ((request.access.address & query_bit) != 0) return done(is_empty ? 0 : 1, watch_devices);
  if (is_empty) return waits(Wait::mailbox_empty);
  request.devices.wake(bit(from));
  return done(mailboxes.pop(from, request.core()), watch_time);
}

Answer store_mailbox(const Request& request) {
  Mailboxes& mailboxes = request.devices.mailboxes;
  if (!mailboxes.takes_from(request.core())) return waits(Wait::mailbox_full);
  mailboxes.push(request.core(), other_end(request), request.value());
  request.devices.wake(bit(other_end(request)));
  return done();
}

Answer load_pc_buffer_of_brisc(const Request& request) {
  const unsigned thread = request.region.index;
  const PcBuffers::Buffer& buffer = request.devices.pc_buffers.of[thread];
  const bool is_drained = buffer.fifo.empty() && buffer.reader_waits && request.coprocessor.thread_is_idle(thread);
  if (!is_drained && !override_of(request.devices, thread).ends_waits()) return waits(Wait::pc_buffer_not_drained);
  return done(0, watch_devices | watch_coprocessor);
}

Answer store_pc_buffer_of_brisc(const Request& request) {
  const unsigned thread = request.region.index;
  PcBuffers::Buffer& buffer = request.devices.pc_buffers.of[thread];
  if (buffer.fifo.full()) return waits(Wait::pc_buffer_full);
  buffer.fifo.push(request.value());
  request.devices.wake(static_cast<std::uint8_t>(T0 << thread));
  return done();
}

Answer load_own_pc_buffer(const Request& request) {
  const unsigned thread = request.own_thread();
  PcBuffers::Buffer& buffer = request.devices.pc_buffers.of[thread];
  const bool waited = buffer.reader_waits;
  const PcBufferOverride overridden = override_of(request.devices, thread);
  buffer.reader_waits = buffer.fifo.empty() && !overridden.enabled;
  if (buffer.reader_waits != waited) request.devices.wake(B);
  if (buffer.reader_waits) return waits(Wait::pc_buffer_empty);
  if (buffer.fifo.empty()) return done(overridden.value, watch_time);
  request.devices.wake(B);
  return done(buffer.fifo.pop(), watch_time);
}

/// The value of these loads is undefined, and 0 here; that they take their time is what they are for.
Answer load_tt_sync(const Request& request) {
  Wait wait = Wait::none;
  switch (request.access.address & 0x1CU) {
    case 4: wait = Wait::thread_not_idle; break;
    case 8: wait = Wait::mop_not_idle; break;
    default: return faults(AccessFault::no_register);
  }
  if (waits_on(request.devices, request.coprocessor, request.core(), wait)) return waits(wait);
  return done(0, watch_devices | watch_coprocessor);
}

bool waits_on(const Devices& devices, const tensix::Coprocessor& coprocessor, CoreId core, Wait wait) {
  if (wait != Wait::thread_not_idle && wait != Wait::mop_not_idle) return false;
  const unsigned thread = thread_of(core);
  const bool is_idle =
      wait == Wait::thread_not_idle ? coprocessor.thread_is_idle(thread) : coprocessor.frontends[thread].mop_is_idle();
  return !is_idle && !override_of(devices, thread).ends_waits();
}

}  // namespace tensim::tile
