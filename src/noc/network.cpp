#include "noc/network.hpp"

#include <cassert>
#include <limits>

namespace tensim::noc {

Network::Network(Torus torus, const NetworkTiming& timing)
    : torus_(torus),
      timing_(timing),
      can_book_(can_book(timing)),
      sites_(std::size_t{nocs} * torus.routers() * ports),
      links_(sites_.size()),
      scheduled_(links_.size(), never),
      channels_(links_.size() * vcs),
      buffers_(links_.size() * vcs),
      lanes_(links_.size()),
      room_(std::size_t{nocs} * torus.routers(), {std::numeric_limits<int>::max(), std::numeric_limits<int>::max()}),
      promised_(room_.size()) {
  for (std::uint32_t link = 0; link < sites_.size(); ++link)
    sites_[link] = site_of(link);
  for (std::uint32_t link = 0; link < sites_.size(); ++link)
    if (port_of_link(link) != Port::niu) sites_[sites_[link].behind].before = link;
  accepts_.fill(std::vector<std::uint8_t>(torus.routers(), 1));
}

Network::Site Network::site_of(std::uint32_t link) const {
  const Port port = port_of_link(link);
  const std::uint32_t router = link / ports;
  Site site{.place = torus_.place(static_cast<Router>(router % torus_.routers())),
            .noc = static_cast<std::uint8_t>(router / torus_.routers())};
  if (port == Port::source) site.behind = first_link_of_router(link) + static_cast<unsigned>(Port::niu);
  if (port == Port::x || port == Port::y) {
    site.behind = link_number(site.noc, torus_.at(torus_.next(site.place, axis_of(port))), port);
    site.is_behind_edge = along(site.place, axis_of(port)) == 0;
  }
  return site;
}

// ---- what the owner says ----

void Network::inject(const Packet& packet) {
  assert(packet.cycle >= until_ && packet.vc < named_vcs && packet.flits != 0);
  const Router source = torus_.at(packet.source);
  Flight flight{.packet = packet};
  if (packet.rectangle) {
    flight.tree = trees_.add(MulticastTree(torus_, packet.source, *packet.rectangle, accepts_[packet.noc]));
    if (packet.reserves_path) flight.path = Flight::Path::to_reserve;
  }
  events_.push({packet.cycle + timing_.reaction(), Event::Kind::enter, link_number(packet.noc, source, Port::source),
                packet.sequence, flights_.add(flight)});
}

void Network::limit_room(unsigned noc, Position receiver, Room room, int amount) {
  if (room == Room::none) return;
  room_[noc * torus_.routers() + torus_.at(receiver)][room == Room::requests ? 0 : 1] = amount;
}

void Network::give_room(unsigned noc, Position receiver, Room room, int amount, Cycle cycle) {
  if (room == Room::none) return;
  assert(cycle >= until_);
  events_.push({cycle + timing_.reaction(), Event::Kind::room, link_number(noc, torus_.at(receiver), Port::niu),
                static_cast<std::uint32_t>(amount), room == Room::requests ? 0 : 1});
}

void Network::accept_multicasts(unsigned noc, Position receiver, bool accepts) {
  accepts_[noc][torus_.at(receiver)] = accepts ? 1 : 0;
}

void Network::advance(Cycle until) {
  assert(until >= until_);
  until_ = until;
  const Cycle end = until + timing_.reaction();
  while (events_.next() < end)
    run_cycle(events_.next());
  events_.pass(end);
}

// ---- what comes out ----

std::span<const Delivery> Network::take_deliveries() {
  taken_deliveries_.clear();
  taken_deliveries_.swap(deliveries_);
  if (taken_deliveries_.size() > 1) std::ranges::sort(taken_deliveries_, {}, &Delivery::order);
  return taken_deliveries_;
}

std::span<const Credit> Network::take_credits() {
  taken_credits_.clear();
  taken_credits_.swap(credits_);
  if (taken_credits_.size() > 1) std::ranges::sort(taken_credits_, {}, &Credit::order);
  return taken_credits_;
}

Cycle Network::next_event() const {
  const Cycle next = events_.next();
  return next == never ? never : next - std::min(next, timing_.reaction());
}

// ---- a cycle: everything that has come about, and then who is given which link ----

void Network::run_cycle(Cycle now) {
  asked_.clear();
  while (events_.next() == now)
    events_.take([this](const Event& event) { handle(event); });
  if (asked_.empty()) return;
  if (asked_.size() > 1) {
    std::ranges::sort(asked_);
    asked_.erase(std::ranges::unique(asked_).begin(), asked_.end());
  }
  is_giving_ = true;
  for (const std::uint32_t channel : asked_)
    arbitrate(now, channel);
  is_giving_ = false;
}

void Network::handle(const Event& event) {
  switch (event.kind()) {
    case Event::Kind::link:
      if (scheduled_[event.place()] == event.time) step_link(event.time, event.place());
      break;
    case Event::Kind::left: leave_booked(event.time, event.number); break;
    case Event::Kind::arrived: arrive_booked(event.time, event.number); break;
    case Event::Kind::enter: enter(event.time, event.number); break;
    case Event::Kind::head:
      if (buffers_[legs_[event.number].buffer].first == event.number) ask(event.time, event.number);
      break;
    case Event::Kind::look: asked_.push_back(event.place()); break;
    case Event::Kind::answer:
      flights_[legs_[event.number].flight].path = Flight::Path::reserved;
      ask(event.time, event.number);
      break;
    case Event::Kind::room:
      room_[event.place() / ports][static_cast<std::size_t>(event.number)] += static_cast<int>(event.order());
      for (unsigned vc = 0; vc < vcs; ++vc)
        if (channels_[channel_number(event.place(), vc)].waits_for_room)
          asked_.push_back(channel_number(event.place(), vc));
      break;
  }
}

/// A packet joins those that its NIU has to send.
void Network::enter(Cycle now, std::int32_t flight) {
  if (book(now, flight)) return;
  const Packet& packet = flights_[flight].packet;
  const std::uint32_t link = link_number(packet.noc, torus_.at(packet.source), Port::source);
  come_to(now, link);
  flights_[flight].legs = 1;
  const std::int32_t leg = legs_.add({.flight = flight,
                                      .buffer = channel_number(link, flights_[flight].packet.vc),
                                      .wanted = bit(Port::source),
                                      .head = now,
                                      .tail = now});
  Buffer& buffer = buffers_[legs_[leg].buffer];
  if (buffer.first < 0) {
    buffer.first = buffer.last = leg;
    ask(now, leg);
    return;
  }
  legs_[buffer.last].next = leg;
  buffer.last = leg;
}

void Network::step_link(Cycle now, std::uint32_t link) {
  scheduled_[link] = never;
  ended_.clear();
  links_[link].step(now, ended_);
  schedule(link);
  for (const Transfer& transfer : ended_)
    end(now, link, transfer);
}

void Network::schedule(std::uint32_t link) {
  const Cycle next = links_[link].next_event();
  if (next == scheduled_[link]) return;
  scheduled_[link] = next;
  if (next != never) events_.push({next, Event::Kind::link, link});
}

/// The last flit has gone over the link in the cycle before.
void Network::end(Cycle now, std::uint32_t link, const Transfer& transfer) {
  const Port port = port_of_link(link);
  Leg& leg = legs_[transfer.leg];
  Flight& flight = flights_[leg.flight];
  leg.moving &= static_cast<std::uint8_t>(~bit(port));
  const std::uint32_t channel = channel_number(link, transfer.vc);
  channels_[channel].owner = -1;
  const bool keeps = leg.is_reservation || flight.path == Flight::Path::asked || flight.packet.is_linked;
  channels_[channel].free_from = now + (keeps || port == Port::source ? 0 : timing_.vc_hand_over);
  lanes_[link].clear_from = std::max(lanes_[link].clear_from, channels_[channel].free_from);
  if (!keeps) release(channel, flight);
  if (port == Port::niu) {
    --lanes_[link].users;
    deliver(now, sites_[link].place, flight.packet, transfer.head);
  } else {
    Leg& onward = legs_[transfer.onward];
    onward.tail = now - 1 + (port == Port::source ? 1 : timing_.hop);
    if (onward.wanted == 0 && onward.moving == 0 && !onward.is_reservation)
      events_.push({onward.tail + 1, Event::Kind::head, onward.buffer, 1, transfer.onward});
    for (const Port out : {Port::x, Port::y, Port::niu})
      if ((onward.moving & bit(out)) != 0) {
        const std::uint32_t next = first_link_of_router(link_of(onward.buffer)) + static_cast<unsigned>(out);
        links_[next].tail_comes(now, transfer.onward, onward.tail);
        schedule(next);
      }
  }
  if (leg.wanted == 0 && leg.moving == 0) leave(now, transfer.leg);
  if (channels_[channel].asking != 0) look_at(now, channels_[channel].free_from, channel);
}

/// Nothing of it is left in its buffer: the next one is the first.
void Network::leave(Cycle now, std::int32_t number) {
  const Leg leg = legs_[number];
  Flight& flight = flights_[leg.flight];
  if (port_of_link(link_of(leg.buffer)) == Port::source) {
    if (flight.path == Flight::Path::asked) return;  // that was the reservation: the packet is still to come
    give_credit(now, flight.packet);
  }
  take_from_buffer(now, number);
}

void Network::take_from_buffer(Cycle now, std::int32_t number) {
  const Leg leg = legs_[number];
  Buffer& buffer = buffers_[leg.buffer];
  buffer.first = leg.next;
  if (buffer.first < 0) buffer.last = -1;
  const std::uint32_t link = link_of(leg.buffer);
  --lanes_[port_of_link(link) == Port::source ? link : sites_[link].before].users;
  legs_.remove(number);
  if (--flights_[leg.flight].legs == 0) remove(leg.flight);
  if (buffer.first >= 0 && legs_[buffer.first].head <= now) ask(now, buffer.first);
}

void Network::remove(std::int32_t flight) {
  if (flights_[flight].tree >= 0) trees_.remove(flights_[flight].tree);
  flights_.remove(flight);
}

/// The first of its buffer asks for its outputs.
void Network::ask(Cycle now, std::int32_t number) {
  const Leg& leg = legs_[number];
  if (leg.wanted == 0) return reach_end(now, number);
  const std::uint32_t router = first_link_of_router(link_of(leg.buffer));
  for (unsigned port = 0; port < ports; ++port)
    if ((leg.wanted & (1U << port)) != 0) {
      const std::uint32_t channel = channel_number(router + port, vc_for(leg, static_cast<Port>(port)));
      channels_[channel].asking |= static_cast<std::uint8_t>(1U << input_of(leg.buffer));
      asked_.push_back(channel);
    }
}

/// The last router of a branch whose NIU does not receive: what comes there is gone with its tail.
void Network::reach_end(Cycle now, std::int32_t number) {
  const Leg& leg = legs_[number];
  if (leg.is_reservation) return reach_leaf(now, number);
  if (leg.tail >= now) return;  // end() of its last link has it looked at again
  take_out_of_waiting(now, leg, flits_of(leg));
  take_from_buffer(now, number);
}

/// A reservation has come to the end of a branch. When all have, the source may send.
void Network::reach_leaf(Cycle now, std::int32_t number) {
  Leg& leg = legs_[number];
  Flight& flight = flights_[leg.flight];
  const unsigned depth = node_of(flight, leg.node).depth;
  flight.answer = std::max(flight.answer, now + 1 + depth * timing_.reserve_answer_per_hop);
  take_out_of_waiting(now, leg, 1);
  const std::uint32_t link = link_number(flight.packet.noc, torus_.at(flight.packet.source), Port::source);
  if (--flight.unreserved_leaves == 0) {
    const std::int32_t waiting = buffers_[channel_number(link, flight.packet.vc)].first;
    legs_[waiting].wanted = bit(Port::source);
    events_.push({flight.answer, Event::Kind::answer, link, flight.packet.vc, waiting});
  }
  take_from_buffer(now, number);
}

void Network::deliver(Cycle now, Position receiver, const Packet& packet, Cycle head) {
  deliveries_.push_back({.tail = now - 1 + timing_.router_to_niu,
                         .noc = packet.noc,
                         .source = packet.source,
                         .sequence = packet.sequence,
                         .receiver = receiver,
                         .head = head + timing_.router_to_niu,
                         .id = packet.id});
}

void Network::give_credit(Cycle now, const Packet& packet) {
  credits_.push_back({now - 1 + timing_.router_to_niu, packet.noc, packet.source, packet.sequence, packet.vc,
                      packet.flits, packet.id});
}

/// Somebody may be given this VC in cycle `when`.
void Network::look_at(Cycle now, Cycle when, std::uint32_t channel) {
  if (when <= now)
    asked_.push_back(channel);
  else
    events_.push({when, Event::Kind::look, channel});
}

}  // namespace tensim::noc
