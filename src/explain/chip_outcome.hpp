// How the run of a chip has ended, and why nothing goes on: who waits for which word, counter or acknowledgement, what packets
// have done to it so far, whose packet would have brought it, and why it does not come. Facts; report/chip_hang.hpp has the words.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "chip/chip.hpp"
#include "explain/chip_waits.hpp"
#include "explain/outcome_kind.hpp"
#include "explain/packet_log.hpp"
#include "explain/what_if.hpp"

namespace tensim::explain {

/// A tile whose programs have come to their ends.
struct EndedTile {
  noc::Coordinates tile = {};
  time::Cycle cycle = 0;
};

/// A request that no response has come to, or that has not even left.
struct Unanswered {
  enum class Why : std::uint8_t {
    receiver_stands_still,  // it has a fault
    in_the_network,         // something on its way never gives way
    in_the_niu,             // its virtual channel never gets room
    not_known,
  };
  noc::Message request;
  time::Cycle sent = 0;
  Why why = Why::not_known;
  noc::Coordinates at = {};  // the receiver
};

/// A core that polls something that will never come.
struct StuckWait {
  ChipWait wait;
  std::uint32_t pc = 0;
  bool has_history = false;  // it is known what packets have done so far
  std::vector<Brought> brought = {};
  std::vector<Unanswered> unanswered = {};
  std::vector<WouldBring> would_bring = {};
  std::vector<EndedTile> ended = {};  // tiles that have ended, and never sent anything to it
};

/// Cores that wait for each other, each for the next, and the last for the first.
using Ring = std::vector<CoreOfChip>;

struct ChipOutcome {
  OutcomeKind kind = OutcomeKind::finished;
  time::Cycle cycles = 0;
  std::vector<StuckWait> stuck = {};
  std::vector<Ring> rings = {};  // the short ones first
};

/// Of a chip that has been run and not been looked into since: cores that poll are asleep. `ended` says whether nothing happens
/// any more by itself (Chip::run_until_idle()).
OutcomeKind chip_outcome_kind(const chip::Chip& chip, bool ended);

/// Runs the same again from the start, with an observer, up to where it has ended.
using RunAgain = std::function<void(event::PacketObserver& observer)>;

/// Without `run_again` nothing is known of the packets that there were.
ChipOutcome chip_outcome(const chip::Chip& chip, bool ended, const RunAgain& run_again = {});

}  // namespace tensim::explain
