// What the race checks of all tiles of a run have in common: the rules and how they are taken, what is found, when operations were
// over, and the packets between tiles.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "insight/noc_flows.hpp"
#include "insight/order_rules.hpp"
#include "insight/races.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::insight {

/// When operations of a lane were over; for reports alone.
class LaneTimes {
 public:
  static constexpr std::uint32_t kept = 256;  // of each lane, the last ones

  void begin(Lane lane, std::uint32_t number) { of(lane)[number % kept] = {number, 0}; }
  void end(Lane lane, std::uint32_t number, std::uint64_t cycle) {
    if (Times& times = of(lane)[number % kept]; times.number == number) times.over = cycle + 1;
  }
  /// How long before `cycle` it was over.
  Distance distance(Lane lane, std::uint32_t number, std::uint64_t cycle) const;

 private:
  struct Times {
    std::uint32_t number = 0;
    std::uint64_t over = 0;  // 0: not yet
  };
  using OfLane = std::array<Times, kept>;
  using Lanes = std::vector<std::unique_ptr<OfLane>>;
  OfLane& of(Lane lane) {
    Lanes& lanes = is_flow(lane) ? flows_ : lanes_;
    const std::size_t index = flow_of(lane);
    if (index >= lanes.size()) lanes.resize(index + 1);
    if (lanes[index] == nullptr) lanes[index] = std::make_unique<OfLane>();
    return *lanes[index];
  }

  Lanes lanes_;
  Lanes flows_;
};

struct RaceContext {
  /// Bits of a word of configuration that are not read until the instruction is done, or are known to be.
  struct Settings {
    std::uint32_t pack_address = 0;
    std::uint32_t pack_accumulate = 0;
    std::uint32_t at_issue = 0;
  };

  RaceContext(Arch arch_of_chip, RuleSeverities how);

  /// A rule that orders, unless somebody does not trust it.
  std::optional<RuleNumber> ordered_by(RuleNumber rule) const {
    return severities[rule] == Severity::off ? std::nullopt : std::optional(rule);
  }

  /// Of its thread, until the instruction is done (rule 15w).
  bool closes_gate(tensix::Occupancy unit, tensix::Word word) const;

  Arch arch;
  RuleSeverities severities;
  std::shared_ptr<const tensix::UnitTiming> timing;
  std::vector<Settings> settings;  // by word
  bool gates_close;                // rule 15w
  bool nops_overtake;              // rule 3b
  std::optional<ActorNumber> host = {};
  Races races;
  LaneTimes times;
  NocFlows flows;
};

}  // namespace tensim::insight
