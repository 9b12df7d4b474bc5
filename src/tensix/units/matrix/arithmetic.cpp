#include "number/max_pool.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/matrix/data.hpp"
#include "tensix/units/matrix/dst.hpp"
#include "tensix/units/matrix/formats.hpp"
#include "tensix/units/matrix/operands.hpp"

namespace tensim::tensix {
namespace {

using SrcBank = SrcRegisters::Bank;

constexpr unsigned columns = number::matrix_columns;
constexpr unsigned most_rows = 8;  // of Dst, in one instruction

const SrcBank& bank_of(const Coprocessor& coprocessor, Src file) {
  return coprocessor.src_registers.bank(file, coprocessor.src.matrix_bank[static_cast<std::size_t>(file)]);
}

DstView dst_view(Coprocessor& coprocessor, bool wide) {
  return {coprocessor.dst, DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves), wide};
}

/// Sixteen rows of SrcA; `copy` holds them where they wrap around.
number::SrcARows sixteen_rows(const SrcBank& bank, unsigned first, number::SrcAMatrix& copy) {
  if (first + columns <= bank.size()) return std::span(bank).subspan(first).first<columns>();
  for (unsigned i = 0; i < columns; ++i)
    copy[i] = bank[(first + i) % bank.size()];
  return copy;
}

/// Each of SrcB's rows, or the one there is, times SrcA's matrix.
void multiply_with(Coprocessor& coprocessor, const number::MatrixMode& mode, const MatrixOperands& operands,
                   number::SrcARows src_a) {
  const SrcBank& src_b = bank_of(coprocessor, Src::b);
  DstView dst = dst_view(coprocessor, mode.dst_32b);
  std::array<number::MultiplyRow, most_rows> rows;
  const std::size_t step = operands.src_b.count == 1 ? 0 : 1;
  dst.take(operands.dst, undefined_as_zero,
           [&](unsigned i, const number::DstRow& row) { rows[i] = {&src_b[operands.src_b.first + i * step], row}; });
  const auto used = std::span(rows).first(operands.dst.count);
  if (mode.stochastic) [[unlikely]]
    return number::multiply_rows(mode, src_a, used, coprocessor.matrix.noise);
  number::multiply_rows(mode, src_a, used, number::host_vectors());
}

/// Rows are filled in where they are: they are many pointers, and none is written twice.
using ElementRows = std::array<number::ElementRow, most_rows>;
void find_element_rows(Coprocessor& coprocessor, const MatrixOperands& operands, bool dst_32b, ElementRows& rows) {
  const number::SrcRow* a = &bank_of(coprocessor, Src::a)[operands.src_a.first];
  const number::SrcRow* b = &bank_of(coprocessor, Src::b)[operands.src_b.first];
  const std::size_t step = operands.src_b.count == 1 ? 0 : 1;
  dst_view(coprocessor, dst_32b)
      .take(operands.dst, undefined_as_zero,
            [=, &rows](unsigned i, const number::DstRow& row) { rows[i] = {a + i, b + i * step, row}; });
}

number::ElementMode element_mode(const number::MatrixMode& mode, const Candidate& candidate) {
  constexpr isa::Field broadcast = field_of("ELWADD", "", "BroadcastSrcBCol0");
  static_assert(broadcast.low == field_of("ELWMUL", "", "BroadcastSrcBCol0").low);
  return {mode, broadcast.get(candidate.entry.word) != 0};
}

void add_or_subtract(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands,
                     number::AddOrSubtract operation) {
  const auto mode = matrix_mode(coprocessor, candidate);
  if (!mode) return;
  const bool accumulate = field_of("ELWADD", "", "AddDst").get(candidate.entry.word) != 0;
  ElementRows rows;
  find_element_rows(coprocessor, operands, mode->dst_32b, rows);
  if (mode->stochastic) [[unlikely]]
    return number::add_elements(element_mode(*mode, candidate), operation, accumulate, rows, coprocessor.matrix.noise);
  number::add_elements(element_mode(*mode, candidate), operation, accumulate, rows, number::host_vectors());
}

std::uint32_t read(const number::DstRow& row, unsigned column, bool wide) {
  return std::uint32_t{(*row.read_high)[column]} << 16U | (wide ? (*row.read_low)[column] : 0U);
}

void write(const number::DstRow& row, unsigned column, bool wide, std::uint32_t value) {
  (*row.write_high)[column] = static_cast<std::uint16_t>(value >> 16U);
  if (wide) (*row.write_low)[column] = static_cast<std::uint16_t>(value);
}

}  // namespace

void matrix_data::multiply(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  const auto mode = matrix_mode(coprocessor, candidate);
  if (!mode) return;
  const SrcBank& bank = bank_of(coprocessor, Src::a);
  number::SrcAMatrix copy;
  multiply_with(coprocessor, *mode, operands, sixteen_rows(bank, operands.src_a.first, copy));
}

void matrix_data::multiply_elements(Coprocessor& coprocessor, const Candidate& candidate,
                                    const MatrixOperands& operands) {
  const auto mode = matrix_mode(coprocessor, candidate);
  if (!mode) return;
  ElementRows rows;
  find_element_rows(coprocessor, operands, mode->dst_32b, rows);
  if (mode->stochastic) [[unlikely]]
    return number::multiply_elements(element_mode(*mode, candidate), rows, coprocessor.matrix.noise);
  number::multiply_elements(element_mode(*mode, candidate), rows, number::host_vectors());
}

void matrix_data::add_elements(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  add_or_subtract(coprocessor, candidate, operands, number::AddOrSubtract::add);
}

void matrix_data::subtract_elements(Coprocessor& coprocessor, const Candidate& candidate,
                                    const MatrixOperands& operands) {
  add_or_subtract(coprocessor, candidate, operands, number::AddOrSubtract::subtract);
}

void matrix_data::add_zero(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  auto mode = matrix_mode(coprocessor, candidate);
  if (!mode) return;
  mode->keep_src_b_denormals = false;
  static constexpr number::SrcAMatrix zeros{};
  multiply_with(coprocessor, *mode, operands, zeros);
}

void matrix_data::legacy_max_pool(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands&) {
  coprocessor.data_issue(candidate, DataIssue::matrix_legacy_max_pool);
}

void matrix_data::max_pool(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands) {
  const auto matrix = matrix_mode(coprocessor, candidate);
  if (!matrix) return;
  const Word word = candidate.entry.word;
  if (field_of("GMPOOL", "", "InstrMod19Low").get(word) == 0)
    coprocessor.data_issue(candidate, DataIssue::gmpool_width);
  const number::MaxPoolMode mode{matrix->src_a, matrix->dst_32b, field_of("GMPOOL", "", "ArgMax").get(word) != 0};
  const SrcBank& src_a = bank_of(coprocessor, Src::a);
  const number::SrcRow& scales = bank_of(coprocessor, Src::b)[operands.src_b.first];
  DstView dst = dst_view(coprocessor, mode.dst_32b);
  const number::DstRow first = dst.take(operands.dst.first, undefined_as_minus_infinity);
  for (unsigned column = 0; column < columns; ++column) {
    number::SrcColumn a{};
    for (unsigned i = 0; i < columns; ++i)
      a[i] = src_a[operands.src_a.row(i)][column];
    write(first, column, mode.dst_32b, number::max_pool_column(read(first, column, mode.dst_32b), a, scales, mode));
  }
  for (unsigned i = 1; i < operands.dst.count; ++i) {
    const number::DstRow other = dst.take(operands.dst.row(i), undefined_as_minus_infinity);
    for (unsigned column = 0; column < columns; ++column)
      write(other, column, mode.dst_32b, number::max_pool_other_row(read(other, column, mode.dst_32b), mode));
  }
}

}  // namespace tensim::tensix
