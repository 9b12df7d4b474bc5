#include "insight/race_context.hpp"

#include "arch/config_registers.hpp"
#include "isa/table.hpp"

namespace tensim::insight {

using namespace isa::literals;

namespace {

/// Which bits of configuration packers and unpackers read in a way of their own.
std::vector<RaceContext::Settings> look_up_settings(Arch arch) {
  using Settings = RaceContext::Settings;
  struct Row {
    std::string_view part_of_name;
    std::uint32_t Settings::* bits;
  };
  static constexpr std::array rows{
      Row{"_L1_Dest_addr", &Settings::pack_address}, Row{"_Pack_L1_Acc", &Settings::pack_accumulate},
      Row{"PCK0_ADDR_CTRL_", &Settings::at_issue},   Row{"_REG3_Base", &Settings::at_issue},
      Row{"_REG7_Offset", &Settings::at_issue},      Row{"_REG7_Unpack_", &Settings::at_issue},
      Row{"_Unpack_limit_", &Settings::at_issue},    Row{"UNP0_ADDR_CTRL_", &Settings::at_issue},
      Row{"UNP1_ADDR_CTRL_", &Settings::at_issue},
  };
  std::vector<Settings> settings(tensix::max_config_words);
  for (const auto& family : config_fields())
    for (const ConfigField& field : family) {
      const ConfigField::Place& place = field.on(arch);
      if (!place.exists()) continue;
      for (const Row& row : rows)
        if (field.name.find(row.part_of_name) != std::string_view::npos)
          settings[static_cast<std::size_t>(place.word)].*row.bits |=
              static_cast<std::uint32_t>((std::uint64_t{1} << place.width) - 1) << place.shift;
    }
  return settings;
}

}  // namespace

RaceContext::RaceContext(Arch arch_of_chip, RuleSeverities how)
    : arch(arch_of_chip),
      severities(how),
      timing(tensix::unit_timing(arch)),
      settings(look_up_settings(arch)),
      gates_close(on(arch, true, false)),
      nops_overtake(on(arch, false, true)) {}

bool RaceContext::closes_gate(tensix::Occupancy unit, tensix::Word word) const {
  return gates_close && (unit == tensix::Occupancy::scalar || isa::opcode_of(word) == "RDCFG"_op);
}

Distance LaneTimes::distance(Lane lane, std::uint32_t number, std::uint64_t cycle) const {
  const Lanes& lanes = is_flow(lane) ? flows_ : lanes_;
  const std::size_t index = flow_of(lane);
  const OfLane* const of_lane = index < lanes.size() ? lanes[index].get() : nullptr;
  const Times* const times = of_lane == nullptr ? nullptr : &(*of_lane)[number % kept];
  if (times == nullptr || times->number != number) return {.cycles = kept};  // long ago
  if (times->over == 0 || times->over > cycle) return {.overlapped = true};
  return {.cycles = cycle - times->over};
}

}  // namespace tensim::insight
