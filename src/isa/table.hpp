// The instruction set: every Tensix instruction of Wormhole and Blackhole, one row per form, one file per unit.
//
// This is the only place that knows an encoding. Decoder, encoder, assembler, disassembler, explain and the reference
// under docs/isa are all derived from these rows; table.cpp proves them (unique opcodes, disjoint fields).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "isa/form.hpp"
#include "isa/table/configuration.hpp"
#include "isa/table/frontend.hpp"
#include "isa/table/matrix.hpp"
#include "isa/table/matrix_legacy.hpp"
#include "isa/table/miscellaneous.hpp"
#include "isa/table/mover.hpp"
#include "isa/table/packers.hpp"
#include "isa/table/scalar.hpp"
#include "isa/table/sync.hpp"
#include "isa/table/unpackers.hpp"
#include "isa/table/vector.hpp"

namespace tensim::isa {

/// One unit's rows, with what the reference says about the unit.
struct UnitTable {
  Unit unit;
  std::string_view name;   // as the ISA documentation spells it
  std::string_view about;  // one line for the reference
  std::span<const Form> forms;
};

inline constexpr std::array unit_tables{
    UnitTable{Unit::frontend, "Frontend", "expanded or consumed before the Wait Gate; never reaches a backend unit",
              table::frontend},
    UnitTable{Unit::sync, "Sync Unit", "mutexes, semaphores and the waits it latches into the Wait Gates", table::sync},
    UnitTable{Unit::unpackers, "Unpackers", "move data from L1 to SrcA, SrcB and Dst", table::unpackers},
    UnitTable{Unit::matrix, "Matrix Unit", "the FPU: SrcA, SrcB and Dst arithmetic and moves", table::matrix},
    UnitTable{Unit::matrix, "Matrix Unit legacy", "opcodes of the Matrix Unit without a documented use",
              table::matrix_legacy},
    UnitTable{Unit::packers, "Packers", "move data from Dst to L1", table::packers},
    UnitTable{Unit::vector, "Vector Unit", "the SFPU: 32 lanes of 32-bit arithmetic on LReg and Dst", table::vector},
    UnitTable{Unit::scalar, "Scalar Unit", "ThCon: GPR arithmetic, L1 and MMIO accesses, atomics", table::scalar},
    UnitTable{Unit::configuration, "Configuration Unit", "reads and writes of backend and thread configuration",
              table::configuration},
    UnitTable{Unit::mover, "Mover", "bulk moves within L1 and to configuration", table::mover},
    UnitTable{Unit::miscellaneous, "Miscellaneous Unit", "address counters, bank hand-over, NOP", table::miscellaneous},
};

/// The unit's table; of the Matrix Unit's two, the one with the documented instructions.
constexpr const UnitTable& unit_table(Unit unit) {
  for (const UnitTable& candidate : unit_tables)
    if (candidate.unit == unit) return candidate;
  return unit_tables[0];
}

/// The forms that share `opcode` on `arch`; empty if the opcode is undefined there.
std::span<const Form* const> forms_of(Arch arch, std::uint8_t opcode);

/// The forms of the instruction called `name` on `arch`, whatever its case, with or without underscores and with or
/// without the vendor's "tt" prefix.
std::span<const Form* const> find_instruction(Arch arch, std::string_view name);

/// How many instructions (not forms) an architecture has.
std::size_t instruction_count(Arch arch);

/// "ttsemwait", "ttunpacrnop", "sfpmad": the mnemonic the vendor's objdump prints.
std::string vendor_mnemonic(const Form& form);

namespace detail {
consteval std::uint8_t opcode_named(std::string_view name) {
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      if (form.name == name) return form.opcode;
  throw "no instruction of this name in isa/table";
}
}  // namespace detail

inline namespace literals {
/// "SEMPOST"_op is the opcode of SEMPOST; a misspelt name does not compile.
consteval std::uint8_t operator""_op(const char* name, std::size_t length) {
  return detail::opcode_named(std::string_view(name, length));
}
}  // namespace literals

}  // namespace tensim::isa
