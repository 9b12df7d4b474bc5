// The data formats of the Tensix data path, with the codes their 4-bit configuration fields hold.
//
// Packers/FormatConversion.md has the table of codes, FloatBitPatterns.md the meaning of the bits. Software's DataFormat
// enumerators above 15 (unsigned integers, e4m3) are these codes plus flags that live in other configuration fields.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::number {

enum class DataFormat : std::uint8_t {
  fp32 = 0,
  fp16 = 1,
  bfp8a = 2,
  bfp4a = 3,
  tf32 = 4,
  bf16 = 5,
  bfp8 = 6,
  bfp4 = 7,
  int32 = 8,
  int16 = 9,
  fp8 = 10,
  bfp2a = 11,
  int8 = 14,
  bfp2 = 15,
};

/// How a computation reads SrcA and SrcB, and therefore which of BF16 and FP16 a 16-bit Dst holds (MVMUL.md, SrcAStyle).
enum class SrcStyle : std::uint8_t { bf16, fp16, tf32, int8 };

/// FP8 has four or five bits of exponent. Four is Blackhole's alone (Unp_LF8_4b_exp, Pac_LF8_4b_exp).
enum class Fp8Exponent : std::uint8_t { bits_5, bits_4 };

/// Datums that share an exponent, in the formats that do.
inline constexpr std::size_t bfp_block_datums = 16;

/// L1 is read and written in pieces of this size; sections of a tile start at multiples of it.
inline constexpr std::size_t l1_word_bytes = 16;

struct FormatFacts {
  DataFormat format;
  std::string_view name;
  unsigned datum_bits;     // in L1
  unsigned exponent_bits;  // per datum or shared; 0 for integers
  bool shared_exponent;    // BFP: one exponent byte per 16 datums, in a section of its own
  SrcStyle src_style;      // what computations take it for, once it is in Src
};

inline constexpr std::array format_facts{
    FormatFacts{DataFormat::fp32, "FP32", 32, 8, false, SrcStyle::bf16},
    FormatFacts{DataFormat::fp16, "FP16", 16, 5, false, SrcStyle::fp16},
    FormatFacts{DataFormat::bfp8a, "BFP8a", 8, 5, true, SrcStyle::fp16},
    FormatFacts{DataFormat::bfp4a, "BFP4a", 4, 5, true, SrcStyle::fp16},
    FormatFacts{DataFormat::tf32, "TF32", 32, 8, false, SrcStyle::tf32},
    FormatFacts{DataFormat::bf16, "BF16", 16, 8, false, SrcStyle::bf16},
    FormatFacts{DataFormat::bfp8, "BFP8", 8, 8, true, SrcStyle::bf16},
    FormatFacts{DataFormat::bfp4, "BFP4", 4, 8, true, SrcStyle::bf16},
    FormatFacts{DataFormat::int32, "INT32", 32, 0, false, SrcStyle::bf16},
    FormatFacts{DataFormat::int16, "INT16", 16, 0, false, SrcStyle::bf16},
    FormatFacts{DataFormat::fp8, "FP8", 8, 5, false, SrcStyle::fp16},
    FormatFacts{DataFormat::bfp2a, "BFP2a", 2, 5, true, SrcStyle::fp16},
    FormatFacts{DataFormat::int8, "INT8", 8, 0, false, SrcStyle::fp16},
    FormatFacts{DataFormat::bfp2, "BFP2", 2, 8, true, SrcStyle::bf16},
};

/// The format a 4-bit field selects; codes 12 and 13 select none.
constexpr std::optional<DataFormat> format_of_code(unsigned code) {
  for (const FormatFacts& row : format_facts) {
    if (static_cast<unsigned>(row.format) == code) return row.format;
  }
  return std::nullopt;
}

constexpr const FormatFacts& facts(DataFormat format) {
  for (const FormatFacts& row : format_facts) {
    if (row.format == format) return row;
  }
  return format_facts.front();
}

constexpr bool is_bfp(DataFormat format) {
  return facts(format).shared_exponent;
}

constexpr bool is_integer(DataFormat format) {
  return facts(format).exponent_bits == 0;
}

constexpr SrcStyle src_style(DataFormat format) {
  return facts(format).src_style;
}

constexpr bool has_fp8_exponent(Arch arch, Fp8Exponent exponent) {
  return on(arch, exponent == Fp8Exponent::bits_5, true);
}

/// Bytes of the exponent section before the datums of a BFP tile: a byte per 16 datums, filled up to whole L1 words.
constexpr std::size_t exponent_section_bytes(DataFormat format, std::size_t datums) {
  if (!is_bfp(format)) return 0;
  const std::size_t exponents = (datums + bfp_block_datums - 1) / bfp_block_datums;
  return (exponents + l1_word_bytes - 1) / l1_word_bytes * l1_word_bytes;
}

/// Which byte of the exponent section belongs to a datum.
constexpr std::size_t exponent_index(std::size_t datum) {
  return datum / bfp_block_datums;
}

/// Where a datum starts, in bits from the first datum. The first of two or four datums in a byte is in its low bits.
constexpr std::size_t datum_bit_offset(DataFormat format, std::size_t datum) {
  return datum * facts(format).datum_bits;
}

}  // namespace tensim::number
