// Tiles that do nothing but write, read and answer, on the network of src/noc, and DRAM banks as noc 8.1 has them: enough to
// compare the network with what cards show before there are NIUs.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "noc/network.hpp"
#include "noc/source_room.hpp"

namespace tensim::bench {

using noc::Cycle;
using noc::Position;

/// What is not the network's: software, NIUs and DRAM.
struct Endpoints {
  Cycle write_issue;  // cycles from one write of a core to the next
  Cycle read_issue;
  unsigned flit_bytes;
  unsigned longest_flits;  // of data in a packet
  Cycle answer;            // from a request's arrival in L1's NIU to its answer being taken up
  double dram_bytes_per_cycle;
  Cycle dram_read;  // access time
  Cycle dram_write;
  int dram_requests;  // read requests that a DRAM tile keeps
  int dram_flits;     // of writes
};

class Traffic {
 public:
  static constexpr std::uint8_t request_vc = 1;  // what tt-metal uses (noc 6)
  static constexpr std::uint8_t response_vc = 6;

  Traffic(noc::Torus torus, const noc::NetworkTiming& timing, const Endpoints& endpoints)
      : network_(torus, timing), endpoints_(endpoints) {}

  /// `count` transactions of so many bytes, one behind the other, to L1 of a tile or to a bank. Returns its number.
  unsigned flow(Position from, Position to, bool is_read, unsigned count, unsigned bytes, std::uint8_t vc = request_vc);
  void bank(Position at);
  /// Until all flows have ended. Returns when each did: its last answer had arrived.
  std::vector<Cycle> run();
  std::uint64_t packets() const { return next_id_; }

 private:
  struct Flow {
    Position from;
    Position to;
    bool is_read;
    unsigned flits;
    std::uint8_t vc;
    unsigned to_send;  // packets
    unsigned to_come;
    Cycle next = 0;
    Cycle end = 0;
  };
  struct Sent {
    unsigned flow;
    bool is_answer;
  };
  struct Source {
    std::map<std::uint8_t, noc::SourceRoom> room;
    std::uint32_t sequence = 0;
    std::deque<std::pair<Cycle, unsigned>> answers;  // what a tile has to send: when, of which flow
  };
  struct Bank {
    Cycle free = 0;
    std::deque<std::pair<Cycle, unsigned>> reads;
  };

  bool send(Position from, Position to, Cycle cycle, std::uint8_t vc, unsigned flits, noc::Room room, Sent what);
  void take(const noc::Delivery& delivery);
  void take_request(const noc::Delivery& delivery, unsigned flow);
  void serve(Bank& bank, Position at, Cycle until);
  void run_flow(unsigned number, Cycle from, Cycle until);
  Cycle bank_cycles(const Flow& flow) const;

  noc::Network network_;
  Endpoints endpoints_;
  std::vector<Flow> flows_;
  std::map<Position, Bank> banks_;
  std::map<Position, Source> sources_;
  std::map<std::uint64_t, Sent> sent_;
  std::uint64_t next_id_ = 0;
};

}  // namespace tensim::bench
