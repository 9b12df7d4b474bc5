// Whoever is followed from router to router says where it comes to next (come_to()). Those that have booked that link are put
// where they are in that cycle, as if they had been followed all the time, and do not book again. So a link has bookings or
// users, never both.
#include "noc/network.hpp"

namespace tensim::noc {

void Network::come_to(Cycle now, std::uint32_t link) {
  Lane& lane = lanes_[link];
  ++lane.users;
  forget_passed(now, link);
  while (!lane.others.empty())
    follow(now, lane.others.back().flight);
  if (lane.last.flight < 0) return;
  if (lane.last.seen_until() <= now) {
    if (!lane.last.is_written) write_down(link, lane.last, hand_over(link));
    lane.last = {};
  } else {
    follow(now, lane.last.flight);
  }
}

void Network::come_to_outputs(Cycle now, std::int32_t number) {
  const Leg leg = legs_[number];
  const std::uint32_t router = first_link_of_router(link_of(leg.buffer));
  for (unsigned port = 0; port < ports; ++port)
    if ((leg.wanted & (1U << port)) != 0) come_to(now, router + port);
}

namespace {

/// When a packet that meets nobody is on the links of its way, the NIU's first.
struct OnItsWay {
  Cycle sent;
  Cycle leaves;  // the NIU
  Cycle hop;
  Cycle cycles;  // on a link

  Cycle from(std::size_t link) const { return link == 0 ? sent : sent + 1 + (link - 1) * hop; }
  Cycle end(std::size_t link) const { return link == 0 ? leaves : from(link) + cycles; }
  /// Its last flit is in the buffer before the link in this cycle; `never` if that is not known yet.
  Cycle tail(std::size_t link, Cycle now) const {
    if (link == 0) return from(link);
    if (end(link - 1) > now) return never;
    return end(link - 1) - 1 + (link == 1 ? 1 : hop);
  }
};

}  // namespace

/// Puts a packet that is booked where it is, with its legs in buffers and on links.
void Network::follow(Cycle now, std::int32_t number) {
  Flight& flight = flights_[number];
  const Packet& packet = flight.packet;
  Way way;
  find_way(packet, way);
  if (leaves(flight) <= now && !flight.has_left) give_credit(leaves(flight), packet);
  cancel(now, number, way);
  const OnItsWay times{flight.sent, leaves(flight), timing_.hop, cycles_of(packet)};
  const Cycle had = is_giving_ ? now + 1 : now;  // what begins before it is its
  const auto has = [&](std::size_t each) { return times.from(each) < had; };
  std::size_t past = way.size();  // those before have been, or are, its
  while (past != 0 && !has(past - 1))
    --past;
  const auto buffer = [&](std::size_t each) {
    const Step& before = way[each == 0 ? 0 : each - 1];
    const std::uint32_t channel = channel_number(before.link, before.vc);
    return each == 0 ? channel : buffer_behind(channel);
  };
  std::int32_t onward = -1;
  std::size_t each = std::min(past + 1, way.size());
  for (; each != 0 && times.end(each - 1) > now; --each) {
    const std::size_t at = each - 1;
    const Leg leg{.flight = number, .buffer = buffer(at), .head = times.from(at), .tail = times.tail(at, now)};
    onward = put(now, leg, way[at], has(at), onward);
  }
  if (each == 0 && has(0)) ++lanes_[way.front().link].users;  // in the NIU's buffer and in the one behind its link
  if (each != 0) come_to(now, way[each - 1].link);            // it stands in the buffer behind it
  for (; each != std::min(past + 1, way.size()); ++each)
    come_to(now, way[each].link);
}

void Network::cancel(Cycle now, std::int32_t number, const Way& way) {
  for (const Step& step : way) {
    Lane& lane = lanes_[step.link];
    for (Booking& booking : lane.others)
      if (!booking.is_written && booking.end() <= now) write_down(step.link, booking, hand_over(step.link));
    if (!lane.last.is_written && lane.last.end() <= now) write_down(step.link, lane.last, hand_over(step.link));
    std::erase_if(lane.others, [number](const Booking& booking) { return booking.flight == number; });
    if (lane.last.flight != number) continue;
    lane.last = lane.others.empty() ? Booking{} : lane.others.back();
    if (!lane.others.empty()) lane.others.pop_back();
  }
  Flight& flight = flights_[number];
  flight.is_booked = false;
  flight.legs = 0;
  promise(flight.packet, -1);
}

/// A leg of it, which has the link that it wants or will ask for it. Returns its number.
std::int32_t Network::put(Cycle now, Leg leg, const Step& step, bool has_link, std::int32_t onward) {
  Flight& flight = flights_[leg.flight];
  const Packet& packet = flight.packet;
  const Port port = port_of_link(step.link);
  const bool is_source = port == Port::source;
  (has_link ? leg.moving : leg.wanted) = bit(port);
  ++flight.legs;
  const std::int32_t number = legs_.add(leg);
  put_into_buffer(number);
  Buffer& buffer = buffers_[leg.buffer];
  if (!has_link) {
    if (is_source) {
      ask(now, number);
    } else {
      buffer.waiting_flits += packet.flits;
      events_.push({leg.head, Event::Kind::head, leg.buffer, 0, number});
    }
    return number;
  }
  if (!is_source && leg.head == now) {
    buffer.left_flits = (buffer.left == now ? buffer.left_flits : 0) + packet.flits;
    buffer.left = now;
  }
  Channel& channel = channels_[channel_number(step.link, step.vc)];
  channel.owner = number;
  channel.last_input = step.input;
  if (port == Port::niu) take_room(step.link, packet);
  links_[step.link].join(leg.head, {.leg = number,
                                    .onward = onward,
                                    .remaining = is_source ? timing_.source_cycles(packet.flits) : packet.flits,
                                    .vc = step.vc,
                                    .tail_here = leg.tail});
  schedule(step.link);
  return number;
}

/// Those of a buffer stand in the order in which their heads come.
void Network::put_into_buffer(std::int32_t number) {
  Buffer& buffer = buffers_[legs_[number].buffer];
  std::int32_t before = -1;
  std::int32_t behind = buffer.first;
  while (behind >= 0 && legs_[behind].head < legs_[number].head) {
    before = behind;
    behind = legs_[behind].next;
  }
  legs_[number].next = behind;
  (before < 0 ? buffer.first : legs_[before].next) = number;
  if (behind < 0) buffer.last = number;
}

}  // namespace tensim::noc
