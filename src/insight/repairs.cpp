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

/// Whether the core is the one that pushed the instruction: what it does behind that comes second in its program, too.
bool is_own_core(const Site& instruction, const Site& core) {
  return !is_core(instruction) && is_core(core) && !instruction.is_from_brisc &&
         instruction.actor - core.actor == tile::core_count - 1;
}

Occupancy unit_of(Arch arch, const Site& instruction) {
  const tensix::Operation& operation = tensix::unit_timing(arch)->operations[isa::opcode_of(instruction.word)];
  const unsigned units = tensix::occupancies(arch, instruction.word, operation.occupancy);
  return units == 0 ? operation.occupancy : static_cast<Occupancy>(std::countr_zero(units));
}

/// What the Matrix Unit waits for before an instruction that does not itself (rule 13a) may use the bank that an unpacker fills; with
/// MATH, or the pointer might be that of the bank before (6a). Empty if it is not that.
std::string_view bank_condition_of(Arch arch, const Site& filler, const Site& user) {
  if (is_core(filler) || is_core(user) || unit_of(arch, user) != Occupancy::matrix) return {};
  switch (unit_of(arch, filler)) {
    case Occupancy::unpacker0: return "MATH|SRCA_VLD";
    case Occupancy::unpacker1: return "MATH|SRCB_VLD";
    default: return {};
  }
}

/// Of two whose order is known, though nothing keeps them from meeting: whichever came first in this run.
Repair repair_either_way(Arch arch, const Races& races, const Race& race) {
  using enum Repair::Kind;
  using enum Repair::Place;
  const Site& first = races[race.first];
  const Site& second = races[race.second];
  if (is_own_core(first, second)) return {tensix_sync, before_second};
  if (is_own_core(second, first) && !race.is_issue_ordered) return {tensix_sync, before_first};
  if (race.rule != "13a"_rule) return {hand_over};
  if (const std::string_view condition = bank_condition_of(arch, first, second); !condition.empty())
    return {stall_wait, before_second, block_of(arch, second.word), condition};
  if (const std::string_view condition = bank_condition_of(arch, second, first); !condition.empty())
    return {stall_wait, before_first, block_of(arch, first.word), condition};
  return {hand_over};
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
  if (const Repair repair = repair_either_way(arch, races, race); repair.kind != hand_over) return repair;
  if (!race.is_issue_ordered && !is_core(first)) return {hand_over};
  if (is_core(first)) {
    if (!race.is_issue_ordered || is_core(second) || race.what.resource == event::Resource::l1) return {hand_over};
    const bool is_own = second.actor - first.actor == tile::core_count - 1;
    if (is_own && !second.is_from_brisc) return {stall_wait, before_second, block_of(arch, second.word), "TRISC_CFG"};
    return {read_back, behind_first};
  }
  if (race.rule == "17"_rule) return {other_instruction, before_second};
  const std::string_view condition = condition_of(arch, unit_of(arch, first));
  if (condition.empty()) return {hand_over};
  if (first.actor == second.actor) return {stall_wait, before_second, block_of(arch, second.word), condition};
  return {stall_wait, behind_first, "STALL_SYNC", condition};
}

}  // namespace tensim::insight
