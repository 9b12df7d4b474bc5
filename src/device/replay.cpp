#include "device/replay.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "tile/tile_control.hpp"

namespace tensim::device {
namespace {

using tile::CoreId;

/// Words of a line, one after the other.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : rest_(line.substr(0, line.find('#'))) {}

  std::string_view word() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
    const std::string_view found = rest_.substr(0, rest_.find_first_of(" \t\r"));
    rest_.remove_prefix(found.size());
    return found;
  }

 private:
  std::string_view rest_;
};

std::optional<std::uint64_t> number(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> small_number(std::string_view text) {
  const auto value = number(text);
  if (!value || *value > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::optional<Coordinates> coordinates(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto x = small_number(text.substr(0, comma));
  const auto y = small_number(text.substr(comma + 1));
  if (!x || !y) return std::nullopt;
  return Coordinates{*x, *y};
}

std::optional<std::vector<std::uint8_t>> bytes_of(std::string_view text) {
  if (text.empty() || text.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* const first = text.data() + 2 * i;
    if (std::from_chars(first, first + 2, bytes[i], 16).ptr != first + 2) return std::nullopt;
  }
  return bytes;
}

std::optional<ReplayStep::Kind> kind_of(std::string_view word) {
  constexpr std::array<std::string_view, 6> names{"write", "read", "hold", "release", "until", "host"};
  const auto* const found = std::ranges::find(names, word);
  if (found == names.end()) return std::nullopt;
  return static_cast<ReplayStep::Kind>(found - names.begin());
}

// ---- what follows the tile; the text says what was expected, empty if it is fine ----

std::string_view parse_bytes(Cursor& cursor, ReplayStep& step) {
  const auto address = number(cursor.word());
  if (!address) return "an address";
  auto bytes = bytes_of(cursor.word());
  if (!bytes) return "bytes, two hexadecimal digits each";
  step.address = *address;
  step.bytes = std::move(*bytes);
  return {};
}

std::string_view parse_cores(Cursor& cursor, ReplayStep& step) {
  for (std::string_view word = cursor.word(); !word.empty(); word = cursor.word()) {
    const auto core = tile::core_with_key(word);
    if (!core) return "brisc, trisc0, trisc1, trisc2 or ncrisc";
    step.cores = static_cast<std::uint8_t>(step.cores | bit(*core));
  }
  return step.cores == 0 ? "the names of cores" : "";
}

std::string_view parse_until(Cursor& cursor, ReplayStep& step) {
  const auto address = small_number(cursor.word());
  const auto value = small_number(cursor.word());
  const bool within = cursor.word() == "within";
  const auto budget = number(cursor.word());
  if (!address || !value || !within || !budget) return "ADDRESS VALUE within CYCLES";
  step.address = *address;
  step.value = *value;
  step.budget = *budget;
  return {};
}

/// The step, or what was expected instead.
std::variant<ReplayStep, std::string_view> parse_step(std::string_view line) {
  Cursor cursor(line);
  ReplayStep step;
  std::string_view word = cursor.word();
  if (word.starts_with('@')) {
    const auto cycle = number(word.substr(1));
    if (!cycle) return "a cycle behind '@'";
    step.cycle = cycle;
    word = cursor.word();
  }
  const auto kind = kind_of(word);
  if (!kind) return "write, read, hold, release, until or host";
  step.kind = *kind;
  if (step.kind != ReplayStep::Kind::host) {
    const auto tile = coordinates(cursor.word());
    if (!tile) return "a tile, X,Y";
    step.tile = *tile;
  }
  std::string_view expected;
  switch (step.kind) {
    case ReplayStep::Kind::write:
    case ReplayStep::Kind::host:
    case ReplayStep::Kind::read: expected = parse_bytes(cursor, step); break;
    case ReplayStep::Kind::hold:
    case ReplayStep::Kind::release: expected = parse_cores(cursor, step); break;
    case ReplayStep::Kind::until: expected = parse_until(cursor, step); break;
  }
  if (expected.empty() && !cursor.word().empty()) expected = "the end of the line";
  if (!expected.empty()) return expected;
  return step;
}

/// Behind "chip": what is off, and where the host is.
std::optional<FloorPlan> parse_chip(std::string_view line, Arch arch) {
  line = line.substr(0, line.find('#'));
  line.remove_prefix(line.find("chip") + std::string_view("chip").size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  const noc::ReadPlan read = noc::read_floor_plan(line);
  return read.plan && read.plan->arch() == arch ? read.plan : std::nullopt;
}

// ---- doing it ----

/// The host's memory as guests read it when it was recorded; what they write to it nobody reads.
class RecordedHost : public HostPort {
 public:
  explicit RecordedHost(const Replay& what) : steps_(what.steps) {}

  std::optional<std::string> read_host(std::uint64_t address, std::span<std::uint8_t> to) override {
    while (next_ < steps_.size() && steps_[next_].kind != ReplayStep::Kind::host)
      ++next_;
    if (next_ == steps_.size()) return "the recording has no more of what the host's memory held";
    const ReplayStep& step = steps_[next_++];
    if (step.address != address || step.bytes.size() != to.size())
      return fmt::format("the recording has a read of {} bytes at {:#x} of the host's memory instead (line {})",
                         step.bytes.size(), step.address, step.line);
    std::ranges::copy(step.bytes, to.begin());
    return std::nullopt;
  }
  std::optional<std::string> write_host(std::uint64_t, std::span<const std::uint8_t>) override { return std::nullopt; }

 private:
  std::span<const ReplayStep> steps_;
  std::size_t next_ = 0;
};

void set_cores(Device& device, const ReplayStep& step) {
  std::uint32_t value = 0;
  const std::span bytes(reinterpret_cast<std::uint8_t*>(&value), sizeof value);
  if (!device.read(step.tile, tile::TileControl::soft_reset_address, bytes)) return;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    if ((step.cores >> i & 1U) == 0) continue;
    const std::uint32_t bit = tile::reset_bit(static_cast<CoreId>(i));
    value = step.kind == ReplayStep::Kind::hold ? value | bit : value & ~bit;
  }
  device.write(step.tile, tile::TileControl::soft_reset_address, bytes);
}

void read(Device& device, const ReplayStep& step, ReplayResult& result) {
  std::vector<std::uint8_t> reply(step.bytes.size());
  if (!device.read(step.tile, step.address, reply) || reply == step.bytes) return;
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(reply, step.bytes).in1 - reply.begin());
  result.differences.push_back(fmt::format("line {}, cycle {}: byte {:#x} of tile {},{} is {:#04x}, not {:#04x}",
                                           step.line, device.now(), step.address + at, step.tile.x, step.tile.y,
                                           reply[at], step.bytes[at]));
}

void wait(Device& device, const ReplayStep& step, ReplayResult& result) {
  const auto address = static_cast<std::uint32_t>(step.address);
  if (!device.run_until_word(step.tile, address, step.value, step.budget).met)
    result.differences.push_back(fmt::format("line {}, cycle {}: word {:#x} of tile {},{} has not become {:#x}",
                                             step.line, device.now(), address, step.tile.x, step.tile.y, step.value));
}

void perform(Device& device, const ReplayStep& step, ReplayResult& result) {
  if (step.cycle && *step.cycle > device.now()) device.clock(*step.cycle - device.now());
  switch (step.kind) {
    case ReplayStep::Kind::write: device.write(step.tile, step.address, step.bytes); break;
    case ReplayStep::Kind::read: read(device, step, result); break;
    case ReplayStep::Kind::hold:
    case ReplayStep::Kind::release: set_cores(device, step); break;
    case ReplayStep::Kind::until: wait(device, step, result); break;
    case ReplayStep::Kind::host: break;  // RecordedHost has it
  }
}

/// The format, then the chip; empty, or what should stand there.
std::string_view parse_header(unsigned line, std::string_view word, std::string_view value, FloorPlan& plan) {
  if (line == 0) return word == "tensim-replay" && value == "1" ? "" : "tensim-replay 1";
  const auto arch = word == "arch" ? parse_arch(value) : std::nullopt;
  if (!arch) return "arch wormhole or arch blackhole";
  plan = FloorPlan(*arch);
  return "";
}

}  // namespace

std::variant<Replay, std::string> parse_replay(std::string_view text) {
  Replay result;
  unsigned line_number = 0;
  unsigned header_lines = 0;  // the format, then the chip
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++line_number;
    Cursor cursor(line);
    const std::string_view word = cursor.word();
    if (word.empty()) continue;
    const auto problem = [&](std::string_view expected) {
      return fmt::format("line {}: expected {}", line_number, expected);
    };
    if (header_lines < 2) {
      if (const std::string_view expected = parse_header(header_lines++, word, cursor.word(), result.plan);
          !expected.empty())
        return problem(expected);
    } else if (word == "chip" && result.steps.empty()) {
      const auto plan = parse_chip(line, result.plan.arch());
      if (!plan) return problem("a chip of the arch, as in chip p150 or chip wormhole rows=3,11");
      result.plan = *plan;
    } else {
      auto step = parse_step(line);
      if (const auto* expected = std::get_if<std::string_view>(&step)) return problem(*expected);
      result.steps.push_back(std::move(std::get<ReplayStep>(step)));
      result.steps.back().line = line_number;
    }
  }
  if (header_lines < 2) return "expected tensim-replay 1, then arch wormhole or arch blackhole";
  return result;
}

ReplayResult replay(const Replay& what, const ReplayOptions& options) {
  RecordedHost host(what);
  std::optional<insight::ChipRaces> races;
  Device device(what.plan);
  device.host = &host;
  device.run_with_threads(options.host_threads);
  if (options.races) device.check_races(races.emplace(device.plan(), *options.races));
  ReplayResult result;
  for (const ReplayStep& step : what.steps) {
    perform(device, step, result);
    if (device.is_stopped()) break;
    ++result.steps;
  }
  device.settle();
  result.cycles = device.now();
  result.faults = device.take_faults();
  if (races) {
    device.settle_tiles();
    result.races = races->finish();
  }
  return result;
}

}  // namespace tensim::device
