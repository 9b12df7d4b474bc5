#include "tensix/units/matrix/unit.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/matrix/clear.hpp"
#include "tensix/units/matrix/config.hpp"
#include "tensix/units/matrix/data.hpp"
#include "tensix/units/matrix/operands.hpp"
#include "tensix/units/matrix/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

// What an instruction does with its operands, beyond its row.
enum Uses : std::uint16_t {
  waits_src_a = 1U << 0,  // held at the gate until the Matrix Unit owns its bank (timing 2.2)
  waits_src_b = 1U << 1,
  reads_dst = 1U << 2,  // held by a recent write to the block (ruling 13)
  writes_dst = 1U << 3,
  held_after_mov = 1U << 4,  // MOVA2D and MOVB2D hold it for three cycles, whatever the block
  moves_to_dst = 1U << 5,    // is one of those
  flips_in_word = 1U << 6,   // bits 22 and 23 give the Src banks back
  has_addr_mod = 1U << 7,
  sets_src_a_row = 1U << 8,  // for a later SHIFTXA
};

struct MatrixRow {
  std::uint8_t opcode;
  std::size_t latency_row;
  std::uint16_t uses;
  matrix_data::Action action = nullptr;
};

constexpr std::uint16_t arithmetic =
    waits_src_a | waits_src_b | reads_dst | writes_dst | flips_in_word | has_addr_mod | sets_src_a_row;
constexpr std::uint16_t to_dst = writes_dst | moves_to_dst | has_addr_mod;
constexpr std::uint16_t from_dst = reads_dst | held_after_mov | has_addr_mod | sets_src_a_row;

constexpr std::array matrix_rows{
    MatrixRow{"MVMUL"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::multiply},
    MatrixRow{"DOTPV"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::multiply},
    MatrixRow{"GAPOOL"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::multiply},
    MatrixRow{"ELWMUL"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::multiply_elements},
    MatrixRow{"GMPOOL"_op, "fpu_add_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::max_pool},
    MatrixRow{"ELWADD"_op, "fpu_add_group_latency"_cycles, arithmetic, matrix_data::add_elements},
    MatrixRow{"ELWSUB"_op, "fpu_add_group_latency"_cycles, arithmetic, matrix_data::subtract_elements},
    MatrixRow{"CONV3S1"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::add_zero},
    MatrixRow{"CONV3S2"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::add_zero},
    MatrixRow{"MFCONV3S1"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::add_zero},
    MatrixRow{"MPOOL3S1"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::legacy_max_pool},
    MatrixRow{"MPOOL3S2"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::legacy_max_pool},
    MatrixRow{"APOOL3S1"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::add_zero},
    MatrixRow{"APOOL3S2"_op, "fpu_mul_group_latency"_cycles, arithmetic | held_after_mov, matrix_data::add_zero},
    MatrixRow{"MOVA2D"_op, "mov_to_dst_latency"_cycles, waits_src_a | to_dst | sets_src_a_row,
              matrix_data::move_a_to_dst},
    MatrixRow{"MOVB2D"_op, "mov_to_dst_latency"_cycles, waits_src_b | to_dst | sets_src_a_row,
              matrix_data::move_b_to_dst},
    MatrixRow{"MOVDBGA2D"_op, "mov_to_dst_latency"_cycles, to_dst, matrix_data::move_a_to_dst},
    MatrixRow{"MOVDBGB2D"_op, "mov_to_dst_latency"_cycles, to_dst, matrix_data::move_b_to_dst},
    MatrixRow{"MOVD2A"_op, "movd2a_latency"_cycles, from_dst, matrix_data::move_dst_to_a},
    MatrixRow{"MOVD2B"_op, "movd2b_latency"_cycles, from_dst, matrix_data::move_dst_to_b},
    MatrixRow{"MOVB2A"_op, "movb2a_latency"_cycles, waits_src_b | has_addr_mod | sets_src_a_row,
              matrix_data::move_b_to_a},
    MatrixRow{"TRNSPSRCB"_op, "fpu_simple_latency"_cycles, waits_src_b, matrix_data::transpose_b},
    MatrixRow{"SHIFTXA"_op, "fpu_simple_latency"_cycles, waits_src_a, matrix_data::shift_a},
    MatrixRow{"SHIFTXB"_op, "shiftxb_latency"_cycles, waits_src_b | has_addr_mod, matrix_data::shift_b},
    MatrixRow{"ZEROSRC"_op, "fpu_simple_latency"_cycles, 0, matrix_data::zero_src},
    MatrixRow{"ZEROACC"_op, "fpu_simple_latency"_cycles, has_addr_mod, matrix_data::zero_dst},
    MatrixRow{"CLREXPHIST"_op, "fpu_control_latency"_cycles, 0},
    MatrixRow{"GATESRCRST"_op, "fpu_control_latency"_cycles, 0},
    MatrixRow{"INCRWC"_op, "fpu_control_latency"_cycles, 0},
    MatrixRow{"SETRWC"_op, "fpu_control_latency"_cycles, flips_in_word},
    MatrixRow{"CLEARDVALID"_op, "fpu_control_latency"_cycles, flips_in_word},
};

consteval auto uses_by_opcode() {
  std::array<std::uint16_t, 256> uses{};
  for (const MatrixRow& row : matrix_rows)
    uses[row.opcode] = row.uses;
  return uses;
}
constexpr std::array<std::uint16_t, 256> uses_of_opcode = uses_by_opcode();
consteval auto actions_by_opcode() {
  std::array<matrix_data::Action, 256> actions{};
  for (const MatrixRow& row : matrix_rows)
    actions[row.opcode] = row.action;
  return actions;
}
constexpr std::array<matrix_data::Action, 256> action_of_opcode = actions_by_opcode();
constexpr std::uint16_t uses_of(Word word) {
  return uses_of_opcode[isa::opcode_of(word)];
}

unsigned addr_mod_on_blackhole(Word word) {
  switch (isa::opcode_of(word)) {
    case "GMPOOL"_op:
    case "GAPOOL"_op:
    case "MPOOL3S1"_op:
    case "MPOOL3S2"_op:
    case "APOOL3S1"_op:
    case "APOOL3S2"_op: return field_of(Arch::blackhole, "GMPOOL", "", "AddrMod").get(word);
    default: return field_of(Arch::blackhole, "MVMUL", "", "AddrMod").get(word);
  }
}

/// AddrMod: two bits at 15 on Wormhole; on Blackhole three at 14, or at 15 in the pooling instructions (errata 10).
unsigned addr_mod_of(Arch arch, Word word) {
  switch (arch) {
    case Arch::wormhole: return field_of(Arch::wormhole, "MVMUL", "", "AddrMod").get(word);
    case Arch::blackhole: return addr_mod_on_blackhole(word);
  }
  __builtin_unreachable();
}

constexpr unsigned block_rows = Dst::rows / MatrixUnit::dst_blocks;

/// The aligned 8x16 block of Dst that the instruction works on.
unsigned dst_block(const Coprocessor& coprocessor, const Candidate& candidate) {
  return matrix_dst_row(coprocessor, candidate) % Dst::rows / block_rows;
}

Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  const std::uint16_t uses = uses_of(candidate.entry.word);
  if ((uses & waits_src_a) != 0 && !coprocessor.src.matrix_side_valid(Src::a)) return {Stall::src_a_not_valid};
  if ((uses & waits_src_b) != 0 && !coprocessor.src.matrix_side_valid(Src::b)) return {Stall::src_b_not_valid};
  return passes;
}

consteval bool rows_that_flip_have_the_fields() {
  for (const MatrixRow& row : matrix_rows)
    for (const isa::UnitTable& unit : isa::unit_tables)
      for (const isa::Form& form : unit.forms)
        if (form.opcode == row.opcode && (form.field("FlipSrcA") != nullptr) != ((row.uses & flips_in_word) != 0))
          return false;
  return true;
}
static_assert(rows_that_flip_have_the_fields());

/// Gives Src banks back: the Matrix Unit's pointer moves for the next cycle, the bank follows with the record.
std::uint16_t flip(Coprocessor& coprocessor, Word word, bool keep_pointer) {
  std::uint16_t returned = 0;
  for (unsigned file = 0; file < 2; ++file) {
    if (!matrix_words::flips(word, static_cast<Src>(file))) continue;
    std::uint8_t& bank = coprocessor.src.matrix_bank[file];
    returned |= static_cast<std::uint16_t>(1U << (file * 2 + bank));
    if (!keep_pointer) bank ^= 1U;
  }
  return returned;
}

/// CLR_DVALID_Src*_Disable: the pointer moves on, but the bank stays with the Matrix Unit (SETRWC.md).
std::uint16_t kept_banks(const Coprocessor& coprocessor, unsigned thread) {
  const auto disabled = [&](const ThreadPlaces& field) {
    return get(coprocessor.config, coprocessor.arch, field, thread) != 0;
  };
  return static_cast<std::uint16_t>((disabled(places("CLR_DVALID_SrcA_Disable"_thread_config)) ? 0x3U : 0U) |
                                    (disabled(places("CLR_DVALID_SrcB_Disable"_thread_config)) ? 0xCU : 0U));
}

/// The banks of `record.destination` are no longer the Matrix Unit's, and the unpackers' when the record ends.
void give_back(Coprocessor& coprocessor, Record& record) {
  if (record.destination == 0) return;
  record.effect = Effect::src_return;
  coprocessor.src.begin_return(record.destination);
}

void bar_others(MatrixUnit& matrix, Cycle until, std::uint8_t allowed, std::uint8_t also_allowed) {
  matrix.exclusive_until = until;
  matrix.exclusive_opcodes = {allowed, also_allowed};
}

/// What the instruction bars from the next cycles (timing 2.2).
void bar(Coprocessor& coprocessor, Word word) {
  const Cycle next = coprocessor.now + 1;
  const UnitTiming& timing = *coprocessor.timing;
  switch (isa::opcode_of(word)) {
    case "MOVD2A"_op: bar_others(coprocessor.matrix, next + timing.movd2a_exclusive, "MOVD2A"_op, "MOVB2A"_op); break;
    case "MOVB2A"_op: bar_others(coprocessor.matrix, next + timing.movb2a_exclusive, "MOVD2A"_op, "MOVB2A"_op); break;
    case "MOVD2B"_op: bar_others(coprocessor.matrix, next + timing.movd2b_exclusive, "MOVD2B"_op, "MOVD2B"_op); break;
    case "SHIFTXB"_op: bar_others(coprocessor.matrix, coprocessor.now + timing.shiftxb_interval, 0, 0); break;
    default: break;
  }
  if ((uses_of(word) & moves_to_dst) != 0) coprocessor.matrix.dst_readers_from = next + timing.mov_to_dst_reader_stall;
}

/// ZEROACC's larger modes leave the counters alone.
bool applies_addr_mod(Arch arch, Word word) {
  if ((uses_of(word) & has_addr_mod) == 0) return false;
  return isa::opcode_of(word) != "ZEROACC"_op || Zeroacc::of(arch, word).has_addr_mod();
}

void execute(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const std::uint16_t uses = uses_of(word);
  if (const matrix_data::Action action = action_of_opcode[isa::opcode_of(word)]; action != nullptr) {
    const MatrixOperands operands = matrix_operands(coprocessor, candidate);
    action(coprocessor, candidate, operands);
    if ((uses & sets_src_a_row) != 0)
      coprocessor.matrix.last_src_a_row = static_cast<std::uint8_t>(operands.src_a.first);
    if ((uses & writes_dst) != 0)
      coprocessor.matrix.block_readable_from[operands.dst.first / block_rows] =
          coprocessor.now + coprocessor.timing->dst_hazard_spacing;
  }
  Record record;
  record.where = Occupancy::matrix;
  if ((uses & flips_in_word) != 0 && (word & matrix_words::flip_bits) != 0) {
    record.destination =
        static_cast<std::uint16_t>(flip(coprocessor, word, false) & ~kept_banks(coprocessor, candidate.thread));
    give_back(coprocessor, record);
  }
  bar(coprocessor, word);
  if (applies_addr_mod(coprocessor.arch, word))
    apply_addr_mod(coprocessor.rwcs, coprocessor.config, coprocessor.arch, candidate.thread,
                   addr_mod_of(coprocessor.arch, word), true);
  const Cycle latency = coprocessor.operation(word).latency;
  if (record.effect == Effect::none)
    coprocessor.start(candidate, record.where, latency);
  else
    coprocessor.start(candidate, record, latency);
}

void do_setrwc(Coprocessor& coprocessor, const Candidate& candidate) {
  setrwc(coprocessor.rwcs, candidate.thread, candidate.entry.word);
  execute(coprocessor, candidate);
}

void do_incrwc(Coprocessor& coprocessor, const Candidate& candidate) {
  incrwc(coprocessor.rwcs, candidate.thread, candidate.entry.word);
  execute(coprocessor, candidate);
}

void cleardvalid(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  Record record;
  record.where = Occupancy::matrix;
  if (matrix_words::reset_all.get(word) != 0) {
    coprocessor.reset_src_banks();
  } else {
    record.destination = flip(coprocessor, word, matrix_words::keep_reading_same_src.get(word) != 0);
    give_back(coprocessor, record);
  }
  coprocessor.start(candidate, record, coprocessor.operation(word).latency);
}

void clrexphist(Coprocessor& coprocessor, const Candidate& candidate) {
  coprocessor.packers.clear_histograms();
  execute(coprocessor, candidate);
}

constexpr Operation::Execute execute_of(std::uint8_t opcode) {
  switch (opcode) {
    case "SETRWC"_op: return do_setrwc;
    case "INCRWC"_op: return do_incrwc;
    case "CLEARDVALID"_op: return cleardvalid;
    case "CLREXPHIST"_op: return clrexphist;
    default: return execute;
  }
}

/// What `execute` and `cleardvalid` give back.
Releases releases_of(Arch, Word word) {
  const bool resets = isa::opcode_of(word) == "CLEARDVALID"_op && matrix_words::reset_all.get(word) != 0;
  if (resets) return {.src_to_unpackers = 0b11};
  if ((uses_of(word) & flips_in_word) == 0) return {};
  return {.src_to_unpackers = static_cast<std::uint8_t>((matrix_words::flips(word, Src::a) ? 1U : 0U) |
                                                        (matrix_words::flips(word, Src::b) ? 2U : 0U))};
}

consteval auto operation_rows() {
  std::array<OperationRow, matrix_rows.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {.opcode = matrix_rows[i].opcode,
               .port = Port::matrix,
               .occupancy = Occupancy::matrix,
               .latency_row = matrix_rows[i].latency_row,
               .execute = execute_of(matrix_rows[i].opcode),
               .check = check,
               .footprint = units::matrix_footprint,
               .releases = releases_of};
  return rows;
}
constexpr std::array rows = operation_rows();

}  // namespace

Held units::matrix_hazard(const Coprocessor& coprocessor, const Candidate& candidate) {
  const MatrixUnit& matrix = coprocessor.matrix;
  const Word word = candidate.entry.word;
  const std::uint8_t opcode = isa::opcode_of(word);
  const bool excepted = opcode == matrix.exclusive_opcodes[0] || opcode == matrix.exclusive_opcodes[1];
  if (coprocessor.now < matrix.exclusive_until && !excepted) return {Stall::matrix_exclusive, matrix.exclusive_until};
  const std::uint16_t uses = uses_of(word);
  if ((uses & held_after_mov) != 0 && coprocessor.now < matrix.dst_readers_from)
    return {Stall::matrix_exclusive, matrix.dst_readers_from};
  if ((uses & reads_dst) != 0) {
    const Cycle readable = matrix.block_readable_from[dst_block(coprocessor, candidate)];
    if (coprocessor.now < readable) return {Stall::dst_hazard, readable};
  }
  return passes;
}

std::optional<unsigned> units::matrix_addr_mod(Arch arch, Word word) {
  if (!applies_addr_mod(arch, word)) return std::nullopt;
  return addr_mod_of(arch, word);
}

std::span<const OperationRow> units::matrix_operations() {
  return rows;
}

}  // namespace tensim::tensix
