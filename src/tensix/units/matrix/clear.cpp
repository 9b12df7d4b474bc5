#include "tensix/units/matrix/clear.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/registers/config_view.hpp"
#include "tensix/units/matrix/data.hpp"
#include "tensix/units/matrix/dst.hpp"
#include "tensix/units/matrix/operands.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;

constexpr unsigned block_rows = 16;
constexpr unsigned blocks_of_16_bits = Dst::rows / block_rows;
constexpr unsigned blocks_of_32_bits = blocks_of_16_bits / 2;

/// Blackhole's vendor kernels do this to 16 rows of 32 bits, around a bug in how flags are kept.
constexpr bool kernels_revert(Arch arch) {
  return on(arch, false, true);
}

/// Blackhole numbers blocks within the half of Dst that the thread works in, unless told to number them through. The
/// masks are the reference's.
unsigned first_block(const Coprocessor& coprocessor, const Candidate& candidate, bool wide) {
  const ConfigView config(coprocessor.config, coprocessor.arch, candidate.thread);
  if (!numbers_blocks_in_half(coprocessor.arch)) return 0;
  if (config.get("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode"_config) != 0) return 0;
  const unsigned offset = config.get_thread("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config) +
                          coprocessor.rwcs.thread[candidate.thread].dst.value;
  constexpr unsigned upper_half = 0x200;
  constexpr unsigned upper_half_wide = 0x300;
  if (wide) return (offset & upper_half_wide) != 0 ? blocks_of_32_bits / 2 : 0;
  return (offset & upper_half) != 0 ? blocks_of_16_bits / 2 : 0;
}

ZeroaccRows sixteen_rows(const Coprocessor& coprocessor, const Candidate& candidate, const Zeroacc& zeroacc) {
  const unsigned block = (zeroacc.index & 0xFFU) + first_block(coprocessor, candidate, zeroacc.wide);
  if (block >= (zeroacc.wide ? blocks_of_32_bits : blocks_of_16_bits)) return {};
  return {block * block_rows, block_rows, zeroacc.wide};
}

}  // namespace

Zeroacc Zeroacc::of(Arch arch, Word word) {
  return {static_cast<Mode>(field_of("ZEROACC", "", "Mode").get(word)),
          field_by_arch("ZEROACC", "", "UseDst32b").get(arch, word) != 0,
          field_by_arch("ZEROACC", "", "Revert").get(arch, word) != 0, field_of("ZEROACC", "", "Imm10").get(word)};
}

ZeroaccRows zeroacc_rows(const Coprocessor& coprocessor, const Candidate& candidate, const Zeroacc& zeroacc) {
  const ConfigView config(coprocessor.config, coprocessor.arch, candidate.thread);
  switch (zeroacc.mode) {
    case Zeroacc::Mode::one_row: {
      const bool wide = config.get("ALU_ACC_CTRL_Fp32_enabled"_config) != 0 ||
                        config.get("ALU_ACC_CTRL_INT8_math_enabled"_config) != 0;
      return {matrix_operands(coprocessor, candidate).dst.first, 1, wide};
    }
    case Zeroacc::Mode::sixteen_rows: return sixteen_rows(coprocessor, candidate, zeroacc);
    // Both views' halves are the same rows of bits.
    case Zeroacc::Mode::half: return {(zeroacc.index & 1U) * (Dst::rows / 2), Dst::rows / 2, false};
    case Zeroacc::Mode::all: break;
  }
  return {0, Dst::rows, false};
}

std::array<std::array<bool, 2>, 2> zerosrc_banks(const Coprocessor& coprocessor, Word word) {
  const auto bit = [&](const isa::Field& field) { return field.get(word) != 0; };
  const std::array<bool, 2> clears{bit(field_of("ZEROSRC", "", "ClearSrcA")),
                                   bit(field_of("ZEROSRC", "", "ClearSrcB"))};
  const bool both = bit(field_of("ZEROSRC", "", "BothBanks"));
  const bool matrix_side = bit(field_of("ZEROSRC", "", "SingleBankMatrixUnit"));
  std::array<std::array<bool, 2>, 2> banks{};
  for (std::size_t file = 0; file < 2; ++file) {
    const unsigned one = matrix_side ? coprocessor.src.matrix_bank[file] : coprocessor.src.unpack_bank[file];
    for (unsigned bank = 0; bank < 2; ++bank)
      banks[file][bank] = clears[file] && (both || bank == one);
  }
  return banks;
}

void matrix_data::zero_dst(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands&) {
  const Zeroacc zeroacc = Zeroacc::of(coprocessor.arch, candidate.entry.word);
  const bool revert = zeroacc.revert && zeroacc.mode != Zeroacc::Mode::one_row;
  const bool is_workaround =
      kernels_revert(coprocessor.arch) && zeroacc.mode == Zeroacc::Mode::sixteen_rows && zeroacc.wide;
  if (revert && !is_workaround) coprocessor.data_issue(candidate, DataIssue::zeroacc_revert);
  const ZeroaccRows rows = zeroacc_rows(coprocessor, candidate, zeroacc);
  // Halves are halves of the storage, wherever rows of 16 bits are: LLK clears one half while INT8 math, with
  // DBG_FEATURE_DISABLE bit 11, is at work in the other.
  if (!zeroacc.has_addr_mod()) {
    std::fill_n(coprocessor.dst.is_undefined.begin() + rows.first, rows.count, !revert);
    return;
  }
  DstView dst(coprocessor.dst, DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves),
              rows.wide);
  for (unsigned i = 0; i < rows.count; ++i)
    dst.mark(rows.first + i, !revert);
}

void matrix_data::zero_src(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands&) {
  constexpr std::uint32_t all_ones = 0x7FFFF;  // 19 bits: minus infinity
  const bool minus_infinity = field_of("ZEROSRC", "", "NegativeInfSrcA").get(candidate.entry.word) != 0;
  const auto banks = zerosrc_banks(coprocessor, candidate.entry.word);
  for (const Src file : {Src::a, Src::b})
    for (unsigned bank = 0; bank < 2; ++bank) {
      if (!banks[static_cast<std::size_t>(file)][bank]) continue;
      for (SrcRegisters::Row& row : coprocessor.src_registers.bank(file, bank))
        row.fill(file == Src::a && minus_infinity ? all_ones : 0U);
    }
}

}  // namespace tensim::tensix
