#include "bench/network_traffic.hpp"

#include <algorithm>

namespace tensim::bench {

unsigned Traffic::flow(Position from, Position to, bool is_read, unsigned count, unsigned bytes, std::uint8_t vc) {
  const unsigned flits = (bytes + endpoints_.flit_bytes - 1) / endpoints_.flit_bytes;
  const unsigned packets = (flits + endpoints_.longest_flits - 1) / endpoints_.longest_flits;
  flows_.push_back({from, to, is_read, flits / packets + 1, vc, count * packets, count * packets});
  return static_cast<unsigned>(flows_.size()) - 1;
}

void Traffic::bank(Position at) {
  banks_[at];
  network_.limit_room(0, at, noc::Room::requests, endpoints_.dram_requests);
  network_.limit_room(0, at, noc::Room::data, endpoints_.dram_flits);
}

std::vector<Cycle> Traffic::run() {
  const Cycle window = network_.lookahead();
  const auto is_done = [](const Flow& flow) { return flow.to_come == 0; };
  for (Cycle now = 0; !std::ranges::all_of(flows_, is_done); now += window) {
    network_.advance(now);
    for (const noc::Credit& credit : network_.take_credits())
      sources_[credit.source].room[credit.vc].give_back(credit);
    for (const noc::Delivery& delivery : network_.take_deliveries())
      take(delivery);
    for (auto& [at, bank] : banks_)
      serve(bank, at, now + window);
    for (auto& [at, source] : sources_)
      while (!source.answers.empty() && source.answers.front().first < now + window) {
        const auto [cycle, number] = source.answers.front();
        const Flow& flow = flows_[number];
        if (!send(at, flow.from, std::max(cycle, now), response_vc, flow.is_read ? flow.flits : 1, noc::Room::none,
                  {number, true}))
          break;
        source.answers.pop_front();
      }
    for (unsigned flow = 0; flow < flows_.size(); ++flow)
      run_flow(flow, now, now + window);
  }
  std::vector<Cycle> ends;
  for (const Flow& flow : flows_)
    ends.push_back(flow.end);
  return ends;
}

/// A core that issues as fast as it can, in the window.
void Traffic::run_flow(unsigned number, Cycle from, Cycle until) {
  Flow& flow = flows_[number];
  for (flow.next = std::max(flow.next, from); flow.to_send != 0 && flow.next < until;) {
    const noc::Room room =
        banks_.contains(flow.to) ? (flow.is_read ? noc::Room::requests : noc::Room::data) : noc::Room::none;
    if (!send(flow.from, flow.to, flow.next, flow.vc, flow.is_read ? 1 : flow.flits, room, {number, false})) return;
    --flow.to_send;
    flow.next += flow.is_read ? endpoints_.read_issue : endpoints_.write_issue;
  }
}

bool Traffic::send(Position from, Position to, Cycle cycle, std::uint8_t vc, unsigned flits, noc::Room room,
                   Sent what) {
  Source& source = sources_[from];
  if (!source.room[vc].is_open()) return false;
  noc::Packet packet;
  packet.id = next_id_++;
  packet.cycle = cycle;
  packet.source = from;
  packet.sequence = source.sequence++;
  packet.destination = to;
  packet.vc = vc;
  packet.flits = static_cast<std::uint16_t>(flits);
  packet.room = room;
  source.room[vc].take(packet.flits);
  sent_[packet.id] = what;
  network_.inject(packet);
  return true;
}

void Traffic::take(const noc::Delivery& delivery) {
  const Sent what = sent_.extract(delivery.id).mapped();
  Flow& flow = flows_[what.flow];
  if (!what.is_answer) return take_request(delivery, what.flow);
  --flow.to_come;
  flow.end = std::max(flow.end, delivery.tail);
}

void Traffic::take_request(const noc::Delivery& delivery, unsigned number) {
  const Flow& flow = flows_[number];
  const auto bank = banks_.find(delivery.receiver);
  if (bank == banks_.end()) {
    sources_[delivery.receiver].answers.emplace_back(delivery.tail + endpoints_.answer, number);
    return;
  }
  if (flow.is_read) {
    bank->second.reads.emplace_back(delivery.tail, number);
    return;
  }
  // Flits are written as they come: the buffer has room again when no more of them are left than it keeps.
  const Cycle cycles = bank_cycles(flow);
  const Cycle end = std::max({bank->second.free + cycles, delivery.head + cycles, delivery.tail});
  bank->second.free = end;
  const Cycle kept = cycles * static_cast<unsigned>(endpoints_.dram_flits) / flow.flits;
  network_.give_room(0, delivery.receiver, noc::Room::data, static_cast<int>(flow.flits),
                     std::max(delivery.tail, end - std::min(end, kept)));
  sources_[delivery.receiver].answers.emplace_back(end + endpoints_.dram_write, number);
}

/// Reads in order, while their answers find room at the NIU.
void Traffic::serve(Bank& bank, Position at, Cycle until) {
  while (!bank.reads.empty()) {
    const auto [arrived, number] = bank.reads.front();
    const Cycle start = std::max(bank.free, arrived);
    if (start >= until || sources_[at].answers.size() >= 4) return;
    bank.reads.pop_front();
    network_.give_room(0, at, noc::Room::requests, 1, std::max(start, until - network_.lookahead()));
    bank.free = start + bank_cycles(flows_[number]);
    sources_[at].answers.emplace_back(bank.free + endpoints_.dram_read, number);
  }
}

Cycle Traffic::bank_cycles(const Flow& flow) const {
  return static_cast<Cycle>((flow.flits - 1) * endpoints_.flit_bytes / endpoints_.dram_bytes_per_cycle + 0.5);
}

}  // namespace tensim::bench
