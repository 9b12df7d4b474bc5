#include "tensix/frontend/frontend.hpp"

#include "arch/sizes.hpp"
#include "isa/table.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using namespace tensim::literals;

static_assert("MOP"_op <= 5 && "NOP"_op == 2 && "MOP_CFG"_op <= 5 && "REPLAY"_op <= 5 && "RESOURCEDECL"_op == 5);

Frontend::Frontend(Arch arch, unsigned thread) {
  const std::size_t depths[] = {"fifo_push_depth_t0"_size, "fifo_push_depth_t1"_size, "fifo_push_depth_t2"_size};
  push_depth_ = static_cast<unsigned>(size(arch, depths[thread]));
  readmit_level_ = static_cast<unsigned>(size(arch, "fifo_push_readmit_level"_size));
  has_credits_ = readmit_level_ != 0;
}

bool Frontend::mop_is_idle() const {
  if (mop.is_expanding()) return false;
  for (unsigned i = 0; i < push_fifo_.size(); ++i)
    if (isa::opcode_of(push_fifo_[i].word) == "MOP"_op) return false;
  return true;
}

bool Frontend::has_only_plain_words() const {
  const auto all_plain = [](const auto& fifo) {
    for (unsigned i = 0; i < fifo.size(); ++i)
      if (fifo[i].concerns_frontend()) return false;
    return true;
  };
  return all_plain(replay_fifo_) && all_plain(push_fifo_);
}

bool Frontend::advance_slowly(Arch arch) {
  const bool replay_moved = advance_replay();
  const bool mop_moved = advance_mop(arch);
  simple_ = replay_.is_passing() && mop.is_passing() && !brisc_word_ && has_only_plain_words();
  return replay_moved || mop_moved;
}

bool Frontend::advance_replay() {
  const bool room = !gate_fifo_.full();
  if (replay_.is_playing()) {
    if (!room) return false;
    deliver(replay_.next());
    return true;
  }
  if (replay_fifo_.empty()) return false;
  if (replay_.is_recording()) {
    const bool swallows = replay_.swallows();
    if (!swallows && !room) return false;
    const Entry entry = replay_fifo_.pop();
    written.replay_slots |= 1U << replay_.slot();
    replay_.record(entry);
    if (swallows)
      leave(entry);
    else
      deliver(entry);
    return true;
  }
  const Entry& next = replay_fifo_.front();
  if (isa::opcode_of(next.word) != "REPLAY"_op) {
    if (!room) return false;
    deliver(replay_fifo_.pop());
    return true;
  }
  const bool plays = (next.word & 1U) == 0;
  if (plays && !room) return false;
  const Entry replay = replay_fifo_.pop();
  if ((replay.word >> 4U & 0x3FU) > ReplayExpander::slots) {
    notes_.long_replay = replay;
    has_notes_ = true;
  }
  leave(replay);
  replay_.start(replay);
  if (plays) {
    if (written.replay_slots != WrittenFrontend::all_replay_slots) look_for_unwritten_slots(replay);
    deliver(replay_.next());
  }
  return true;
}

void Frontend::look_for_unwritten_slots(const Entry& entry) {
  const std::uint32_t unwritten = replay_.slots_to_come() & ~written.replay_slots;
  if (unwritten == 0) return;
  notes_.unwritten_replay_slots = unwritten;
  notes_.unwritten_by_replay = entry;
  has_notes_ = true;
  written.replay_slots |= unwritten;
}

void Frontend::look_for_unwritten_mop_words(const Entry& entry) {
  const auto unwritten = static_cast<std::uint16_t>(mop.words_to_come() & ~unsigned{written.mop_words});
  if (unwritten == 0) return;
  notes_.unwritten_mop_words = unwritten;
  notes_.unwritten_by_mop = entry;
  has_notes_ = true;
  written.mop_words |= unwritten;
}

bool Frontend::advance_mop(Arch arch) {
  const bool room = !replay_fifo_.full();
  const bool brisc_passes = brisc_word_.has_value() && room;
  // What the expander presents to the mux in this cycle.
  std::optional<Entry> presented;
  bool changed = false;
  const bool next_is_mop = !push_fifo_.empty() && isa::opcode_of(push_fifo_.front().word) == "MOP"_op;
  if (mop.is_expanding()) {
    if (room) {
      presented = mop.next();
      changed = true;
    }
  } else if (mop.has_dead_cycle() && !next_is_mop) {
    mop.pass_dead_cycle();
    changed = true;
  } else if (!push_fifo_.empty()) {
    const std::uint8_t opcode = isa::opcode_of(push_fifo_.front().word);
    if (opcode == "MOP_CFG"_op) {
      const Entry entry = push_fifo_.pop();
      mop.set_mask_high(entry.word);
      leave(entry);
      changed = true;
    } else if (room) {
      const Entry entry = push_fifo_.pop();
      changed = true;
      if (next_is_mop) {
        leave(entry);
        mop.start(arch, entry);
        if (written.mop_words != WrittenFrontend::all_mop_words) look_for_unwritten_mop_words(entry);
        if (mop.used_inline_counts()) {
          notes_.inline_mop = entry;
          has_notes_ = true;
        }
        presented = mop.next();
      } else {
        presented = entry;
      }
    }
  }
  if (brisc_passes) {
    replay_fifo_.push(*brisc_word_);
    brisc_word_.reset();
    if (presented) {
      leave(*presented);
      notes_.dropped_at_mux = presented;
      has_notes_ = true;
    }
    return true;
  }
  if (presented) replay_fifo_.push(*presented);
  return changed;
}

}  // namespace tensim::tensix
