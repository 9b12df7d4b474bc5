// The conversions of unpack.hpp and pack.hpp on rows of 16 datums: the rule is looked at once a row, so that the host's
// compiler can make straight loops of them. Same bits, by test.
#pragma once

#include <array>
#include <cstdint>

#include "number/bfp_block.hpp"
#include "number/matrix_rows.hpp"
#include "number/pack.hpp"
#include "number/unpack.hpp"

namespace tensim::number {

/// Sixteen datums as they lie in L1, the first at the start of a byte; `exponent` is theirs in BFP formats. For Src: 19 bits
/// each. For Dst: 16 or 32 bits each.
SrcRow unpack_row(UnpackPlan plan, const std::uint8_t* l1, std::uint8_t exponent);

/// Early conversion, ReLU, thresholding and late conversion of a row of Dst; `low` is not looked at in 16-bit mode. For BFP
/// formats the row is what pack_bfp_block() takes.
std::array<std::uint32_t, matrix_columns> pack_row(const PackPlan& plan, bool read_32b, const DstBitsRow& high,
                                                   const DstBitsRow* low);

// The same in steps, for what happens between them: edge masks before ReLU, the exponent histogram after it.

/// Numbers as a packer holds them between its conversions, one per column.
using HeldRow = std::array<std::uint32_t, matrix_columns>;

HeldRow pack_row_early(const PackPlan& plan, bool read_32b, const DstBitsRow& high, const DstBitsRow* low);
/// With random bits wherever the rule rounds, a column's from its own generator.
HeldRow pack_row_early(const PackPlan& plan, bool read_32b, const DstBitsRow& high, const DstBitsRow* low,
                       RoundingNoise& noise);
HeldRow pack_row_relu(const PackPlan& plan, const HeldRow& row);
HeldRow pack_row_threshold(const PackPlan& plan, const HeldRow& row);
HeldRow pack_row_late(const PackPlan& plan, const HeldRow& row);

}  // namespace tensim::number
