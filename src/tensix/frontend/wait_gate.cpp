#include "tensix/frontend/wait_gate.hpp"

#include "arch/sizes.hpp"
#include "isa/table.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using namespace tensim::literals;

std::uint16_t default_block_mask(Arch arch) {
  return static_cast<std::uint16_t>(size(arch, "stallwait_default_block_mask"_size));
}

bool latches_wait(Word word) {
  const std::uint8_t opcode = isa::opcode_of(word);
  return opcode == "STALLWAIT"_op || opcode == "SEMWAIT"_op || opcode == "STREAMWAIT"_op;
}

LatchedWait latched_wait(Arch arch, const Entry& entry) {
  const Word word = entry.word;
  LatchedWait latch{.word = word, .source = entry.source()};
  latch.block_mask = static_cast<std::uint16_t>(sync_words::block.get(word));
  if (latch.block_mask == 0) latch.block_mask = default_block_mask(arch);
  if (isa::opcode_of(word) == "SEMWAIT"_op && sync_words::semaphore_condition.get(word) != 0)
    return semaphore_wait(latch.block_mask, entry);
  const auto default_conditions = static_cast<std::uint16_t>(size(arch, "stallwait_default_condition_mask"_size));
  if (isa::opcode_of(word) == "SEMWAIT"_op) {
    // Without a condition it is undefined; older pages let it act as a STALLWAIT with the defaults (errata 30).
    latch.kind = LatchedWait::Kind::stall;
    latch.condition_mask = default_conditions;
    return latch;
  }
  if (isa::opcode_of(word) == "STREAMWAIT"_op) {
    latch.kind = LatchedWait::Kind::stream;
    latch.condition_mask = static_cast<std::uint16_t>(1U << sync_words::stream_condition.get(word));
    latch.target = sync_words::stream_target_low.get(word);  // the low bits; the rest is thread configuration
    return latch;
  }
  latch.kind = LatchedWait::Kind::stall;
  latch.condition_mask = static_cast<std::uint16_t>(sync_words::stall_conditions.get(arch, word));
  if (latch.condition_mask == 0) latch.condition_mask = default_conditions;
  return latch;
}

}  // namespace tensim::tensix
