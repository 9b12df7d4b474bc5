// A core's instruction cache, holding decoded instructions: 4 KiB on Blackhole, 2 KiB or 512 bytes on Wormhole, two ways
// of 16-byte lines, the older way replaced. (The organisation is measured: silicon rows g_1024 to g_1792 of Blackhole
// lose exactly the lines a two-way cache of such lines loses; assumed for Wormhole.) Nobody keeps it coherent: code that
// changes in L1 is seen when the line is filled again, which is why fills, not fetches, take part in the tile's order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "riscv/instruction.hpp"
#include "riscv/table.hpp"

namespace tensim::riscv {

/// An instruction with what the pipeline asks about it.
struct Decoded {
  Instruction instruction;
  std::uint32_t registers = 0;  // x registers it reads or writes, a bit each
  Kind kind = Kind::undefined;
};
static_assert(sizeof(Decoded) == 16);

constexpr Decoded decoded(const Instruction& instruction) {
  const std::uint8_t has = static_cast<std::uint8_t>(operands(instruction.op) & ~float_operands(instruction.op));
  std::uint32_t registers = 0;
  if ((has & op_rd) != 0) registers |= 1U << instruction.rd;
  if ((has & op_rs1) != 0) registers |= 1U << instruction.rs1;
  if ((has & op_rs2) != 0) registers |= 1U << instruction.rs2;
  return {instruction, registers & ~1U, kind(instruction.op)};
}

class InstructionCache {
 public:
  static constexpr std::uint32_t line_bytes = 16;
  static constexpr unsigned words_per_line = line_bytes / 4;

  explicit InstructionCache(std::uint32_t size_bytes = 512) : set_mask_(size_bytes / line_bytes / ways - 1) {}
  std::uint32_t size_bytes() const { return (set_mask_ + 1) * ways * line_bytes; }

  const Decoded* find(std::uint32_t pc) {
    const std::uint32_t set = set_of(pc);
    for (unsigned way = 0; way < ways; ++way)
      if (tags_[set][way] == tag_of(pc)) {
        recent_[set] = static_cast<std::uint8_t>(way);
        return &lines_[set * ways + way][pc / 4 % words_per_line];
      }
    return nullptr;
  }
  using Line = std::array<Decoded, words_per_line>;
  /// The line of `pc`, to be filled.
  Line& replace(std::uint32_t pc) {
    const std::uint32_t set = set_of(pc);
    const std::uint8_t way = tags_[set][0] == 0 ? 0 : recent_[set] ^ 1U;
    tags_[set][way] = tag_of(pc);
    recent_[set] = way;
    return lines_[set * ways + way];
  }
  void invalidate() {
    for (auto& set : tags_)
      set = {};
  }

 private:
  static constexpr unsigned ways = 2;
  static constexpr unsigned most_sets = 4096 / line_bytes / ways;
  std::uint32_t set_of(std::uint32_t pc) const { return pc / line_bytes & set_mask_; }
  /// Bit 0 says that the line is there. Bit 1 is the address's: between two instructions nothing is found.
  static constexpr std::uint32_t tag_of(std::uint32_t pc) { return (pc & ~(line_bytes - 3)) | 1U; }

  std::uint32_t set_mask_;
  std::array<std::array<std::uint32_t, ways>, most_sets> tags_{};
  std::array<std::uint8_t, most_sets> recent_{};
  std::array<Line, std::size_t{most_sets} * ways> lines_{};
};

}  // namespace tensim::riscv
