// The first packets of a run, and how many more there were.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "event/packet.hpp"

namespace tensim::explain {

/// Keeps no data that packets carry: a run has more of it than its reader has memory.
class FirstPackets : public event::PacketObserver {
 public:
  static constexpr std::size_t most = 4096;

  void packet(const event::Packet& packet) override {
    if (kept_.size() == most) {
      ++left_out_;
      return;
    }
    noc::Message message = *packet.message;
    message.data = {};
    kept_.push_back(packet);
    kept_.back().message = std::make_shared<const noc::Message>(std::move(message));
  }
  const std::vector<event::Packet>& kept() const { return kept_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  std::vector<event::Packet> kept_;
  std::uint64_t left_out_ = 0;
};

}  // namespace tensim::explain
