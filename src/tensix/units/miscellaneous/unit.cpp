// Miscellaneous Unit: address counters, hand-over of Src banks, NOP (MiscellaneousUnit.md). One instruction per thread
// and cycle, each done in one.
#include "tensix/units/unpackers/unit.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/miscellaneous/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

void nothing(Coprocessor&, const Candidate&) {}

void adc(Coprocessor& coprocessor, const Candidate& candidate) {
  apply_adc_instruction(coprocessor.adcs, candidate.thread, candidate.entry.word);
}

void setdvalid(Coprocessor& coprocessor, const Candidate& candidate) {
  for (unsigned file = 0; file < 2; ++file) {
    if (!sets_dvalid(candidate.entry.word, static_cast<Src>(file))) continue;
    if (coprocessor.causes_are_noted())
      coprocessor.journal->add(coprocessor.key_of_now(),
                               event::BankFilled{.unpacker = static_cast<std::uint8_t>(file),
                                                 .thread = static_cast<std::uint8_t>(candidate.thread),
                                                 .bank = coprocessor.src.unpack_bank[file],
                                                 .hands_over = true,
                                                 .waited = false,
                                                 .accepted = coprocessor.now});
    coprocessor.hand_to_matrix(static_cast<Src>(file));
    units::reset_src_row(coprocessor, file, candidate.thread);
  }
}

Releases setdvalid_releases(Arch, Word word) {
  return {.src_to_matrix =
              static_cast<std::uint8_t>((sets_dvalid(word, Src::a) ? 1U : 0U) | (sets_dvalid(word, Src::b) ? 2U : 0U))};
}

constexpr OperationRow row(std::uint8_t opcode, Operation::Execute execute, Turn turn = Turn::change,
                           ReleasesOf releases = nullptr) {
  return {.opcode = opcode,
          .port = Port::miscellaneous,
          .occupancy = Occupancy::miscellaneous,
          .execute = execute,
          .turn = turn,
          .footprint = units::miscellaneous_footprint,
          .releases = releases};
}

constexpr std::array rows{
    row("NOP"_op, nothing),  row("SETADC"_op, adc),
    row("SETADCXY"_op, adc), row("INCADCXY"_op, adc),
    row("ADDRCRXY"_op, adc), row("SETADCZW"_op, adc),
    row("INCADCZW"_op, adc), row("ADDRCRZW"_op, adc),
    row("SETADCXX"_op, adc), row("SETDVALID"_op, setdvalid, Turn::supply, setdvalid_releases),
};

}  // namespace

std::span<const OperationRow> units::miscellaneous_operations() {
  return rows;
}

}  // namespace tensim::tensix
