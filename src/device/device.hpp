// A chip as its host sees it: tiles by NoC coordinates, and a clock. Tensix and Ethernet tiles, both networks and DRAM are
// the chip's (chip/chip.hpp); ARC and PCIe tiles answer what hosts ask; the rest faults by name (docs/library.md has the
// list).
//
// The clock only counts, and the chip is run up to it when the host looks, or when it has fallen far enough behind. A tile
// that will never do anything by itself costs nothing. Neither changes a result: the same calls give the same answers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chip/chip.hpp"
#include "device/arc.hpp"
#include "device/fault.hpp"
#include "device/recorder.hpp"
#include "explain/outcome.hpp"
#include "insight/chip_races.hpp"
#include "noc/floor_plan.hpp"
#include "scenario/scenario.hpp"
#include "tile/tile.hpp"
#include "time/attached.hpp"

namespace tensim::device {

using noc::FloorPlan;
using noc::Rectangle;
using noc::TileKind;

/// What is behind the chip's PCIe tiles.
class HostPort {
 public:
  HostPort() = default;
  HostPort(const HostPort&) = delete;
  HostPort& operator=(const HostPort&) = delete;
  virtual ~HostPort() = default;
  /// Addresses as the NoC has them. Nothing, or why it is a fault.
  virtual std::optional<std::string> read_host(std::uint64_t address, std::span<std::uint8_t> to) = 0;
  virtual std::optional<std::string> write_host(std::uint64_t address, std::span<const std::uint8_t> from) = 0;
};

class Device final : private chip::Outside {
 public:
  /// A chip of which every tile works.
  explicit Device(Arch arch, OnFault on_fault = OnFault::stop) : Device(FloorPlan(arch), on_fault) {}
  explicit Device(const FloorPlan& plan, OnFault on_fault = OnFault::stop);
  /// A copy is a snapshot. Nobody records it, and no host is behind it.
  Device(const Device& other) = default;
  Device& operator=(const Device& other) = default;
  Device(Device&&) = default;
  Device& operator=(Device&&) = default;
  ~Device() override = default;

  Arch arch() const { return chip_.plan().arch(); }
  const FloorPlan& plan() const { return chip_.plan(); }
  void set_on_fault(OnFault what) { on_fault_ = what; }
  /// The cycle to come.
  Cycle now() const { return now_; }

  // ---- the host's accesses; coordinates as NoC `noc` has them, raw or translated ----
  /// False if it is a fault: then the bytes are all ones, as of a PCIe read that failed.
  bool read(Coordinates tile, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc = 0) {
    const bool is_read = last_.slot != nullptr && tile == last_.given && noc == last_.noc
                             ? read_tile(*last_.slot, address, to)
                             : read_anywhere(tile, address, to, noc);
    if (!is_read) std::ranges::fill(to, std::uint8_t{0xFF});
    return is_read;
  }
  bool write(Coordinates tile, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc = 0);
  /// To every Tensix tile of the rectangle.
  bool multicast(const Rectangle& tiles, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc = 0);

  // ---- time ----
  void clock(Cycle cycles);
  struct RunEnd {
    bool met = false;
    Cycle cycles = 0;  // that have passed
  };
  /// Until the word of the tile's L1 has the value, `budget` cycles are over or nothing more will happen in that tile.
  RunEnd run_until_word(Coordinates tile, std::uint32_t address, std::uint32_t value, Cycle budget);
  /// Runs until no tile has anything left to do, `budget` cycles at most. True if that was reached.
  bool run_until_idle(Cycle budget);
  /// Runs every tile up to now, so that all faults so far are known.
  void settle();
  /// The same, and every core is where it is: tiles have told what there is to tell.
  void settle_tiles();

  // ---- programs ----
  /// Puts the program into the tile and remembers its source for explanations; or says what does not fit.
  std::optional<std::string> load(Coordinates tile, tile::CoreId core, program::Image image);
  /// Lets a core go at `pc`; false if there is no such tile.
  bool release(Coordinates tile, tile::CoreId core, std::uint32_t pc);

  // ---- what has happened ----
  bool is_stopped() const { return on_fault_ == OnFault::stop && (host_has_faulted_ || faulty_tiles_ != 0); }
  bool has_faults() const { return !faults_.empty(); }
  /// The faults since the last call.
  std::vector<Fault> take_faults();
  /// A fault of the host's side: what PCIe does not reach, say.
  void add_host_fault(std::optional<Coordinates> tile, std::string text);
  /// Where the tile stands and why, up to now. Nothing if it has no cores.
  std::optional<explain::Outcome> outcome(Coordinates tile);
  /// The scenario that the outcome belongs to: programs and their sources.
  const scenario::Scenario& programs(Coordinates tile) const;
  /// Null unless it is a Tensix tile that has been touched; up to now.
  tile::Tile* tensix(Coordinates tile);

  /// Tiles are run by so many threads of the host from now on, those of a copy by its caller's alone. Changes no result.
  void run_with_threads(unsigned count);
  /// From now on `check` hears of all that happens; a copy is not checked.
  void check_races(insight::ChipRaces& check);

  time::Attached<Recorder> recorder;
  time::Attached<HostPort> host;

 private:
  using Slot = chip::Slot;

  /// The tile with cores that was read last: hosts poll. It points into the chip: a copy has looked at none.
  struct LastTile {
    LastTile() = default;
    LastTile(const LastTile&) {}
    LastTile& operator=(const LastTile& other) { return this == &other ? *this : *this = LastTile(); }
    LastTile(LastTile&&) noexcept = default;
    LastTile& operator=(LastTile&&) noexcept = default;
    ~LastTile() = default;
    Coordinates given;
    unsigned noc = 0;
    Slot* slot = nullptr;
  };

  std::optional<Coordinates> find(Coordinates given, unsigned noc, std::string_view what, std::uint64_t address);
  Slot& touch(Coordinates raw);
  const Slot* slot_of(Coordinates given) const;
  /// The cycle that is `cycles` from now, or the last one there is.
  Cycle later(Cycle cycles) const;
  void catch_up();
  void idle_up(Slot& slot);
  void note_faults();
  void look_for_fault(Slot& slot);
  scenario::Scenario& programs_of(Coordinates raw);
  std::shared_ptr<const scenario::Scenario> copy_of_programs(Coordinates raw);
  bool host_fault(Coordinates raw, std::string text);
  bool access_fault(Coordinates raw, bool is_store, std::uint64_t address, const tile::Answer& answer);

  bool read_anywhere(Coordinates given, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc);
  bool read_tile(Slot& slot, std::uint64_t address, std::span<std::uint8_t> to);
  bool read_other(Coordinates raw, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc);
  bool read_niu(Coordinates raw, std::uint64_t address, std::span<std::uint8_t> to, unsigned noc) const;
  bool write_other(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> from);
  bool recorded(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> reply);
  bool done(Coordinates raw, std::string_view what, std::uint64_t address, const std::optional<std::string>& why);
  bool write_tile(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc);
  bool write_register(Slot& slot, std::uint32_t address, std::uint32_t value);
  chip::SparseMemory* dram_of(Coordinates raw, std::uint64_t address, std::size_t bytes);
  std::optional<std::string> read_outside(Coordinates tile, std::uint64_t address, std::span<std::uint8_t> to) override;
  std::optional<std::string> write_outside(Coordinates tile, std::uint64_t address,
                                           std::span<const std::uint8_t> from) override;
  /// Before the chip runs: devices are copied and moved.
  void attach() {
    chip_.set_outside(this);
    chip_.run_with(own_.workers.get());
  }
  bool write_raw(Coordinates raw, std::uint64_t address, std::span<const std::uint8_t> from, unsigned noc);

  /// A copy has none.
  struct OwnWorkers {
    OwnWorkers() = default;
    OwnWorkers(const OwnWorkers&) {}
    OwnWorkers& operator=(const OwnWorkers&) { return *this; }
    OwnWorkers(OwnWorkers&&) noexcept = default;
    OwnWorkers& operator=(OwnWorkers&&) noexcept = default;
    ~OwnWorkers() = default;
    std::unique_ptr<chip::Workers> workers;
  };

  time::Attached<insight::ChipRaces> races_;
  OwnWorkers own_;
  chip::Chip chip_;
  OnFault on_fault_;
  Cycle now_ = 0;
  bool host_has_faulted_ = false;
  unsigned faulty_tiles_ = 0;                           // counted, because every clock asks
  std::map<std::size_t, scenario::Scenario> programs_;  // by FloorPlan::index
  LastTile last_;
  Arc arc_;
  std::vector<Fault> faults_;
};

}  // namespace tensim::device
