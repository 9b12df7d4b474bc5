// A core's instruction cache, holding decoded instructions: 4 KiB on Blackhole, 2 KiB or 512 bytes on Wormhole, two ways
// of 16-byte lines, the older way replaced. (The organisation is measured: silicon rows g_1024 to g_1792 of Blackhole
// lose exactly the lines a two-way cache of such lines loses; assumed for Wormhole.) Nobody keeps it coherent: code that
// changes in L1 is seen when the line is filled again, which is why fills, not fetches, take part in the tile's order.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "riscv/instruction.hpp"
#include "riscv/table.hpp"

namespace tensim::riscv {

/// Who executes an instruction in the straight loop (engine_straight.hpp).
enum class Way : std::uint8_t {
  none,  // somebody else
  add,
  xor_,
  or_,
  and_,
  shift_left,
  shift_right,
  other_arithmetic,
  multiplication,
  load_word,
  store_word,
  beq,
  bne,
  blt,
  other_branch,
  jal,
};

constexpr Way way_of_arithmetic(Op op) {
  switch (op) {
    case Op::lui:  // to x0
    case Op::addi:
    case Op::add: return Way::add;
    case Op::xori:
    case Op::xor_: return Way::xor_;
    case Op::ori:
    case Op::or_: return Way::or_;
    case Op::andi:
    case Op::and_: return Way::and_;
    case Op::slli:
    case Op::sll: return Way::shift_left;
    case Op::srli:
    case Op::srl: return Way::shift_right;
    default: return Way::other_arithmetic;
  }
}

constexpr Way way_of(const Instruction& instruction) {
  switch (kind(instruction.op)) {
    case Kind::alu: return instruction.rd == 0 ? Way::other_arithmetic : way_of_arithmetic(instruction.op);
    case Kind::mul: return Way::multiplication;
    case Kind::load: return instruction.op == Op::lw && instruction.rd != 0 ? Way::load_word : Way::none;
    case Kind::store: return instruction.op == Op::sw ? Way::store_word : Way::none;
    case Kind::jal: return Way::jal;
    case Kind::branch:
      if (instruction.op == Op::beq) return Way::beq;
      if (instruction.op == Op::bne) return Way::bne;
      return instruction.op == Op::blt ? Way::blt : Way::other_branch;
    default: return Way::none;
  }
}

/// An instruction with what the pipeline asks about it.
struct Decoded {
  Instruction instruction;
  std::uint32_t registers = 0;  // x registers it reads or writes, a bit each, but for x0
  Kind kind = Kind::undefined;
  Way way = Way::none;
};
static_assert(sizeof(Decoded) == 16);

/// Of the instruction at `pc`.
constexpr Decoded decoded(const Instruction& instruction, std::uint32_t pc) {
  const std::uint8_t has = static_cast<std::uint8_t>(operands(instruction.op) & ~float_operands(instruction.op));
  std::uint32_t registers = 0;
  if ((has & op_rd) != 0) registers |= 1U << instruction.rd;
  if ((has & op_rs1) != 0) registers |= 1U << instruction.rs1;
  if ((has & op_rs2) != 0) registers |= 1U << instruction.rs2;
  Decoded result{instruction, registers & ~1U, kind(instruction.op), way_of(instruction)};
  if (instruction.op == Op::auipc) {  // the sum is known
    result.instruction.op = Op::lui;
    result.instruction.imm += static_cast<std::int32_t>(pc);
    result.way = way_of(result.instruction);
  }
  return result;
}

class InstructionCache {
 public:
  static constexpr std::uint32_t line_bytes = 16;
  static constexpr unsigned words_per_line = line_bytes / 4;
  using Line = std::span<Decoded, words_per_line>;
  static constexpr std::uint32_t nowhere = ~0U;

  explicit InstructionCache(std::uint32_t size_bytes = 512) : set_mask_(size_bytes / line_bytes / ways - 1) {}
  std::uint32_t size_bytes() const { return (set_mask_ + 1) * ways * line_bytes; }

  const Decoded* find(std::uint32_t pc) {
    const std::uint32_t line = line_of(pc);
    return line == nowhere ? nullptr : words_of(line) + pc / 4 % words_per_line;
  }
  /// The same for somebody who only looks: it does not count as a use.
  const Decoded* look_at(std::uint32_t pc) const {
    const std::uint32_t set = set_of(pc);
    for (std::uint32_t line = set; line < line_count; line += most_sets)
      if (tags_[line] == tag_of(pc)) return words_of(line) + pc / 4 % words_per_line;
    return nullptr;
  }
  /// The number of the line that has `pc`, and is used; `nowhere` if none has.
  std::uint32_t line_of(std::uint32_t pc) {
    std::uint32_t line = set_of(pc);
    if (tags_[line] != tag_of(pc)) {
      line += most_sets;
      if (tags_[line] != tag_of(pc)) return nowhere;
    }
    use(line);
    return line;
  }
  /// Whether the line numbered next is also the next in memory: then no search is needed.
  bool goes_on(std::uint32_t line) {
    if (tags_[line + 1] != tags_[line] + line_bytes) return false;
    use(line + 1);
    return true;
  }
  const Decoded* words_of(std::uint32_t line) const { return words_.data() + std::size_t{line} * words_per_line; }
  /// The line of `pc`, to be filled.
  Line replace(std::uint32_t pc) {
    const std::uint32_t set = set_of(pc);
    const std::uint32_t way = tags_[set] == 0 ? 0 : recent_[set] ^ 1U;
    const std::uint32_t line = way * most_sets + set;
    tags_[line] = tag_of(pc);
    use(line);
    return Line(words_.data() + std::size_t{line} * words_per_line, words_per_line);
  }
  void invalidate() { tags_ = {}; }

 private:
  static constexpr unsigned ways = 2;
  static constexpr std::uint32_t most_sets = 4096 / line_bytes / ways;
  static constexpr std::uint32_t line_count = most_sets * ways;
  std::uint32_t set_of(std::uint32_t pc) const { return pc / line_bytes & set_mask_; }
  /// Bit 0 says that the line is there. Bit 1 is the address's: between two instructions nothing is found.
  static constexpr std::uint32_t tag_of(std::uint32_t pc) { return (pc & ~(line_bytes - 3)) | 1U; }
  void use(std::uint32_t line) { recent_[line % most_sets] = static_cast<std::uint8_t>(line / most_sets); }

  std::uint32_t set_mask_;
  // Lines are numbered way by way, set by set, so that neighbours in memory are neighbours here.
  std::array<std::uint32_t, line_count + 1> tags_{};  // and none behind the last
  std::array<std::uint8_t, most_sets> recent_{};      // the way used last
  std::array<Decoded, std::size_t{line_count} * words_per_line> words_{};
};

}  // namespace tensim::riscv
