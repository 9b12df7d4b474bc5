#include "number/convert_rows.hpp"

#include <bit>
#include <cstring>

namespace tensim::number {
namespace {

using Row = std::array<std::uint32_t, matrix_columns>;

static_assert(std::endian::native == std::endian::little, "rows of L1 are read as the host's numbers");

/// Datums of whole bytes, little-endian.
template <class Datum>
Row read_row(const std::uint8_t* l1) {
  std::array<Datum, matrix_columns> datums;
  std::memcpy(datums.data(), l1, sizeof datums);
  Row row;
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = datums[i];
  return row;
}

/// Datums of four or two bits, the first in the low ones.
template <unsigned bits>
Row read_narrow_row(const std::uint8_t* l1) {
  constexpr unsigned per_byte = 8 / bits;
  Row row;
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = (static_cast<unsigned>(l1[i / per_byte]) >> (i % per_byte * bits)) & ((1U << bits) - 1U);
  }
  return row;
}

Row read_l1(UnpackRule rule, const std::uint8_t* l1) {
  switch (rule) {
    case UnpackRule::fp32_to_dst:
    case UnpackRule::fp32_to_src_tf32:
    case UnpackRule::fp32_to_bf16:
    case UnpackRule::fp32_to_fp16: return read_row<std::uint32_t>(l1);
    case UnpackRule::bf16:
    case UnpackRule::fp16:
    case UnpackRule::int16: return read_row<std::uint16_t>(l1);
    case UnpackRule::bfp4:
    case UnpackRule::bfp4a: return read_narrow_row<4>(l1);
    case UnpackRule::bfp2:
    case UnpackRule::bfp2a: return read_narrow_row<2>(l1);
    default: return read_row<std::uint8_t>(l1);
  }
}

template <UnpackRule rule>
Row unpack_all(const Row& datums, bool to_dst) {
  Row row;
  if (to_dst) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = unpack_datum({rule, true}, datums[i]);
  } else {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = unpack_datum({rule, false}, datums[i]);
  }
  return row;
}

/// What BFP8 becomes but for its exponent: that is the shared one less `zeros`, where `exponent_mask` has it.
struct BfpDatum {
  std::uint16_t bits;
  std::uint16_t zeros;
  std::uint16_t exponent_mask;
};

constexpr std::array<BfpDatum, 256> make_bfp_datums() {
  std::array<BfpDatum, 256> datums{};
  for (std::uint32_t datum = 0; datum < datums.size(); ++datum) {
    const auto bits = static_cast<std::uint16_t>(bf16_from_bfp8(datum, 0));
    const bool no_magnitude = (datum & 0x7fU) == 0;
    const auto zeros = static_cast<std::uint16_t>(std::countl_zero(static_cast<std::uint8_t>(datum << 1U)));
    datums[datum] = {no_magnitude ? bits : static_cast<std::uint16_t>(bits & 0x807fU), zeros,
                     static_cast<std::uint16_t>(no_magnitude ? 0 : 0x7f80)};
  }
  return datums;
}

constexpr std::array<BfpDatum, 256> bfp_datums = make_bfp_datums();

/// `place` moves a narrow datum's bits to BFP8's.
Row unpack_bfp(const Row& datums, unsigned place, bool to_dst, std::uint32_t exponent) {
  Row bf16;
  for (std::size_t i = 0; i < bf16.size(); ++i) {
    const BfpDatum& datum = bfp_datums[(datums[i] << place) & 0xffU];
    bf16[i] = datum.bits | (((exponent - datum.zeros) << 7U) & datum.exponent_mask);
  }
  return unpack_all<UnpackRule::bf16>(bf16, to_dst);
}

Row unpack_by_rule(UnpackPlan plan, const Row& datums, std::uint32_t exponent) {
  switch (plan.rule) {
    case UnpackRule::fp32_to_dst: return unpack_all<UnpackRule::fp32_to_dst>(datums, plan.to_dst);
    case UnpackRule::fp32_to_src_tf32: return unpack_all<UnpackRule::fp32_to_src_tf32>(datums, plan.to_dst);
    case UnpackRule::fp32_to_bf16: return unpack_all<UnpackRule::fp32_to_bf16>(datums, plan.to_dst);
    case UnpackRule::bf16: return unpack_all<UnpackRule::bf16>(datums, plan.to_dst);
    case UnpackRule::fp16: return unpack_all<UnpackRule::fp16>(datums, plan.to_dst);
    case UnpackRule::bfp8: return unpack_bfp(datums, 0, plan.to_dst, exponent);
    case UnpackRule::bfp4: return unpack_bfp(datums, 4, plan.to_dst, exponent);
    case UnpackRule::bfp2: return unpack_bfp(datums, 6, plan.to_dst, exponent);
    case UnpackRule::int8_signed: return unpack_all<UnpackRule::int8_signed>(datums, plan.to_dst);
    case UnpackRule::int8_unsigned: return unpack_all<UnpackRule::int8_unsigned>(datums, plan.to_dst);
    case UnpackRule::int16: return unpack_all<UnpackRule::int16>(datums, plan.to_dst);
    default: break;
  }
  Row row;
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = unpack_datum(plan, datums[i], exponent);
  return row;
}

/// A row of Dst through a function of one datum.
template <class Function>
Row each(const Row& from, Function function) {
  Row row;
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = function(from[i]);
  return row;
}

template <unsigned mantissa_bits>
Row round_row(const PackPlan& plan, const Row& dst) {
  if (plan.early == EarlyRule::round_fp32) {
    return each(dst, [](std::uint32_t x) { return detail::round_fp32(fp32_from_dst(x), mantissa_bits); });
  }
  return each(dst, [](std::uint32_t x) { return detail::round_bf16(bf16_from_dst(x) << 16U, mantissa_bits); });
}

Row convert_early(const PackPlan& plan, bool read_32b, const Row& dst) {
  switch (plan.early) {
    case EarlyRule::identity32: return each(dst, fp32_from_dst);
    case EarlyRule::identity16: return dst;
    case EarlyRule::round_fp32:
    case EarlyRule::round_bf16:
      if (plan.mantissa_bits == 7) return round_row<7>(plan, dst);
      return plan.mantissa_bits == 6 ? round_row<6>(plan, dst) : round_row<10>(plan, dst);
    case EarlyRule::round_fp16: return each(dst, [](std::uint32_t x) { return detail::flush_fp16(fp16_from_dst(x)); });
    default: break;
  }
  if (read_32b) return each(dst, [&](std::uint32_t x) { return detail::early_convert_32b(plan, x); });
  return each(dst, [&](std::uint32_t x) { return detail::early_convert_16b(plan, x); });
}

Row row_of_dst(bool read_32b, const DstBitsRow& high, const DstBitsRow* low) {
  Row dst;
  for (std::size_t i = 0; i < dst.size(); ++i)
    dst[i] = high[i];
  if (read_32b) {
    for (std::size_t i = 0; i < dst.size(); ++i)
      dst[i] = (dst[i] << 16U) | (*low)[i];
  }
  return dst;
}

Row pack_late_row(const PackPlan& plan, const Row& held) {
  switch (plan.late) {
    case LateRule::identity: return held;
    case LateRule::high_half: return each(held, [](std::uint32_t x) { return x >> 16U; });
    case LateRule::fp32_to_bf16_flushed: return each(held, detail::bf16_flushed);
    case LateRule::fp32_to_fp16: return each(held, fp16_from_fp32);
    default: return each(held, [&](std::uint32_t x) { return pack_late(plan, x); });
  }
}

}  // namespace

SrcRow unpack_row(UnpackPlan plan, const std::uint8_t* l1, std::uint8_t exponent) {
  return unpack_by_rule(plan, read_l1(plan.rule, l1), exponent);
}

HeldRow pack_row_early(const PackPlan& plan, bool read_32b, const DstBitsRow& high, const DstBitsRow* low) {
  return convert_early(plan, read_32b, row_of_dst(read_32b, high, low));
}

HeldRow pack_row_early(const PackPlan& plan, bool read_32b, const DstBitsRow& high, const DstBitsRow* low,
                       RoundingNoise& noise) {
  if (!detail::rounds(plan.early)) return pack_row_early(plan, read_32b, high, low);
  Row row = row_of_dst(read_32b, high, low);
  for (unsigned i = 0; i < row.size(); ++i)
    row[i] = detail::early_round_by(plan, row[i], noise.next(i));
  return row;
}

HeldRow pack_row_relu(const PackPlan& plan, const HeldRow& row) {
  if (plan.relu == Relu::none) return row;
  return each(row, [&](std::uint32_t x) { return detail::apply_relu(plan, x); });
}

HeldRow pack_row_threshold(const PackPlan& plan, const HeldRow& row) {
  if (plan.exponent_threshold == 0) return row;
  return each(row, [&](std::uint32_t x) { return detail::apply_exponent_threshold(plan, x); });
}

HeldRow pack_row_late(const PackPlan& plan, const HeldRow& row) {
  return pack_late_row(plan, row);
}

std::array<std::uint32_t, matrix_columns> pack_row(const PackPlan& plan, bool read_32b, const DstBitsRow& high,
                                                   const DstBitsRow* low) {
  const HeldRow active = pack_row_relu(plan, pack_row_early(plan, read_32b, high, low));
  return pack_late_row(plan, pack_row_threshold(plan, active));
}

}  // namespace tensim::number
