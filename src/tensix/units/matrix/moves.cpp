#include <algorithm>
#include <utility>

#include "isa/table.hpp"
#include "number/move.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/matrix/data.hpp"
#include "tensix/units/matrix/dst.hpp"
#include "tensix/units/matrix/formats.hpp"
#include "tensix/units/matrix/operands.hpp"

namespace tensim::tensix {
namespace {

using SrcBank = SrcRegisters::Bank;
using SrcRow = SrcRegisters::Row;
using number::SrcStyle;

constexpr unsigned columns = SrcRegisters::columns;

SrcBank& bank_of(Coprocessor& coprocessor, Src file) {
  return coprocessor.src_registers.bank(file, coprocessor.src.matrix_bank[static_cast<std::size_t>(file)]);
}

DstView dst_view(Coprocessor& coprocessor, bool wide) {
  return {coprocessor.dst, DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves), wide};
}

/// A row of what `function` of the column's number gives. Without branches, compilers use vectors for it.
template <class Row, class Function>
[[gnu::always_inline]] inline Row each_column(Function function) {
  Row row;
  for (unsigned column = 0; column < columns; ++column)
    row[column] = static_cast<typename Row::value_type>(function(column));
  return row;
}

// Each of these is a function of its own, because the compiler takes the loops apart before it comes to vectors when it
// inlines them.

[[gnu::noinline]] SrcRow flushed(const SrcRow& row) {
  return each_column<SrcRow>([&](unsigned i) { return number::flush_src_denormal(row[i]); });
}

[[gnu::noinline]] Dst::Row dst16_from_src(const SrcRow& src, SrcStyle style) {
  return each_column<Dst::Row>([&](unsigned i) { return number::dst16_from_src(src[i], style); });
}

[[gnu::noinline]] SrcRow src_from_dst16(const Dst::Row& dst, SrcStyle style) {
  return each_column<SrcRow>([&](unsigned i) { return number::src_from_dst16(dst[i], style); });
}

[[gnu::noinline]] SrcRow src_from_dst32(const Dst::Row& high, const Dst::Row& low, SrcStyle style, bool low_half) {
  const auto both = [&](unsigned i) { return std::uint32_t{high[i]} << 16U | low[i]; };
  return each_column<SrcRow>([&](unsigned i) { return number::src_from_dst32(both(i), style, low_half); });
}

/// Beside `bits`: the low mantissa of TF32, and in the low half those bits themselves.
[[gnu::noinline]] Dst::Row low_halves(const SrcRow& src, const Dst::Row& bits, bool is_tf32, bool low_half) {
  const unsigned mantissa_mask = is_tf32 ? 7U : 0U;
  const unsigned bits_mask = low_half ? 0xFFFFU : 0U;
  return each_column<Dst::Row>(
      [&](unsigned i) { return (src[i] >> 8U & mantissa_mask) << 13U | (bits[i] & bits_mask); });
}

/// Columns that nothing keeps from being moved: almost always all.
struct MovedColumns {
  const MatrixUnit& unit;

  template <class Row>
  [[gnu::always_inline]] void move(const Row& from, Row& to) const {
    if (unit.blocked_move_columns == 0) {
      to = from;
      return;
    }
    for (unsigned column = 0; column < columns; ++column)
      if (unit.moves_column(column)) to[column] = from[column];
  }
};

/// Stands in the same place in all four moves.
constexpr isa::Field use_dst32b_lo = field_of("MOVA2D", "", "UseDst32bLo");

/// How a datum of Src gets into Dst (MOVA2D.md).
struct ToDst {
  MoveFormats formats;
  bool low_half = false;  // UseDst32bLo

  /// TF32 goes to 32 bits, and so does what goes to their low half, however wide the configuration has Dst.
  bool wide() const { return formats.is_tf32 || low_half; }

  void store(const MovedColumns& moved, const number::DstRow& row, const SrcRow& from) const {
    const SrcRow src = formats.keeps_denormals ? from : flushed(from);
    const Dst::Row bits = dst16_from_src(src, formats.style);
    moved.move(low_half && !formats.is_tf32 ? *row.read_high : bits, *row.write_high);
    if (!wide()) return;
    moved.move(low_halves(src, bits, formats.is_tf32, low_half), *row.write_low);
  }
};

MoveFormats checked_formats(Coprocessor& coprocessor, const Candidate& candidate, Src moved) {
  const MoveFormats formats = move_formats(coprocessor, candidate, moved);
  if (formats.is_no_format) coprocessor.data_issue(candidate, DataIssue::matrix_format);
  return formats;
}

ToDst to_dst(Coprocessor& coprocessor, const Candidate& candidate, Src from) {
  const ToDst conversion{checked_formats(coprocessor, candidate, from), use_dst32b_lo.get(candidate.entry.word) != 0};
  if (!conversion.wide() && coprocessor.dst.upper_halves)
    coprocessor.data_issue(candidate, DataIssue::dst16_upper_halves);
  return conversion;
}

/// How a datum of Dst gets into Src (MOVD2A.md).
struct ToSrc {
  SrcStyle style = SrcStyle::bf16;
  bool wide = false;
  bool low_half = false;

  SrcRow load(const number::DstRow& row) const {
    const Dst::Row& high = *row.read_high;
    if (!wide) return src_from_dst16(high, style);
    return src_from_dst32(high, *row.read_low, style, low_half);
  }
};

ToSrc to_src(Coprocessor& coprocessor, const Candidate& candidate, Src file) {
  const MoveFormats formats = checked_formats(coprocessor, candidate, file);
  const bool low_half = use_dst32b_lo.get(candidate.entry.word) != 0;
  if (!formats.dst_32b && low_half) coprocessor.data_issue(candidate, DataIssue::dst16_low_half);
  if (!formats.dst_32b && formats.style == SrcStyle::tf32) coprocessor.data_issue(candidate, DataIssue::dst16_tf32);
  return {formats.style, formats.dst_32b, low_half};
}

void move_to_src(Coprocessor& coprocessor, const Candidate& candidate, Src file, const RowRange& src,
                 const RowRange& dst) {
  const ToSrc conversion = to_src(coprocessor, candidate, file);
  const DstView view = dst_view(coprocessor, conversion.wide);
  SrcBank& bank = bank_of(coprocessor, file);
  for (unsigned i = 0; i < src.count; ++i) {
    const number::DstRow from = view.read(dst.row(i), undefined_as_zero);
    MovedColumns{coprocessor.matrix}.move(conversion.load(from), bank[src.row(i)]);
  }
}

bool broadcasts_column_0(Arch arch, Word word) {
  constexpr FieldByArch field = field_by_arch("MOVB2D", "", "BroadcastCol0");
  static_assert(field.blackhole.low == field_of(Arch::blackhole, "MOVDBGB2D", "", "BroadcastCol0").low);
  return field.get(arch, word) != 0;
}

}  // namespace

void matrix_data::move_a_to_dst(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  const ToDst conversion = to_dst(coprocessor, candidate, Src::a);
  const SrcBank& bank = bank_of(coprocessor, Src::a);
  DstView dst = dst_view(coprocessor, conversion.wide());
  for (unsigned i = 0; i < operands.dst.count; ++i) {
    const number::DstRow to = dst.take(operands.dst.row(i), undefined_as_zero);
    conversion.store({coprocessor.matrix}, to, bank[operands.src_a.row(i)]);
  }
}

void matrix_data::move_b_to_dst(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  const ToDst conversion = to_dst(coprocessor, candidate, Src::b);
  const SrcBank& bank = bank_of(coprocessor, Src::b);
  DstView dst = dst_view(coprocessor, conversion.wide());
  const bool spread = operands.src_b.count < operands.dst.count;
  const bool one_column = broadcasts_column_0(coprocessor.arch, candidate.entry.word);
  for (unsigned i = 0; i < operands.dst.count; ++i) {
    const number::DstRow to = dst.take(operands.dst.row(i), undefined_as_zero);
    SrcRow from = bank[operands.src_b.row(spread ? 0 : i)];
    if (one_column) from.fill(from[0]);
    conversion.store({coprocessor.matrix}, to, from);
  }
}

void matrix_data::move_dst_to_a(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  move_to_src(coprocessor, candidate, Src::a, operands.src_a, operands.dst);
}

void matrix_data::move_dst_to_b(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  move_to_src(coprocessor, candidate, Src::b, operands.src_b, operands.dst);
}

void matrix_data::move_b_to_a(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  const bool keeps_denormals = move_formats(coprocessor, candidate, Src::b).keeps_denormals;
  const SrcBank& from = bank_of(coprocessor, Src::b);
  SrcBank& to = bank_of(coprocessor, Src::a);
  for (unsigned i = 0; i < operands.src_a.count; ++i) {
    const SrcRow& row = from[operands.src_b.row(i)];
    MovedColumns{coprocessor.matrix}.move(keeps_denormals ? row : flushed(row), to[operands.src_a.row(i)]);
  }
}

void matrix_data::transpose_b(Coprocessor& coprocessor, const Candidate&, const MatrixOperands& operands) {
  const RowRange rows = operands.src_b;
  SrcBank& bank = bank_of(coprocessor, Src::b);
  for (unsigned i = 0; i < rows.count; ++i)
    for (unsigned j = 0; j < i; ++j)
      std::swap(bank[rows.row(i)][j], bank[rows.row(j)][i]);
}

/// Sixteen rows, by one column, to the first sixteen.
void matrix_data::shift_a(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  constexpr Word right = 2;  // away from column 0
  constexpr Word left = 3;
  const Word direction = field_of("SHIFTXA", "", "Direction").get(candidate.entry.word);
  if (direction != right && direction != left) return coprocessor.data_issue(candidate, DataIssue::shiftxa_direction);
  const RowRange from = operands.src_a;
  SrcBank& bank = bank_of(coprocessor, Src::a);
  for (unsigned i = 0; i < from.count; ++i) {
    const SrcRow row = bank[from.row(i)];
    SrcRow& to = bank[i];
    if (direction == right) {
      std::copy(row.begin(), row.end() - 1, to.begin() + 1);
      to.front() = 0;
    } else {
      std::copy(row.begin() + 1, row.end(), to.begin());
      to.back() = 0;
    }
  }
}

/// To the left by one column. (SHIFTXB.md's loop stops a column early; its picture does not.)
void matrix_data::shift_b(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  SrcRow& row = bank_of(coprocessor, Src::b)[operands.src_b.first];
  std::rotate(row.begin(), row.begin() + 1, row.end());
  if (field_of("SHIFTXB", "", "ShiftInZero").get(candidate.entry.word) != 0) row.back() = 0;
}

}  // namespace tensim::tensix
