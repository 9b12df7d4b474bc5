// The Matrix Unit's arithmetic on rows of 16 datums, with the host's vectors where it has them. Same bits as
// matrix_arithmetic.hpp, whichever is used.
//
// Nothing here knows where rows lie: the caller hands over pointers to them, so broadcasts are rows named twice, and a
// row of Dst that reads as zero (or, for GMPOOL, as all ones) is a pointer to such a row.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "number/matrix_arithmetic.hpp"

namespace tensim::number {

/// Datums of 19 bits; the bits above are zero.
using SrcRow = std::array<std::uint32_t, matrix_columns>;
/// A row of DstBits.
using DstBitsRow = std::array<std::uint16_t, matrix_columns>;

/// A row of Dst: one row of bits, or two in 32-bit mode. `low` is not looked at in 16-bit mode. This and the rows below
/// have no initial values: eight of them are filled in for every instruction, and clearing them first would show.
struct DstRow {
  const DstBitsRow* read_high;
  const DstBitsRow* read_low;
  DstBitsRow* write_high;
  DstBitsRow* write_low;

  std::uint32_t read(std::size_t column, bool dst_32b) const {
    const std::uint32_t high = (*read_high)[column];
    return dst_32b ? (high << 16U) | (*read_low)[column] : high;
  }
  void write(std::size_t column, bool dst_32b, std::uint32_t bits) const {
    if (!dst_32b) {
      (*write_high)[column] = static_cast<std::uint16_t>(bits);
      return;
    }
    (*write_high)[column] = static_cast<std::uint16_t>(bits >> 16U);
    (*write_low)[column] = static_cast<std::uint16_t>(bits);
  }
};

/// Which of the host's instructions to use.
enum class HostVectors : std::uint8_t { none, avx2 };

/// The best that this host has.
HostVectors host_vectors();

using SrcAMatrix = std::array<SrcRow, matrix_columns>;
/// Sixteen rows that lie behind each other, in such a matrix or in a bank.
using SrcARows = std::span<const SrcRow, matrix_columns>;

struct MultiplyRow {
  const SrcRow* src_b;
  DstRow dst;
};

/// MVMUL, DOTPV, GAPOOL: each row of SrcB times the 16 by 16 matrix of SrcA.
void multiply_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows, HostVectors vectors);
/// The same, rounded stochastically; so too below. Each column has its random numbers, row by row.
void multiply_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows, RoundingNoise& noise);

struct ElementRow {
  const SrcRow* src_a;
  const SrcRow* src_b;
  DstRow dst;
};

struct ElementMode {
  MatrixMode matrix;
  bool broadcast_src_b_column_0 = false;
};

/// ELWMUL.
void multiply_elements(const ElementMode& mode, std::span<const ElementRow> rows, HostVectors vectors);
void multiply_elements(const ElementMode& mode, std::span<const ElementRow> rows, RoundingNoise& noise);

/// ELWADD, ELWSUB.
void add_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                  std::span<const ElementRow> rows, HostVectors vectors);
void add_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                  std::span<const ElementRow> rows, RoundingNoise& noise);

}  // namespace tensim::number
