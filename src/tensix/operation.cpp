#include "tensix/operation.hpp"

#include "isa/table.hpp"
#include "tensix/registers/fields.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/unpackers/unit.hpp"

namespace tensim::tensix {

namespace {

auto rows_of_units() {
  return std::array{units::configuration_operations(), units::matrix_operations(),   units::miscellaneous_operations(),
                    units::mover_operations(),         units::packer_operations(),   units::scalar_operations(),
                    units::sync_operations(),          units::unpacker_operations(), units::vector_operations()};
}

/// Beside the operations, which the cycle reads: they stay small.
std::array<ReleasesOf, 256> build_releases() {
  std::array<ReleasesOf, 256> by_opcode{};
  for (const auto rows : rows_of_units())
    for (const OperationRow& row : rows)
      by_opcode[row.opcode] = row.releases;
  return by_opcode;
}

}  // namespace

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
  for (const auto rows : rows_of_units())
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

Releases releases(Arch arch, Word word) {
  static const std::array<ReleasesOf, 256> by_opcode = build_releases();
  const std::uint8_t opcode = isa::opcode_of(word);
  if (by_opcode[opcode] == nullptr || isa::forms_of(arch, opcode).empty()) return {};
  return by_opcode[opcode](arch, word);
}

unsigned occupancies(Arch arch, Word word, Occupancy declared) {
  const auto first = static_cast<unsigned>(declared);
  switch (declared) {
    case Occupancy::unpacker0: return 1U << first << units::unpacker_of(word);
    case Occupancy::packer0: return PacrWord{word, arch}.packers() << first;
    default: return 1U << first;
  }
}

}  // namespace tensim::tensix
