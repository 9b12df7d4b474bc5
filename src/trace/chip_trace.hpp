// The trace of a chip as text: a line per instruction that is issued, per stretch of cycles in which a thread is held for one
// reason, and per packet that is sent or arrives; by cycle, then by tile. The same however the run was cut into windows.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "arch/arch.hpp"
#include "event/gate_listener.hpp"
#include "event/packet.hpp"
#include "tensix/types.hpp"

namespace tensim::trace {

class ChipTrace : public event::PacketObserver {
 public:
  using Write = std::function<void(const std::string& line)>;
  using TileName = std::function<std::string(noc::Coordinates tile)>;
  ChipTrace(Arch arch, Write write, TileName name);

  /// Who is to be told what the threads of this tile do.
  event::Listener& of_tile(noc::Coordinates tile);
  void packet(const event::Packet& packet) override;
  /// Everything has been said: writes it.
  void finish();

 private:
  /// What threads of a tile do.
  class Threads : public event::GateListener {
   public:
    Threads(ChipTrace& trace, noc::Coordinates tile) : trace_(trace), tile_(tile) {}
    void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t origin) override;
    void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, event::Stall stall,
              std::uint32_t word) override;
    void end();

   private:
    struct Hold {
      event::Stall stall = event::Stall::empty;
      std::uint32_t word = 0;
      std::uint64_t from = 0;
      std::uint64_t count = 0;
    };
    void end_hold(unsigned thread);

    ChipTrace& trace_;
    noc::Coordinates tile_;
    std::array<Hold, tensix::thread_count> holds_{};
  };
  struct Line {
    std::uint64_t cycle = 0;
    noc::Coordinates tile = {};
    unsigned rank = 0;       // threads before packets
    std::size_t number = 0;  // in the order in which they were added
    std::string text;
    auto order() const { return std::tuple(cycle, tile.y, tile.x, rank, number); }
  };

  void add(std::uint64_t cycle, noc::Coordinates tile, unsigned rank, const std::string& text);
  std::string text_of(const noc::Message& message) const;

  Arch arch_;
  Write write_;
  TileName name_;
  std::map<std::tuple<std::uint32_t, std::uint32_t>, std::unique_ptr<Threads>> threads_;
  std::vector<Line> lines_;
};

}  // namespace tensim::trace
