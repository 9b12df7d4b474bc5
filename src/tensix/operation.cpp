#include "tensix/operation.hpp"

#include "isa/table.hpp"
#include "tensix/registers/fields.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/unpackers/unit.hpp"

namespace tensim::tensix {

OperationTable operation_table(const Timing& timing) {
  const Arch arch = timing.arch();
  OperationTable table{};
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& form : unit.forms)
      if (form.archs.contains(arch)) {
        Operation& operation = table[form.opcode];
        operation.held_by_any = form.block.rule == isa::Block::Rule::any_of ? form.block.bits : std::uint16_t{0};
        operation.held_by_all = form.block.rule == isa::Block::Rule::all_of ? form.block.bits : std::uint16_t{0};
      }
  const std::array units_rows{
      units::configuration_operations(), units::matrix_operations(),   units::miscellaneous_operations(),
      units::mover_operations(),         units::packer_operations(),   units::scalar_operations(),
      units::sync_operations(),          units::unpacker_operations(), units::vector_operations()};
  for (const auto rows : units_rows)
    for (const OperationRow& row : rows) {
      if (isa::forms_of(arch, row.opcode).empty()) continue;  // the other chip's
      Operation& operation = table[row.opcode];
      operation.port = row.port;
      operation.occupancy = row.occupancy;
      operation.latency =
          row.latency_row == OperationRow::one_cycle ? std::uint8_t{1} : timing.whole<std::uint8_t>(row.latency_row);
      operation.execute = row.execute;
      operation.check = row.check;
      operation.turn = row.turn;
      operation.footprint = row.footprint;
    }
  return table;
}

// PACR_SETREG names packers where PACR does, so that one reading serves both.
static_assert(field_of(Arch::wormhole, "PACR_SETREG", "", "PackSel").low ==
                  field_of(Arch::wormhole, "PACR", "", "PackerMask").low &&
              field_of(Arch::wormhole, "PACR_SETREG", "", "PackSel").high ==
                  field_of(Arch::wormhole, "PACR", "", "PackerMask").high);

unsigned occupancies(Arch arch, Word word, Occupancy declared) {
  const auto first = static_cast<unsigned>(declared);
  switch (declared) {
    case Occupancy::unpacker0: return 1U << first << units::unpacker_of(word);
    case Occupancy::packer0: return PacrWord{word, arch}.packers() << first;
    default: return 1U << first;
  }
}

}  // namespace tensim::tensix
