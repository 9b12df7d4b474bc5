// A network as docs say it works, flit by flit and cycle by cycle: what src/noc is compared with. Slow, and shares nothing
// with it but what a packet is and the timing rows.
//
// Rules. A link moves a flit a cycle; whoever has one to send on it takes turns, VC by VC. A VC of a link belongs to a packet
// from head to tail, and then to the next input in turn that asks. A packet is let into a buffer in which fewer than 16 flits
// wait (those of packets that have been given all their outputs do not wait), and only the first packet of a buffer asks.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "noc/network_timing.hpp"
#include "noc/packet.hpp"

namespace tensim::test {

class NaiveNetwork {
 public:
  NaiveNetwork(noc::Torus torus, const noc::NetworkTiming& timing) : torus_(torus), timing_(timing) {}

  void inject(const noc::Packet& packet) { injected_.push_back(packet); }
  void limit_room(unsigned noc, noc::Position receiver, noc::Room room, int amount) {
    room_[{noc, receiver, room}] = amount;
  }
  /// Receivers have done with a packet so many cycles behind its tail.
  void give_room_after(noc::Cycle cycles) { room_comes_back_ = cycles; }
  /// Runs so many cycles, and returns what has been delivered, in order.
  std::vector<noc::Delivery> run(noc::Cycle cycles);

 private:
  enum Out { x, y, niu, source };
  struct Copy;
  struct Branch {
    Out out;
    unsigned vc;
    bool granted = false;
    unsigned sent = 0;  // flits; on a NIU's link, cycles
    noc::Cycle head = 0;
    Copy* onward = nullptr;
  };
  /// A packet in a buffer.
  struct Copy {
    noc::Packet packet;
    unsigned arrived = 0;
    std::vector<Branch> branches;
    bool waits() const;
    bool is_done() const;
  };
  using Spot = std::pair<unsigned, noc::Position>;  // NoC and router
  struct Channel {
    Copy* owner = nullptr;
    Branch* branch = nullptr;
    noc::Cycle free_from = 0;
    int last_input = 0;
  };
  struct LinkState {
    std::map<unsigned, Channel> channels;  // by VC
    std::list<unsigned> turns;             // VCs that have an owner
  };
  struct Arrival {
    noc::Cycle cycle;
    Copy* copy;
  };
  using Buffer = std::deque<std::unique_ptr<Copy>>;

  void enter();
  void arrive();
  void grant_all();
  void grant(const Spot& spot, Out out, unsigned vc);
  void send_all();
  void send(const Spot& spot, Out out);
  void clean();
  std::vector<Branch> branches_at(const Spot& spot, Out in, unsigned vc, const noc::Packet& packet) const;
  std::set<Out> outs_at(const Spot& spot, const noc::Packet& packet) const;
  std::pair<Spot, Out> other_end(const Spot& spot, Out out) const;
  unsigned waiting(const Buffer& buffer) const;
  bool receiver_takes(const Spot& spot, const noc::Packet& packet);

  noc::Torus torus_;
  noc::NetworkTiming timing_;
  noc::Cycle now_ = 0;
  noc::Cycle room_comes_back_ = 0;
  std::vector<noc::Packet> injected_;
  std::map<std::tuple<Spot, Out, unsigned>, Buffer> buffers_;
  std::map<std::tuple<Spot, Out, unsigned>, unsigned> waiting_before_;  // at the beginning of the cycle
  std::map<std::pair<Spot, Out>, LinkState> links_;
  std::vector<Arrival> on_links_;
  std::map<std::tuple<unsigned, noc::Position, noc::Room>, int> room_;
  std::multimap<noc::Cycle, std::pair<std::tuple<unsigned, noc::Position, noc::Room>, int>> room_to_come_;
  std::vector<noc::Delivery> deliveries_;
};

}  // namespace tensim::test
