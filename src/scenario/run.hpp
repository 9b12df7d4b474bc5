// Runs a scenario to its end, which is a value: finished, deadlocked, faulted or out of budget, with the evidence.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "event/happening.hpp"
#include "event/packet.hpp"
#include "explain/outcome.hpp"
#include "insight/order_rules.hpp"
#include "scenario/scenario.hpp"
#include "tensix/coprocessor.hpp"
#include "tile/tile.hpp"
#include "time/host_profile.hpp"

namespace tensim::scenario {

struct RunOptions {
  bool lockstep = false;  // walk idle time instead of skipping it; nothing else changes
  bool walked = false;    // programs of cores, too, and not only to compare; races are the same
  std::array<std::uint8_t, thread_count> evaluation_order{0, 1, 2};
  event::Listener* listener = nullptr;
  event::PacketObserver* packets = nullptr;                                 // of a chip,
  std::function<event::Listener*(noc::Coordinates raw)> threads = nullptr;  // and of its tiles
  /// Who else hears of a tile, which is as it is before it runs; one by itself is at 0,0.
  std::function<event::Listener*(noc::Coordinates raw, const tile::Tile& tile)> follower = nullptr;
  std::uint32_t shake_seed = 0;                                 // tensix::Coprocessor::shake_seed, if anybody listens
  std::optional<insight::RuleSeverities> races = std::nullopt;  // check for them
  bool follows_cycles = false;                                  // for Outcome::profile
  bool follows_causes = false;                                  // for Outcome::path
  unsigned host_threads = 1;                                    // that run the tiles of a chip
  time::HostProfile* profile = nullptr;                         // hears what they are at
  std::optional<Cycle> budget = std::nullopt;
  std::optional<tensix::Fill> fill = std::nullopt;  // instead of the scenario's
};

using explain::Outcome;

/// Compares what came out with what the scenario expects; adds to `failed_expectations`. What an explanation has to say
/// is compared where it is made (report/expected_texts.hpp).
void check(const Scenario& scenario, const tensix::Coprocessor& coprocessor, Outcome& outcome);

/// The tile is as the run left it; null if the run could not begin.
struct TileRun {
  Outcome outcome;
  std::unique_ptr<tile::Tile> tile;
};
TileRun run_tile(const Scenario& scenario, const RunOptions& options = {});

/// The same, with the coprocessor alone, if given.
Outcome run(const Scenario& scenario, const RunOptions& options = {}, tensix::Coprocessor* coprocessor = nullptr);

}  // namespace tensim::scenario
