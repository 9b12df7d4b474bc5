// What packets have done to the words that cores wait for. The observer of a second run: a run is the same each time, so the
// first one need not keep anything, and this one knows what will be asked.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "event/packet.hpp"
#include "explain/chip_waits.hpp"

namespace tensim::explain {

/// Packets of one kind from one tile that have changed a word.
struct Brought {
  noc::Coordinates from = {};
  noc::MessageKind kind = noc::MessageKind::write;
  bool is_increment = false;
  std::uint64_t count = 0;
  time::Cycle last = 0;
};

/// A request whose response has not come to where it should.
struct OpenRequest {
  noc::Message request;  // without data
  time::Cycle sent = 0;
  std::vector<noc::Coordinates> arrived_at = {};  // several of a broadcast
  std::vector<noc::Coordinates> answered_by = {};
};

class PacketLog : public event::PacketObserver {
 public:
  explicit PacketLog(std::vector<ChipWait> waits) : waits_(std::move(waits)), brought_(waits_.size()) {}

  void packet(const event::Packet& packet) override;

  /// For each wait, in their order.
  const std::vector<Brought>& brought(std::size_t wait) const { return brought_[wait]; }
  /// In the order in which they were sent.
  std::vector<OpenRequest> open_requests() const;

 private:
  /// What a request and its response have in common: who issued it, and where the response goes.
  struct Key {
    noc::Coordinates issuer_tile;
    std::uint8_t core;
    std::uint32_t pc;
    time::Cycle cycle;
    std::uint8_t noc;
    noc::Coordinates return_tile;  // a packet that starts requests in other tiles has issued them, too
    std::uint64_t return_address;
    auto operator<=>(const Key&) const = default;
  };
  static Key key_of(const noc::Message& message, noc::Coordinates return_tile, std::uint64_t return_address);
  void count(const event::Packet& packet);
  void follow(const event::Packet& packet);

  std::vector<ChipWait> waits_;
  std::vector<std::vector<Brought>> brought_;
  std::map<Key, OpenRequest> open_;
};

}  // namespace tensim::explain
