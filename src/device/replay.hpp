// What a host did to a device, as a text that can be done again (docs/replay.md).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/device.hpp"
#include "device/recorder.hpp"

namespace tensim::device {

/// One line of a recording.
struct ReplayStep {
  enum class Kind : std::uint8_t { write, read, hold, release, until, host };
  Kind kind = Kind::write;
  unsigned line = 0;
  std::optional<Cycle> cycle = {};  // run up to here first
  Coordinates tile;
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes = {};  // written, expected, or in the host's memory when a guest reads it
  std::uint8_t cores = 0;                // to hold or to release: CoreBits
  std::uint32_t value = 0;               // waited for
  Cycle budget = 0;
};

struct Replay {
  FloorPlan plan{Arch::blackhole};
  std::vector<ReplayStep> steps;
};

/// The text, or what is wrong with it: "line 3: ...".
std::variant<Replay, std::string> parse_replay(std::string_view text);

struct ReplayResult {
  Cycle cycles = 0;
  std::size_t steps = 0;                 // that were done
  std::vector<std::string> differences;  // reads that gave something else, words that did not come
  std::vector<Fault> faults;
  std::optional<insight::ChipRacesFound> races;  // if they were checked for
};

struct ReplayOptions {
  std::optional<insight::RuleSeverities> races = {};  // check for them
  unsigned host_threads = 1;                          // that run its tiles
};

/// Does all steps on a new device, up to the first fault.
ReplayResult replay(const Replay& what, const ReplayOptions& options = {});

/// Writes lines to a stream as things happen. Reads of one place that keep giving the same are one line.
class TextRecorder : public Recorder {
 public:
  TextRecorder(std::ostream& to, const FloorPlan& plan);
  void wrote(Cycle cycle, Coordinates tile, std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  void read(Cycle cycle, Coordinates tile, std::uint64_t address, std::span<const std::uint8_t> reply) override;
  void reset(Cycle cycle, Coordinates tile, std::uint32_t before, std::uint32_t after) override;
  void host_gave(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  void note(std::string_view text) override;

 private:
  std::ostream* to_;
  std::string last_read_;  // without its cycle
};

}  // namespace tensim::device
