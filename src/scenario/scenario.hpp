// A scenario: what runs, from which state, what the cores do meanwhile, and what is expected. Read from a TOML file or
// built by a program; docs/scenarios.md has the format. A scenario is also a test.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arch/address_map.hpp"
#include "arch/config_registers.hpp"
#include "arch/timing.hpp"
#include "explain/outcome_kind.hpp"
#include "isa/assembler/assemble.hpp"
#include "noc/floor_plan.hpp"
#include "program/image.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/fill.hpp"
#include "tensix/types.hpp"
#include "tile/access.hpp"

namespace tensim::scenario {

using explain::OutcomeKind;
using tensix::Cycle;
using tensix::thread_count;

struct ThreadProgram {
  std::vector<isa::AssembledWord> words;
  std::vector<std::string> files;
  Cycle cycles_per_word = 1;  // one word is fed every so many cycles
  Cycle start = 0;            // from this cycle on
};

/// A load or a store by a core, through its address map.
struct CoreAction {
  Cycle cycle = 0;
  CoreBit core = B;
  bool is_store = true;
  std::uint32_t address = 0;
  std::uint32_t value = 0;  // stored, or expected of a load
  bool checks = false;      // a load's value is an expectation
  std::uint32_t line = 0;   // of the scenario
};

/// What a core runs.
struct CoreProgram {
  program::Image image;
  bool held = false;  // in reset, until another core lets it go
};

struct MemoryContent {
  std::uint32_t address = 0;
  std::vector<std::uint8_t> bytes;
};

/// What is in DRAM. Banks are counted as programs count them: noc::NamedBank.
struct DramContent {
  unsigned bank = 0;
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

/// A word of L1, by number or by the name of a variable ("trisc1:done").
struct NamedWord {
  std::string name;
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

struct SemaphoreState {
  std::uint8_t value = 0;
  std::uint8_t max = 0;
};

struct Expectations {
  std::optional<OutcomeKind> outcome;
  std::optional<Cycle> cycles;                                    // of the last issue, counted from 0, plus one
  std::array<std::optional<std::uint64_t>, thread_count> issued;  // instructions
  std::array<std::optional<Cycle>, thread_count> last_issue;      // cycle of each thread's last
  std::map<unsigned, SemaphoreState> semaphores;
  std::map<unsigned, int> mutexes;                              // owner, -1 nobody
  std::map<std::pair<unsigned, unsigned>, std::uint32_t> gprs;  // (thread, register)
  std::vector<NamedWord> memory;
  std::map<std::string, std::vector<std::string>> stuck;  // agent -> texts its explanation must contain
  std::vector<DramContent> dram;
};

struct TileGroup;

/// A wait that was taken out of the code (scenario/without.hpp).
struct LeftOut {
  tile::CoreId core =
      tile::CoreId::brisc;    // whose program it was in; of instructions that are fed: the thread's T core
  std::uint32_t address = 0;  // of instructions that are fed: the line
  isa::Word word = 0;
};

struct Scenario {
  std::string file = "scenario";
  std::string title;
  Arch arch = Arch::blackhole;
  Cycle budget = 10'000'000;
  std::array<ThreadProgram, thread_count> threads;
  std::map<unsigned, SemaphoreState> semaphores;
  std::map<unsigned, int> mutexes;  // owner, -1 nobody
  std::map<std::pair<unsigned, unsigned>, std::uint32_t> gprs;
  std::map<unsigned, tensix::StreamCounts> streams;
  bool src_a_valid = false;  // bank 0 belongs to the Matrix Unit
  bool src_b_valid = false;
  std::vector<std::tuple<unsigned, unsigned, std::uint16_t>> thread_config;  // thread, word, value
  std::vector<std::pair<const ConfigField*, std::uint32_t>> config;          // of bank 0
  std::vector<std::pair<unsigned, std::array<isa::Word, 9>>> mop_config;
  std::vector<CoreAction> actions;
  // A scenario either feeds the threads and scripts the cores, or runs programs on the cores.
  std::array<std::optional<CoreProgram>, tile::core_count> cores;
  std::vector<MemoryContent> memory;
  std::vector<NamedWord> until;          // the run ends when all of these words have their values
  std::map<std::string, double> timing;  // parameters of the cycle model that differ from the chip's, by row
  tensix::Fill fill;                     // what state holds that nobody initialises
  Expectations expect;
  std::vector<std::string> races_meant;  // lines of a suppression file (report/races.hpp)
  std::vector<LeftOut> left_out = {};    // what another has that this one does not
  // A scenario of several tiles has a floor plan. What runs is then a tile's, not here.
  std::shared_ptr<const noc::FloorPlan> plan;
  std::vector<TileGroup> tiles;
  std::vector<DramContent> dram;

  bool runs_chip() const { return plan != nullptr; }
  bool runs_cores() const {
    return std::ranges::any_of(cores, [](const auto& program) { return program.has_value(); });
  }
  /// Null if the core has none.
  const program::Image* program_of(tile::CoreId core) const {
    const auto& program = cores[static_cast<unsigned>(core)];
    return program ? &program->image : nullptr;
  }
  /// Of the core's program; null if it has none.
  const program::SourceMap* source_of(tile::CoreId core) const {
    const auto& program = cores[static_cast<unsigned>(core)];
    return program ? program->image.source.get() : nullptr;
  }
};

/// Tiles of a chip that do the same: each what a scenario of one tile says. No tile is in two groups.
struct TileGroup {
  std::vector<noc::Coordinates> at;  // logical: noc::worker()
  Scenario tile;
};

/// The cycle model's parameters that the scenario runs with.
Timing timing_of(const Scenario& scenario);

/// Changes what these tiles do, and no others: a group of which only a part is meant becomes two.
void change_tiles(Scenario& scenario, const std::vector<noc::Coordinates>& tiles,
                  const std::function<void(Scenario&)>& change);

/// Where the word called `name` is: a number, or "CORE:VARIABLE"; of several tiles, in the first group that has it.
std::optional<std::uint32_t> address_of(const Scenario& scenario, std::string_view name);

using FileLoader = std::function<isa::LoadedText(const std::string& path)>;

/// What is wrong with a scenario. The text names the place too; a line of 0 is nowhere in particular.
struct Problem {
  std::string text;
  isa::SourceLocation at;
};

std::variant<Scenario, Problem> parse_scenario(std::string_view text, const std::string& file, const FileLoader& load);

}  // namespace tensim::scenario
