// The two NoCs of a chip: packets with times. It knows width, height and the NIUs' places, and not what tiles are.
//
// A router has a buffer for each VC of each input, in which packets stand in order. The first asks for the outputs it wants
// (one, or several of a multicast); each VC of an output belongs to one packet at a time, and is given in turns to the inputs
// that ask for it. A packet that has an output goes out whole: it is let into the next buffer only when fewer than
// noc_vc_buffer_flits wait there (noc 8.1: packets, or 16 flits of small ones). So a packet that cannot go on holds up what
// is behind it on its VC, back to its NIU.
//
// A packet that meets nobody is not followed from router to router: when its NIU sends it, its whole way is worked out and
// booked, link by link. When somebody comes to a link that is booked, whoever booked it is put where it is then, and from
// there on followed (network_clear_way.cpp). Times are the same.
//
// How the owner cuts time into calls changes nothing: what is injected in cycle c acts from c + reaction on, and everything
// that comes out before `until` + lookahead is out when advance(until) returns. A copy is a snapshot.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "noc/event_queue.hpp"
#include "noc/link.hpp"
#include "noc/multicast_tree.hpp"
#include "noc/network_timing.hpp"
#include "noc/packet.hpp"
#include "noc/route.hpp"
#include "noc/slab.hpp"

namespace tensim::noc {

class Network {
 public:
  static constexpr unsigned nocs = 2;

  Network(Torus torus, const NetworkTiming& timing);

  // ---- what the owner says ----

  /// In any order, but not before the last `until`.
  void inject(const Packet& packet);
  /// How much of a kind the NIU takes before some is given back; data is let in while any is left. Before anything is sent.
  void limit_room(unsigned noc, Position receiver, Room room, int amount);
  /// In this cycle, which is not before the last `until`, the receiver has done with so much.
  void give_room(unsigned noc, Position receiver, Room room, int amount, Cycle cycle);
  /// Whether the NIU takes multicasts that are injected from now on; as it begins, all do.
  void accept_multicasts(unsigned noc, Position receiver, bool accepts);
  /// Packets that meet nobody are followed from router to router too: the judge of those that are not.
  void follow_every_packet() { can_book_ = false; }
  /// Everything that is injected or given back before `until` has been said.
  void advance(Cycle until);

  // ---- what comes out ----

  const NetworkTiming& timing() const { return timing_; }
  /// Nothing comes out because of something before this many cycles have passed.
  Cycle lookahead() const { return timing_.lookahead(); }
  /// In order, each once: all before the last `until` + lookahead(). They stay until they are taken the next time.
  std::span<const Delivery> take_deliveries();
  std::span<const Credit> take_credits();
  /// If nothing is injected or given back, advance() does nothing up to here.
  Cycle next_event() const;
  std::size_t packets_under_way() const { return flights_.size(); }

 private:
  /// A packet from its injection until its last copy has arrived.
  struct Flight {
    Packet packet;
    std::int32_t tree = -1;  // of a multicast
    std::uint32_t legs = 0;
    std::uint32_t unreserved_leaves = 0;
    Cycle answer = 0;  // the last of the leaves' answers
    enum class Path : std::uint8_t { open, to_reserve, asked, reserved } path = Path::open;
    bool is_booked = false;  // it meets nobody on its whole way
    bool has_left = false;   // if it is booked: its NIU
    Cycle sent = 0;          // if it is booked: its NIU's link is given to it
    Cycle arrives = 0;       // if it is booked: it is in the other NIU
  };
  /// A packet, or a copy of it, in a buffer.
  struct Leg {
    std::int32_t flight = -1;
    std::int32_t next = -1;  // behind it in the buffer
    std::uint32_t buffer = 0;
    std::uint16_t node = 0;   // of the multicast's tree
    std::uint8_t wanted = 0;  // ports that it has not been given
    std::uint8_t moving = 0;  // ports that it goes out by
    bool is_reservation = false;
    Cycle head = never;  // can leave from this cycle on
    Cycle tail = never;
  };
  struct Buffer {
    std::int32_t first = -1;
    std::int32_t last = -1;
    std::uint32_t waiting_flits = 0;
    std::uint32_t left_flits = 0;  // in the cycle `left`: room that is seen one cycle later
    Cycle left = never;
  };
  /// A VC of a link.
  struct Channel {
    std::int32_t owner = -1;     // leg
    std::int32_t kept_for = -1;  // source of a linked transaction or a reserved path
    std::int32_t first_ticket = -1;
    std::uint8_t asking = 0;  // a bit for each input whose first packet wants it
    std::uint8_t last_input = 0;
    bool waits_for_room = false;
    bool is_reserved = false;  // by whoever has the first ticket
    Cycle free_from = 0;
  };
  /// Multicasts that reserve their paths do so in one order on all links, or two could wait for each other.
  struct Ticket {
    std::int32_t flight = -1;
    std::int32_t next = -1;
  };

  /// A link on the way of a packet that meets nobody.
  struct Booking {
    Cycle from = 0;                 // it is given the link,
    std::uint32_t cycles = 0;       // has it for so long,
    std::uint32_t seen_cycles = 0;  // and after so many there is nothing of it in the buffer behind the link
    std::int32_t flight = -1;
    std::uint8_t vc = 0;
    std::uint8_t input = 0;
    bool is_written = true;  // in the VC: who had it last, and from when on it is free

    Cycle end() const { return from + cycles; }
    Cycle seen_until() const { return from + seen_cycles; }
  };
  /// Who goes over a link, and when: either those that are followed from router to router, or those that have booked it.
  struct Lane {
    std::uint32_t users =
        0;                 // legs that ask for it, are on it or in a buffer behind it; VCs that are kept for somebody
    Cycle clear_from = 0;  // nobody has booked it, or has to give a VC of it over, from here on
    Booking last = {};     // in time
    std::vector<Booking> others = {};  // in the order of time; those that are over may still be there
  };
  /// A link of a way.
  struct Step {
    std::uint32_t link = 0;
    std::uint8_t vc = 0;
    std::uint8_t input = 0;
  };
  using Way = std::vector<Step>;  // from NIU to NIU

  // A link, its output's buffers and their VCs have numbers in which router, port and VC stand in this order.
  std::uint32_t link_number(unsigned noc, Router router, Port port) const {
    return (noc * torus_.routers() + router) * ports + static_cast<unsigned>(port);
  }
  static constexpr std::uint32_t channel_number(std::uint32_t link, unsigned vc) { return link * vcs + vc; }
  static constexpr std::uint32_t link_of(std::uint32_t channel) { return channel / vcs; }
  static constexpr Port port_of_link(std::uint32_t link) { return static_cast<Port>(link % ports); }
  static constexpr std::uint32_t first_link_of_router(std::uint32_t link) { return link / ports * ports; }
  /// Where a link is, looked up and not worked out: this is asked at every hop.
  struct Site {
    std::uint32_t behind = 0;  // the buffers at the link's other end belong to the link of this number
    std::uint32_t before = 0;  // the link that fills the buffers of this number
    Position place;
    std::uint8_t noc = 0;
    bool is_behind_edge = false;  // the link that fills them joins the edges
  };
  Site site_of(std::uint32_t link) const;

  // network.cpp: events
  void run_cycle(Cycle now);
  void handle(const Event& event);
  void enter(Cycle now, std::int32_t flight);
  void step_link(Cycle now, std::uint32_t link);
  void end(Cycle now, std::uint32_t link, const Transfer& transfer);
  void leave(Cycle now, std::int32_t leg);
  void ask(Cycle now, std::int32_t leg);
  void reach_end(Cycle now, std::int32_t leg);
  void reach_leaf(Cycle now, std::int32_t leg);
  void deliver(Cycle now, Position receiver, const Packet& packet, Cycle head);
  void give_credit(Cycle now, const Packet& packet);
  void take_from_buffer(Cycle now, std::int32_t leg);
  void remove(std::int32_t flight);
  void schedule(std::uint32_t link);
  void look_at(Cycle now, Cycle when, std::uint32_t channel);

  // network_clear_way.cpp: packets that meet nobody
  static bool can_book(const NetworkTiming& timing);
  bool book(Cycle now, std::int32_t flight);
  void find_way(const Packet& packet, Way& way) const;
  bool is_clear(const Packet& packet, Cycle now) const;
  bool has_gap(const Step& step, Cycle from, Cycle end) const;
  void book_busy_link(Cycle now, std::uint32_t link, const Booking& booking);
  void leave_booked(Cycle now, std::int32_t flight);
  void arrive_booked(Cycle now, std::int32_t flight);
  /// What it leaves on a link: the VC remembers who had it last.
  void write_down(std::uint32_t link, Booking& booking, Cycle gap) {
    Channel& channel = channels_[channel_number(link, booking.vc)];
    channel.last_input = booking.input;
    channel.free_from = booking.end() + gap;
    booking.is_written = true;
  }
  void forget_passed(Cycle now, std::uint32_t link);
  // network_follow.cpp: somebody comes to where they have booked
  void come_to(Cycle now, std::uint32_t link);
  void come_to_outputs(Cycle now, std::int32_t leg);
  void follow(Cycle now, std::int32_t flight);
  void cancel(Cycle now, std::int32_t flight, const Way& way);
  std::int32_t put(Cycle now, Leg leg, const Step& step, bool has_link, std::int32_t onward);
  void put_into_buffer(std::int32_t leg);
  /// For how long a packet has each link, if it meets nobody.
  std::uint32_t cycles_of(const Packet& packet) const { return timing_.source_cycles(packet.flits); }
  Cycle leaves(const Flight& flight) const { return flight.sent + timing_.source_cycles(flight.packet.flits); }
  Cycle hand_over(std::uint32_t link) const { return port_of_link(link) == Port::source ? 0 : timing_.vc_hand_over; }
  /// Of which room a packet takes some: the numbers in room_.
  std::pair<std::size_t, std::size_t> room_of(const Packet& packet) const {
    return {packet.noc * torus_.routers() + torus_.at(packet.destination), packet.room == Room::requests ? 0 : 1};
  }
  void promise(const Packet& packet, int sign) {
    if (packet.room == Room::none) return;
    const auto [receiver, kind] = room_of(packet);
    promised_[receiver][kind] += sign * room_taken(packet);
  }
  static int room_taken(const Packet& packet) { return packet.room == Room::requests ? 1 : packet.flits; }

  // network_arbitration.cpp: who is given a VC of a link
  void arbitrate(Cycle now, std::uint32_t channel);
  bool may_have(const Channel& channel, std::uint32_t number, const Leg& leg) const;
  std::int32_t asker(std::uint32_t channel, unsigned input) const;
  bool has_room_behind(Cycle now, std::uint32_t channel);
  bool receiver_has_room(std::uint32_t link, const Packet& packet) const;
  void take_room(std::uint32_t link, const Packet& packet);
  void begin_path(std::uint32_t channel, std::int32_t flight);
  void grant(Cycle now, std::uint32_t channel, std::int32_t leg);
  std::int32_t onward(Cycle head, std::uint32_t channel, std::int32_t leg);
  void take_out_of_waiting(Cycle now, const Leg& leg, std::uint32_t flits);
  void take_tickets(std::int32_t flight);
  void release(std::uint32_t channel, const Flight& flight);
  std::uint32_t buffer_behind(std::uint32_t channel) const {
    return channel_number(sites_[link_of(channel)].behind, channel % vcs);
  }
  std::uint32_t channel_before(std::uint32_t buffer) const {
    return channel_number(sites_[link_of(buffer)].before, buffer % vcs);
  }
  /// A router's inputs in the order of their turns: the buffers of one VC, on both sides of the dateline, port by port.
  static constexpr unsigned inputs = 3 * 2;
  static constexpr unsigned input_of(std::uint32_t buffer) {
    const std::uint32_t port = buffer / vcs % ports;
    return port == static_cast<unsigned>(Port::source) ? 0 : port * 2 + buffer % vcs / named_vcs;
  }
  unsigned vc_for(const Leg& leg, Port out) const;
  unsigned flits_of(const Leg& leg) const { return leg.is_reservation ? 1 : flights_[leg.flight].packet.flits; }
  const MulticastTree::Node& node_of(const Flight& flight, std::uint16_t node) const {
    return trees_[flight.tree].nodes()[node];
  }
  std::uint8_t wanted_at(const Flight& flight, const Leg& leg) const;

  Torus torus_;
  NetworkTiming timing_;
  bool can_book_;
  Cycle until_ = 0;  // of the last advance()
  EventQueue events_;
  std::vector<Site> sites_;
  std::vector<Link> links_;
  std::vector<Cycle> scheduled_;  // by link: the event that counts
  std::vector<Channel> channels_;
  std::vector<Buffer> buffers_;               // numbered as channels are
  std::vector<Lane> lanes_;                   // by link
  std::vector<std::array<int, 2>> room_;      // by NoC and router: of requests, of data
  std::vector<std::array<int, 2>> promised_;  // of that, to packets that are booked
  std::array<std::vector<std::uint8_t>, nocs> accepts_;
  Slab<Flight> flights_;
  Slab<MulticastTree> trees_;
  Slab<Leg> legs_;
  Slab<Ticket> tickets_;
  std::vector<std::uint32_t> asked_;  // VCs of links that are given in this cycle
  bool is_giving_ = false;            // all that has come about in this cycle has been worked in
  std::vector<Transfer> ended_;       // while a link is stepped
  Way way_;                           // of a packet that is looked at
  std::vector<Delivery> deliveries_;
  std::vector<Delivery> taken_deliveries_;
  std::vector<Credit> credits_;
  std::vector<Credit> taken_credits_;
};

}  // namespace tensim::noc
