#include "tensix/frontend/frontend.hpp"

#include "arch/sizes.hpp"
#include "isa/table.hpp"
#include "tensix/registers/config.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using namespace tensim::literals;

static_assert("MOP"_op <= 5 && "NOP"_op == 2 && "MOP_CFG"_op <= 5 && "REPLAY"_op <= 5 && "RESOURCEDECL"_op == 5);

Frontend::Frontend(Arch arch, unsigned thread) : auto_ttsync(arch) {
  const std::size_t depths[] = {"fifo_push_depth_t0"_size, "fifo_push_depth_t1"_size, "fifo_push_depth_t2"_size};
  push_depth_ = static_cast<unsigned>(size(arch, depths[thread]));
  readmit_level_ = static_cast<unsigned>(size(arch, "fifo_push_readmit_level"_size));
  has_credits_ = readmit_level_ != 0;
}

AutoTtSync::WordsAhead Frontend::words_ahead() const {
  return {.in_push_fifo = push_fifo_.size(), .in_replay_fifo = replay_fifo_.size(), .in_gate_fifo = gate_fifo_.size()};
}

/// Auto TTSync sees no further than the words: what expansions do to the bank escapes it.
unsigned Frontend::bank_behind_all_words(unsigned bank) const {
  const auto look_through = [&](const auto& fifo) {
    for (unsigned i = 0; i < fifo.size(); ++i)
      bank = config_bank_set_by(Arch::blackhole, fifo[i].word).value_or(bank);
  };
  look_through(gate_fifo_);
  look_through(replay_fifo_);
  look_through(push_fifo_);
  return bank;
}

void Frontend::enable_auto_ttsync(const TtSyncEnables& enables, unsigned bank) {
  auto_ttsync.enable(enables, words_ahead(), bank_behind_all_words(bank));
  if (auto_ttsync.is_on()) simple_ = false;
}

void Frontend::reset_auto_ttsync(unsigned bank) {
  auto_ttsync.reset(words_ahead(), bank_behind_all_words(bank));
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
  if (!replay_.is_playing()) auto_ttsync.replay_expander_is_done();
  const bool mop_moved = advance_mop(arch);
  if (!mop.is_expanding()) auto_ttsync.mop_expander_is_done();
  simple_ = !auto_ttsync.is_on() && replay_.is_passing() && mop.is_passing() && !brisc_word_ && has_only_plain_words();
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
    const Entry entry = take_for_replay();
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
    deliver(take_for_replay());
    return true;
  }
  const bool plays = (next.word & 1U) == 0;
  if (plays && !room) return false;
  const Entry replay = take_for_replay();
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

void Frontend::start_mop(Arch arch, const Entry& entry) {
  leave(entry);
  mop.start(arch, entry);
  if (written.mop_words != WrittenFrontend::all_mop_words) look_for_unwritten_mop_words(entry);
  if (!mop.used_inline_counts()) return;
  notes_.inline_mop = entry;
  has_notes_ = true;
}

/// One cycle of the expander: what it presents to the mux, and whether it did anything.
Frontend::Presented Frontend::step_expander(Arch arch, bool room) {
  const std::uint8_t opcode = push_fifo_.empty() ? std::uint8_t{0} : isa::opcode_of(push_fifo_.front().word);
  if (mop.is_expanding()) return room ? Presented{mop.next(), true} : Presented{};
  if (mop.has_dead_cycle() && opcode != "MOP"_op) {
    mop.pass_dead_cycle();
    return {std::nullopt, true};
  }
  if (push_fifo_.empty() || (!room && opcode != "MOP_CFG"_op)) return {};
  const Entry entry = push_fifo_.pop();
  auto_ttsync.mop_expander_takes();
  if (opcode == "MOP"_op) {
    start_mop(arch, entry);
    return {mop.next(), true};
  }
  if (opcode != "MOP_CFG"_op) return {entry, true};
  mop.set_mask_high(entry.word);
  leave(entry);
  return {std::nullopt, true};
}

/// The mux: BRISC's word passes and displaces the expander's; if there is no room neither passes (ruling 10).
bool Frontend::advance_mop(Arch arch) {
  const bool room = !replay_fifo_.full();
  const bool brisc_passes = brisc_word_.has_value() && room;
  const Presented presented = step_expander(arch, room);
  if (!brisc_passes) {
    if (presented.word) {
      auto_ttsync.mop_expander_gives();
      replay_fifo_.push(*presented.word);
    }
    return presented.changed;
  }
  auto_ttsync.brisc_gives();
  replay_fifo_.push(*brisc_word_);
  brisc_word_.reset();
  if (presented.word) {
    leave(*presented.word);
    notes_.dropped_at_mux = presented.word;
    has_notes_ = true;
  }
  return true;
}

}  // namespace tensim::tensix
