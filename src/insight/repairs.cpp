#include "insight/repairs.hpp"

#include <array>
#include <bit>

#include "arch/wait_conditions.hpp"
#include "insight/checked_state.hpp"
#include "isa/symbols.hpp"
#include "tensix/unit_timing.hpp"

namespace tensim::insight {
namespace {

using tensix::Occupancy;

/// The name of the smallest block mask that holds the instruction.
std::string_view block_of(Arch arch, isa::Word word) {
  const tensix::Operation& operation = tensix::unit_timing(arch)->operations[isa::opcode_of(word)];
  std::string_view name = "STALL_THREAD";
  for (const Symbol& symbol : isa::block_mask.symbols)  // the last that fits is the narrowest: STALL_TDMA comes first
    if (std::has_single_bit(symbol.value) && (operation.held_by_any & symbol.value) != 0) name = symbol.name;
  return name;
}

/// What a thread waits for until its work in the unit is done. Wormhole has nothing for the Configuration Unit, and nobody
/// for the rest.
std::string_view condition_of(Arch arch, Occupancy unit) {
  switch (unit) {
    case Occupancy::scalar:
    case Occupancy::scalar_memory: return "THCON";
    case Occupancy::unpacker0: return "UNPACK0";
    case Occupancy::unpacker1: return "UNPACK1";
    case Occupancy::packer0:
    case Occupancy::packer1:
    case Occupancy::packer2:
    case Occupancy::packer3: return "PACK";
    case Occupancy::matrix: return "MATH";
    case Occupancy::vector: return "WAIT_SFPU";
    case Occupancy::mover: return "XMOV";
    case Occupancy::configuration: return on(arch, std::string_view{}, std::string_view{"CFGEXU"});
    case Occupancy::miscellaneous:
    case Occupancy::sync: return {};
  }
  return {};
}

bool is_core(const Site& site) {
  return !is_thread(site.actor);
}

bool is_packet(const Site& site) {
  return site.kind == Site::Kind::noc_read || site.kind == Site::Kind::noc_write || site.kind == Site::Kind::noc_atomic;
}

/// What the core that has initiated a packet could wait for; of one that is not known to be under way, somebody has to say so.
Repair behind_packet(const Race& race) {
  using enum Repair::Kind;
  using enum Repair::Place;
  if (!race.is_issue_ordered) return {hand_over};
  if (race.rule == "28"_rule) return {read_barrier, before_second};
  if (race.rule == "29"_rule) return {write_barrier, before_second};
  if (race.rule == "29a"_rule) return {writes_sent, before_second};
  if (race.rule == "31"_rule) return {atomic_barrier, before_second};
  return {write_barrier, behind_first};
}

}  // namespace

Repair repair_of(Arch arch, const Races& races, const Race& race) {
  using enum Repair::Kind;
  using enum Repair::Place;
  const Site& first = races[race.first];
  const Site& second = races[race.second];
  if (race.what.resource == event::Resource::mop_config) return {mop_sync, before_second};
  if (race.rule == "32"_rule) return {hand_over};
  if (is_packet(first)) return behind_packet(race);
  if (!race.is_issue_ordered && !is_core(first)) return {hand_over};
  if (is_core(first)) {
    if (!race.is_issue_ordered || is_core(second) || race.what.resource == event::Resource::l1) return {hand_over};
    const bool is_own = second.actor - first.actor == tile::core_count - 1;
    if (is_own && !second.is_from_brisc) return {stall_wait, before_second, block_of(arch, second.word), "TRISC_CFG"};
    return {read_back, behind_first};
  }
  if (race.rule == "17"_rule) return {other_instruction, before_second};
  const tensix::Operation& operation = tensix::unit_timing(arch)->operations[isa::opcode_of(first.word)];
  const unsigned units = tensix::occupancies(arch, first.word, operation.occupancy);
  const auto unit = units == 0 ? operation.occupancy : static_cast<Occupancy>(std::countr_zero(units));
  const std::string_view condition = condition_of(arch, unit);
  const bool is_own_core = is_core(second) && first.actor - second.actor == tile::core_count - 1;
  if (is_own_core) return {tensix_sync, before_second};
  if (condition.empty()) return {hand_over};
  if (first.actor == second.actor) return {stall_wait, before_second, block_of(arch, second.word), condition};
  return {stall_wait, behind_first, "STALL_SYNC", condition};
}

}  // namespace tensim::insight
