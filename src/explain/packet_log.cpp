#include "explain/packet_log.hpp"

#include <algorithm>
#include <map>

namespace tensim::explain {

using event::Packet;
using noc::Message;
using noc::MessageKind;

namespace {

Message without_data(const Message& message) {
  Message copy = message;
  copy.data = {};
  return copy;
}

}  // namespace

PacketLog::Key PacketLog::key_of(const Message& message, noc::Coordinates return_tile, std::uint64_t return_address) {
  const noc::Issuer& issuer = message.issuer;
  return {issuer.tile, issuer.core, issuer.pc, issuer.cycle, message.noc, return_tile, return_address};
}

void PacketLog::packet(const Packet& packet) {
  if (packet.end == Packet::End::arrived) count(packet);
  follow(packet);
}

void PacketLog::count(const Packet& packet) {
  const Message& message = *packet.message;
  const bool is_increment = message.atomic && message.atomic->kind == noc::AtomicKind::increment;
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    if (!changes(waits_[i], packet)) continue;
    auto same = std::ranges::find_if(brought_[i], [&](const Brought& other) {
      return other.from == message.source && other.kind == message.kind && other.is_increment == is_increment;
    });
    if (same == brought_[i].end()) same = brought_[i].insert(same, Brought{message.source, message.kind, is_increment});
    ++same->count;
    same->last = packet.cycle;
  }
}

/// Of a request that is answered nothing is kept.
void PacketLog::follow(const Packet& packet) {
  const Message& message = *packet.message;
  if (noc::is_response(message.kind)) {
    if (packet.end == Packet::End::sent) return;
    const auto request = open_.find(key_of(message, message.target, message.address));
    if (request == open_.end()) return;
    OpenRequest& open = request->second;
    open.answered_by.push_back(message.source);
    if (open.answered_by.size() >= open.arrived_at.size()) open_.erase(request);
    return;
  }
  if (message.is_posted) return;
  const auto [request, is_new] = open_.try_emplace(key_of(message, message.return_tile, message.return_address));
  if (is_new) request->second = {.request = without_data(message), .sent = packet.cycle};
  if (packet.end == Packet::End::arrived) request->second.arrived_at.push_back(packet.tile);
}

std::vector<OpenRequest> PacketLog::open_requests() const {
  std::multimap<std::uint64_t, const OpenRequest*> by_cycle;
  for (const auto& [key, request] : open_)
    by_cycle.emplace(request.sent, &request);
  std::vector<OpenRequest> requests;
  for (const auto& [cycle, request] : by_cycle)
    requests.push_back(*request);
  return requests;
}

}  // namespace tensim::explain
