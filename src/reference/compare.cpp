#include "reference/compare.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "reference/thread_programs.hpp"
#include "scenario/tile_run.hpp"

namespace tensim::reference {
namespace {

using tile::CoreId;

// A reference without words to wait for runs in such pieces until one of them changes nothing in L1.
constexpr std::uint64_t settle_clocks = 20'000;

bool covers(const Range& range, std::uint32_t address) {
  return address + 4 > range.address && address < std::uint64_t{range.address} + range.bytes;
}

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t address) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + address, sizeof word);
  return word;
}

void add(Differences& differences, std::uint32_t place, std::uint32_t ours, std::uint32_t theirs) {
  if (ours == theirs) return;
  if (differences.count++ == 0) differences = {1, place, ours, theirs};
}

std::optional<Error> load_programs(const scenario::Scenario& scenario, ReferenceTile& tile) {
  for (const scenario::MemoryContent& content : scenario.memory)
    if (!content.bytes.empty())
      if (auto error = tile.write(content.address, content.bytes)) return error;
  for (const auto& program : scenario.cores) {
    if (!program) continue;
    for (const program::Segment& segment : program->image.segments)
      if (const auto bytes = segment.load_bytes(); !bytes.empty())
        if (auto error = tile.write(segment.load_address, bytes)) return error;
  }
  return std::nullopt;
}

/// The jump at a core's first address must not destroy what somebody has there.
std::optional<Error> check_jump(const scenario::Scenario& scenario, CoreId core, Range jump) {
  for (const auto& program : scenario.cores) {
    if (!program) continue;
    for (const program::Segment& segment : program->image.segments)
      if (segment.load_address < jump.address + jump.bytes &&
          std::uint64_t{segment.load_address} + segment.load_bytes().size() > jump.address)
        return Error{ErrorKind::out_of_range,
                     fmt::format("the reference starts {} at {:#x}, where {} has something else", name(core),
                                 jump.address, program->image.file)};
  }
  return std::nullopt;
}

std::optional<Error> start(const scenario::Scenario& scenario, ReferenceTile& tile) {
  std::uint8_t held = all_cores;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto core = static_cast<CoreId>(i);
    const auto& program = scenario.cores[i];
    if (!program || program->held) continue;
    const std::size_t jumps = tile.jumps().size();
    if (auto error = tile.set_start(core, program->image.entry)) return error;
    if (tile.jumps().size() != jumps) {
      const auto [address, bytes] = tile.jumps().back();
      if (auto error = check_jump(scenario, core, {address, bytes})) return error;
    }
    held = static_cast<std::uint8_t>(held & ~(1U << i));
  }
  return tile.hold(held);
}

/// There is no other sign that programs have ended than that nothing changes any more.
std::variant<RunEnd, Error> run_until_settled(ReferenceTile& tile, std::uint64_t at_least, std::uint64_t budget) {
  std::vector<std::uint8_t> before(tile.l1_bytes());
  std::vector<std::uint8_t> after(tile.l1_bytes());
  RunEnd end{false, std::min(at_least, budget)};
  if (auto error = tile.clock(end.clocks)) return std::move(*error);
  if (auto error = tile.read(0, after)) return std::move(*error);
  while (!end.met && end.clocks < budget) {
    before.swap(after);
    if (auto error = tile.clock(settle_clocks)) return std::move(*error);
    if (auto error = tile.read(0, after)) return std::move(*error);
    end.clocks += settle_clocks;
    end.met = before == after;
  }
  return end;
}

std::variant<RunEnd, Error> run_reference(const scenario::Scenario& scenario, ReferenceTile& tile, std::uint64_t cycles,
                                          std::uint64_t budget) {
  if (auto error = load_programs(scenario, tile)) return std::move(*error);
  if (auto error = start(scenario, tile)) return std::move(*error);
  if (scenario.until.empty()) return run_until_settled(tile, cycles, budget);
  std::vector<Condition> words;
  words.reserve(scenario.until.size());
  for (const scenario::NamedWord& word : scenario.until)
    words.push_back({word.address, word.value});
  return tile.run_until(words, budget);
}

std::optional<Error> compare_l1(const tile::Tile& ours, ReferenceTile& theirs, std::vector<Range> ignored,
                                Differences& result) {
  for (const auto& [address, bytes] : theirs.jumps())
    ignored.push_back({address, bytes});
  std::vector<std::uint8_t> bytes(theirs.l1_bytes());
  if (auto error = theirs.read(0, bytes)) return error;
  result = differences(ours.l1, bytes, ignored);
  return std::nullopt;
}

void compare_dst(const tile::Tile& ours, ReferenceTile& theirs, Comparison& comparison) {
  std::vector<DstRow> rows(tensix::Dst::rows);
  if (const auto error = theirs.read_dst(0, rows)) {
    comparison.dst_problem = error->text;
    return;
  }
  comparison.dst.emplace();
  for (unsigned row = 0; row < tensix::Dst::rows; ++row)
    for (unsigned column = 0; column < tensix::Dst::columns; ++column)
      add(*comparison.dst, row * tensix::Dst::columns + column, ours.coprocessor.dst.bits[row][column],
          rows[row][column]);
}

/// Programs that end without the words they were to be run until have not finished.
bool has_finished(const scenario::Scenario& scenario, const explain::Outcome& outcome, const tile::Tile& tile) {
  return outcome.kind == explain::OutcomeKind::finished &&
         std::ranges::all_of(scenario.until, [&](const scenario::NamedWord& word) {
           return word_at(tile.l1, word.address) == word.value;
         });
}

std::variant<Comparison, Error> compare_programs(const scenario::Scenario& scenario, const CompareOptions& options) {
  Comparison comparison;
  scenario::TileRun ran = scenario::run_tile(scenario, {.budget = options.budget});
  comparison.ours = std::move(ran.outcome);
  const tile::Tile* ours = ran.tile.get();
  if (ours == nullptr || !has_finished(scenario, comparison.ours, *ours)) return comparison;
  OpenOptions open = options.reference;
  open.arch = scenario.arch;
  auto opened = ReferenceTile::open(open);
  if (auto* error = std::get_if<Error>(&opened)) return std::move(*error);
  auto& theirs = std::get<ReferenceTile>(opened);
  const auto end = run_reference(scenario, theirs, comparison.ours.ended_at, options.budget.value_or(scenario.budget));
  if (const auto* error = std::get_if<Error>(&end)) return *error;
  comparison.reference_ran = true;
  comparison.reference = std::get<RunEnd>(end);
  if (auto error = compare_l1(*ours, theirs, options.ignored, comparison.l1)) return std::move(*error);
  // Last: a reference that does not know how to read Dst may end.
  if (options.compares_dst) compare_dst(*ours, theirs, comparison);
  return comparison;
}

}  // namespace

Differences differences(std::span<const std::uint8_t> ours, std::span<const std::uint8_t> theirs,
                        std::span<const Range> ignored) {
  Differences result;
  for (std::uint32_t address = 0; address + 4 <= ours.size(); address += 4) {
    const std::uint32_t a = word_at(ours, address);
    const std::uint32_t b = word_at(theirs, address);
    if (a != b && std::ranges::none_of(ignored, [&](const Range& range) { return covers(range, address); }))
      add(result, address, a, b);
  }
  return result;
}

std::variant<Comparison, Error> compare(const scenario::Scenario& scenario, const CompareOptions& options) {
  if (scenario.runs_cores()) return compare_programs(scenario, options);
  const auto programs = as_programs(scenario);
  if (const auto* problem = std::get_if<std::string>(&programs)) return Error{ErrorKind::out_of_range, *problem};
  return compare_programs(std::get<scenario::Scenario>(programs), options);
}

}  // namespace tensim::reference
