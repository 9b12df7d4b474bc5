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
      data_room_flits(static_cast<int>(size(timing.arch(), "dram_tile_write_flits"_size))),
      answers(static_cast<unsigned>(size(timing.arch(), "dram_tile_answers"_size))) {}

namespace {

unsigned bank_of(const noc::FloorPlan& plan, const Dram::Arrival& arrival) {
  const unsigned banks = noc::memory_parts(plan.arch());
  const std::uint64_t bank_bytes = noc::memory_bytes(plan.arch()) / banks;
  const auto within = static_cast<unsigned>(arrival.message->address / bank_bytes) % banks;
  return plan.bank(arrival.tile) * banks + within;
}

bool is_read(const Dram::Arrival& arrival) {
  return arrival.message->kind == noc::MessageKind::read;
}

double data_flits(Arch arch, const Dram::Arrival& arrival) {
  return noc::flits_of(arch, arrival.message->length);
}

}  // namespace

Dram::Dram(const noc::FloorPlan& plan, const DramTiming& timing)
    : timing_(timing),
      memories_(plan.bank_count()),
      banks_(std::size_t{plan.bank_count()} * noc::memory_parts(plan.arch())),
      nius_(std::size_t{plan.width()} * plan.height() * noc::noc_count) {}

void Dram::take(const noc::FloorPlan& plan, Arrival arrival) {
  banks_[bank_of(plan, arrival)].queue.push_back(std::move(arrival));
  ++requests_;
}

void Dram::answer_has_left(const noc::FloorPlan& plan, noc::Coordinates tile, unsigned noc, Cycle cycle) {
  niu(plan, tile, noc).left.push_back(cycle);
}

/// Banks begin in the order of time, so it does not matter in how many steps they are run.
Dram::Begin Dram::first_to_begin(const noc::FloorPlan& plan) {
  Begin first{nullptr, never};
  for (Bank& bank : banks_) {
    const Cycle cycle = bank.queue.empty() ? never : begins(plan, bank);
    if (cycle < first.cycle) first = {&bank, cycle};
  }
  return first;
}

/// In which cycle the bank begins with the first of its queue; never, if that waits for something that has not been said. Nothing
/// that is said later changes it. A read waits until its answer has a place in its tile's NIU; a write is there when its last flit
/// is.
Cycle Dram::begins(const noc::FloorPlan& plan, const Bank& bank) {
  const Arrival& first = bank.queue.front();
  if (!is_read(first)) return std::max(first.cycle, bank.begun);
  const Cycle begin = std::max(static_cast<Cycle>(bank.free_from), first.cycle + timing_.receive);
  const Niu& own = niu(plan, first.tile, first.message->noc);
  if (own.answers < timing_.answers) return begin;
  const std::size_t must_leave = own.answers - timing_.answers;
  return must_leave < own.left.size() ? std::max(begin, own.left[must_leave]) : never;
}

Dram::Arrival Dram::take_first(Bank& bank, Cycle cycle) {
  Arrival arrival = std::move(bank.queue.front());
  bank.queue.pop_front();
  bank.begun = cycle;
  --requests_;
  return arrival;
}

double Dram::bank_cycles(const Arrival& arrival) const {
  return arrival.message->length / 64.0 * timing_.cycles_per_64_bytes;
}

Dram::Served Dram::serve(const noc::FloorPlan& plan, Bank& bank, const Arrival& arrival) {
  return is_read(arrival) ? serve_read(plan, bank, arrival) : serve_write(plan, bank, arrival);
}

/// The bank takes it out of the queue when it begins with it. The answer's last flit cannot leave before the bank has given it:
/// a read of 4096 bytes takes Blackhole 87 to 97 cycles more than one of 64 (noc 8), where the link alone would take 63.
Dram::Served Dram::serve_read(const noc::FloorPlan& plan, Bank& bank, const Arrival& arrival) {
  const double start = std::max(bank.free_from, static_cast<double>(bank.begun));
  Niu& own = niu(plan, arrival.tile, arrival.message->noc);
  while (!own.left.empty() && own.left.front() <= bank.begun) {
    own.left.pop_front();
    --own.answers;
  }
  ++own.answers;
  bank.free_from = start + bank_cycles(arrival);
  const double first = std::max(start, bank.free_from - data_flits(plan.arch(), arrival));
  return {.room = bank.begun, .answer = static_cast<Cycle>(first) + timing_.read};
}

/// Flits are written as they come: there is room again when no more of them are left than the tile keeps.
Dram::Served Dram::serve_write(const noc::FloorPlan& plan, Bank& bank, const Arrival& arrival) {
  const double cycles = bank_cycles(arrival);
  const double start = std::max(bank.free_from, static_cast<double>(arrival.head + timing_.receive));
  bank.free_from = std::max(start + cycles, static_cast<double>(arrival.cycle + timing_.receive));
  const double kept = cycles * timing_.data_room_flits / data_flits(plan.arch(), arrival);
  return {.room = std::max(bank.begun, static_cast<Cycle>(std::max(bank.free_from - kept, 0.0))),
          .answer = static_cast<Cycle>(bank.free_from) + timing_.write};
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
