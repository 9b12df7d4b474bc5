#include "tools/reference/tile_cases.hpp"

#include <random>

namespace tensim::reference {
namespace {

using enum DataFormat;

const std::array formats{
    FormatCase{"bf16", TileFormats::all(bf16)},
    FormatCase{"bf16, Dst fp32, out fp32", {bf16, bf16, bf16, bf16, fp32, fp32, true}},
    FormatCase{"bf16, Dst fp32, out bf16", {bf16, bf16, bf16, bf16, bf16, bf16, true}},
    FormatCase{"bf16, out bfp8", {bf16, bf16, bf16, bf16, bf16, bfp8}},
    FormatCase{"bf16, out bfp4", {bf16, bf16, bf16, bf16, bf16, bfp4}},
    FormatCase{"bf16, out bfp2", {bf16, bf16, bf16, bf16, bf16, bfp2}},
    FormatCase{"bf16, out fp32", {bf16, bf16, bf16, bf16, bf16, fp32}},
    FormatCase{"fp16", TileFormats::all(fp16)},
    FormatCase{"fp16, out bf16", {fp16, fp16, fp16, fp16, fp16, bf16}},
    FormatCase{"fp16, Dst fp32, out fp16", {fp16, fp16, fp16, fp16, fp32, fp16, true}},
    FormatCase{"bfp8", TileFormats::all(bfp8)},
    FormatCase{"bfp8, out bf16", {bfp8, bfp8, bfp8, bfp8, bf16, bf16}},
    FormatCase{"bfp4, out bf16", {bfp4, bfp4, bfp4, bfp4, bf16, bf16}},
    FormatCase{"bfp2, out bf16", {bfp2, bfp2, bfp2, bfp2, bf16, bf16}},
    FormatCase{"fp32 as tf32, Dst fp32", {fp32, fp32, tf32, tf32, fp32, fp32, true}},
    FormatCase{"fp32 as bf16", {fp32, fp32, bf16, bf16, bf16, bf16}},
    FormatCase{"fp32 as fp16", {fp32, fp32, fp16, fp16, fp16, fp16}},
    FormatCase{"fp8, out fp16", {fp8, fp8, fp8, fp8, fp16, fp16}},
    FormatCase{"int8, out int32", {int8, int8, int8, int8, int32, int32, true, true}},
    FormatCase{"int8, out int8", {int8, int8, int8, int8, int8, int8, true, true}},
    FormatCase{"bf16 and bfp8", {bf16, bfp8, bf16, bfp8, bf16, bf16}},
};

constexpr std::array operations{
    OperationCase{"MVMUL", TileOperation::multiply, 1},
    OperationCase{"MVMUL x4", TileOperation::multiply, 4},
    OperationCase{"ELWADD", TileOperation::add, 1},
    OperationCase{"ELWSUB", TileOperation::subtract, 1},
    OperationCase{"ELWMUL", TileOperation::multiply_datums, 1},
    OperationCase{"ELWMUL x4", TileOperation::multiply_datums, 4},
};

/// Numbers that are neither tiny nor huge: products of random bits are infinite more often than not.
std::uint32_t moderate(DataFormat format, std::uint32_t word, std::uint32_t bits) {
  constexpr std::uint32_t exponent_words = 16;  // of block formats
  const std::uint32_t exponents = (bits & 0x07070707U) | 0x78787878U;
  switch (format) {
    case fp32: return (bits & 0x807FFFFFU) | (120U + (bits >> 23U & 15U)) << 23U;
    case bf16: return (bits & 0x87FF87FFU) | 0x3C003C00U;
    case fp16: return (bits & 0x9FFF9FFFU) | 0x20002000U;
    // A block format's negative zero is minus infinity: no magnitude is 0.
    case bfp8: return word < exponent_words ? exponents : bits | 0x01010101U;
    case bfp4: return word < exponent_words ? exponents : bits | 0x11111111U;
    case bfp2: return word < exponent_words ? exponents : bits | 0x55555555U;
    default: return bits;
  }
}

}  // namespace

std::span<const FormatCase> format_cases() {
  return formats;
}

std::span<const OperationCase> operation_cases() {
  return operations;
}

std::vector<std::uint32_t> tile_inputs(std::uint32_t seed, const TileFormats& wanted, unsigned tiles, bool all_bits) {
  constexpr std::uint32_t place_words = tile_place_bytes / 4;
  std::mt19937 random(seed);
  std::vector<std::uint32_t> inputs(std::size_t{2} * tiles * place_words);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const DataFormat format = i / place_words % 2 == 0 ? wanted.left : wanted.right;
    inputs[i] = all_bits ? bits : moderate(format, static_cast<std::uint32_t>(i % place_words), bits);
  }
  return inputs;
}

}  // namespace tensim::reference
