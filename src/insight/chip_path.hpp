// What made everything on a chip happen when it did: the chains of its tiles, joined by packets.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "event/packet.hpp"
#include "insight/chains.hpp"
#include "insight/critical_path.hpp"
#include "insight/tile_path.hpp"
#include "insight/told.hpp"
#include "noc/floor_plan.hpp"

namespace tensim::insight {

/// The path, and where the tiles are, by the numbers that its steps have.
struct ChipPathFound {
  CriticalPath path;
  std::vector<noc::Coordinates> places;
};

class ChipPath : public event::PacketObserver {
 public:
  explicit ChipPath(const noc::FloorPlan& plan) : plan_(plan) {}
  ChipPath(const ChipPath&) = delete;
  ChipPath& operator=(const ChipPath&) = delete;
  ~ChipPath() override = default;

  /// Who is to be told what happens in the tile, from now on.
  event::Listener* of_tile(noc::Coordinates at, const tile::Tile& tile);
  void packet(const event::Packet& packet) override { packets_.push_back(packet); }
  void told(time::Cycle until) override { hand_on(until - until % tile::Tile::observed_cycles); }

  /// A word of a tile that the run was for.
  struct Word {
    noc::Coordinates at = {};
    std::uint32_t address = 0;
  };
  /// Everything has been told, and the run has taken `cycles`: up to when the last of these words was written, or, if there are none,
  /// the last that happened.
  ChipPathFound finish(const std::vector<Word>& words, time::Cycle cycles);

 private:
  struct FollowedTile {
    FollowedTile(Chains& chains, std::uint32_t number, const tile::Tile& tile)
        : path(chains, number, tile), told(path.wanted()) {}
    TilePath path;
    Told told;
  };
  /// Of a packet: who sent it, and which of his it is. Of an answer: who initiated the request, and who answers.
  using PacketName = std::tuple<std::size_t, std::uint32_t>;
  using RequestName = std::tuple<std::size_t, std::uint8_t, std::uint8_t, time::Cycle, std::size_t>;

  void hand_on(time::Cycle until);
  void take(const event::Packet& packet);
  void sent(const event::Packet& packet);
  void arrived(const event::Packet& packet);
  std::uint32_t number_of(noc::Coordinates at);
  FollowedTile* find(noc::Coordinates at);
  RequestName name_of(const noc::Message& message, noc::Coordinates answers) const;

  const noc::FloorPlan& plan_;
  Chains chains_;
  std::map<std::size_t, std::uint32_t> numbers_;  // by FloorPlan::index
  std::vector<noc::Coordinates> places_;
  std::map<std::uint32_t, std::unique_ptr<FollowedTile>> tiles_;
  std::vector<event::Packet> packets_;  // in order, and not taken up yet
  struct UnderWay {
    Chain chain = {};
    std::uint32_t receivers = 1;
  };
  std::map<PacketName, UnderWay> under_way_;
  std::map<RequestName, Chain> requests_;  // that have arrived, and have not been answered
  static constexpr std::size_t most_requests = 4096;
  std::deque<RequestName> order_;  // of those
};

}  // namespace tensim::insight
