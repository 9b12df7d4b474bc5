// Who is given a VC of a link.
#include "arch/sizes.hpp"
#include "noc/network.hpp"

namespace tensim::noc {
namespace {

constexpr unsigned buffer_flits = size_of_both("noc_vc_buffer_flits"_size);

/// A router's inputs in the order of their turns: each has two buffers that can ask for a VC, one on each side of the
/// dateline. A NIU's link has one.
constexpr unsigned inputs = 3 * 2;

}  // namespace

/// The VC that a leg goes out on.
unsigned Network::vc_for(const Leg& leg, Port out) const {
  const unsigned vc = leg.buffer % vcs;
  const Port in = port_of_link(leg.buffer / vcs);
  if (in == Port::source) return vc;
  const bool crossed = in != Port::niu && along(place_of(leg.buffer / vcs), axis_of(in)) == 0;
  return vc_out(vc, in, out, crossed);
}

/// The buffer at the other end of a link that does not go to a NIU.
std::uint32_t Network::buffer_behind(std::uint32_t channel) const {
  const std::uint32_t link = link_of(channel);
  const Port port = port_of_link(link);
  const unsigned vc = channel % vcs;
  if (port == Port::source) return channel_number(link_number(noc_of(link), router_of(link), Port::niu), vc);
  const Router next = torus_.at(torus_.next(place_of(link), axis_of(port)));
  return channel_number(link_number(noc_of(link), next, port), vc);
}

/// The VC of the link that a buffer is filled by.
std::uint32_t Network::channel_before(std::uint32_t buffer) const {
  const std::uint32_t link = buffer / vcs;
  const Port port = port_of_link(link);
  if (port == Port::niu) return channel_number(link_number(noc_of(link), router_of(link), Port::source), buffer % vcs);
  Place place = place_of(link);
  if (port == Port::x)
    place.x = static_cast<std::uint8_t>((place.x == 0 ? torus_.width : place.x) - 1);
  else
    place.y = static_cast<std::uint8_t>((place.y == 0 ? torus_.height : place.y) - 1);
  return channel_number(link_number(noc_of(link), torus_.at(place), port), buffer % vcs);
}

void Network::arbitrate(Cycle now, std::uint32_t number) {
  Channel& channel = channels_[number];
  if (channel.owner >= 0) return;  // who has it tells when it ends
  if (channel.free_from > now) return look_at(now, channel.free_from, number);
  channel.waits_for_room = false;
  if (port_of_link(link_of(number)) != Port::niu && !has_room_behind(now, number)) return;
  for (unsigned turn = 1; turn <= inputs; ++turn) {
    const unsigned input = (channel.last_input + turn) % inputs;
    const std::int32_t leg = candidate(now, number, input);
    if (leg < 0) continue;
    if (port_of_link(link_of(number)) == Port::niu &&
        !receiver_has_room(link_of(number), flights_[legs_[leg].flight].packet)) {
      channel.waits_for_room = true;
      continue;
    }
    channel.last_input = static_cast<std::uint8_t>(input);
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

/// The leg at this input that can be given this VC now, or -1.
std::int32_t Network::candidate(Cycle now, std::uint32_t channel_number_, unsigned input) const {
  const std::uint32_t link = link_of(channel_number_);
  const unsigned vc = channel_number_ % vcs;
  const Port out = port_of_link(link);
  std::uint32_t buffer = channel_number_;
  if (out != Port::source)
    buffer = channel_number(link / ports * ports + input / 2, vc % named_vcs + (input % 2) * named_vcs);
  else if (input != 0)
    return -1;
  const std::int32_t number = buffers_[buffer].first;
  if (number < 0) return -1;
  const Leg& leg = legs_[number];
  if (leg.head > now || (leg.wanted & bit(out)) == 0 || vc_for(leg, out) != vc) return -1;
  const Flight& flight = flights_[leg.flight];
  if (out == Port::source && flight.path == Flight::Path::asked) return -1;
  const Channel& channel = channels_[channel_number_];
  if (channel.kept_for >= 0 && channel.kept_for != torus_.at(flight.packet.source)) return -1;
  if (leg.is_reservation && channel.first_ticket >= 0 && tickets_[channel.first_ticket].flight != leg.flight) return -1;
  return number;
}

bool Network::somebody_waits(Cycle now, std::uint32_t channel) const {
  for (unsigned input = 0; input < inputs; ++input)
    if (candidate(now, channel, input) >= 0) return true;
  return false;
}

void Network::grant(Cycle now, std::uint32_t number, std::int32_t leg_number) {
  const std::uint32_t link = link_of(number);
  const Port port = port_of_link(link);
  Flight& flight = flights_[legs_[leg_number].flight];
  if (port == Port::source && flight.path == Flight::Path::to_reserve) {
    // The first packet of a transaction reserves the path for all that are linked to it.
    flight.path = channels_[number].kept_for >= 0 ? Flight::Path::reserved : Flight::Path::asked;
    if (flight.path == Flight::Path::asked) take_tickets(legs_[leg_number].flight);
  }
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
  if (is_reservation || (flight.packet.is_linked && port != Port::niu))
    channels_[number].kept_for = torus_.at(flight.packet.source);
  if (port == Port::niu) {
    if (flight.packet.room != Room::none)
      room_[link / ports][flight.packet.room == Room::requests ? 0 : 1] -=
          flight.packet.room == Room::requests ? 1 : flight.packet.flits;
    links_[link].join(now, transfer);
  } else {
    const Cycle head = links_[link].join_time(now);
    transfer.onward = onward(head + (port == Port::source ? 1 : timing_.hop), number, leg_number);
    links_[link].join(now, transfer);
  }
  schedule(link);
}

/// What a leg becomes at the other end of a link. Returns its number; legs_ may have moved.
std::int32_t Network::onward(Cycle head, std::uint32_t channel, std::int32_t from) {
  const Leg before = legs_[from];
  const Port port = port_of_link(link_of(channel));
  Flight& flight = flights_[before.flight];
  Leg leg{.flight = before.flight, .buffer = buffer_behind(channel), .head = head};
  leg.is_reservation = before.is_reservation || (port == Port::source && flight.path == Flight::Path::asked);
  if (port == Port::x || port == Port::y)
    leg.node =
        flight.packet.rectangle ? flight.tree.nodes()[before.node].next[static_cast<unsigned>(axis_of(port))] : 0;
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
  const std::uint32_t link = leg.buffer / vcs;
  if (!flight.packet.rectangle) return bit(unicast_port(noc_of(link), place_of(link), flight.packet.destination));
  const MulticastTree::Node& node = flight.tree.nodes()[leg.node];
  std::uint8_t wanted = node.receives && !leg.is_reservation ? bit(Port::niu) : 0;
  if (node.next[0] >= 0) wanted |= bit(Port::x);
  if (node.next[1] >= 0) wanted |= bit(Port::y);
  return wanted;
}

/// A leg has been given the last of its outputs: there is room behind it.
void Network::take_out_of_waiting(Cycle now, const Leg& leg, std::uint32_t flits) {
  if (port_of_link(leg.buffer / vcs) == Port::source) return;
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
  flight.unreserved_leaves = flight.tree.leaves();
  const auto take = [&](std::uint32_t channel) {
    std::int32_t* last = &channels_[channel].first_ticket;
    while (*last >= 0)
      last = &tickets_[*last].next;
    const std::int32_t at = tickets_.add({number, -1});
    // add() may have moved the tickets: look for the end again.
    last = &channels_[channel].first_ticket;
    while (*last >= 0)
      last = &tickets_[*last].next;
    *last = at;
  };
  struct Step {
    int node;
    Port in;
    unsigned vc;
  };
  std::vector<Step> steps{{0, Port::niu, flight.packet.vc}};
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    const MulticastTree::Node& node = flight.tree.nodes()[step.node];
    const Place place = torus_.place(node.router);
    for (const Axis axis : {Axis::x, Axis::y}) {
      const int next = node.next[static_cast<unsigned>(axis)];
      if (next < 0) continue;
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
  if (!channel.is_reserved) return;
  channel.is_reserved = false;
  const std::int32_t ticket = channel.first_ticket;
  channel.first_ticket = tickets_[ticket].next;
  tickets_.remove(ticket);
}

}  // namespace tensim::noc
