#include "reference/thread_programs.hpp"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "isa/assembler/assemble.hpp"
#include "reference/access_list.hpp"
#include "reference/reference_tile.hpp"

namespace tensim::reference {
namespace {

/// False if it cannot be said in instructions.
bool push_text(AccessList& list, Arch arch, const std::string& text) {
  const isa::Assembly assembly = isa::assemble(arch, text, "initial state");
  for (const isa::AssembledWord& word : assembly.words)
    list.push(word.word);
  return assembly.ok();
}

/// What all threads see: T0 sets it, and the others wait until it has.
std::string shared_state(const scenario::Scenario& scenario) {
  std::string text;
  for (const auto& [index, state] : scenario.semaphores)
    text += fmt::format("SEMINIT max={}, value={}, sem={}\n", state.max, state.value, 1U << index);
  if (scenario.src_a_valid) text += "SETDVALID FlipSrcA=1\n";
  if (scenario.src_b_valid) text += "SETDVALID FlipSrcB=1\n";
  return text;
}

std::string own_state(const scenario::Scenario& scenario, unsigned thread) {
  std::string text;
  for (const auto& [index, owner] : scenario.mutexes)
    if (owner == static_cast<int>(thread)) text += fmt::format("ATGETM mutex={}\n", index);
  for (const auto& [owner, word, value] : scenario.thread_config)
    if (owner == thread) text += fmt::format("SETC16 CfgIndex={}, NewValue={}\n", word, value);
  return text;
}

void store_own_state(const scenario::Scenario& scenario, unsigned thread, AccessList& list) {
  for (const auto& [place, value] : scenario.gprs)
    if (place.first == thread) list.gpr(place.second, value);
  for (const auto& [owner, words] : scenario.mop_config)
    if (owner == thread) list.mop(words);
}

std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words) {
  std::vector<std::uint8_t> bytes(words.size_bytes());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::optional<AccessLists> lists_of(const scenario::Scenario& scenario) {
  AccessLists lists;
  const std::string shared = shared_state(scenario);
  bool ok = push_text(lists[0], scenario.arch, shared);
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    AccessList& list = lists[thread];
    if (!shared.empty() && thread == 0) list.wait().store(GuestLayout::flag, 1);
    if (!shared.empty() && thread != 0) list.wait_for_word(GuestLayout::flag, 1, scenario.arch);
    store_own_state(scenario, thread, list);
    ok = push_text(list, scenario.arch, own_state(scenario, thread)) && ok;
    for (const isa::AssembledWord& word : scenario.threads[thread].words)
      list.push(word.word);
  }
  return ok ? std::optional(lists) : std::nullopt;
}

}  // namespace

std::variant<scenario::Scenario, std::string> as_programs(const scenario::Scenario& scenario) {
  if (!scenario.actions.empty()) return "a scenario with [[action]]s: programs do not know in which cycle they are";
  if (!scenario.streams.empty()) return "a scenario with streams: no program can set them";
  if (!scenario.memory.empty()) return "a scenario with memory: the programs that feed its threads would lie in it";
  if (!scenario.config.empty())
    return "a scenario with configuration: the programs that feed its threads do not set it";
  const auto lists = lists_of(scenario);
  if (!lists) return "no instructions can set its initial state";
  const auto placed = place_lists(*lists);
  if (const auto* problem = std::get_if<std::string>(&placed)) return *problem;
  scenario::Scenario programs;
  programs.file = scenario.file;
  programs.title = scenario.title;
  programs.arch = scenario.arch;
  programs.budget = scenario.budget;
  programs.timing = scenario.timing;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const std::uint32_t start = default_start(static_cast<tile::CoreId>(thread + 1));
    auto image = program::read_raw_image(bytes_of(guest_program(scenario.arch, thread)), start);
    if (const auto* problem = std::get_if<std::string>(&image)) return *problem;
    programs.cores[thread + 1] = {std::move(std::get<program::Image>(image)), false};
  }
  for (const PlacedWords& words : std::get<std::vector<PlacedWords>>(placed)) {
    programs.memory.push_back({words.address, bytes_of(words.words)});
    if (words.is_doorbell) programs.until.push_back({fmt::format("{:#x}", words.address), words.address, 0});
  }
  return programs;
}

}  // namespace tensim::reference
