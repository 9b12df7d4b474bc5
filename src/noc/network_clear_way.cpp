// Packets that meet nobody. When the NIU sends one and all its links are free when it comes to them, nothing can delay it but
// somebody who comes later, so all its times are known: the links are booked, and two events are left of it, that it has left
// its NIU and that it has arrived. Several may have booked a link, one after the other.
#include <ranges>

#include "arch/sizes.hpp"
#include "noc/network.hpp"

namespace tensim::noc {

/// If packets that follow each other closely could fill a buffer, one that is booked could wait for room.
bool Network::can_book(const NetworkTiming& timing) {
  return timing.hop >= 1 && timing.hop + 1 < size_of_both("noc_vc_buffer_flits"_size) && timing.source_per_flit >= 1;
}

// ---- booking ----

bool Network::book(Cycle now, std::int32_t number) {
  Flight& flight = flights_[number];
  const Packet& packet = flight.packet;
  if (packet.rectangle || packet.is_linked || !can_book_) return false;
  find_way(packet, way_);
  if (!is_clear(packet, now)) return false;
  const std::uint32_t cycles = cycles_of(packet);
  const auto hop = static_cast<std::uint32_t>(timing_.hop);
  Booking booking{.from = now, .cycles = cycles, .flight = number, .is_written = false};
  std::uint32_t forward = 1;  // until it has the next link
  Cycle gap = 0;
  Lane* const lanes = lanes_.data();
  const Step* const last = &way_.back();
  for (const Step* step = way_.data();; ++step) {
    booking.seen_cycles =
        step == last ? cycles : std::max(cycles, forward + 1);  // room is seen a cycle after it is left
    booking.vc = step->vc;
    booking.input = step->input;
    Lane& lane = lanes[step->link];
    if (lane.last.seen_until() <= now) {  // as nearly always
      if (!lane.others.empty()) forget_passed(now, step->link);
      if (!lane.last.is_written) write_down(step->link, lane.last, gap);
      lane.last = booking;
      lane.clear_from = booking.end() + gap;
    } else {
      book_busy_link(now, step->link, booking);
    }
    if (step == last) break;
    booking.from += forward;
    forward = hop;
    gap = timing_.vc_hand_over;
  }
  flight.is_booked = true;
  flight.sent = now;
  flight.arrives = booking.end();
  events_.push({leaves(flight), Event::Kind::left, way_.front().link, packet.sequence, number});
  events_.push({flight.arrives, Event::Kind::arrived, way_.back().link, packet.sequence, number});
  promise(packet, 1);
  return true;
}

/// With the VC on each link, and the input of the router that the packet comes by.
void Network::find_way(const Packet& packet, Way& way) const {
  const std::array axes{first_axis(packet.noc), other(first_axis(packet.noc))};
  const auto hops_along = [&](Axis axis) {
    return torus_.hops(along(packet.source, axis), along(packet.destination, axis), axis);
  };
  way.resize(hops_along(Axis::x) + hops_along(Axis::y) + 2);
  Step* step = way.data();
  std::uint32_t at = first_link_of_router(link_number(packet.noc, torus_.at(packet.source), Port::source));
  *step++ = {at + static_cast<unsigned>(Port::source), packet.vc, 0};
  unsigned input = input_of(channel_number(at + static_cast<unsigned>(Port::niu), packet.vc));
  for (const Axis axis : axes) {
    const auto port = static_cast<unsigned>(port_of(axis));
    const unsigned links = hops_along(axis);
    const unsigned edge = torus_.length(axis) - along(packet.source, axis);  // from there on it has crossed the edge
    for (unsigned link = 0; link < links; ++link) {
      const unsigned crossed = link >= edge ? 1 : 0;
      *step++ = {at + port, static_cast<std::uint8_t>(packet.vc + crossed * named_vcs),
                 static_cast<std::uint8_t>(input)};
      input = port * 2 + crossed;
      at = first_link_of_router(sites_[at + port].behind);
    }
  }
  *step = {at + static_cast<unsigned>(Port::niu), packet.vc, static_cast<std::uint8_t>(input)};
}

/// Whether it meets nobody on way_, as far as is known.
bool Network::is_clear(const Packet& packet, Cycle now) const {
  const Cycle cycles = cycles_of(packet);
  Cycle from = now;
  for (const Step& step : way_) {
    const Lane& lane = lanes_[step.link];
    if (lane.users != 0) return false;
    if (lane.clear_from > from && !has_gap(step, from, from + cycles)) return false;
    from += from == now ? 1 : timing_.hop;
  }
  if (packet.room == Room::none) return true;
  // Whatever the order in which those that have been promised room come for it, each finds some.
  const auto [receiver, kind] = room_of(packet);
  return room_[receiver][kind] - promised_[receiver][kind] - room_taken(packet) > 0;
}

/// Whether those that have booked the link are off it before, or come later; a VC must be given over in between.
bool Network::has_gap(const Step& step, Cycle from, Cycle end) const {
  if (channels_[channel_number(step.link, step.vc)].free_from > from) return false;
  const Cycle gap = hand_over(step.link);
  const Lane& lane = lanes_[step.link];
  if (lane.last.end() + gap <= from) return true;
  if (end + gap > lane.last.from) return false;
  for (const Booking& booking : std::views::reverse(lane.others)) {
    if (booking.end() + gap <= from) return true;
    if (end + gap > booking.from) return false;
  }
  return true;
}

/// Somebody else has booked it before or after that.
void Network::book_busy_link(Cycle now, std::uint32_t link, const Booking& booking) {
  Lane& lane = lanes_[link];
  if (lane.others.size() == lane.others.capacity()) forget_passed(now, link);  // before it takes more memory
  if (booking.from > lane.last.from) {
    lane.others.push_back(lane.last);
    lane.last = booking;
    lane.clear_from = booking.end() + hand_over(link);
    return;
  }
  const auto later = std::ranges::find_if(lane.others, [&](const Booking& other) { return other.from > booking.from; });
  lane.others.insert(later, booking);
}

// ---- what is left of a packet that is booked ----

void Network::leave_booked(Cycle now, std::int32_t number) {
  Flight& flight = flights_[number];
  if (!flight.is_booked || flight.has_left || now != leaves(flight)) return;  // it is followed now, or is another one
  flight.has_left = true;
  give_credit(now, flight.packet);
}

void Network::arrive_booked(Cycle now, std::int32_t number) {
  Flight& flight = flights_[number];
  if (!flight.is_booked || now != flight.arrives) return;
  const Packet& packet = flight.packet;
  deliver(now, packet.destination, packet, now - cycles_of(packet));
  promise(packet, -1);
  take_room(link_number(packet.noc, torus_.at(packet.destination), Port::niu), packet);
  flight.is_booked = false;
  flights_.remove(number);
}

/// All but the last.
void Network::forget_passed(Cycle now, std::uint32_t link) {
  std::vector<Booking>& others = lanes_[link].others;
  auto passed = others.begin();
  for (; passed != others.end() && passed->seen_until() <= now; ++passed)
    if (!passed->is_written) write_down(link, *passed, hand_over(link));
  others.erase(others.begin(), passed);
}

}  // namespace tensim::noc
