#include "tests/model/naive_network.hpp"

#include <algorithm>

namespace tensim::test {
namespace {

using noc::Cycle;
using noc::Packet;
using noc::Position;
using noc::Room;

constexpr unsigned buffer_flits = 16;

bool is_between(unsigned at, unsigned start, unsigned end) {
  return start <= end ? start <= at && at <= end : at >= start || at <= end;
}

}  // namespace

bool NaiveNetwork::Copy::waits() const {
  return std::ranges::any_of(branches, [](const Branch& branch) { return !branch.granted; });
}

bool NaiveNetwork::Copy::is_done() const {
  return std::ranges::all_of(branches, [&](const Branch& branch) { return branch.sent == ~0U; });
}

std::vector<noc::Delivery> NaiveNetwork::run(Cycle cycles) {
  std::ranges::sort(injected_, {}, [](const Packet& packet) {
    return std::tuple(packet.cycle, packet.noc, packet.source.y, packet.source.x, packet.sequence);
  });
  for (now_ = 0; now_ < cycles; ++now_) {
    enter();
    arrive();
    clean();
    grant_all();
    send_all();
  }
  std::ranges::sort(deliveries_, {}, &noc::Delivery::order);
  return deliveries_;
}

/// Packets that their NIUs took up long enough ago, and room that receivers gave back.
void NaiveNetwork::enter() {
  const Cycle reaction = timing_.niu_issue + timing_.niu_to_router - 1;
  auto packet = injected_.begin();
  for (; packet != injected_.end() && packet->cycle + reaction == now_; ++packet) {
    auto copy = std::make_unique<Copy>(Copy{*packet, packet->flits, {}});
    copy->branches = {Branch{source, packet->vc}};
    buffers_[{{packet->noc, packet->source}, source, packet->vc}].push_back(std::move(copy));
  }
  injected_.erase(injected_.begin(), packet);
  for (auto given = room_to_come_.begin(); given != room_to_come_.end() && given->first + reaction <= now_;
       given = room_to_come_.erase(given))
    room_[given->second.first] += given->second.second;
}

void NaiveNetwork::arrive() {
  std::erase_if(on_links_, [&](const Arrival& arrival) {
    if (arrival.cycle == now_) ++arrival.copy->arrived;
    return arrival.cycle == now_;
  });
}

/// What has been sent by all its branches in earlier cycles leaves its buffer.
void NaiveNetwork::clean() {
  for (auto& [where, buffer] : buffers_) {
    while (!buffer.empty() && buffer.front()->is_done() && buffer.front()->arrived >= buffer.front()->packet.flits)
      buffer.pop_front();
    waiting_before_[where] = waiting(buffer);
  }
}

unsigned NaiveNetwork::waiting(const Buffer& buffer) const {
  unsigned flits = 0;
  for (const auto& copy : buffer)
    if (copy->waits()) flits += copy->packet.flits;
  return flits;
}

void NaiveNetwork::grant_all() {
  std::set<std::tuple<Spot, Out, unsigned>> asked;
  for (const auto& [where, buffer] : buffers_)
    if (!buffer.empty() && buffer.front()->arrived > 0)
      for (const Branch& branch : buffer.front()->branches)
        if (!branch.granted) asked.emplace(std::get<0>(where), branch.out, branch.vc);
  for (const auto& [spot, out, vc] : asked)
    grant(spot, out, vc);
}

void NaiveNetwork::grant(const Spot& spot, Out out, unsigned vc) {
  LinkState& link = links_[{spot, out}];
  Channel& channel = link.channels[vc];
  if (channel.owner != nullptr || channel.free_from > now_) return;
  const auto behind = other_end(spot, out);
  if (out != niu && waiting_before_[{behind.first, behind.second, vc}] >= buffer_flits) return;
  for (int turn = 1; turn <= 6; ++turn) {
    const int input = (channel.last_input + turn) % 6;
    const Out in = out == source ? source : static_cast<Out>(input / 2);
    if (out == source && input != 0) continue;
    const unsigned vc_in = out == source ? vc : vc % 8 + static_cast<unsigned>(input % 2) * 8;
    const auto found = buffers_.find({spot, in, vc_in});
    if (found == buffers_.end() || found->second.empty()) continue;
    Copy& copy = *found->second.front();
    const auto branch = std::ranges::find_if(
        copy.branches, [&](const Branch& each) { return each.out == out && each.vc == vc && !each.granted; });
    if (copy.arrived == 0 || branch == copy.branches.end()) continue;
    if (out == niu && !receiver_takes(spot, copy.packet)) continue;
    branch->granted = true;
    channel.owner = &copy;
    channel.branch = &*branch;
    channel.last_input = input;
    link.turns.push_back(vc);
    if (out != niu) {
      auto next = std::make_unique<Copy>(Copy{copy.packet, 0, {}});
      next->branches = branches_at(behind.first, behind.second, vc, copy.packet);
      branch->onward = next.get();
      buffers_[{behind.first, behind.second, vc}].push_back(std::move(next));
    }
    return;
  }
}

bool NaiveNetwork::receiver_takes(const Spot& spot, const Packet& packet) {
  const auto room = room_.find({spot.first, spot.second, packet.room});
  if (room == room_.end()) return true;
  if (room->second <= 0) return false;
  room->second -= packet.room == Room::requests ? 1 : packet.flits;
  return true;
}

void NaiveNetwork::send_all() {
  for (auto& [where, link] : links_)
    send(where.first, where.second);
}

/// One flit over a link: of the first VC in turn that has one here.
void NaiveNetwork::send(const Spot& spot, Out out) {
  LinkState& link = links_[{spot, out}];
  for (auto turn = link.turns.begin(); turn != link.turns.end(); ++turn) {
    const unsigned vc = *turn;
    Channel& channel = link.channels[vc];
    Branch& branch = *channel.branch;
    const Packet& packet = channel.owner->packet;
    // A NIU sends slower than a flit a cycle: the last flit has to wait for the cycles that are left over.
    const unsigned cycles = out == source ? timing_.source_cycles(packet.flits) : packet.flits;
    if (out != source && branch.sent >= channel.owner->arrived) continue;
    if (branch.sent == 0) branch.head = now_;
    ++branch.sent;
    const bool is_last = branch.sent == cycles;
    if (out != niu && (branch.sent < packet.flits || is_last))
      on_links_.push_back({now_ + (out == source ? 1 : timing_.hop), branch.onward});
    link.turns.erase(turn);
    if (!is_last) {
      link.turns.push_back(vc);
      return;
    }
    if (out == niu) {
      deliveries_.push_back({now_ + timing_.router_to_niu, packet.noc, packet.source, packet.sequence, spot.second,
                             branch.head + timing_.router_to_niu, packet.id});
      if (packet.room != Room::none && room_comes_back_ != 0)
        room_to_come_.insert(
            {now_ + timing_.router_to_niu + room_comes_back_,
             {{spot.first, spot.second, packet.room}, packet.room == Room::requests ? 1 : packet.flits}});
    }
    branch.sent = ~0U;
    channel.owner = nullptr;
    channel.free_from = now_ + 1 + (out == source ? 0 : timing_.vc_hand_over);
    return;
  }
}

std::pair<NaiveNetwork::Spot, NaiveNetwork::Out> NaiveNetwork::other_end(const Spot& spot, Out out) const {
  Spot next = spot;
  if (out == x) next.second.x = static_cast<std::uint8_t>((spot.second.x + 1) % torus_.width);
  if (out == y) next.second.y = static_cast<std::uint8_t>((spot.second.y + 1) % torus_.height);
  return {next, out == source ? niu : out};
}

std::vector<NaiveNetwork::Branch> NaiveNetwork::branches_at(const Spot& spot, Out in, unsigned vc,
                                                            const Packet& packet) const {
  std::vector<Branch> branches;
  for (const Out out : outs_at(spot, packet)) {
    const bool has_wrapped = (in == x && spot.second.x == 0) || (in == y && spot.second.y == 0) || vc >= 8;
    branches.push_back({out, vc % 8 + (in == out && out != niu && has_wrapped ? 8U : 0U)});
  }
  return branches;
}

/// Where a packet goes from a router, by asking for each output whether any of its receivers needs it (noc 6).
std::set<NaiveNetwork::Out> NaiveNetwork::outs_at(const Spot& spot, const Packet& packet) const {
  const Position here = spot.second;
  if (!packet.rectangle) {
    const bool same_x = here.x == packet.destination.x;
    const bool same_y = here.y == packet.destination.y;
    if (same_x && same_y) return {niu};
    return {spot.first == 0 ? (same_x ? y : x) : (same_y ? x : y)};
  }
  std::set<Out> outs;
  const noc::MulticastArea& area = *packet.rectangle;
  const auto receives = [&](Position place) {
    return is_between(place.x, area.start.x, area.end.x) && is_between(place.y, area.start.y, area.end.y) &&
           (place != packet.source || area.includes_source);
  };
  // Walks of all receivers' copies, each as if it travelled alone: major axis to the column of the walk along the minor
  // axis, down to the row, along the major axis.
  const bool x_major = area.major == noc::Axis::x;
  const unsigned source_major = x_major ? packet.source.x : packet.source.y;
  const unsigned start_major = x_major ? area.start.x : area.start.y;
  const bool is_inside = is_between(source_major, start_major, x_major ? area.end.x : area.end.y);
  const unsigned column = is_inside ? source_major : start_major;
  for (std::uint8_t py = 0; py < torus_.height; ++py)
    for (std::uint8_t px = 0; px < torus_.width; ++px) {
      if (!is_between(px, area.start.x, area.end.x) || !is_between(py, area.start.y, area.end.y)) continue;
      Position at = packet.source;
      const auto go = [&](bool along_x, unsigned to) {
        while ((along_x ? at.x : at.y) != to) {
          if (at == here) outs.insert(along_x ? x : y);
          at = other_end({0, at}, along_x ? x : y).first.second;
        }
      };
      go(x_major, column);
      go(!x_major, x_major ? py : px);
      go(x_major, x_major ? px : py);
    }
  if (receives(here)) outs.insert(niu);
  return outs;
}

}  // namespace tensim::test
