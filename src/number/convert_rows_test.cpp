// Rows give the bits of single datums, for every plan there is.
#include "number/convert_rows.hpp"

#include <bit>
#include <random>

#include <gtest/gtest.h>

namespace tensim::number {
namespace {

/// Bytes with many zeros and ones among them: denormals, infinities, NaNs.
template <std::size_t size>
std::array<std::uint8_t, size> random_bytes(std::mt19937& random) {
  std::array<std::uint8_t, size> bytes{};
  for (std::uint8_t& byte : bytes) {
    const auto value = static_cast<std::uint32_t>(random());
    const std::uint32_t kind = (value >> 8U) & 7U;
    byte = static_cast<std::uint8_t>(kind == 0 ? 0U : kind == 1 ? 0xffU : value);
  }
  return bytes;
}

std::uint32_t datum_at(const std::array<std::uint8_t, 64>& l1, DataFormat format, std::size_t index) {
  const std::size_t offset = datum_bit_offset(format, index);
  const unsigned width = facts(format).datum_bits;
  std::uint32_t datum = 0;
  for (std::size_t bit = 0; bit < width; ++bit) {
    const std::size_t at = offset + bit;
    datum |= ((static_cast<std::uint32_t>(l1[at / 8]) >> (at % 8U)) & 1U) << bit;
  }
  return datum;
}

TEST(ConvertRows, UnpackingARowIsUnpackingItsDatums) {
  std::mt19937 random(5);
  int plans = 0;
  for (unsigned number = 0; number < (1U << 12U); ++number) {
    const auto in = format_of_code(number & 15U);
    const auto out = format_of_code((number >> 4U) & 15U);
    if (!in || !out) continue;
    const UnpackMode mode{.in = *in,
                          .out = *out,
                          .to_dst = ((number >> 8U) & 1U) != 0,
                          .int8_unsigned = ((number >> 9U) & 1U) != 0,
                          .fp8_exponent = static_cast<Fp8Exponent>((number >> 10U) & 1U),
                          .arch = static_cast<Arch>((number >> 11U) & 1U)};
    const auto plan = plan_unpack(mode);
    if (!plan) continue;
    ++plans;
    for (int repetition = 0; repetition < 16; ++repetition) {
      const auto l1 = random_bytes<64>(random);
      const auto exponent = static_cast<std::uint8_t>(random());
      const SrcRow row = unpack_row(*plan, l1.data(), exponent);
      for (std::size_t i = 0; i < row.size(); ++i) {
        ASSERT_EQ(row[i], unpack_datum(*plan, datum_at(l1, *in, i), exponent)) << facts(*in).name << " " << i;
      }
    }
  }
  EXPECT_GT(plans, 100);
}

PackMode pack_mode_of(unsigned number, DataFormat intermediate, DataFormat to) {
  return {.intermediate = intermediate,
          .late_to = to,
          .read_32b = ((number >> 8U) & 1U) != 0,
          .round_10b_mantissa = ((number >> 9U) & 1U) != 0,
          .read_raw = ((number >> 10U) & 1U) != 0,
          .read_unsigned = ((number >> 11U) & 1U) != 0,
          .shift = 3,
          .relu = static_cast<Relu>((number >> 12U) & 3U),
          .relu_threshold = 0x3c80,
          .exponent_threshold_enabled = ((number >> 14U) & 1U) != 0,
          .exponent_threshold = 20,
          .arch = static_cast<Arch>((number >> 15U) & 1U)};
}

TEST(ConvertRows, PackingARowIsPackingItsDatums) {
  std::mt19937 random(6);
  int plans = 0;
  for (unsigned number = 0; number < (1U << 16U); ++number) {
    const auto intermediate = format_of_code(number & 15U);
    const auto to = format_of_code((number >> 4U) & 15U);
    if (!intermediate || !to) continue;
    const PackMode mode = pack_mode_of(number, *intermediate, *to);
    const auto plan = plan_pack(mode);
    if (!plan) continue;
    ++plans;
    const auto high = std::bit_cast<DstBitsRow>(random_bytes<32>(random));
    const auto low = std::bit_cast<DstBitsRow>(random_bytes<32>(random));
    const auto row = pack_row(*plan, mode.read_32b, high, mode.read_32b ? &low : nullptr);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint32_t dst = mode.read_32b ? (static_cast<std::uint32_t>(high[i]) << 16U) | low[i] : high[i];
      ASSERT_EQ(row[i], pack_late(*plan, pack_early(*plan, mode.read_32b, dst)))
          << facts(*intermediate).name << " to " << facts(*to).name;
    }
  }
  EXPECT_GT(plans, 1000);
}

}  // namespace
}  // namespace tensim::number
