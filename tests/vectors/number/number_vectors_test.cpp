// The numbers of src/number against the reference simulator; ../README.md says where the files are from.
#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "number/bfp_block.hpp"
#include "number/l1_accumulate.hpp"
#include "number/matrix_rows.hpp"
#include "number/max_pool.hpp"
#include "number/move.hpp"
#include "number/pack.hpp"
#include "number/unpack.hpp"
#include "tests/places.hpp"

namespace tensim::number {
namespace {

using Columns = std::vector<std::string>;
using Bits = std::vector<std::uint32_t>;

Columns split(const std::string& text, char separator) {
  Columns columns;
  std::istringstream stream(text);
  for (std::string one; std::getline(stream, one, separator);)
    columns.push_back(one);
  return columns;
}

std::uint32_t bits(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
}

Bits bits_list(const std::string& text) {
  Bits list;
  for (const std::string& one : split(text, ','))
    list.push_back(bits(one));
  return list;
}

std::array<std::uint32_t, 16> sixteen(const std::string& text) {
  const Bits list = bits_list(text);
  std::array<std::uint32_t, 16> result{};
  std::copy_n(list.begin(), std::min(list.size(), result.size()), result.begin());
  return result;
}

SrcStyle style(const std::string& text) {
  if (text == "bf16") return SrcStyle::bf16;
  if (text == "fp16") return SrcStyle::fp16;
  return text == "tf32" ? SrcStyle::tf32 : SrcStyle::int8;
}

DataFormat format(const std::string& text) {
  for (const FormatFacts& row : format_facts) {
    if (row.name == text) return row.format;
  }
  ADD_FAILURE() << "no format " << text;
  return DataFormat::fp32;
}

/// Calls `check` for each line, and each architecture of "both".
void for_each_line(const std::string& file, std::size_t at_least,
                   const std::function<void(Arch, const Columns&)>& check) {
  std::ifstream stream(std::string(TENSIM_VECTORS "/number/") + file);
  ASSERT_TRUE(stream) << file;
  std::size_t lines = 0;
  for (std::string text; std::getline(stream, text);) {
    if (text.starts_with('#')) continue;
    SCOPED_TRACE(file + ": " + text);
    const Columns columns = split(text, '\t');
    ++lines;
    for (const Arch arch : all_archs) {
      if (columns[0] == "both" || columns[0] == name(arch)) check(arch, columns);
    }
  }
  EXPECT_GE(lines, at_least) << file;
}

std::vector<HostVectors> all_vectors() {
  std::vector<HostVectors> all{HostVectors::none};
  if (host_vectors() != HostVectors::none) all.push_back(host_vectors());
  return all;
}

/// A row of Dst with the same datum everywhere.
struct OneRow {
  DstBitsRow high{};
  DstBitsRow low{};

  OneRow(std::uint32_t dst, bool dst_32b) {
    high.fill(static_cast<std::uint16_t>(dst_32b ? dst >> 16U : dst));
    low.fill(static_cast<std::uint16_t>(dst));
  }
  DstRow row() { return {&high, &low, &high, &low}; }
  std::uint32_t at(std::size_t column, bool dst_32b) const {
    return dst_32b ? (static_cast<std::uint32_t>(high[column]) << 16U) | low[column] : high[column];
  }
};

TEST(NumberVectors, DotProducts) {
  for_each_line("dot.tsv", 900, [](Arch arch, const Columns& c) {
    const bool dst_32b = c[3] == "32";
    const MatrixMode mode{
        .src_a = style(c[1]), .src_b = style(c[2]), .dst_32b = dst_32b, .fidelity_phase = bits(c[4]), .arch = arch};
    const SrcRow b = sixteen(c[6]);
    const auto a = sixteen(c[5]);
    SrcAMatrix src_a{};
    for (std::size_t i = 0; i < a.size(); ++i)
      src_a[i].fill(a[i]);
    EXPECT_EQ(multiply_add_dot(bits(c[7]), a, b, mode), bits(c[8]));
    for (const HostVectors vectors : all_vectors()) {
      OneRow dst(bits(c[7]), dst_32b);
      const MultiplyRow row{&b, dst.row()};
      multiply_rows(mode, src_a, {&row, 1}, vectors);
      for (std::size_t column = 0; column < matrix_columns; ++column) {
        EXPECT_EQ(dst.at(column, dst_32b), bits(c[8])) << "column " << column;
      }
    }
  });
}

void run_elements(const std::string& instruction, const ElementMode& mode, bool add_to_dst, const ElementRow& row,
                  HostVectors vectors) {
  if (instruction == "ELWMUL") return multiply_elements(mode, {&row, 1}, vectors);
  const AddOrSubtract operation = instruction == "ELWADD" ? AddOrSubtract::add : AddOrSubtract::subtract;
  add_elements(mode, operation, add_to_dst, {&row, 1}, vectors);
}

TEST(NumberVectors, Elements) {
  for_each_line("element.tsv", 3000, [](Arch arch, const Columns& c) {
    const bool dst_32b = c[4] == "32";
    const ElementMode mode{{.src_a = style(c[2]),
                            .src_b = style(c[3]),
                            .dst_32b = dst_32b,
                            .fidelity_phase = bits(c[5]),
                            .keep_src_b_denormals = c[6] == "keep",
                            .arch = arch}};
    SrcRow a{};
    SrcRow b{};
    a.fill(bits(c[8]));
    b.fill(bits(c[9]));
    for (const HostVectors vectors : all_vectors()) {
      OneRow dst(bits(c[10]), dst_32b);
      run_elements(c[1], mode, c[7] == "add", {&a, &b, dst.row()}, vectors);
      for (std::size_t column = 0; column < matrix_columns; ++column) {
        EXPECT_EQ(dst.at(column, dst_32b), bits(c[11])) << "column " << column;
      }
    }
  });
}

TEST(NumberVectors, MaxPools) {
  for_each_line("max_pool.tsv", 40, [](Arch, const Columns& c) {
    const bool dst_32b = c[2] == "32";
    SrcColumn ones{};
    ones.fill(src_from_bf16(0x3f80));
    const unsigned place = dst_32b ? 0 : 16;
    const std::uint32_t result = max_pool_column(bits(c[4]) << place, sixteen(c[3]), ones, {style(c[1]), dst_32b});
    EXPECT_EQ(result >> place, bits(c[5]));
  });
}

TEST(NumberVectors, Unpacking) {
  for_each_line("unpack.tsv", 200, [](Arch arch, const Columns& c) {
    const UnpackMode mode{.in = format(c[1]),
                          .out = format(c[2]),
                          .to_dst = c[3] == "Dst",
                          .int8_unsigned = c[4] == "unsigned",
                          .fp8_exponent = c[4] == "e4m3" ? Fp8Exponent::bits_4 : Fp8Exponent::bits_5,
                          .arch = arch};
    const auto plan = plan_unpack(mode);
    ASSERT_TRUE(plan);
    const Bits datums = bits_list(c[6]);
    const Bits results = bits_list(c[7]);
    for (std::size_t i = 0; i < datums.size(); ++i) {
      EXPECT_EQ(unpack_datum(*plan, datums[i], bits(c[5])), results[i]) << "datum " << i;
    }
  });
}

PackMode pack_mode(Arch arch, const Columns& c) {
  const bool narrow_fp8 = c[4].find("e4m3") != std::string::npos;
  return {.intermediate = format(c[1]),
          .late_to = format(c[2]),
          .read_32b = c[3] == "32",
          .round_10b_mantissa = c[4].find("round10") != std::string::npos,
          .read_unsigned = c[4].find("unsigned") != std::string::npos,
          .relu = static_cast<Relu>(bits(c[5])),
          .relu_threshold = static_cast<std::uint16_t>(bits(c[6])),
          .fp8_exponent = narrow_fp8 ? Fp8Exponent::bits_4 : Fp8Exponent::bits_5,
          .arch = arch};
}

TEST(NumberVectors, Packing) {
  for_each_line("pack.tsv", 250, [](Arch arch, const Columns& c) {
    const PackMode mode = pack_mode(arch, c);
    const auto plan = plan_pack(mode);
    ASSERT_TRUE(plan);
    const auto dst = sixteen(c[7]);
    auto results = sixteen(c[9]);
    std::array<std::uint16_t, bfp_block_datums> block{};
    for (std::size_t i = 0; i < dst.size(); ++i) {
      const std::uint32_t datum = pack_late(*plan, pack_early(*plan, mode.read_32b, dst[i]));
      block[i] = static_cast<std::uint16_t>(datum);
      if (!is_bfp(mode.late_to)) {
        EXPECT_EQ(datum, results[i]) << "datum " << i;
      }
    }
    if (!is_bfp(mode.late_to)) return;
    const BfpBlock packed = pack_bfp_block(block, mode.late_to);
    EXPECT_EQ(packed.exponent, bits(c[8]));
    for (std::size_t i = 0; i < dst.size(); ++i)
      EXPECT_EQ(packed.datums[i], results[i]) << "datum " << i;
  });
}

std::uint32_t to_dst(const Columns& c, std::uint32_t src) {
  const std::uint32_t moved = c[5] == "keep" ? src : flush_src_denormal(src);
  if (style(c[2]) == SrcStyle::tf32) return dst32_from_src_tf32(moved);
  const std::uint32_t half = dst16_from_src(moved, style(c[2]));
  return c[4] == "low" ? (bits(c[7]) & 0xffff'0000U) | half : half;
}

TEST(NumberVectors, Moves) {
  for_each_line("move.tsv", 200, [](Arch, const Columns& c) {
    if (c[1] == "MOVA2D" || c[1] == "MOVB2D") {
      EXPECT_EQ(to_dst(c, bits(c[6])), bits(c[8]));
    } else if (c[3] == "32") {
      EXPECT_EQ(src_from_dst32(bits(c[7]), style(c[2]), c[4] == "low"), bits(c[8]));
    } else {
      EXPECT_EQ(src_from_dst16(bits(c[7]), style(c[2])), bits(c[8]));
    }
  });
}

TEST(NumberVectors, L1Accumulation) {
  std::ifstream stream(TENSIM_VECTORS "/number/l1_accumulate.tsv");
  std::size_t lines = 0;
  for (std::string text; std::getline(stream, text);) {
    if (text.starts_with('#')) continue;
    const Columns c = split(text, '\t');
    const auto l1 = static_cast<std::uint16_t>(bits(c[1]));
    const auto datum = static_cast<std::uint16_t>(bits(c[2]));
    std::uint32_t result = 0;
    if (c[0] == "FP32") result = l1_accumulate_fp32(bits(c[1]), bits(c[2]));
    if (c[0] == "BF16") result = l1_accumulate_bf16(l1, datum);
    if (c[0] == "FP16") result = l1_accumulate_fp16(l1, datum);
    EXPECT_EQ(result, bits(c[3])) << text;
    ++lines;
  }
  EXPECT_GE(lines, 900U);
}

}  // namespace
}  // namespace tensim::number
