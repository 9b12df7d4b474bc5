// A run as a Perfetto trace (protobuf, TrackEvent): a process for each tile, with tracks of its cores, threads, units and NIUs; for
// each memory that packets go to, a track of its own. The same bytes however the run was cut into windows, and whoever ran it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "event/packet.hpp"
#include "noc/floor_plan.hpp"
#include "trace/perfetto_tile.hpp"

namespace tensim::trace {

/// Where things come from, "math.c:41": asked at the end, once for each. Tiles are named by NoC 0's coordinates; one by itself is
/// at 0,0.
struct PerfettoLines {
  std::function<std::string(noc::Coordinates tile, unsigned thread, const tensix::Entry& entry)> of_word;
  std::function<std::string(noc::Coordinates tile, unsigned core, std::uint32_t pc)> of_pc;
};

class Perfetto : public event::PacketObserver {
 public:
  using TileName = std::function<std::string(noc::Coordinates tile)>;
  /// Of a chip with this plan, or of a tile by itself.
  Perfetto(const PerfettoLimits& limits, TileName name, const noc::FloorPlan* plan = nullptr);
  Perfetto(const Perfetto&) = delete;
  Perfetto& operator=(const Perfetto&) = delete;
  ~Perfetto() override = default;

  /// Who is to be told what happens in the tile, from now on. Tiles may tell at once.
  event::Listener* of_tile(noc::Coordinates at, const tile::Tile& tile);
  void packet(const event::Packet& packet) override;

  /// What was found out afterwards.
  void note_race(noc::Coordinates at, time::Cycle cycle, const std::string& text);
  /// The run has left the tile like this.
  void finish_tile(noc::Coordinates at, const tile::Tile& tile);
  /// Writes everything, and says what was left out because there was too much of it: names of tracks, with their tiles.
  using Write = std::function<void(std::string_view bytes)>;
  std::vector<std::string> finish(const PerfettoLines& lines, const Write& write);

 private:
  /// A process of the trace: a tile, or what is at a place that packets go to.
  struct Process {
    std::string name = {};
    noc::Coordinates at = {};
    std::unique_ptr<PerfettoTile> tile = {};
    std::array<std::unique_ptr<PerfettoTrack>, noc::noc_count> nius = {};
    std::unique_ptr<PerfettoTrack> memory_track = {};  // of DRAM
    std::unique_ptr<PerfettoUnit> memory = {};
  };
  struct Written {
    std::string name;
    std::uint64_t process;
    std::string bytes;
    bool is_too_large;
  };
  /// Who initiated a request, and who answers.
  using RequestName = std::tuple<std::size_t, std::uint8_t, std::uint8_t, time::Cycle, std::size_t>;
  struct Request {
    std::uint64_t flow = 0;
    time::Cycle arrived = 0;
    Mark mark = {};
  };

  std::uint32_t number_of(noc::Coordinates at) const;
  Process& process_at(noc::Coordinates at);
  PerfettoTrack& niu_track(noc::Coordinates at, unsigned noc);
  /// Of the tile that stands for the memory that `at` shows.
  PerfettoUnit& memory_at(noc::Coordinates at, PerfettoTrack*& track);
  std::string text_of(const event::Packet& packet) const;
  void sent(const event::Packet& packet);
  void arrived(const event::Packet& packet);
  static MarkText text_of(const PerfettoLines& lines, noc::Coordinates at, Arch arch, const Mark& mark);
  std::vector<Written> finish_tracks(const PerfettoLines& lines);
  static std::vector<std::string> choose(std::vector<Written>& tracks, std::uint64_t most_bytes);

  PerfettoLimits limits_;
  TileName name_;
  const noc::FloorPlan* plan_;
  std::map<std::uint32_t, Process> processes_;  // by number_of()
  std::map<RequestName, Request> requests_;     // that have arrived, and have not been answered
  std::uint64_t last_flow_ = std::uint64_t{1} << 61U;
};

}  // namespace tensim::trace
