#include "chip/dram.hpp"

#include <algorithm>

#include "arch/sizes.hpp"

namespace tensim::chip {

using namespace tensim::literals;

DramTiming::DramTiming(const Timing& timing)
    : receive(timing.whole<Cycle>("noc_receive_latency"_cycles)),
      read(timing.whole<Cycle>("dram_read_latency"_cycles)),
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

Dram::Served Dram::serve(const noc::FloorPlan& plan, const Arrival& arrival) {
  const noc::Message& message = *arrival.message;
  double& free = free_from_[bank_of(plan, arrival)];
  const double cycles = message.length / 64.0 * timing_.cycles_per_64_bytes;
  const Cycle flits = (message.length - 1) / noc::flit_bytes(plan.arch()) + 1;
  return message.kind == noc::MessageKind::read ? serve_read(free, arrival, cycles, flits)
                                                : serve_write(free, arrival, cycles, flits);
}

/// The bank takes it out of the queue when it begins with it. The answer's last flit cannot leave before the bank has given it:
/// of a read of 4096 bytes Blackhole's takes 87 to 97 cycles more than one of 64 (noc 8), where the link alone would take 63.
Dram::Served Dram::serve_read(double& free, const Arrival& arrival, double cycles, Cycle flits) const {
  const double start = std::max(free, static_cast<double>(arrival.cycle + timing_.receive));
  free = start + cycles;
  const double first = std::max(start, free - static_cast<double>(flits));
  return {.room = static_cast<Cycle>(start), .answer = static_cast<Cycle>(first) + timing_.read};
}

/// Flits are written as they come: there is room again when no more of them are left than the tile keeps.
Dram::Served Dram::serve_write(double& free, const Arrival& arrival, double cycles, Cycle flits) const {
  const double start = std::max(free, static_cast<double>(arrival.head + timing_.receive));
  free = std::max(start + cycles, static_cast<double>(arrival.cycle + timing_.receive));
  const double kept = cycles * timing_.data_room_flits / static_cast<double>(flits);
  return {.room = std::max(arrival.cycle, static_cast<Cycle>(std::max(free - kept, 0.0))),
          .answer = static_cast<Cycle>(free) + timing_.write};
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
