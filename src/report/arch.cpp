#include "report/arch.hpp"

#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arch/address_map.hpp"
#include "arch/debug_registers.hpp"
#include "arch/mutexes.hpp"
#include "arch/semaphores.hpp"
#include "arch/sizes.hpp"
#include "arch/timing.hpp"
#include "arch/wait_conditions.hpp"
#include "isa/table.hpp"

namespace tensim::report {
namespace {

std::string cores_text(std::uint8_t cores) {
  std::string text;
  const std::pair<CoreBit, const char*> names[] = {{B, "B"},   {T0, "T0"}, {T1, "T1"}, {T2, "T2"},
                                                   {NC, "NC"}, {E0, "E0"}, {E1, "E1"}};
  for (const auto& [bit, core] : names)
    if ((cores & bit) != 0) text += (text.empty() ? "" : " ") + std::string(core);
  return text;
}

const char* access_text(Region::Access access) {
  switch (access) {
    case Region::Access::read_write: return "rw";
    case Region::Access::read_only: return "ro";
    case Region::Access::write_only: return "wo";
  }
  return "?";
}

nlohmann::json symbols_json(const SymbolSet& set) {
  nlohmann::json list = nlohmann::json::array();
  for (const Symbol& symbol : set.symbols)
    list.push_back({{"value", symbol.value}, {"name", symbol.name}, {"meaning", symbol.meaning}});
  return list;
}

nlohmann::json to_json(Arch arch, bool with_timing) {
  nlohmann::json document{{"schema", "tensim.arch/1"},
                          {"arch", name(arch)},
                          {"instructions", isa::instruction_count(arch)},
                          {"mutexes", symbols_json(mutexes(arch))},
                          {"semaphores", symbols_json(semaphore_index)},
                          {"stall_conditions", symbols_json(stall_conditions(arch))}};
  for (const SizeRow& row : size_rows) {
    const SizeFact& fact = row.on(arch);
    if (!fact.exists()) continue;
    document["sizes"].push_back({{"name", row.name},
                                 {"role", name(row.role)},
                                 {"value", fact.value},
                                 {"unit", row.unit},
                                 {"evidence", name(fact.evidence)},
                                 {"source", fact.source}});
  }
  for (const Region& region : address_map(arch))
    document["address_map"].push_back({{"base", fmt::format("{:#010x}", region.base)},
                                       {"size_bytes", region.size_bytes},
                                       {"name", region.name},
                                       {"cores", cores_text(region.cores)},
                                       {"access", access_text(region.access)},
                                       {"note", region.note},
                                       {"evidence", name(region.evidence)},
                                       {"source", region.source}});
  for (const DebugRegister& reg : debug_registers)
    if (reg.archs.contains(arch))
      document["debug_registers"].push_back({{"address", fmt::format("{:#010x}", reg.address)},
                                             {"name", reg.name},
                                             {"access", access_text(reg.access)},
                                             {"note", reg.note},
                                             {"source", reg.source}});
  for (const TimingRow& row : timing_rows) {
    const TimingFact& fact = row.on(arch);
    if (with_timing && fact.exists())
      document["timing"].push_back({{"block", row.block},
                                    {"name", row.name},
                                    {"role", name(row.role)},
                                    {"cycles", fact.cycles},
                                    {"meaning", row.meaning},
                                    {"evidence", name(fact.evidence)},
                                    {"source", fact.source}});
  }
  return document;
}

std::string symbols_text(const Style& style, std::string_view title, const SymbolSet& set) {
  std::string text = fmt::format("\n{}\n", style.strong(title));
  for (const Symbol& symbol : set.symbols)
    text += fmt::format("  {:#6x}  {:<20} {}\n", symbol.value, symbol.name, style.dim(symbol.meaning));
  return text;
}

std::string to_text(const Style& style, Arch arch, bool with_timing) {
  std::string text =
      fmt::format("{}: {} Tensix instructions\n", style.strong(name(arch)), isa::instruction_count(arch));
  text += fmt::format("\n{}\n", style.strong("sizes and traits"));
  for (const SizeRow& row : size_rows) {
    const SizeFact& fact = row.on(arch);
    if (!fact.exists()) continue;
    text += fmt::format("  {:<36} {:>10} {:<28} {}\n", row.name, fact.value, row.unit,
                        style.dim(fmt::format("{}: {}", name(fact.evidence), fact.source)));
  }
  text += symbols_text(style, "mutexes", mutexes(arch));
  text += symbols_text(style, "semaphores, by firmware's names", semaphore_index);
  text += symbols_text(style, "STALLWAIT conditions: what keeps the wait alive", stall_conditions(arch));
  text += fmt::format("\n{}\n", style.strong("address map"));
  for (const Region& region : address_map(arch))
    text += fmt::format("  {:#010x} +{:#08x}  {:<15} {}  {:<46} {}\n", region.base, region.size_bytes,
                        cores_text(region.cores), access_text(region.access), region.name,
                        style.dim(fmt::format("{} ({}: {})", region.note, name(region.evidence), region.source)));
  text += fmt::format("\n{}\n", style.strong("debug and status registers"));
  for (const DebugRegister& reg : debug_registers)
    if (reg.archs.contains(arch))
      text += fmt::format("  {:#010x} {}  {:<34} {}\n", reg.address, access_text(reg.access), reg.name,
                          style.dim(fmt::format("{} ({})", reg.note, reg.source)));
  if (!with_timing) return text;
  text += fmt::format("\n{}\n", style.strong("timing, in cycles"));
  for (const TimingRow& row : timing_rows)
    if (const TimingFact& fact = row.on(arch); fact.exists())
      text += fmt::format("  {:<14} {:<34} {:>6}  {:<11} {:<11} {}\n", row.block, row.name, fact.cycles, name(row.role),
                          name(fact.evidence), style.dim(fmt::format("{} ({})", row.meaning, fact.source)));
  return text;
}

}  // namespace

std::string arch_report(Arch arch, bool with_timing, Format format) {
  return format == Format::json ? document_text(to_json(arch, with_timing))
                                : to_text(style_of(format), arch, with_timing);
}

}  // namespace tensim::report
