#include "tensix/units/matrix/operands.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/matrix/config.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

constexpr unsigned src_row_count = SrcRegisters::rows;
constexpr unsigned dst_row_count = Dst::rows;
constexpr unsigned block = 8;

/// `count` rows, the first a multiple of it. For MVMUL's seven rows this mask is the page's, odd as it looks.
constexpr unsigned aligned_dst(unsigned row, unsigned count) {
  return row & (dst_row_count - count);
}
constexpr unsigned aligned_src(unsigned row, unsigned count) {
  return row & (src_row_count - count);
}

constexpr RowRange range(unsigned first, unsigned count, unsigned step = 1) {
  return {static_cast<std::uint16_t>(first), static_cast<std::uint8_t>(count), static_cast<std::uint8_t>(step)};
}

struct Finder {
  const Coprocessor& coprocessor;
  const Candidate& candidate;

  Word word() const { return candidate.entry.word; }
  unsigned src_a() const { return coprocessor.rwcs.thread[candidate.thread].src_a.value; }
  unsigned src_b() const { return coprocessor.rwcs.thread[candidate.thread].src_b.value; }

  RowRange dst(unsigned count) const {
    return range(aligned_dst(matrix_dst_row(coprocessor, candidate), count), count);
  }

  /// A broadcast row may be any; blocks start at multiples of eight, however many of their rows are used.
  RowRange src_b_rows(bool broadcast, unsigned count) const {
    return broadcast ? range(src_b() % src_row_count, 1) : range(aligned_src(src_b(), block), count);
  }

  MatrixOperands multiply(bool broadcast, unsigned rows) const {
    MatrixOperands found{range(aligned_src(src_a(), block), 16), src_b_rows(broadcast, rows), dst(rows)};
    // MVMUL.md: seven rows of Dst, of which every other is added to.
    if (broadcast) found.dst = range(aligned_dst(matrix_dst_row(coprocessor, candidate), 7), 4, 2);
    return found;
  }

  MatrixOperands elements() const {
    constexpr isa::Field broadcast = field_of("ELWADD", "", "BroadcastSrcBRow");
    static_assert(broadcast.low == field_of("ELWMUL", "", "BroadcastSrcBRow").low);
    return {range(aligned_src(src_a(), block), block), src_b_rows(broadcast.get(word()) != 0, block), dst(block)};
  }

  MatrixOperands max_pool() const {
    return {range(aligned_src(src_a(), 16), 16), range(aligned_src(src_b(), block), 1), dst(4)};
  }

  /// The row that a move names in Src, in a block of `count`.
  RowRange moved_src(unsigned counter, unsigned count) const {
    constexpr isa::Field row = field_of("MOVA2D", "", "SrcRow");
    return range(aligned_src(row.get(word()) + counter, count), count);
  }

  MatrixOperands move_a_to_dst() const {
    const unsigned count = field_of("MOVA2D", "", "Move8Rows").get(word()) != 0 ? 8 : 1;
    return {moved_src(src_a(), count), {}, dst(count)};
  }

  MatrixOperands move_b_to_dst() const {
    const bool spread = field_by_arch("MOVB2D", "", "Broadcast1RowTo8").get(coprocessor.arch, word()) != 0;
    const bool four = field_by_arch("MOVB2D", "", "Move4Rows").get(coprocessor.arch, word()) != 0;
    const RowRange unused = range(src_a(), 0);
    if (spread) return {unused, moved_src(src_b(), 1), dst(8)};
    return {unused, moved_src(src_b(), four ? 4 : 1), dst(four ? 4 : 1)};
  }

  unsigned rows_of_four_or_one() const { return field_of("MOVD2A", "", "Move4Rows").get(word()) != 0 ? 4 : 1; }

  MatrixOperands move_b_to_a() const {
    const unsigned count = rows_of_four_or_one();
    const unsigned row = field_of("MOVB2A", "", "SrcBRow").get(word()) + src_b();
    return {moved_src(src_a(), count), range(aligned_src(row, count), count), {}};
  }
};

}  // namespace

unsigned matrix_dst_row(const Coprocessor& coprocessor, const Candidate& candidate) {
  constexpr ConfigField::Place offset = on_both("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config);
  const unsigned thread = candidate.thread;
  const ConfigView config(coprocessor.config, coprocessor.arch, thread);
  return field_of("MVMUL", "", "DstRow").get(candidate.entry.word) + coprocessor.rwcs.thread[thread].dst.value +
         offset.get(coprocessor.config.thread[thread][static_cast<std::size_t>(offset.word)]) +
         get(config, on_both("DEST_REGW_BASE_Base"_config));
}

MatrixOperands matrix_operands(const Coprocessor& coprocessor, const Candidate& candidate) {
  const Finder find{coprocessor, candidate};
  switch (isa::opcode_of(candidate.entry.word)) {
    case "MVMUL"_op: {
      const bool broadcast = field_of("MVMUL", "", "BroadcastSrcBRow").get(candidate.entry.word) != 0;
      return find.multiply(broadcast, block);
    }
    case "DOTPV"_op: return find.multiply(false, block);
    case "GAPOOL"_op: return find.multiply(false, 4);
    case "ELWMUL"_op:
    case "ELWADD"_op:
    case "ELWSUB"_op: return find.elements();
    case "GMPOOL"_op: return find.max_pool();
    case "MOVA2D"_op:
    case "MOVDBGA2D"_op: return find.move_a_to_dst();
    case "MOVB2D"_op:
    case "MOVDBGB2D"_op: return find.move_b_to_dst();
    case "MOVD2A"_op:
      return {find.moved_src(find.src_a(), find.rows_of_four_or_one()), {}, find.dst(find.rows_of_four_or_one())};
    case "MOVD2B"_op:
      return {range(find.src_a(), 0), find.moved_src(find.src_b(), find.rows_of_four_or_one()),
              find.dst(find.rows_of_four_or_one())};
    case "MOVB2A"_op: return find.move_b_to_a();
    case "SHIFTXB"_op: {
      const unsigned row = field_of("SHIFTXB", "", "SrcRow").get(candidate.entry.word) + find.src_b();
      return {{}, range(row % src_row_count, 1), {}};
    }
    case "SHIFTXA"_op: return {range(aligned_src(coprocessor.matrix.last_src_a_row, 16), 16), {}, {}};
    case "TRNSPSRCB"_op: return {{}, range(16, 16), {}};
    case "ZEROACC"_op: return {{}, {}, find.dst(1)};
    // Dst += 0, and nothing of Src counts (MatrixUnit.md); that it is MVMUL's block is assumed.
    default: return {range(aligned_src(find.src_a(), block), 0), {}, find.dst(block)};
  }
}

}  // namespace tensim::tensix
