#include "scenario/without.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "tensix/frontend/wait_gate.hpp"

namespace tensim::scenario {
namespace {

constexpr std::uint32_t riscv_nop = 0x00000013;  // addi zero, zero, 0

std::string place_text(std::string_view file, unsigned line) {
  return fmt::format("{}:{}", file, line);
}

/// Where the instruction is, and from where it was called; the innermost first.
std::vector<std::string> places_of(const program::SourceMap& source, std::uint32_t pc) {
  std::vector<std::string> places;
  if (const auto found = source.locate(pc); found && found->line != 0)
    places.push_back(place_text(found->file, found->line));
  for (std::string& call : source.inlined_at(pc))
    places.push_back(std::move(call));
  return places;
}

/// Waits that were met at other places, to say where there are some.
using Others = std::set<std::string>;

void leave_out(CoreProgram& program, tile::CoreId core, std::string_view place, Scenario& changed, Others& others) {
  for (program::Segment& segment : program.image.segments) {
    if (!segment.executable) continue;
    for (std::size_t at = 0; at + sizeof(std::uint32_t) <= segment.bytes.size(); at += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, segment.bytes.data() + at, sizeof word);
      if (!isa::is_ttinsn(word) || !tensix::latches_wait(isa::word_of_ttinsn(word))) continue;
      const std::uint32_t pc = segment.run_address + static_cast<std::uint32_t>(at);
      const std::vector<std::string> places = places_of(*program.image.source, pc);
      if (std::ranges::find(places, place) == places.end()) {
        if (!places.empty()) others.insert(places.front());
        continue;
      }
      std::memcpy(segment.bytes.data() + at, &riscv_nop, sizeof riscv_nop);
      changed.left_out.push_back({.core = core, .address = pc, .word = isa::word_of_ttinsn(word)});
    }
  }
}

void leave_out(ThreadProgram& program, unsigned thread, std::string_view place, Scenario& changed, Others& others) {
  std::erase_if(program.words, [&](const isa::AssembledWord& word) {
    if (!tensix::latches_wait(word.word)) return false;
    const std::string& file = program.files[word.file];
    const std::string in_file = place_text(file, word.line);
    const bool is_own = file == changed.file;
    if (place != in_file && (!is_own || place != std::to_string(word.line))) {
      others.insert(is_own ? std::to_string(word.line) : in_file);
      return false;
    }
    changed.left_out.push_back(
        {.core = static_cast<tile::CoreId>(thread + 1), .address = word.line, .word = word.word});
    return true;
  });
}

void leave_out(Scenario& changed, std::string_view place, Others& others) {
  for (unsigned core = 0; core < tile::core_count; ++core)
    if (changed.cores[core]) leave_out(*changed.cores[core], static_cast<tile::CoreId>(core), place, changed, others);
  for (unsigned thread = 0; thread < thread_count; ++thread)
    leave_out(changed.threads[thread], thread, place, changed, others);
}

}  // namespace

std::variant<Scenario, std::string> without(const Scenario& scenario, std::string_view place) {
  Scenario changed = scenario;
  changed.left_out.clear();
  Others others;
  leave_out(changed, place, others);
  for (TileGroup& group : changed.tiles) {
    leave_out(group.tile, place, others);
    changed.left_out.insert(changed.left_out.end(), group.tile.left_out.begin(), group.tile.left_out.end());
  }
  if (!changed.left_out.empty()) return changed;
  if (others.empty()) return fmt::format("no wait stands at {}, nor anywhere else in the code", place);
  return fmt::format("no wait stands at {}; some do at {}", place, fmt::join(others, ", "));
}

}  // namespace tensim::scenario
