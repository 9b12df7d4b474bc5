// Who is given a VC of a link.
#include "arch/sizes.hpp"
#include "noc/network.hpp"

namespace tensim::noc {
namespace {

constexpr unsigned buffer_flits = size_of_both("noc_vc_buffer_flits"_size);

}  // namespace

/// The VC that a leg goes out on.
unsigned Network::vc_for(const Leg& leg, Port out) const {
  const std::uint32_t link = link_of(leg.buffer);
  const Port in = port_of_link(link);
  return in == Port::source ? leg.buffer % vcs : vc_out(leg.buffer % vcs, in, out, sites_[link].is_behind_edge);
}

void Network::arbitrate(Cycle now, std::uint32_t number) {
  Channel& channel = channels_[number];
  if (channel.owner >= 0 || channel.asking == 0) return;  // who has it tells when it ends
  if (channel.free_from > now) return look_at(now, channel.free_from, number);
  channel.waits_for_room = false;
  const bool goes_to_niu = port_of_link(link_of(number)) == Port::niu;
  if (!goes_to_niu && !has_room_behind(now, number)) return;
  for (unsigned turn = 1; turn <= inputs; ++turn) {
    const unsigned input = (channel.last_input + turn) % inputs;
    if ((channel.asking >> input & 1U) == 0) continue;
    const std::int32_t leg = asker(number, input);
    if (!may_have(channel, number, legs_[leg])) continue;
    if (goes_to_niu && !receiver_has_room(link_of(number), flights_[legs_[leg].flight].packet)) {
      channel.waits_for_room = true;
      continue;
    }
    channel.last_input = static_cast<std::uint8_t>(input);
    channel.asking &= static_cast<std::uint8_t>(~(1U << input));
    return grant(now, number, leg);
  }
}

/// Room that somebody left in this cycle is seen in the next.
bool Network::has_room_behind(Cycle now, std::uint32_t channel) {
  const Buffer& buffer = buffers_[buffer_behind(channel)];
  const unsigned left_now = buffer.left == now ? buffer.left_flits : 0;
  if (buffer.waiting_flits + left_now < buffer_flits) return true;
  if (buffer.waiting_flits < buffer_flits)
    look_at(now, now + 1, channel);
  else
    channels_[channel].waits_for_room = true;
  return false;
}

bool Network::receiver_has_room(std::uint32_t link, const Packet& packet) const {
  return packet.room == Room::none || room_[link / ports][packet.room == Room::requests ? 0 : 1] > 0;
}

/// The first of the buffer at this input.
std::int32_t Network::asker(std::uint32_t number, unsigned input) const {
  const std::uint32_t link = link_of(number);
  if (port_of_link(link) == Port::source) return buffers_[number].first;
  const unsigned vc = number % named_vcs + input % 2 * named_vcs;
  return buffers_[channel_number(first_link_of_router(link) + input / 2, vc)].first;
}

/// Not if it is kept for somebody else, or the reservation of somebody else comes first.
bool Network::may_have(const Channel& channel, std::uint32_t number, const Leg& leg) const {
  const Flight& flight = flights_[leg.flight];
  if (channel.kept_for >= 0 && channel.kept_for != torus_.at(flight.packet.source)) return false;
  if (!leg.is_reservation || port_of_link(link_of(number)) == Port::source) return true;
  return channel.first_ticket < 0 || tickets_[channel.first_ticket].flight == leg.flight;
}

/// What the packet takes of its receiver.
void Network::take_room(std::uint32_t link, const Packet& packet) {
  if (packet.room != Room::none) room_[link / ports][packet.room == Room::requests ? 0 : 1] -= room_taken(packet);
}

/// The first packet of a transaction reserves the path for all that are linked to it.
void Network::begin_path(std::uint32_t number, std::int32_t flight_number) {
  Flight& flight = flights_[flight_number];
  if (flight.path != Flight::Path::to_reserve) return;
  flight.path = channels_[number].kept_for >= 0 ? Flight::Path::reserved : Flight::Path::asked;
  if (flight.path == Flight::Path::asked) take_tickets(flight_number);
}

void Network::grant(Cycle now, std::uint32_t number, std::int32_t leg_number) {
  const std::uint32_t link = link_of(number);
  const Port port = port_of_link(link);
  if (port == Port::source) begin_path(number, legs_[leg_number].flight);
  const Flight& flight = flights_[legs_[leg_number].flight];
  const bool asks = port == Port::source && flight.path == Flight::Path::asked;
  Leg& leg = legs_[leg_number];
  const bool is_reservation = leg.is_reservation || asks;
  leg.wanted &= static_cast<std::uint8_t>(~bit(port));
  leg.moving |= bit(port);
  if (leg.wanted == 0) take_out_of_waiting(now, leg, flits_of(leg));
  Transfer transfer{.leg = leg_number, .remaining = is_reservation ? 1U : flight.packet.flits};
  if (port == Port::source && !asks) transfer.remaining = timing_.source_cycles(flight.packet.flits);
  transfer.vc = static_cast<std::uint8_t>(number % vcs);
  transfer.tail_here = leg.tail;
  channels_[number].owner = leg_number;
  if (leg.is_reservation) channels_[number].is_reserved = true;
  if (is_reservation || (flight.packet.is_linked && port != Port::niu)) {
    if (channels_[number].kept_for < 0) ++lanes_[link].users;
    channels_[number].kept_for = torus_.at(flight.packet.source);
  }
  if (port == Port::source) ++lanes_[link].users;  // in its buffer it is one already, and behind the link one more
  if (port == Port::niu) {
    take_room(link, flight.packet);
    links_[link].join(now, transfer);
  } else {
    const Cycle head = links_[link].join_time(now);
    transfer.onward = onward(head + (port == Port::source ? 1 : timing_.hop), number, leg_number);
    links_[link].join(now, transfer);
  }
  schedule(link);
  if (transfer.onward >= 0) come_to_outputs(now, transfer.onward);
}

/// What a leg becomes at the other end of a link. Returns its number; legs_ may have moved.
std::int32_t Network::onward(Cycle head, std::uint32_t channel, std::int32_t from) {
  const Leg before = legs_[from];
  const Port port = port_of_link(link_of(channel));
  Flight& flight = flights_[before.flight];
  Leg leg{.flight = before.flight, .buffer = buffer_behind(channel), .head = head};
  leg.is_reservation = before.is_reservation || (port == Port::source && flight.path == Flight::Path::asked);
  if (port == Port::x || port == Port::y)
    leg.node = flight.packet.rectangle ? node_of(flight, before.node).next[static_cast<unsigned>(axis_of(port))] : 0;
  leg.wanted = wanted_at(flight, leg);
  ++flight.legs;
  const std::int32_t number = legs_.add(leg);
  Buffer& buffer = buffers_[leg.buffer];
  (buffer.first < 0 ? buffer.first : legs_[buffer.last].next) = number;
  buffer.last = number;
  buffer.waiting_flits += flits_of(leg);
  events_.push({head, Event::Kind::head, leg.buffer, 0, number});
  return number;
}

/// The outputs that a leg goes to.
std::uint8_t Network::wanted_at(const Flight& flight, const Leg& leg) const {
  const Site& site = sites_[link_of(leg.buffer)];
  if (!flight.packet.rectangle) return bit(unicast_port(site.noc, site.place, flight.packet.destination));
  const MulticastTree::Node& node = node_of(flight, leg.node);
  std::uint8_t wanted = node.receives && !leg.is_reservation ? bit(Port::niu) : 0;
  if (node.next[0] != MulticastTree::none) wanted |= bit(Port::x);
  if (node.next[1] != MulticastTree::none) wanted |= bit(Port::y);
  return wanted;
}

/// A leg has been given the last of its outputs: there is room behind it.
void Network::take_out_of_waiting(Cycle now, const Leg& leg, std::uint32_t flits) {
  if (port_of_link(link_of(leg.buffer)) == Port::source) return;
  Buffer& buffer = buffers_[leg.buffer];
  buffer.waiting_flits -= flits;
  buffer.left_flits = buffer.left == now ? buffer.left_flits + flits : flits;
  buffer.left = now;
  const std::uint32_t before = channel_before(leg.buffer);
  if (channels_[before].waits_for_room) look_at(now, now + 1, before);
}

/// A place in the order of the reservations on every link of the tree.
void Network::take_tickets(std::int32_t number) {
  Flight& flight = flights_[number];
  flight.unreserved_leaves = trees_[flight.tree].leaves();
  const auto take = [&](std::uint32_t channel) {
    const std::int32_t ticket = tickets_.add({number, -1});
    std::int32_t* last = &channels_[channel].first_ticket;
    while (*last >= 0)
      last = &tickets_[*last].next;
    *last = ticket;
  };
  struct Branch {
    std::uint16_t node;
    Port in;
    unsigned vc;
  };
  std::vector<Branch> steps{{0, Port::niu, flight.packet.vc}};
  while (!steps.empty()) {
    const Branch step = steps.back();
    steps.pop_back();
    const MulticastTree::Node& node = node_of(flight, step.node);
    const Position place = torus_.place(node.router);
    for (const Axis axis : {Axis::x, Axis::y}) {
      const std::uint16_t next = node.next[static_cast<unsigned>(axis)];
      if (next == MulticastTree::none) continue;
      const bool crossed = step.in != Port::niu && along(place, axis_of(step.in)) == 0;
      const unsigned vc = vc_out(step.vc, step.in, port_of(axis), crossed);
      take(channel_number(link_number(flight.packet.noc, node.router, port_of(axis)), vc));
      steps.push_back({next, port_of(axis), vc});
    }
  }
}

/// The last packet of a transaction has passed.
void Network::release(std::uint32_t number, const Flight& flight) {
  Channel& channel = channels_[number];
  if (channel.kept_for != torus_.at(flight.packet.source)) return;
  channel.kept_for = -1;
  --lanes_[link_of(number)].users;
  if (!channel.is_reserved) return;
  channel.is_reserved = false;
  const std::int32_t ticket = channel.first_ticket;
  channel.first_ticket = tickets_[ticket].next;
  tickets_.remove(ticket);
}

}  // namespace tensim::noc
