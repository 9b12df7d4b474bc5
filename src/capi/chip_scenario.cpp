// Scenarios of several tiles, and what came out of them.
#include <algorithm>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "capi/boundary.hpp"
#include "capi/outcomes.hpp"
#include "capi/run_handles.hpp"
#include "noc/dram_views.hpp"
#include "noc/workers.hpp"
#include "scenario/places.hpp"
#include "scenario/tile_names.hpp"
#include "tensim/scenario.h"

using namespace tensim;
using capi::guarded;
using capi::own;

namespace {

using Tiles = std::vector<noc::Coordinates>;

/// `use(tiles)` for the tiles that the text names, if the scenario has several.
template <class Use>
tensim_status with_tiles(const tensim_scenario* scenario, const char* text, tensim_text** problem, Use use) {
  return guarded(problem, [&] {
    if (scenario == nullptr || text == nullptr || !scenario->scenario->runs_chip())
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a scenario of several tiles, and names of tiles");
    scenario::NamedTiles named = scenario::named_tiles(*scenario->scenario->plan, text);
    if (!named.problem.empty()) return capi::fail(problem, TENSIM_BAD_INPUT, named.problem);
    return static_cast<tensim_status>(use(named.tiles));
  });
}

/// Groups that have one of the tiles.
bool any_group(const scenario::Scenario& scenario, const Tiles& tiles,
               const std::function<bool(const scenario::Scenario&)>& test) {
  return std::ranges::any_of(scenario.tiles, [&](const scenario::TileGroup& group) {
    const bool is_meant =
        std::ranges::any_of(group.at, [&](noc::Coordinates at) { return std::ranges::find(tiles, at) != tiles.end(); });
    return is_meant && test(group.tile);
  });
}

/// Of bank `bank`, all of it; or nothing.
bool is_in_bank(const noc::FloorPlan& plan, std::uint32_t bank, std::uint64_t address, std::size_t size) {
  const std::uint64_t bytes = noc::dram_view_bytes(plan.arch());
  return bank < noc::named_banks(plan) && address <= bytes && size <= bytes - address;
}

std::span<const std::uint8_t> bytes_of(const void* bytes, std::size_t size) {
  return {static_cast<const std::uint8_t*>(bytes), size};
}

}  // namespace

extern "C" {

// ---- what runs ----

TENSIM_EXPORT tensim_status tensim_scenario_set_chip(tensim_scenario* scenario, const char* plan,
                                                     tensim_text** problem) {
  return guarded(problem, [&] {
    if (scenario == nullptr || plan == nullptr || scenario->scenario->runs_chip() || scenario->scenario->runs_cores())
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a scenario without programs, and a floor plan");
    const noc::ReadPlan read = noc::read_floor_plan(plan);
    if (!read.plan) return capi::fail(problem, TENSIM_BAD_INPUT, read.error);
    if (read.plan->arch() != scenario->scenario->arch)
      return capi::fail(
          problem, TENSIM_BAD_INPUT,
          fmt::format("{} is a {}, not a {}", plan, name(read.plan->arch()), name(scenario->scenario->arch)));
    own(*scenario).plan = std::make_shared<const noc::FloorPlan>(*read.plan);
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_add_tile_program(tensim_scenario* scenario, const char* tiles,
                                                             tensim_core core, const void* elf, size_t size,
                                                             const char* name, int held, tensim_text** problem) {
  return with_tiles(scenario, tiles, problem, [&](const Tiles& meant) {
    const auto id = capi::core_of(core);
    if (!id || elf == nullptr) return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a core and a program");
    const auto has_program = [&](const scenario::Scenario& tile) { return tile.program_of(*id) != nullptr; };
    if (any_group(*scenario->scenario, meant, has_program))
      return capi::fail(problem, TENSIM_BAD_INPUT,
                        fmt::format("{} of one of the tiles {} has a program already", tile::name(*id), tiles));
    const auto image = program::read_elf_image(bytes_of(elf, size), name == nullptr ? "ELF" : name);
    if (const auto* message = std::get_if<std::string>(&image)) return capi::fail(problem, TENSIM_BAD_ELF, *message);
    const auto& read = std::get<program::Image>(image);
    const std::string wrong = scenario::place_problem(scenario->scenario->arch, read);
    if (!wrong.empty()) return capi::fail(problem, TENSIM_BAD_ELF, wrong);
    scenario::Scenario& changed = own(*scenario);
    scenario::change_tiles(
        changed, meant, [&](scenario::Scenario& tile) { tile.cores[static_cast<unsigned>(*id)] = {read, held != 0}; });
    changed.title += fmt::format("{}{} of {}", changed.title.empty() ? "programs on " : ", ", tile::name(*id), tiles);
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_add_tile_until(tensim_scenario* scenario, const char* tiles,
                                                           const char* word, uint32_t value, tensim_text** problem) {
  return with_tiles(scenario, tiles, problem, [&](const Tiles& meant) {
    if (word == nullptr) return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a word");
    const Arch arch = scenario->scenario->arch;
    const auto lacks_word = [&](const scenario::Scenario& tile) {
      const auto address = scenario::address_of(tile, word);
      return !address || !scenario::is_word_of_l1(arch, *address);
    };
    if (lacks_word(*scenario->scenario) || any_group(*scenario->scenario, meant, lacks_word))
      return capi::fail(problem, TENSIM_BAD_INPUT,
                        fmt::format("'{}' is no word of L1: expected an address or CORE:VARIABLE", word));
    scenario::change_tiles(own(*scenario), meant, [&](scenario::Scenario& tile) {
      tile.until.push_back({word, scenario::address_of(tile, word).value_or(0), value});
    });
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_add_tile_memory(tensim_scenario* scenario, const char* tiles,
                                                            uint32_t address, const void* bytes, size_t size,
                                                            tensim_text** problem) {
  return with_tiles(scenario, tiles, problem, [&](const Tiles& meant) {
    if (bytes == nullptr) return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected bytes");
    const std::string wrong = scenario::place_problem(scenario->scenario->arch, address, size);
    if (!wrong.empty()) return capi::fail(problem, TENSIM_BAD_INPUT, wrong);
    scenario::change_tiles(own(*scenario), meant, [&](scenario::Scenario& tile) {
      const auto content = bytes_of(bytes, size);
      tile.memory.push_back({address, {content.begin(), content.end()}});
    });
    return TENSIM_OK;
  });
}

TENSIM_EXPORT tensim_status tensim_scenario_add_dram(tensim_scenario* scenario, uint32_t bank, uint64_t address,
                                                     const void* bytes, size_t size, tensim_text** problem) {
  return guarded(problem, [&] {
    if (scenario == nullptr || bytes == nullptr || !scenario->scenario->runs_chip())
      return capi::fail(problem, TENSIM_BAD_ARGUMENT, "expected a scenario of several tiles, and bytes");
    const noc::FloorPlan& plan = *scenario->scenario->plan;
    if (!is_in_bank(plan, bank, address, size))
      return capi::fail(problem, TENSIM_BAD_INPUT,
                        fmt::format("{} bytes at {:#x} are not in bank {}: there are {}, of {:#x} bytes", size, address,
                                    bank, noc::named_banks(plan), noc::dram_view_bytes(plan.arch())));
    const auto content = bytes_of(bytes, size);
    own(*scenario).dram.push_back({bank, address, {content.begin(), content.end()}});
    return TENSIM_OK;
  });
}

TENSIM_EXPORT int tensim_scenario_runs_chip(const tensim_scenario* scenario) {
  return scenario != nullptr && scenario->scenario->runs_chip() ? 1 : 0;
}

// ---- what came out ----

TENSIM_EXPORT tensim_outcome tensim_result_tile_outcome(const tensim_result* result, uint32_t x, uint32_t y) {
  if (result == nullptr || result->chip == nullptr) return TENSIM_RUNNING;
  const scenario::TileResult* const tile = result->chip->find({x, y});
  return tile == nullptr ? TENSIM_RUNNING : capi::outcome_of(tile->outcome.kind);
}

TENSIM_EXPORT tensim_status tensim_result_read_tile(const tensim_result* result, uint32_t x, uint32_t y,
                                                    uint32_t address, void* to, size_t size) {
  if (result == nullptr || result->chip == nullptr || result->chip->chip == nullptr || to == nullptr)
    return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    chip::Chip& chip = *result->chip->chip;
    const auto raw = noc::worker(chip.plan(), {x, y});
    if (!raw) return TENSIM_BAD_ARGUMENT;
    const bool is_read = chip.touch(*raw).tile->read(address, static_cast<std::uint8_t*>(to), size);
    return is_read ? TENSIM_OK : TENSIM_BAD_ARGUMENT;
  });
}

TENSIM_EXPORT tensim_status tensim_result_read_dram(const tensim_result* result, uint32_t bank, uint64_t address,
                                                    void* to, size_t size) {
  if (result == nullptr || result->chip == nullptr || result->chip->chip == nullptr || to == nullptr)
    return TENSIM_BAD_ARGUMENT;
  return guarded(nullptr, [&] {
    chip::Chip& chip = *result->chip->chip;
    if (!is_in_bank(chip.plan(), bank, address, size)) return TENSIM_BAD_ARGUMENT;
    const std::uint64_t offset = noc::named_bank(chip.plan().arch(), bank, 0).address_offset;
    chip.dram()
        .memory(noc::memory_of_named_bank(chip.plan(), bank))
        .read(offset + address, {static_cast<std::uint8_t*>(to), size});
    return TENSIM_OK;
  });
}

}  // extern "C"
