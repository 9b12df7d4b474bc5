// Fields of the Scalar Unit's memory instructions, and what they say together.
#pragma once

#include "isa/table.hpp"
#include "tensix/registers/fields.hpp"

namespace tensim::tensix::scalar_words {

// LOADIND and STOREIND.
inline constexpr isa::Field load_size = field_of("LOADIND", "", "Size");
inline constexpr isa::Field store_size = field_of("STOREIND", "L1", "Size");
inline constexpr isa::Field offset_half = field_of("LOADIND", "", "OffsetHalfReg");
inline constexpr isa::Field offset_increment = field_of("LOADIND", "", "OffsetIncrement");
inline constexpr isa::Field store_to_src_b = field_of("STOREIND", "Src", "StoreToSrcB");
// These stand in one place in all of them (gpr_use.cpp proves it).
inline constexpr isa::Field data_reg = field_of("LOADIND", "", "ResultReg");
inline constexpr isa::Field addr_reg = field_of("LOADIND", "", "AddrReg");
// STOREREG and LOADREG.
inline constexpr isa::Field register_data = field_of("STOREREG", "", "DataReg");
inline constexpr isa::Field register_address = field_of("STOREREG", "", "AddrLo");
// Atomics.
inline constexpr isa::Field word_in_block = field_of("ATINCGET", "", "Ofs");
inline constexpr isa::Field counter_width = field_of("ATINCGET", "", "IntWidth");
inline constexpr isa::Field swap_mask = field_of("ATSWAP", "", "Mask");
inline constexpr isa::Field swap_single = field_of("ATSWAP", "", "SingleDataReg");
inline constexpr isa::Field compare_value = field_of("ATCAS", "", "CmpVal");
inline constexpr isa::Field set_value = field_of("ATCAS", "", "SetVal");
inline constexpr isa::Field no_increment = field_of("ATINCGETPTR", "", "NoIncr");
inline constexpr isa::Field increment_log2 = field_of("ATINCGETPTR", "", "IncrLog2");
inline constexpr isa::Field pointer_width = field_of("ATINCGETPTR", "", "IntWidth");
static_assert(field_of("ATCAS", "", "Ofs").low == word_in_block.low &&
              field_of("ATINCGETPTR", "", "Ofs").low == word_in_block.low);
// FLUSHDMA and REG2FLOP.
inline constexpr isa::Field condition_mask = field_of("FLUSHDMA", "", "ConditionMask");
inline constexpr isa::Field flop_size = field_of("REG2FLOP", "Configuration", "SizeSel");
inline constexpr isa::Field flop_index = field_of("REG2FLOP", "Configuration", "ThConCfgIndex");
inline constexpr isa::Field flop_input = field_of("REG2FLOP", "Configuration", "InputReg");
inline constexpr isa::Field adc_override = field_of("REG2FLOP", "ADC", "OverrideThread");
inline constexpr isa::Field adc_shift8 = field_of("REG2FLOP", "ADC", "Shift8");
inline constexpr isa::Field adc_thread = field_of("REG2FLOP", "ADC", "ThreadSel");
inline constexpr isa::Field adc_channel = field_of("REG2FLOP", "ADC", "Channel");
inline constexpr isa::Field adc_set = field_of("REG2FLOP", "ADC", "ADCSel");
inline constexpr isa::Field adc_cr = field_of("REG2FLOP", "ADC", "Cr");
inline constexpr isa::Field adc_dimension = field_of("REG2FLOP", "ADC", "XYZW");

inline constexpr unsigned block_bytes = 16;
inline constexpr unsigned gpr_group = static_cast<unsigned>(size_of_both("gpr_group"_size));

enum class StoreTarget : std::uint8_t { src, mmio, l1 };

constexpr StoreTarget store_target(Word word) {
  if (form_bits("STOREIND", "L1").match(word)) return StoreTarget::l1;
  return form_bits("STOREIND", "MMIO").match(word) ? StoreTarget::mmio : StoreTarget::src;
}
constexpr bool flop_goes_to_config(Word word) {
  return !form_bits("REG2FLOP", "ADC").match(word);
}
/// Bytes by the Size of LOADIND and STOREIND.
constexpr std::uint32_t size_bytes(std::uint32_t size) {
  constexpr std::array<std::uint32_t, 4> bytes{16, 4, 2, 1};
  return bytes[size & 3U];
}
/// The first GPR of an access: of 16 bytes, that of its group.
constexpr std::uint32_t first_reg(std::uint32_t reg, std::uint32_t bytes) {
  return bytes == block_bytes ? reg - reg % gpr_group : reg;
}
/// How far the offset advances.
constexpr std::uint32_t increment(Word word) {
  constexpr std::array<std::uint32_t, 4> steps{0, 2, 4, 16};
  return steps[offset_increment.get(word)];
}
/// ATINCGETPTR counts its width from 0.
constexpr std::uint32_t counter_mask(std::uint32_t width_minus_one) {
  return (2U << width_minus_one) - 1U;
}

}  // namespace tensim::tensix::scalar_words
