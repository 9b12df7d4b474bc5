// A chip: Tensix tiles, Ethernet tiles and memory on two networks, and one clock. Tiles are run one after another in windows, which are as
// long as nothing that is sent in one can arrive within it. What arrives is sorted by cycle, NoC, source and sequence, so the
// order in which the host runs tiles changes nothing; lock-step, with windows of a cycle, is the judge (docs/architecture/chip.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "chip/dram.hpp"
#include "chip/edge.hpp"
#include "chip/workers.hpp"
#include "event/packet.hpp"
#include "noc/floor_plan.hpp"
#include "noc/network.hpp"
#include "noc/slab.hpp"
#include "tile/tile.hpp"
#include "time/copied_pointer.hpp"

namespace tensim::chip {

using noc::Coordinates;

/// A tile with cores, once somebody has touched it. A copy has a tile of its own.
struct Slot {
  Coordinates place;
  time::CopiedPointer<tile::Tile> tile;
  tile::Tile::Halt halt = tile::Tile::Halt::nothing_left;
  bool is_idle = true;     // does nothing until something comes from outside
  bool has_fault = false;  // and stands still
  bool beats = false;      // does nothing that others could see, and is left behind until somebody looks: Tile::beats()
  float cost = 0;          // host time that it took of late: whose turn it is on which thread

  const time::Activity& activity() const { return tile->coprocessor.activity; }
};

/// How a chip has been run: none of it changes what happens.
struct Work {
  std::uint64_t windows = 0;     // of a few cycles each
  std::uint64_t far = 0;         // longer ones, on trial
  std::uint64_t taken_back = 0;  // tiles that had gone too far in them
  std::uint64_t packets = 0;     // that NIUs and memory have sent,
  std::uint64_t bytes = 0;       // and what they carry
};

/// A copy is a snapshot, with what is under way.
class Chip {
 public:
  explicit Chip(const noc::FloorPlan& plan) : Chip(plan, Timing(plan.arch())) {}
  /// With other times of the networks and of memory than the chip's own: what a constant is worth.
  Chip(const noc::FloorPlan& plan, const Timing& timing);

  const noc::FloorPlan& plan() const { return *plan_; }
  /// The cycle to come.
  Cycle now() const { return now_; }
  void walk_in_lockstep(bool lockstep);
  /// From now on `observer` hears of packets, and not of those of a copy; and tiles tell those whom `listeners` names for each, also
  /// tiles that nobody has touched yet.
  using Listeners = std::function<event::Listener*(Coordinates, const tile::Tile&)>;
  void observe(event::PacketObserver* observer, Listeners listeners = {});
  /// Tiles are run by them from now on, and not those of a copy; null: by whoever calls. Changes no result.
  void run_with(Workers* workers) { attached_.workers = workers; }
  /// Tiles are run far ahead wherever nothing is under way, also where one of them is sure to send something: to test that.
  void go_far_at_once() { is_impatient_ = true; }
  const Work& work() const { return work_; }
  /// Of what happens between tiles.
  const time::Activity& activity() const { return activity_; }

  // ---- tiles, by NoC 0's own coordinates ----
  Slot& touch(Coordinates tile);
  Slot* find(Coordinates tile);
  const Slot* find(Coordinates tile) const;
  std::map<std::size_t, Slot>& slots() { return slots_; }
  const std::map<std::size_t, Slot>& slots() const { return slots_; }
  Dram& dram() { return dram_; }
  /// Who answers for PCIe and ARC tiles; null: nobody.
  void set_outside(Outside* outside) { attached_.outside = outside; }
  bool has_unanswered() const { return edge_.has_unanswered(); }
  /// Requests that nobody there could answer, since the last call.
  std::vector<Unanswered> take_unanswered() { return edge_.take_unanswered(); }

  // ---- time ----
  /// Everything before `end` happens, as far as it can be seen from outside the cores: see Tile::run_window().
  void run_until(Cycle end) {
    run_apart(end);
    catch_up();
  }
  /// The same but for tiles that beat: they may stay behind, and whoever looks at one calls catch_up() first.
  void run_apart(Cycle end) { run(end, nullptr, false); }
  void catch_up(Slot& slot);
  /// Up to the cycle in which the tile has met what Tile::stop_when() says, and no further; true if it has.
  bool run_until_met(Slot& slot, Cycle end);
  /// Until nothing happens any more by itself: then `now` is the cycle after the last in which something did.
  bool run_until_idle(Cycle end);
  /// After run_until(): every core is where it is, too.
  void settle();
  /// Nothing happens any more by itself. Packets may be on their way all the same, if they can never go on.
  bool is_idle() const;
  /// What has come to an end by itself since the last call, other than by having nothing left to do.
  /// In the order of time.
  std::vector<Coordinates> take_halted();

 private:
  /// Messages that the network carries, by the number it knows them by.
  struct Carried {
    noc::MessagePointer message;
    std::uint32_t copies = 1;  // that have not arrived
  };

  /// Who is attached to a chip, and what he has not been told, is not attached to its copies.
  struct Attached {
    Attached() = default;
    Attached(const Attached&) {}
    Attached& operator=(const Attached& other) { return this == &other ? *this : *this = Attached(); }
    Attached(Attached&&) noexcept = default;
    Attached& operator=(Attached&&) noexcept = default;
    ~Attached() = default;
    Outside* outside = nullptr;
    event::PacketObserver* observer = nullptr;
    Listeners listeners = {};
    Workers* workers = nullptr;
    std::vector<event::Packet> packets;  // they may be in cycles to come
  };

  /// Tiles are run further than a window, on trial, when nothing has been under way for so long, and then for as long again.
  static constexpr Cycle least_patience = 128;
  static constexpr Cycle most_patience = 16'384;
  static constexpr Cycle longest_window = 8'192;
  static constexpr Cycle idle_before_rest = 65'536;

  Cycle window_end(Cycle end) const;
  void run(Cycle end, Slot* watched, bool ends_with_activity);
  void catch_up();
  void find_active();
  void wake(Slot& slot);
  bool is_quiet() const;
  bool is_anything_under_way() const;
  Cycle run_next(Cycle end, Slot* watched);
  Cycle run_alone(Slot& slot, Cycle end);
  Cycle run_all(Cycle end, Slot* watched);
  Cycle run_far(Cycle end);
  template <class Run>
  void for_each_active(const Slot* but, Run run);
  Cycle finish(Slot& slot);
  void inject(Coordinates source, Cycle cycle, std::uint32_t sequence, noc::MessagePointer message);
  void exchange(Cycle until);
  void give_back(const noc::Credit& credit);
  void deliver(const noc::Delivery& delivery);
  void answer_from_memory(Cycle until);
  void answer_from_edge(Cycle until);
  void respond(const noc::Message& request, Coordinates tile, Cycle ready, std::vector<std::uint8_t> data);
  void note(event::Packet packet);
  void hand_on_packets(Cycle until);
  noc::Position node(Coordinates tile, unsigned noc) const;
  Coordinates tile_at(noc::Position node, unsigned noc) const;
  template <class Counts>
  std::uint32_t receivers(const noc::Packet& packet, Counts counts) const;

  std::shared_ptr<const noc::FloorPlan> plan_;
  std::shared_ptr<const tile::TileTiming> timing_;
  noc::Network network_;
  Dram dram_;
  Edge edge_;
  Cycle now_ = 0;
  Cycle quiet_from_ = 0;  // nothing has been under way since
  Cycle patience_ = least_patience;
  bool is_impatient_ = false;
  Work work_;
  time::Activity activity_;
  bool lockstep_ = false;
  std::map<std::size_t, Slot> slots_;     // by FloorPlan::index: an order that never changes
  std::vector<Slot*> active_;             // while time goes on: those in which something may happen, in that order
  noc::Slab<Carried> carried_;            // by the packet's number
  std::vector<std::uint32_t> sequences_;  // of tiles that have no cores
  std::vector<Coordinates> halted_;
  Attached attached_;
};

}  // namespace tensim::chip
