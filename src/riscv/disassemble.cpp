#include "riscv/disassemble.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "riscv/csr.hpp"
#include "riscv/decode.hpp"
#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

constexpr std::array<std::string_view, 32> integer_registers{
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr std::array<std::string_view, 32> float_registers{
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
constexpr std::array<std::string_view, 8> rounding_modes{"rne", "rtz",     "rdn",     "rup",
                                                         "rmm", "unknown", "unknown", "dyn"};

std::string csr_name(Arch arch, std::int32_t number) {
  const Csr* csr = find_csr(arch, static_cast<std::uint16_t>(number));
  return csr != nullptr ? std::string(csr->name) : fmt::format("{:#x}", number);
}

/// The four bits of a fence's predecessors or successors.
std::string fence_set(Word bits) {
  constexpr std::string_view names = "iorw";
  std::string text;
  for (unsigned i = 0; i < names.size(); ++i)
    if (((bits >> (names.size() - 1 - i)) & 1U) != 0) text += names[i];
  return text.empty() ? "0" : text;
}

/// Rounding modes are ignored, but written: "" for dyn, else ",rne".
std::string rounding_mode(Word word, std::string_view unwritten) {
  const std::string_view mode = rounding_modes[(word >> 12U) & 7U];
  return mode == unwritten ? "" : "," + std::string(mode);
}

std::string_view ordering(Word word) {
  constexpr std::array<std::string_view, 4> suffixes{"", ".rl", ".aq", ".aqrl"};
  return suffixes[(word >> 25U) & 3U];
}

}  // namespace

std::string_view integer_register_name(unsigned index) {
  return integer_registers[index];
}

std::string_view float_register_name(unsigned index) {
  return float_registers[index];
}

std::string disassemble(Arch arch, Word word, std::uint32_t pc) {
  const Instruction instruction = decode(arch, word);
  const Row& row = riscv::row(instruction.op);
  if (instruction.op == Op::undefined) return fmt::format(".word {:#010x}", word);
  const auto register_name = [&](OperandBit operand, std::uint8_t number) {
    return (row.floats & operand) != 0 ? float_registers[number] : integer_registers[number];
  };
  const auto rd = register_name(op_rd, instruction.rd);
  const auto rs1 = register_name(op_rs1, instruction.rs1);
  const auto rs2 = register_name(op_rs2, instruction.rs2);
  const std::int32_t imm = instruction.imm;
  const std::uint32_t target = pc + static_cast<std::uint32_t>(imm);
  switch (row.format) {
    case Format::register_register: return fmt::format("{} {},{},{}", row.name, rd, rs1, rs2);
    case Format::register_immediate: return fmt::format("{} {},{},{}", row.name, rd, rs1, imm);
    case Format::shift: return fmt::format("{} {},{},{:#x}", row.name, rd, rs1, imm);
    case Format::unary: return fmt::format("{} {},{}", row.name, rd, rs1);
    case Format::load: return fmt::format("{} {},{}({})", row.name, rd, imm, rs1);
    case Format::store: return fmt::format("{} {},{}({})", row.name, rs2, imm, rs1);
    case Format::branch: return fmt::format("{} {},{},{:x}", row.name, rs1, rs2, target);
    case Format::upper: return fmt::format("{} {},{:#x}", row.name, rd, static_cast<Word>(imm) >> 12U);
    case Format::jump: return fmt::format("{} {},{:x}", row.name, rd, target);
    case Format::csr: return fmt::format("{} {},{},{}", row.name, rd, csr_name(arch, imm), rs1);
    case Format::csr_immediate: return fmt::format("{} {},{},{}", row.name, rd, csr_name(arch, imm), instruction.rs1);
    case Format::amo: return fmt::format("{}{} {},{},({})", row.name, ordering(word), rd, rs2, rs1);
    case Format::fence:
      if ((word >> 20U) == 0x833) return "fence.tso";
      return fmt::format("{} {},{}", row.name, fence_set(word >> 24U), fence_set(word >> 20U));
    case Format::plain: return std::string(row.name);
    case Format::float_binary: return fmt::format("{} {},{},{}{}", row.name, rd, rs1, rs2, rounding_mode(word, "dyn"));
    case Format::float_unary: return fmt::format("{} {},{}{}", row.name, rd, rs1, rounding_mode(word, "dyn"));
    case Format::float_widen: return fmt::format("{} {},{}{}", row.name, rd, rs1, rounding_mode(word, "rne"));
    case Format::float_ternary:
      return fmt::format("{} {},{},{},{}{}", row.name, rd, rs1, rs2, float_registers[static_cast<unsigned>(imm)],
                         rounding_mode(word, "dyn"));
    case Format::vector: return fmt::format("{} {:#010x}", row.name, word);
    case Format::tensix:
      return ".ttinsn " + isa::to_text(isa::decode(arch, static_cast<Word>(imm)), isa::Syntax::brief);
  }
  return {};
}

}  // namespace tensim::riscv
