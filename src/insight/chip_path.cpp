#include "insight/chip_path.hpp"

#include <algorithm>

namespace tensim::insight {

using event::Packet;
using noc::Coordinates;
using noc::Message;
using noc::MessageKind;

namespace {
constexpr unsigned agent_of_packets = time::coprocessor_agent + 1;
}

std::uint32_t ChipPath::number_of(Coordinates at) {
  const auto [known, is_new] = numbers_.try_emplace(plan_.index(at), static_cast<std::uint32_t>(places_.size()));
  if (is_new) places_.push_back(at);
  return known->second;
}

event::Listener* ChipPath::of_tile(Coordinates at, const tile::Tile& tile) {
  std::unique_ptr<FollowedTile>& followed = tiles_[number_of(at)];
  if (followed == nullptr) followed = std::make_unique<FollowedTile>(chains_, number_of(at), tile);
  return &followed->told;
}

ChipPath::FollowedTile* ChipPath::find(Coordinates at) {
  const auto known = numbers_.find(plan_.index(at));
  if (known == numbers_.end()) return nullptr;
  const auto found = tiles_.find(known->second);
  return found == tiles_.end() ? nullptr : found->second.get();
}

/// Tiles see each other through packets alone: where no packet is between them, their order does not matter.
void ChipPath::hand_on(time::Cycle until) {
  auto end = packets_.begin();
  for (; end != packets_.end() && end->cycle < until; ++end) {
    const time::Key moment = time::key(end->cycle, time::Phase::store, agent_of_packets);
    for (const auto& [number, tile] : tiles_)
      tile->told.hand_on(tile->path, moment);
    take(*end);
  }
  packets_.erase(packets_.begin(), end);
  for (const auto& [number, tile] : tiles_) {
    tile->told.hand_on(tile->path, time::key(until, time::Phase::load, 0));
    tile->told.forget();
  }
}

ChipPathFound ChipPath::finish(const std::vector<Word>& words, time::Cycle cycles) {
  hand_on(time::never);
  Chain last;
  for (const Word& word : words)
    if (const FollowedTile* const tile = find(word.at)) last = later(last, tile->path.writer_of(word.address));
  if (!last)
    for (const auto& [number, tile] : tiles_)
      last = later(last, tile->path.last(cycles));
  if (!last) return {{cycles, {}}, places_};
  return {path_of(chains_, last, std::max(cycles, last.until())), places_};
}

// ---- packets ----

ChipPath::RequestName ChipPath::name_of(const Message& message, Coordinates answers) const {
  return {plan_.index(message.issuer.tile), message.issuer.core, message.noc, message.issuer.cycle,
          plan_.index(answers)};
}

void ChipPath::take(const Packet& packet) {
  if (packet.end == Packet::End::sent)
    sent(packet);
  else
    arrived(packet);
}

/// A request goes on from the store that initiated it, a response from the request.
void ChipPath::sent(const Packet& packet) {
  const Message& message = *packet.message;
  Chain chain;
  if (noc::is_response(message.kind)) {
    const auto found = requests_.find(name_of(message, packet.tile));
    if (found == requests_.end()) return;
    chain = found->second;
    chain.extend({.kind = Step::Kind::memory, .tile = number_of(packet.tile)}, packet.cycle);
  } else {
    FollowedTile* const tile = find(message.issuer.tile);
    if (tile == nullptr || message.issuer.is_host) return;
    chain = tile->path.initiator(message.issuer.core, message.issuer.cycle);
    if (!chain) return;
    chain.extend({.kind = Step::Kind::niu,
                  .agent = message.issuer.core,
                  .tile = number_of(packet.tile),
                  .origin = message.issuer.pc},
                 packet.cycle);
  }
  under_way_[{plan_.index(message.source), packet.number}] = {std::move(chain), packet.receivers};
}

void ChipPath::arrived(const Packet& packet) {
  const Message& message = *packet.message;
  const auto found = under_way_.find({plan_.index(message.source), packet.number});
  if (found == under_way_.end()) return;
  Chain chain = found->second.chain;
  if (--found->second.receivers == 0) under_way_.erase(found);
  chain.extend({.kind = Step::Kind::packet, .reason = static_cast<std::uint8_t>(message.kind)}, packet.cycle + 1);
  FollowedTile* const tile = find(packet.tile);
  if (noc::is_response(message.kind)) {
    if (tile == nullptr) return;
    tile->path.answered(message.noc, chain);
    if (message.kind != MessageKind::acknowledgement)
      tile->path.packet_wrote(static_cast<std::uint32_t>(message.address), std::max(message.length, 4U), chain);
    return;
  }
  const RequestName name = name_of(message, packet.tile);
  requests_[name] = chain;
  order_.push_back(name);
  if (order_.size() > most_requests) {
    requests_.erase(order_.front());
    order_.pop_front();
  }
  if (tile != nullptr && message.kind != MessageKind::read)
    tile->path.packet_wrote(static_cast<std::uint32_t>(message.address), std::max(message.length, 4U), chain);
}

}  // namespace tensim::insight
