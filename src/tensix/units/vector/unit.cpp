#include "tensix/units/vector/unit.hpp"

#include <vector>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/vector/at_once.hpp"
#include "tensix/units/vector/rows.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

constexpr std::uint32_t every_lreg = 0xFFFF;
constexpr std::uint32_t table_lregs = 0x0F;       // SFPLUT: LReg 0 to 3
constexpr std::uint32_t transposed_lregs = 0xFF;  // SFPTRANSP

/// SFPSHFT2 modes 2 to 4: lanes are shuffled, which takes two cycles.
constexpr bool shuffles(Word word) {
  const unsigned mode = mod1_of(word);
  return isa::opcode_of(word) == "SFPSHFT2"_op && mode >= 2 && mode <= 4;
}

/// Mod1 of SFPMAD and its like on Blackhole: the register is the one that LReg 7 names, and the interlock reckons with
/// all of them. SFPLUTFP32 has the bits in another place for that purpose.
[[gnu::always_inline]] inline unsigned modifiers(std::uint16_t fields, Word word) {
  if ((fields & (may_be_indirect | sees_tables)) == 0) return 0;
  return (fields & may_be_indirect) != 0 ? mod1_of(word) : mod0_of(word) & indirect_vd;
}

std::uint32_t seen_by_mode(Word word) {
  const unsigned mode = mod1_of(word);
  const std::uint32_t vc = 1U << vc_of(word);
  const std::uint32_t vd = 1U << vd_of(word);
  if (isa::opcode_of(word) == "SFPSWAP"_op) return mode == 0 ? vc | vd : 0;
  switch (mode) {
    case 0:
    case 1: return table_lregs;
    case 5: return vc | vd;  // VB is what it means
    case 6: return vd;
    default: return 0;
  }
}

std::uint32_t seen_tables(Word word) {
  const bool names_all = (mod0_of(word) & indirect_vd) != 0;
  if (isa::opcode_of(word) == "SFPLUT"_op) return names_all ? table_lregs | 1U << index_lreg : table_lregs;
  return names_all ? every_lreg : every_lreg & ~(1U << index_lreg);
}

/// The registers that Blackhole's interlock takes the instruction to read.
std::uint32_t seen_sources(Word word) {
  const std::uint16_t fields = vector_row_of[isa::opcode_of(word)].fields;
  std::uint32_t seen = 0;
  if ((fields & sees_va) != 0) {
    if ((mod1_of(word) & indirect_va) != 0) return every_lreg;
    seen = 1U << va_of(word);
  }
  if ((fields & sees_vb) != 0) seen |= 1U << vb_of(word);
  if ((fields & sees_vc) != 0) seen |= 1U << vc_of(word);
  if ((fields & sees_vd) != 0) seen |= 1U << ((fields & is_load_format) != 0 ? upper_vd_of(word) : vd_of(word));
  if ((fields & sees_by_mode) != 0) seen |= seen_by_mode(word);
  if ((fields & sees_tables) != 0) seen |= seen_tables(word);
  if ((fields & sees_all) != 0) seen |= transposed_lregs;
  return seen;
}

/// The registers that Blackhole's interlock takes a two-cycle instruction to write.
std::uint32_t seen_results(const VectorRow& row, const VectorInstruction& in) {
  return (modifiers(row.fields, in.word) & indirect_vd) != 0 ? every_lreg : 1U << in.vd;
}

/// Whether an instruction is held. SFPNOP has no check: nothing holds it.
Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  const VectorUnit& vector = coprocessor.vector;
  const Word word = candidate.entry.word;
  if (coprocessor.now < vector.only_nop_until) return {Stall::vector_dependency, vector.only_nop_until};
  if (coprocessor.now < vector.result_from && (vector.result_lregs & seen_sources(word)) != 0)
    return {Stall::vector_dependency, vector.result_from};
  return passes;
}

/// check() for instructions with three sources, the most frequent ones.
Held check_three(const Coprocessor& coprocessor, const Candidate& candidate) {
  static_assert((vector_rows_detail::three_sources & (sees_vd | sees_by_mode | sees_tables | sees_all)) == 0);
  const VectorUnit& vector = coprocessor.vector;
  const Word word = candidate.entry.word;
  if (coprocessor.now < vector.only_nop_until) return {Stall::vector_dependency, vector.only_nop_until};
  if (coprocessor.now >= vector.result_from) return passes;
  const bool all = vector.result_lregs == every_lreg || (mod1_of(word) & indirect_va) != 0;
  if (all || names_in_sources(word, vector.result_names)) [[unlikely]]
    return {Stall::vector_dependency, vector.result_from};
  return passes;
}

Operation::Check check_of(const VectorRow& row) {
  if (row.opcode == "SFPNOP"_op) return nullptr;
  return row.fields == vector_rows_detail::three_sources ? check_three : check;
}

// ---- templates ----

/// VD from 12 on: in lanes that do not say otherwise the instruction is stored, not executed. Lanes left to execute.
LaneMask store_template(VectorWork& work) {
  VectorRegisters& registers = work.registers();
  if (work.unit().backdoor_set_in == work.coprocessor.now) work.issue(DataIssue::vector_backdoor);
  const LaneMask stores = registers.enabled() & ~registers.config.backdoor_disabled;
  for (unsigned column = 0; column < lane_columns; ++column)
    if ((stores >> column & 1U) != 0)
      registers.macros[column].instruction[work.in.vd - first_backdoor_vd] = work.in.word;
  registers.macros_changed();
  return registers.config.backdoor_disabled;
}

// ---- what software must not do ----

bool follows_shuffle(const VectorRow& row, Word word) {
  return (row.fields & after_shuffle) != 0 || (isa::opcode_of(word) == "SFPSHFT2"_op && !shuffles(word));
}

[[gnu::noinline]] void report_misuse(VectorWork& work, const VectorRow& row) {
  constexpr unsigned first_index_lreg = 4;
  const VectorUnit& vector = work.unit();
  if (work.reads_early) work.issue(DataIssue::vector_early_read);
  if (vector.round_is_busy_in == work.coprocessor.now && follows_shuffle(row, work.in.word))
    work.issue(DataIssue::vector_shuffle_write);
  const bool indexed = vector.registers.config.dest_index != 0 && (row.fields & writes_indexed) != 0;
  if (indexed && work.in.vd >= first_index_lreg && work.in.vd < general_lregs)
    work.issue(DataIssue::vector_index_write);
}

[[gnu::always_inline]] inline void run(Coprocessor& coprocessor, const Candidate& candidate,
                                       const VectorInstruction& in, const VectorRow& row) {
  VectorUnit& vector = coprocessor.vector;
  const bool together = vector.together_in == coprocessor.now;
  VectorWork work{coprocessor, candidate, in, every_lane,
                  together ? vector.enabled_at_start : vector.registers.enabled()};
  if (together && (vector.taken_sub_units >> static_cast<unsigned>(row.sub_unit) & 1U) != 0) [[unlikely]]
    return work.issue(DataIssue::vector_macro_discard);
  if (in.vd >= first_backdoor_vd && (row.fields & has_no_vd) == 0) [[unlikely]] {
    work.active = store_template(work);
    work.enabled &= work.active;
  }
  row.action(work);
  if (work.reads_early || vector.round_is_busy_in == coprocessor.now || vector.registers.config.dest_index != 0)
      [[unlikely]]
    report_misuse(work, row);
}

/// No other thread issues in this cycle. Then an instruction of one cycle and without an effect needs no record in flight:
/// nobody could look for it, and no other record's slot depends on it.
bool issues_alone(const Coprocessor& coprocessor) {
  static_assert(thread_count == 3);
  if (coprocessor.in_vector_run()) return true;
  const auto issues = [&](unsigned thread) { return coprocessor.gates.held[thread].passes() ? 1U : 0U; };
  return issues(0) + issues(1) + issues(2) == 1;
}

[[gnu::always_inline]] inline void put_in_flight(Coprocessor& coprocessor, const Candidate& candidate, Cycle latency) {
  const Record record{.accepted = coprocessor.now,
                      .last = coprocessor.now + latency - 1,
                      .word = candidate.entry.word,
                      .source = candidate.entry.source(),
                      .thread = static_cast<std::uint8_t>(candidate.thread),
                      .where = Occupancy::vector};
  if (coprocessor.in_vector_run() && coprocessor.in_flight.replace_without_effect(record)) return;
  coprocessor.in_flight.add_without_effect(record);
}

[[gnu::always_inline]] inline void put_in_flight_for_a_cycle(Coprocessor& coprocessor, const Candidate& candidate) {
  if (!issues_alone(coprocessor)) put_in_flight(coprocessor, candidate, 1);
}

// How each kind of instruction is executed, and what it leaves behind for later ones. One function each, for speed.

void execute_simple(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  run(coprocessor, candidate, take_apart(coprocessor.arch, word), vector_row_of[isa::opcode_of(word)]);
  put_in_flight_for_a_cycle(coprocessor, candidate);
}

void execute_nop(Coprocessor& coprocessor, const Candidate& candidate) {
  if (vd_of(candidate.entry.word) >= first_backdoor_vd) return execute_simple(coprocessor, candidate);
  put_in_flight_for_a_cycle(coprocessor, candidate);
}

void execute_multiply_add(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const VectorRow& row = vector_row_of[isa::opcode_of(word)];
  const VectorInstruction in = take_apart(coprocessor.arch, word);
  run(coprocessor, candidate, in, row);
  // Without an interlock (Wormhole) nothing is ever held by a result.
  if (has(coprocessor.arch, "vector_auto_stall"_size))
    coprocessor.vector.result_from = coprocessor.now + coprocessor.timing->multiply_add;
  coprocessor.vector.result_lregs = seen_results(row, in);
  coprocessor.vector.result_names = in_sources(in.vd);
  put_in_flight(coprocessor, candidate, coprocessor.timing->multiply_add);
}

/// SFPMAD, SFPADD and SFPMUL.
void execute_plain_multiply_add(Coprocessor& coprocessor, const Candidate& candidate) {
  if (!vector_data::multiply_add_at_once(coprocessor, candidate.entry.word)) [[unlikely]]
    return execute_multiply_add(coprocessor, candidate);
  put_in_flight(coprocessor, candidate, coprocessor.timing->multiply_add);
}

/// Until the unit takes another one, it takes nothing but SFPNOP.
void execute_swap(Coprocessor& coprocessor, const Candidate& candidate) {
  run(coprocessor, candidate, take_apart(coprocessor.arch, candidate.entry.word), vector_row_of["SFPSWAP"_op]);
  coprocessor.vector.only_nop_until = coprocessor.now + coprocessor.timing->swap_interval;
  put_in_flight(coprocessor, candidate, coprocessor.timing->swap);
}

/// In the cycle behind it; Blackhole lets nothing but SFPNOP pass there.
constexpr bool shuffle_holds_rounding(Arch arch) {
  return on(arch, true, false);
}

void execute_shuffle_or_shift(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  if (!shuffles(word)) return execute_simple(coprocessor, candidate);
  const UnitTiming& timing = *coprocessor.timing;
  VectorUnit& vector = coprocessor.vector;
  run(coprocessor, candidate, take_apart(coprocessor.arch, word), vector_row_of["SFPSHFT2"_op]);
  if (shuffle_holds_rounding(coprocessor.arch)) vector.round_is_busy_in = coprocessor.now + 1;
  vector.unusual_until = coprocessor.now + timing.shuffle;
  vector.only_nop_until = coprocessor.now + timing.shuffle_interval;
  put_in_flight(coprocessor, candidate, timing.shuffle);
}

Operation::Execute execute_of(const VectorRow& row) {
  if (row.opcode == "SFPNOP"_op) return execute_nop;
  if (row.opcode == "SFPLOAD"_op) return vector_data::execute_load;
  if (row.opcode == "SFPSTORE"_op) return vector_data::execute_store;
  if (row.action == vector_data::multiply_add) return execute_plain_multiply_add;
  if (row.is_multiply_add) return execute_multiply_add;
  if (row.opcode == "SFPSWAP"_op) return execute_swap;
  return row.opcode == "SFPSHFT2"_op ? execute_shuffle_or_shift : execute_simple;
}
static_assert(size(Arch::blackhole, "vector_auto_stall"_size) == 1 &&
              size(Arch::wormhole, "vector_auto_stall"_size) == 0);

std::size_t latency_row(const VectorRow& row) {
  if (row.opcode == "SFPSWAP"_op) return "sfpswap_latency"_cycles;
  return row.is_multiply_add ? "sfpu_mad_latency"_cycles : OperationRow::one_cycle;
}

std::vector<OperationRow> build_rows() {
  std::vector<OperationRow> rows;
  rows.reserve(vector_rows_detail::rows.size());
  for (const VectorRow& row : vector_rows_detail::rows)
    rows.push_back({.opcode = row.opcode,
                    .port = Port::vector,
                    .occupancy = Occupancy::vector,
                    .latency_row = latency_row(row),
                    .execute = execute_of(row),
                    .check = check_of(row),
                    .footprint = units::vector_footprint});
  return rows;
}

}  // namespace

void vector_data::execute_in_general(Coprocessor& coprocessor, const Candidate& candidate) {
  execute_simple(coprocessor, candidate);
}

void vector_data::put_in_flight_for_a_cycle(Coprocessor& coprocessor, const Candidate& candidate) {
  tensix::put_in_flight_for_a_cycle(coprocessor, candidate);
}

std::span<const OperationRow> units::vector_operations() {
  static const std::vector<OperationRow> rows = build_rows();
  return rows;
}

}  // namespace tensim::tensix
