// The race check of a chip: that of its tiles, packets between them, and memory. Tiles tell what has happened some time later, each by
// itself; here it is put into one order, by cycle, and handed on to the tiles' checks when everybody has told.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "event/happening.hpp"
#include "event/packet.hpp"
#include "insight/tile_races.hpp"
#include "insight/told.hpp"
#include "noc/floor_plan.hpp"

namespace tensim::insight {

/// What has been found, and where the tiles are, by their numbers in it. Number 0 is the host.
struct ChipRacesFound {
  static constexpr TileNumber host = 0;
  Races races;
  std::vector<noc::Coordinates> places;
};

class ChipRaces : public event::PacketObserver {
 public:
  ChipRaces(const noc::FloorPlan& plan, RuleSeverities severities);
  ChipRaces(const ChipRaces&) = delete;
  ChipRaces& operator=(const ChipRaces&) = delete;
  ~ChipRaces() override = default;

  /// Who is to be told what happens in the tile, from now on. The tile stays where it is as long as it is told of.
  event::Listener* of_tile(noc::Coordinates at, const tile::Tile& tile);
  void packet(const event::Packet& packet) override { happened_.push_back({packet.cycle, packet}); }
  void told(time::Cycle until) override;
  /// The host reads or writes memory or a register of a tile, or of DRAM, before what happens in cycle `now`.
  void host_read(time::Cycle now, noc::Coordinates at, std::uint64_t address, std::size_t bytes);
  void host_wrote(time::Cycle now, noc::Coordinates at, std::uint64_t address, std::size_t bytes);
  /// Everything has been told.
  ChipRacesFound finish() {
    hand_on(time::never);
    return found();
  }
  /// As far as it has been looked at.
  ChipRacesFound found() const { return {context_.races, places_}; }
  std::size_t shadow_bytes() const;

 private:
  struct CheckedTile {
    CheckedTile(RaceContext& context, TileNumber number, IsPoll is_poll) : races(context, number, std::move(is_poll)) {}
    Told told{event::wants_order};
    TileRaces races;
  };

  struct HostAccess {
    noc::Coordinates at;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool is_write = false;
  };
  /// Between tiles, or from outside.
  struct Happened {
    time::Cycle cycle = 0;
    std::variant<event::Packet, HostAccess> what;
    /// Packets do what they do behind the stores of their cycle, and before what follows from it there.
    time::Key moment() const;
  };

  void hand_on(time::Cycle until);
  void take(const HostAccess& access, time::Cycle cycle);
  void host_writes(const HostAccess& access, time::Cycle cycle);
  void take(const event::Packet& packet);
  void sent(const event::Packet& packet);
  void request_arrived(const event::Packet& packet);
  void landed(const event::Packet& packet, const NocRequest& request, TileRaces& tile) const;
  void touch_own_end(const event::Packet& packet, const NocRequest& request);
  void touch_target(noc::Coordinates at, const event::Packet& packet, const NocRequest& request);
  bool stores_to_register(noc::Coordinates at, const noc::Message& message) const;
  void response_arrived(const event::Packet& packet);
  Actor behind_its_way(const NocRequest& request) const;
  /// What of the tile's memory, or of DRAM, a packet touches there.
  void touch(noc::Coordinates at, const Current& current, event::Access access);
  CheckedTile* find(noc::Coordinates at);
  std::uint32_t target_of(const noc::Message& message) const;
  NocFlows::Name name_of(const noc::Message& message) const;

  const noc::FloorPlan& plan_;
  RaceContext context_;
  std::map<std::size_t, TileNumber> numbers_;  // by FloorPlan::index
  std::vector<noc::Coordinates> places_;
  std::vector<std::unique_ptr<CheckedTile>> tiles_;
  std::map<unsigned, CheckedState> memories_;
  std::vector<Happened> happened_;  // in order, and not taken up yet
  Actor host_;
};

}  // namespace tensim::insight
