// SFPLOADMACRO: a load, and up to four instructions that sub-units execute later, beside whatever else comes.
//
// Each sub-unit has a place for every delay from 0 to 7. What stands at 0 is executed in this cycle; the rest moves down.
// All instructions of a cycle read registers and flags as they were at its start.
#include "tensix/coprocessor.hpp"
#include "tensix/units/vector/rows.hpp"
#include "tensix/units/vector/unit.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

constexpr unsigned store_byte = static_cast<unsigned>(VectorSubUnit::store);

/// A byte of a sequence.
struct SequenceByte {
  unsigned source;  // of the instruction: 0 none, 2 SFPNOP, 3 SFPSTORE, 4 to 7 a template
  unsigned delay;
  bool to_macro_lreg;      // the result goes to LReg 16, or comes from there
  bool loaded_goes_to_vb;  // not to VC; SFPSTORE: its own VD stays
};
constexpr SequenceByte sequence_byte(std::uint32_t sequence, unsigned sub_unit) {
  const std::uint32_t bits = sequence >> (sub_unit * 8);
  return {bits & 7U, bits >> 3U & 7U, (bits & 0x40U) != 0, (bits & 0x80U) != 0};
}

constexpr Word nop_word = Word{"SFPNOP"_op} << 24U;
constexpr Word store_word = Word{"SFPSTORE"_op} << 24U;

bool can_execute(VectorSubUnit sub_unit, std::uint8_t opcode) {
  if (opcode == "SFPNOP"_op) return sub_unit != VectorSubUnit::store;
  const VectorRow& row = vector_row_of[opcode];
  return row.action != nullptr && row.sub_unit == sub_unit;
}

/// What the byte names; nothing if that is undefined.
std::optional<VectorInstruction> named_instruction(const Coprocessor& coprocessor, const SequenceByte& byte,
                                                   VectorSubUnit sub_unit) {
  const Arch arch = coprocessor.arch;
  const LoadMacroConfig& macro = coprocessor.vector.registers.macros[0];
  VectorInstruction in;
  switch (byte.source) {
    case 1: return std::nullopt;
    case 2: in = take_apart(arch, nop_word); break;
    case 3: in = take_apart(arch, store_word); break;
    default: in = take_apart(arch, macro.instruction[byte.source - 4]);
  }
  const bool known = coprocessor.timing->operations[in.opcode].execute != nullptr;
  if (!known || !can_execute(sub_unit, in.opcode)) in = take_apart(arch, nop_word);
  if (!can_execute(sub_unit, in.opcode)) return std::nullopt;
  return in;
}

/// The registers that SFPLOADMACRO replaces. Where there is no VB or VC, it has been taken for the template's VD.
void replace_registers(VectorInstruction& in, const SequenceByte& byte, unsigned loaded) {
  if (byte.loaded_goes_to_vb) {
    in.vb = static_cast<std::uint8_t>(loaded);
    in.vb_replaced = true;
  } else {
    in.vc = static_cast<std::uint8_t>(loaded);
  }
  in.vd = static_cast<std::uint8_t>(byte.to_macro_lreg ? macro_lreg : loaded);
}

void replace_store(VectorInstruction& in, const VectorInstruction& load, std::uint32_t misc, const SequenceByte& byte,
                   unsigned address) {
  const bool format_of_load = (misc >> (4 + vector_words::macro_index.get(load.word)) & 1U) != 0;
  if (byte.to_macro_lreg)
    in.vd = macro_lreg;
  else if (!byte.loaded_goes_to_vb)
    in.vd = load.vd;
  in.mod = static_cast<std::uint8_t>(format_of_load ? load.mod : misc & 15U);
  in.address = static_cast<std::uint16_t>(address);
}

SequenceByte byte_of(const Coprocessor& coprocessor, const VectorInstruction& load, unsigned sub_unit) {
  const LoadMacroConfig& macro = coprocessor.vector.registers.macros[0];
  return sequence_byte(macro.sequence[vector_words::macro_index.get(load.word)], sub_unit);
}

void schedule(VectorWork& work, unsigned sub_unit, unsigned address) {
  const LoadMacroConfig& macro = work.registers().macros[0];
  const SequenceByte byte = byte_of(work.coprocessor, work.in, sub_unit);
  VectorSchedule& schedule = work.unit().schedule;
  const auto bit = static_cast<std::uint8_t>(1U << byte.delay);
  schedule.occupied[sub_unit] &= static_cast<std::uint8_t>(~bit);  // what would come at the same time is forgotten
  schedule.by_instructions[sub_unit] &= static_cast<std::uint8_t>(~bit);
  if (byte.source == 0) return;
  auto in = vector_data::scheduled_instruction(work.coprocessor, work.in, sub_unit, address);
  if (!in) return work.issue(DataIssue::vector_macro_sequence);
  in->scheduled = true;
  in->thread = static_cast<std::uint8_t>(work.candidate.thread);
  in->origin = work.candidate.entry.tag;
  schedule.slot[sub_unit][byte.delay] = *in;
  schedule.occupied[sub_unit] |= bit;
  work.coprocessor.leave_vector_run();
  constexpr unsigned delay_kinds = 8;
  if ((macro.misc >> (delay_kinds + sub_unit) & 1U) != 0) schedule.by_instructions[sub_unit] |= bit;
}

void note_start_of_cycle(Coprocessor& coprocessor) {
  VectorUnit& vector = coprocessor.vector;
  vector.stale_at_start = 0;
  for (unsigned lreg = 0; lreg < all_lreg_count; ++lreg) {
    const bool stale = vector.lreg_stale_until[lreg] > coprocessor.now;
    vector.at_start[lreg] = stale ? vector.stale[lreg] : vector.registers.lreg[lreg];
    vector.stale_at_start |= (stale ? 1U : 0U) << lreg;
  }
  vector.enabled_at_start = vector.registers.enabled();
  vector.taken_sub_units = 0;
  vector.together_in = coprocessor.now;
  vector.unusual_until = coprocessor.now + 1;
}

void run(Coprocessor& coprocessor, const VectorInstruction& in) {
  const Candidate candidate{{in.word, in.origin}, in.thread};
  VectorWork work{coprocessor, candidate, in, every_lane, coprocessor.vector.enabled_at_start};
  vector_row_of[in.opcode].action(work);
  if (work.reads_early) work.issue(DataIssue::vector_early_read);
}

/// Those of the simple and the round sub-unit may not write the same register (SFPLOADMACRO.md).
void check_conflict(Coprocessor& coprocessor) {
  const VectorSchedule& schedule = coprocessor.vector.schedule;
  const VectorInstruction& simple = schedule.slot[static_cast<unsigned>(VectorSubUnit::simple)][0];
  const VectorInstruction& round = schedule.slot[static_cast<unsigned>(VectorSubUnit::round)][0];
  if (simple.opcode == "SFPNOP"_op || round.opcode == "SFPNOP"_op) return;
  if ((simple.vd == macro_lreg) != (round.vd == macro_lreg)) return;
  coprocessor.data_issue({{simple.word, simple.origin}, simple.thread}, DataIssue::vector_macro_conflict);
}

}  // namespace

std::optional<VectorInstruction> vector_data::scheduled_instruction(const Coprocessor& coprocessor,
                                                                    const VectorInstruction& load, unsigned sub_unit,
                                                                    unsigned address) {
  const SequenceByte byte = byte_of(coprocessor, load, sub_unit);
  if (byte.source == 0) return std::nullopt;
  auto in = named_instruction(coprocessor, byte, static_cast<VectorSubUnit>(sub_unit));
  if (!in) return std::nullopt;
  if (sub_unit == store_byte)
    replace_store(*in, load, coprocessor.vector.registers.macros[0].misc, byte, address);
  else
    replace_registers(*in, byte, load.vd);
  return in;
}

std::optional<unsigned> vector_data::scheduled_template(const Coprocessor& coprocessor, const VectorInstruction& load,
                                                        unsigned sub_unit) {
  constexpr unsigned first_template = 4;
  const SequenceByte byte = byte_of(coprocessor, load, sub_unit);
  return byte.source >= first_template ? std::optional(byte.source - first_template) : std::nullopt;
}

void vector_data::load_macro(VectorWork& work) {
  const unsigned address = load_and_step(work);
  if (work.registers().macros_differ) return work.issue(DataIssue::vector_macro_lanes);
  for (unsigned sub_unit = 0; sub_unit < scheduling_sub_units; ++sub_unit)
    schedule(work, sub_unit, address);
}

void units::advance_vector(Coprocessor& coprocessor, bool issues) {
  VectorUnit& vector = coprocessor.vector;
  VectorSchedule& schedule = vector.schedule;
  note_start_of_cycle(coprocessor);
  for (unsigned sub_unit = 0; sub_unit < scheduling_sub_units; ++sub_unit)
    if ((schedule.occupied[sub_unit] & 1U) != 0) vector.taken_sub_units |= 1U << sub_unit;
  constexpr unsigned simple_and_round =
      1U << static_cast<unsigned>(VectorSubUnit::simple) | 1U << static_cast<unsigned>(VectorSubUnit::round);
  if ((vector.taken_sub_units & simple_and_round) == simple_and_round) check_conflict(coprocessor);
  for (unsigned sub_unit = scheduling_sub_units; sub_unit-- > 0;)
    if ((vector.taken_sub_units >> sub_unit & 1U) != 0) run(coprocessor, schedule.slot[sub_unit][0]);
  const bool moves = issues || !schedule.counts_instructions();
  for (unsigned sub_unit = 0; sub_unit < scheduling_sub_units; ++sub_unit) {
    schedule.occupied[sub_unit] &= 0xFEU;
    schedule.by_instructions[sub_unit] &= 0xFEU;
    if (!moves) continue;
    schedule.occupied[sub_unit] >>= 1U;
    schedule.by_instructions[sub_unit] >>= 1U;
    auto& slots = schedule.slot[sub_unit];
    for (unsigned delay = 0; delay + 1 < VectorSchedule::delays; ++delay)
      slots[delay] = slots[delay + 1];
  }
}

}  // namespace tensim::tensix
