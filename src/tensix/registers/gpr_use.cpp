#include "tensix/registers/gpr_use.hpp"

#include "tensix/registers/fields.hpp"

namespace tensim::tensix {
namespace {

using isa::literals::operator""_op;

constexpr isa::Field left_reg = field_of("ADDDMAREG", "Register", "LeftReg");
constexpr isa::Field right_reg = field_of("ADDDMAREG", "Register", "RightReg");
constexpr isa::Field result_reg = field_of("ADDDMAREG", "Register", "ResultReg");
constexpr isa::Field result_half = field_of("SETDMAREG", "Immediate", "ResultHalfReg");
constexpr isa::Field result_size = field_of("SETDMAREG", "Special", "ResultSize");
constexpr isa::Field flop_size = field_of("REG2FLOP", "Configuration", "SizeSel");
constexpr isa::Field flop_input = field_of("REG2FLOP", "Configuration", "InputReg");
constexpr isa::Field load_size = field_of("LOADIND", "", "Size");
constexpr isa::Field store_size = field_of("STOREIND", "L1", "Size");
// LOADIND, STOREIND and the atomics place these alike.
constexpr isa::Field data_reg = field_of("LOADIND", "", "ResultReg");
constexpr isa::Field addr_reg = field_of("LOADIND", "", "AddrReg");
constexpr isa::Field offset_half = field_of("LOADIND", "", "OffsetHalfReg");
constexpr isa::Field offset_increment = field_of("LOADIND", "", "OffsetIncrement");
constexpr isa::Field register_data = field_of("STOREREG", "", "DataReg");  // and LOADREG's ResultReg
constexpr isa::Field swap_single = field_of("ATSWAP", "", "SingleDataReg");
constexpr isa::Field wrcfg_reg = field_of("WRCFG", "", "InputReg");
constexpr isa::Field wrcfg_wide = field_of("WRCFG", "", "Is128Bit");
constexpr isa::Field rdcfg_reg = field_of("RDCFG", "", "ResultReg");

static_assert(same_place(field_of("STOREIND", "L1", "DataReg"), data_reg) &&
              same_place(field_of("STOREIND", "L1", "OffsetHalfReg"), offset_half) &&
              same_place(field_of("ATINCGET", "", "InOutReg"), data_reg) &&
              same_place(field_of("ATINCGETPTR", "", "ResultReg"), data_reg) &&
              same_place(field_of("ATSWAP", "", "DataReg"), data_reg) &&
              same_place(field_of("ATCAS", "", "AddrReg"), addr_reg) &&
              same_place(field_of("LOADREG", "", "ResultReg"), register_data));

constexpr GprSet whole(std::uint32_t reg) {
  return {std::uint64_t{1} << reg, std::uint64_t{1} << reg};
}
constexpr GprSet low_half(std::uint32_t reg) {
  return {std::uint64_t{1} << reg, 0};
}
constexpr GprSet half(std::uint32_t half_reg) {
  const std::uint64_t bit = std::uint64_t{1} << (half_reg / 2);
  return half_reg % 2 == 0 ? GprSet{bit, 0} : GprSet{0, bit};
}
/// `count` registers of the aligned group of four around `reg`.
constexpr GprSet group(std::uint32_t reg, unsigned count = 4) {
  const std::uint64_t bits = ((std::uint64_t{1} << count) - 1) << (reg & ~3U);
  return {bits, bits};
}

/// By the Size of LOADIND and STOREIND: 16, 4, 2 or 1 bytes.
constexpr GprSet sized(std::uint32_t size, std::uint32_t reg) {
  return size == 0 ? group(reg) : size == 1 ? whole(reg) : low_half(reg);
}

GprUse arithmetic(isa::Word word, GprSet (*of_register)(std::uint32_t)) {
  GprUse use{of_register(left_reg.get(word)), whole(result_reg.get(word))};
  const bool constant = form_bits("ADDDMAREG", "Immediate").match(word);  // alike in all six
  if (!constant) {
    const std::uint32_t right = right_reg.get(word);
    // A shift takes five bits of its right operand.
    const bool shifts = isa::opcode_of(word) == "SHIFTDMAREG"_op;
    use.reads = use.reads | (shifts ? low_half(right) : of_register(right));
  }
  return use;
}

GprUse setdmareg(isa::Word word) {
  const std::uint32_t target = result_half.get(word);
  const bool immediate = form_bits("SETDMAREG", "Immediate").match(word);
  const std::uint32_t size = immediate ? 0 : result_size.get(word);
  return {{}, size == 0 ? half(target) : size == 1 ? whole(target / 2) : group(target / 2)};
}

/// LOADIND and STOREIND: base and offset are read, and the offset may advance.
GprUse indirect(isa::Word word) {
  const GprSet offset = half(offset_half.get(word));
  return {whole(addr_reg.get(word)) | offset, offset_increment.get(word) != 0 ? offset : GprSet{}};
}

GprUse loadind(isa::Word word) {
  GprUse use = indirect(word);
  use.writes = use.writes | sized(load_size.get(word), data_reg.get(word));
  return use;
}

GprUse storeind(isa::Word word) {
  GprUse use = indirect(word);
  const std::uint32_t reg = data_reg.get(word);
  const auto read = [&] {
    if (form_bits("STOREIND", "L1").match(word)) return sized(store_size.get(word), reg);
    return form_bits("STOREIND", "MMIO").match(word) ? whole(reg) : group(reg, 2);
  };
  use.reads = use.reads | read();
  return use;
}

}  // namespace

GprUse gpr_use(isa::Word word) {
  switch (isa::opcode_of(word)) {
    case "SETDMAREG"_op: return setdmareg(word);
    case "ADDDMAREG"_op:
    case "SUBDMAREG"_op:
    case "BITWOPDMAREG"_op:
    case "SHIFTDMAREG"_op:
    case "CMPDMAREG"_op: return arithmetic(word, whole);
    case "MULDMAREG"_op: return arithmetic(word, low_half);
    case "REG2FLOP"_op: {
      const bool to_config = !form_bits("REG2FLOP", "ADC").match(word);
      const bool wide = to_config && flop_size.get(word) == 0;
      return {wide ? group(flop_input.get(word)) : whole(flop_input.get(word)), {}};
    }
    case "LOADIND"_op: return loadind(word);
    case "STOREIND"_op: return storeind(word);
    case "STOREREG"_op: return {whole(register_data.get(word)), {}};
    case "LOADREG"_op: return {{}, whole(register_data.get(word))};
    case "ATINCGET"_op: return {whole(addr_reg.get(word)) | whole(data_reg.get(word)), whole(data_reg.get(word))};
    case "ATINCGETPTR"_op: return {whole(addr_reg.get(word)), whole(data_reg.get(word))};
    case "ATSWAP"_op: {
      const std::uint32_t reg = data_reg.get(word);
      return {whole(addr_reg.get(word)) | (swap_single.get(word) != 0 ? whole(reg) : group(reg)), {}};
    }
    case "ATCAS"_op: return {whole(addr_reg.get(word)), {}};
    case "WRCFG"_op: {
      const std::uint32_t reg = wrcfg_reg.get(word);
      return {wrcfg_wide.get(word) != 0 ? group(reg) : whole(reg), {}};
    }
    case "RDCFG"_op: return {{}, whole(rdcfg_reg.get(word))};
    default: return {};
  }
}

}  // namespace tensim::tensix
