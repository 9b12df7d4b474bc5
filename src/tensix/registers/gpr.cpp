#include "tensix/registers/gpr.hpp"

namespace tensim::tensix {
namespace {

using isa::literals::operator""_op;

// The six instructions place their operands alike: ADDDMAREG's fields serve for all, BITWOPDMAREG's Mode for three.
constexpr isa::Field result_reg = field_of("ADDDMAREG", "Register", "ResultReg");
constexpr isa::Field right_reg = field_of("ADDDMAREG", "Register", "RightReg");
constexpr isa::Field left_reg = field_of("ADDDMAREG", "Register", "LeftReg");
constexpr isa::Field right_imm6 = field_of("ADDDMAREG", "Immediate", "RightImm6");
constexpr isa::Field mode_field = field_of("BITWOPDMAREG", "Register", "Mode");

consteval bool has_the_common_operands(std::string_view instruction) {
  return same_place(field_of(instruction, "Register", "ResultReg"), result_reg) &&
         same_place(field_of(instruction, "Immediate", "ResultReg"), result_reg) &&
         same_place(field_of(instruction, "Register", "RightReg"), right_reg) &&
         same_place(field_of(instruction, "Register", "LeftReg"), left_reg) &&
         same_place(field_of(instruction, "Immediate", "LeftReg"), left_reg);
}
static_assert(has_the_common_operands("ADDDMAREG") && has_the_common_operands("SUBDMAREG") &&
              has_the_common_operands("MULDMAREG") && has_the_common_operands("BITWOPDMAREG") &&
              has_the_common_operands("SHIFTDMAREG") && has_the_common_operands("CMPDMAREG"));
static_assert(same_place(field_of("SUBDMAREG", "Immediate", "RightImm6"), right_imm6) &&
              same_place(field_of("MULDMAREG", "Immediate", "RightImm6"), right_imm6) &&
              same_place(field_of("BITWOPDMAREG", "Immediate", "RightImm6"), right_imm6) &&
              same_place(field_of("CMPDMAREG", "Immediate", "RightImm6"), right_imm6));
static_assert(same_place(field_of("SHIFTDMAREG", "Register", "Mode"), mode_field) &&
              same_place(field_of("CMPDMAREG", "Register", "Mode"), mode_field));
// A shift takes five bits of its right operand, register or constant. Masking the common field leaves just RightImm5.
static_assert(field_of("SHIFTDMAREG", "Immediate", "RightImm5").low == right_imm6.low &&
              field_of("SHIFTDMAREG", "Immediate", "RightImm5").width() == 5);
constexpr std::uint32_t shift_mask = 31;

static_assert(result_reg.max() < gprs_per_thread && right_reg.max() < gprs_per_thread &&
              left_reg.max() < gprs_per_thread);

constexpr isa::Field new_value = field_of("SETDMAREG", "Immediate", "NewValue");
constexpr isa::Field result_half_reg = field_of("SETDMAREG", "Immediate", "ResultHalfReg");
static_assert(result_half_reg.max() / 2 < gprs_per_thread && new_value.width() == 16);

constexpr unsigned gpr_group = static_cast<unsigned>(size_of_both("gpr_group"_size));

/// OpBisConst, the bit that tells the Immediate form from the Register form.
constexpr bool right_is_constant(isa::Word word) {
  return form_bits("ADDDMAREG", "Immediate").match(word);
}

std::optional<std::uint32_t> bitwop(std::uint32_t mode, std::uint32_t left, std::uint32_t right) {
  switch (mode) {
    case 0: return left & right;
    case 1: return left | right;
    case 2: return left ^ right;
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> shift(std::uint32_t mode, std::uint32_t left, std::uint32_t right) {
  switch (mode) {
    case 0: return left << (right & shift_mask);
    case 1: return left >> (right & shift_mask);
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> compare(std::uint32_t mode, std::uint32_t left, std::uint32_t right) {
  switch (mode) {
    case 0: return left > right ? 1U : 0U;
    case 1: return left < right ? 1U : 0U;
    case 2: return left == right ? 1U : 0U;
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> compute(isa::Word word, std::uint32_t left, std::uint32_t right) {
  const std::uint32_t mode = mode_field.get(word);
  switch (isa::opcode_of(word)) {
    case "ADDDMAREG"_op: return left + right;
    case "SUBDMAREG"_op: return left - right;
    case "MULDMAREG"_op: return (left & 0xFFFFU) * (right & 0xFFFFU);
    case "BITWOPDMAREG"_op: return bitwop(mode, left, right);
    case "SHIFTDMAREG"_op: return shift(mode, left, right);
    case "CMPDMAREG"_op: return compare(mode, left, right);
    default: return std::nullopt;
  }
}

}  // namespace

bool is_dmareg_arithmetic(isa::Word word) {
  switch (isa::opcode_of(word)) {
    case "ADDDMAREG"_op:
    case "SUBDMAREG"_op:
    case "MULDMAREG"_op:
    case "BITWOPDMAREG"_op:
    case "SHIFTDMAREG"_op:
    case "CMPDMAREG"_op: return true;
    default: return false;
  }
}

std::optional<GprWrite> dmareg_result(const Gprs& gprs, unsigned thread, isa::Word word) {
  const auto& regs = gprs.value[thread];
  const std::uint32_t left = regs[left_reg.get(word)];
  const std::uint32_t right = right_is_constant(word) ? right_imm6.get(word) : regs[right_reg.get(word)];
  const std::optional<std::uint32_t> result = compute(word, left, right);
  if (!result) return std::nullopt;
  return GprWrite{.reg = static_cast<std::uint8_t>(result_reg.get(word)), .value = *result};
}

bool dmareg_is_near(isa::Word word) {
  return right_is_constant(word) || left_reg.get(word) / gpr_group == right_reg.get(word) / gpr_group;
}

void setdmareg_immediate(Gprs& gprs, unsigned thread, isa::Word word) {
  write_half(gprs, thread, result_half_reg.get(word), new_value.get(word));
}

}  // namespace tensim::tensix
