#include "chip/dram.hpp"

#include <algorithm>

#include "arch/sizes.hpp"

namespace tensim::chip {

using namespace tensim::literals;

DramTiming::DramTiming(const Timing& timing)
    : read(timing.whole<Cycle>("dram_read_latency"_cycles)),
      write(timing.whole<Cycle>("dram_write_latency"_cycles)),
      cycles_per_64_bytes(timing["dram_bank_per_64b"_cycles]),
      request_room(static_cast<int>(size(timing.arch(), "dram_tile_read_requests"_size))),
      data_room_flits(static_cast<int>(size(timing.arch(), "dram_tile_write_flits"_size))) {}

namespace {

/// Wormhole has two banks to a device, one behind the other (noc 8).
unsigned banks_per_device(Arch arch) {
  return on(arch, 2U, 1U);
}

unsigned bank_of(const noc::FloorPlan& plan, const Dram::Arrival& arrival) {
  const unsigned banks = banks_per_device(plan.arch());
  const std::uint64_t bank_bytes = plan.bank_bytes() / banks;
  const auto within = static_cast<unsigned>(arrival.message->address / bank_bytes) % banks;
  return plan.bank(arrival.tile) * banks + within;
}

}  // namespace

Dram::Dram(const noc::FloorPlan& plan, const DramTiming& timing)
    : timing_(timing),
      memories_(plan.bank_count()),
      free_from_(std::size_t{plan.bank_count()} * banks_per_device(plan.arch())) {}

/// When its bank is done with it, and the answer can leave.
Cycle Dram::serve(const noc::FloorPlan& plan, const Arrival& arrival) {
  double& free = free_from_[bank_of(plan, arrival)];
  const double start = std::max(free, static_cast<double>(arrival.cycle));
  free = start + arrival.message->length / 64.0 * timing_.cycles_per_64_bytes;
  const bool is_read = arrival.message->kind == noc::MessageKind::read;
  return static_cast<Cycle>(is_read ? start : free) + (is_read ? timing_.read : timing_.write);
}

std::vector<std::uint8_t> Dram::access(const noc::FloorPlan& plan, const Arrival& arrival) {
  const noc::Message& message = *arrival.message;
  SparseMemory& memory = memories_[plan.bank(arrival.tile)];
  std::vector<std::uint8_t> data;
  if (message.kind == noc::MessageKind::read) {
    data.resize(message.length);
    memory.read(message.address, data);
  } else if (!message.byte_mask) {
    memory.write(message.address, message.data);
  } else {
    for (std::size_t i = 0; i < message.data.size(); ++i)
      if ((*message.byte_mask >> i & 1U) != 0) memory.write(message.address + i, std::span(&message.data[i], 1));
  }
  return data;
}

}  // namespace tensim::chip
