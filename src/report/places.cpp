#include "report/places.hpp"

#include <fmt/format.h>

#include "arch/semaphores.hpp"
#include "isa/disassemble.hpp"
#include "noc/counters.hpp"
#include "noc/registers.hpp"
#include "tile/script.hpp"

namespace tensim::report {

using scenario::Scenario;
using tile::CoreId;

namespace {

/// Who pushed a word: the thread's own T core, or else BRISC.
CoreId pusher_of(const Scenario& scenario, unsigned thread, const tensix::Entry& entry) {
  const auto own = static_cast<CoreId>(thread + 1);
  const program::SourceMap* source = scenario.source_of(own);
  const bool is_own = source != nullptr && source->locate(entry.origin() * 4).has_value();
  return is_own ? own : CoreId::brisc;
}

std::string pushed_at(const Scenario& scenario, unsigned thread, const tensix::Entry& entry) {
  return location(scenario, pusher_of(scenario, thread, entry), entry.origin() * 4);
}

/// "NIU_MST_WR_ACK_RECEIVED of NoC 0", "NOC_CMD_CTRL of command buffer 1 of NoC 0"
std::string niu_register(Arch arch, const Region& region, std::uint32_t address) {
  const auto found = noc::niu_register_at(arch, (address - region.base) & ~3U);
  if (!found) return fmt::format("{} ({:#010x})", region.name, address);
  const noc::NiuRegister& row = *found->row;
  if (row.scope == noc::NiuRegister::Scope::command_buffer)
    return fmt::format("{} of command buffer {} of NoC {}", row.name, found->buffer, region.index);
  if (row.part == noc::NiuRegister::Part::counter)
    for (const noc::CounterRow& counter : noc::counter_rows)
      if (const unsigned id = found->index - counter.index; id < counter.count)
        return fmt::format("{}{} of NoC {}", counter.name, counter.count == 1 ? "" : fmt::format("({})", id),
                           region.index);
  return fmt::format("{} of NoC {}", row.name, region.index);
}

/// "done", "shared+0x14": what kind of thing it is, symbols do not say.
std::string part_of(const program::Symbol& symbol, std::uint32_t address) {
  const std::uint32_t offset = address - symbol.address;
  return offset == 0 ? symbol.name : fmt::format("{}+{:#x}", symbol.name, offset);
}

}  // namespace

std::string instruction_text(const Scenario& scenario, unsigned thread, const tensix::Entry& entry) {
  std::string text = to_text(isa::decode(scenario.arch, entry.word), isa::Syntax::brief);
  if (scenario.runs_cores()) return fmt::format("{} (pushed at {})", text, pushed_at(scenario, thread, entry));
  if (const std::uint32_t line = tile::Script::line_of_origin(entry.origin()); line != 0)
    return fmt::format("{} (line {})", text, line);
  const scenario::ThreadProgram& program = scenario.threads[thread];
  if (entry.origin() >= program.words.size()) return text;
  const isa::AssembledWord& source = program.words[entry.origin()];
  if (program.files[source.file] == scenario.file) return fmt::format("{} (line {})", text, source.line);
  return fmt::format("{} ({}:{})", text, program.files[source.file], source.line);
}

SourceLine line_of(const Scenario& scenario, CoreId core, std::uint32_t pc) {
  const program::SourceMap* source = scenario.source_of(core);
  const auto found = source == nullptr ? std::nullopt : source->locate(pc);
  if (!found) return {fmt::format("{:#x}", pc), 0};
  if (found->file.empty()) return {fmt::format("{}+{:#x}", found->function, found->offset), 0};
  return {found->file, found->line};
}

SourceLine line_of(const Scenario& scenario, unsigned thread, const tensix::Entry& entry) {
  if (scenario.runs_cores()) return line_of(scenario, pusher_of(scenario, thread, entry), entry.origin() * 4);
  if (const std::uint32_t line = tile::Script::line_of_origin(entry.origin()); line != 0) return {"", line};
  const scenario::ThreadProgram& program = scenario.threads[thread];
  if (entry.origin() >= program.words.size()) return {};
  const isa::AssembledWord& source = program.words[entry.origin()];
  const std::string& file = program.files[source.file];
  return {file == scenario.file ? "" : file, static_cast<unsigned>(source.line)};
}

std::string text_of(const SourceLine& line) {
  if (line.file.empty()) return fmt::format("line {}", line.line);
  return line.line == 0 ? line.file : fmt::format("{}:{}", line.file, line.line);
}

std::string location(const Scenario& scenario, CoreId core, std::uint32_t pc) {
  const program::SourceMap* source = scenario.source_of(core);
  return source == nullptr ? fmt::format("{:#x}", pc) : source->describe(pc);
}

std::string called_at(const Scenario& scenario, CoreId core, std::uint32_t pc) {
  const program::SourceMap* source = scenario.source_of(core);
  const std::vector<std::string> calls = source == nullptr ? std::vector<std::string>{} : source->inlined_at(pc);
  return calls.empty() ? "" : fmt::format(", called at {}", fmt::join(calls, ", "));
}

std::string push_called_at(const Scenario& scenario, unsigned thread, const tensix::Entry& entry) {
  return scenario.runs_cores() ? called_at(scenario, pusher_of(scenario, thread, entry), entry.origin() * 4) : "";
}

std::string what_is_at(const Scenario& scenario, CoreId core, std::uint32_t address) {
  const Region* region = find_region(scenario.arch, tile::bit(core), address);
  if (region != nullptr && region->kind == Region::Kind::semaphores) {
    const unsigned index = (address - region->base) / 4;
    return fmt::format("semaphore {} ({})", index, semaphore_index.symbols[index].name);
  }
  if (region != nullptr && region->kind == Region::Kind::noc_niu) return niu_register(scenario.arch, *region, address);
  if (region != nullptr && region->kind != Region::Kind::l1) return fmt::format("{} ({:#010x})", region->name, address);
  const program::SourceMap* source = scenario.source_of(core);
  const program::Symbol* symbol = source == nullptr ? nullptr : source->data_at(address);
  return symbol == nullptr ? fmt::format("word {:#010x}", address)
                           : fmt::format("word {} ({:#010x})", part_of(*symbol, address), address);
}

}  // namespace tensim::report
