#include "tile/tdma_risc.hpp"

#include <algorithm>

#include "tensix/units/packers/unit.hpp"
#include "tile/handlers.hpp"
#include "tile/tracked_access.hpp"

namespace tensim::tile {

// ---- the command processor ----

namespace {

using Command = TdmaRisc::Command;

MemoryOperation move_of(const Command& command) {
  tensix::MoveOrder order{.from = command.params[0],
                          .to = command.params[1],
                          .size = command.params[2] & 0xFFFFU,
                          .direction = command.params[3] & 3U};
  if (command.is_compact())
    order = {.from = command.mover_base + (command.word >> 8U & 0xFFU),
             .to = command.word >> 16U & 0xFFU,
             .size = command.word >> 24U & 0x3FU,
             .direction = (command.word >> 30U & 1U) != 0 ? tensix::MoveOrder::l1_to_l1 : tensix::MoveOrder::l1_to_l0};
  return tensix::plan_move(order);
}

bool mover_is_busy(const tensix::Coprocessor& coprocessor, Cycle cycle) {
  return coprocessor.mover.free_from > cycle;
}

bool needs_mover(const Command& command) {
  return command.opcode() == TdmaRisc::move || command.opcode() == TdmaRisc::wait_for_mover;
}

}  // namespace

namespace {

MemoryOperation l1_write_of(const Command& command) {
  return {.source = MemoryOperation::Source::value,
          .to = command.params[0],
          .size = (command.word & 0x100U) != 0 ? 8U : 4U,
          .value = {command.params[2], command.params[3]}};
}

bool leaves_memory(Arch arch, const Command& command) {
  switch (command.opcode()) {
    case TdmaRisc::move: return tensix::leaves_memory(arch, move_of(command));
    case TdmaRisc::write_l1: return tensix::leaves_memory(arch, l1_write_of(command));
    default: return false;
  }
}

}  // namespace

std::optional<MemoryOperation> advance(TdmaRisc& tdma, tensix::Coprocessor& coprocessor, Cycle cycle) {
  if (tdma.queue.empty()) return std::nullopt;
  if (needs_mover(tdma.queue.front()) && mover_is_busy(coprocessor, cycle)) return std::nullopt;
  const Command command = tdma.queue.pop();
  tdma.next = cycle + 1;
  if (!command.is_compact()) ++tdma.parameter_credits;
  switch (command.opcode()) {
    case TdmaRisc::move: {
      MemoryOperation operation = move_of(command);
      operation.who = command.who;
      // It starts in the next cycle.
      operation.due = coprocessor.mover.begin(*coprocessor.timing, coprocessor.l1_traffic, operation, cycle + 1);
      coprocessor.state_changed_from_outside();
      return operation;
    }
    case TdmaRisc::write_l1: {
      MemoryOperation operation = l1_write_of(command);
      operation.due = cycle + 1;
      operation.who = command.who;
      return operation;
    }
    default: return std::nullopt;
  }
}

Cycle next_event(const TdmaRisc& tdma, const tensix::Coprocessor& coprocessor) {
  if (tdma.queue.empty()) return never;
  return needs_mover(tdma.queue.front()) ? std::max(coprocessor.mover.free_from, tdma.next) : tdma.next;
}

// ---- the registers ----

namespace {

/// Registers by offset. Those of a packer come again every 0x100, some of them per thread every 0x40.
enum Offset : std::uint32_t {
  cmd_params = 0x00,  // four words
  command = 0x10,
  status = 0x14,
  packed_size = 0x18,
  acc_packed_size = 0x1C,
  all_zero_flags = 0x20,
  clk_gate_en = 0x24,
  clk_gate_hyst = 0x28,
  l1_base = 0x2C,
  tile_size = 0x30,
  tile_zero_mask = 0x34,
  tile_status = 0x38,
  scalers = 0x3C,
};

struct Place {
  std::uint32_t offset = 0;  // as of packer 0, thread 0
  unsigned packer = 0;
  unsigned thread = 0;
  bool exists = false;
};

/// Which register of which packer.
Place place_of(std::uint32_t offset) {
  const Place place{offset & 0x3FU, offset >> 8U, offset >> 6U & 3U, true};
  if (place.packer >= 4) return {};
  const bool per_thread = place.offset == packed_size || place.offset == acc_packed_size;
  if (per_thread) return place.thread < 3 ? place : Place{};
  if (place.thread != 0) return {};
  const bool per_packer = place.offset == all_zero_flags || place.offset == tile_size ||
                          place.offset == tile_zero_mask || (place.offset == scalers && place.packer <= 1);
  return place.packer == 0 || per_packer ? place : Place{};
}

/// Each core has a base address for compact moves of its own; NC and the Scalar Unit share TRISC0's.
std::uint32_t& mover_base(const Request& request) {
  const bool is_nobody = request.core() == CoreId::ncrisc || request.access.by_scalar_unit;
  const CoreId core = is_nobody ? CoreId::trisc0 : request.core();
  return request.devices.tdma.mov_cmd_base[static_cast<unsigned>(core)];
}

std::uint32_t status_bits(const Request& request) {
  const TdmaRisc& tdma = request.devices.tdma;
  return (mover_is_busy(request.coprocessor, request.access.cycle) ? 1U : 0U) | (tdma.queue.full() ? 1U << 2U : 0U) |
         (tdma.queue.empty() ? 1U << 3U : 0U) | (tdma.parameter_credits == 0 ? 1U << 4U : 0U) |
         (tdma.parameter_credits == TdmaRisc::max_parameter_credits ? 1U << 5U : 0U) |
         (TdmaRisc::queue_depth - tdma.queue.size()) << 8U;
}

/// Three scalers of nine bits, which packers work for T2, and the highest bit of an unpacker's sum.
std::uint32_t scalers_and_status(const Request& request, unsigned unpacker) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 3; ++i)
    result |= std::uint32_t{request.coprocessor.packers.register_scaler[i]} << (9 * i);
  for (unsigned packer = 0; packer < 4; ++packer) {
    const auto where = static_cast<tensix::Occupancy>(static_cast<unsigned>(tensix::Occupancy::packer0) + packer);
    result |= (request.coprocessor.in_flight.holds(where, 2) ? 1U : 0U) << (27 + packer);
  }
  return result | (request.coprocessor.unpackers.register_sum[unpacker] >> 16U & 1U) << 31U;
}

Answer enqueue(const Request& request) {
  TdmaRisc& tdma = request.devices.tdma;
  Command written{.word = request.value(), .mover_base = mover_base(request)};
  written.who =
      request.access.by_scalar_unit ? event::Released::scalar_unit : static_cast<std::uint8_t>(request.core_number());
  switch (written.opcode()) {
    case TdmaRisc::move:
    case TdmaRisc::wait_for_mover:
    case TdmaRisc::nop: break;
    case TdmaRisc::write_l1:
      if (!written.is_compact() && (written.word & 0x600U) == 0x600U) break;
      [[fallthrough]];
    default: return faults(AccessFault::undefined);
  }
  if (tdma.queue.full()) return waits(Wait::tdma_queue_full);
  if (!written.is_compact()) {
    if (tdma.parameter_credits == 0) return faults(AccessFault::undefined);  // hardware does not wait here
    written.params = tdma.cmd_params;
  }
  if (leaves_memory(request.arch(), written)) return faults(AccessFault::undefined);
  if (!written.is_compact()) --tdma.parameter_credits;
  if (tdma.queue.empty()) tdma.next = request.access.cycle + 1;
  tdma.queue.push(written);
  return done();
}

/// A store to ACC_PACKED_SIZE forgets the sizes of the packers it names, and sets the offset of their output.
void reset_accumulated_sizes(tensix::Packers& packers, std::uint32_t value) {
  for (unsigned packer = 0; packer < tensix::Packers::count; ++packer) {
    if ((value >> (16 + packer) & 1U) == 0) continue;
    packers.packer[packer].all_tile_words = {};
    packers.l1_dest_addr_offset[packer] = static_cast<std::uint16_t>(value);
  }
}

/// The size of the last tile that the thread ended, and above 16 bits the sum of all since the last reset of it.
std::uint32_t tile_sizes(const Request& request, const Place& place) {
  constexpr unsigned sizes = 0;  // SETDMAREG's source
  return tensix::units::packer_state(request.coprocessor, place.thread, sizes, 0)[place.packer];
}

}  // namespace

namespace {

/// The packers put nothing into their metadata FIFOs.
Answer register_value(const Request& request, const Place& place) {
  const TdmaRisc& tdma = request.devices.tdma;
  switch (place.offset) {
    case packed_size: return done(tile_sizes(request, place) & 0xFFFFU, watch_of_requests(request));
    // Below UNPACR_NOP's sum.
    case acc_packed_size:
      return done(
          request.coprocessor.unpackers.register_sum[place.packer & 1U] << 16U | tile_sizes(request, place) >> 16U,
          watch_of_requests(request));
    case all_zero_flags:
      return done(request.coprocessor.packers.packer[place.packer].compression.all_zero_rows,
                  watch_of_requests(request));
    case status: return done(status_bits(request), watch_of_requests(request));
    case clk_gate_en: return done(tdma.unpack_reg_addr, watch_of_requests(request));
    case clk_gate_hyst: return done(tdma.scaler2, watch_of_requests(request));
    case l1_base: return done(mover_base(request), watch_of_requests(request));
    case tile_size: return waits(Wait::packer_metadata_empty);
    case tile_status: return done(tdma.pack_reg_addr << 8U | 0x55U, watch_of_requests(request));  // four empty FIFOs
    case scalers: return done(scalers_and_status(request, place.packer), watch_of_requests(request));
    default: return done(0, watch_of_requests(request));
  }
}

}  // namespace

Answer load_tdma(const Request& request) {
  const Place place = place_of(request.offset() & ~3U);
  if (!place.exists) return faults(AccessFault::no_register);
  const TrackedAccess tracked(request, tensix::TrackedRegion::tdma_risc);
  if (!tracked.may_go_out()) return waits(Wait::auto_ttsync);
  const Answer answer = register_value(request, place);
  request.coprocessor.note_core_load(request.core_number(),
                                     answer.is_done() ? tracked.goes_out() : tensix::AutoTtSync::no_ticket);
  return answer;
}

Answer store_tdma(const Request& request) {
  constexpr std::uint32_t reset_bit = 1U << 8U;
  const Place place = place_of(request.offset());
  if (!place.exists) return faults(AccessFault::no_register);
  const TrackedAccess tracked(request, tensix::TrackedRegion::tdma_risc);
  if (!tracked.may_go_out()) return waits(Wait::auto_ttsync);
  if ((request.devices.control.soft_reset() & reset_bit) != 0) return done();
  TdmaRisc& tdma = request.devices.tdma;
  Answer answer = done();
  switch (place.offset) {
    case cmd_params:
    case cmd_params + 4:
    case cmd_params + 8:
    case cmd_params + 12: tdma.cmd_params[place.offset / 4] = request.value(); break;
    case command: answer = enqueue(request); break;
    case acc_packed_size: reset_accumulated_sizes(request.coprocessor.packers, request.value()); break;
    case clk_gate_en:
      tdma.unpack_reg_addr = request.value() & 0xFFFFFF7FU;
      request.coprocessor.unpackers.set_register_bases(request.value());
      break;
    case clk_gate_hyst:
      tdma.scaler2 = request.value() & 0x01FF007FU;
      request.coprocessor.packers.set_scalers(3, request.value() >> 16U);
      break;
    case l1_base: mover_base(request) = request.value(); break;
    case tile_status:
      tdma.pack_reg_addr = request.value();
      request.coprocessor.packers.register_bases.set(request.value());
      break;
    case scalers: request.coprocessor.packers.set_scalers(0, request.value()); break;
    default: break;  // no effect
  }
  if (!answer.is_done()) return answer;
  request.coprocessor.note_core_store(request.core_number(), tracked.goes_out());
  request.devices.wake(all_cores);
  return answer;
}

}  // namespace tensim::tile
