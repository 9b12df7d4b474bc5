#include "tensix/frontend/frontend.hpp"

#include "arch/sizes.hpp"
#include "isa/table.hpp"
#include "tensix/frontend/words.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/unit_timing.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using namespace tensim::literals;

Frontend::Frontend(const UnitTiming& timing, unsigned thread)
    : mop(timing.mop_exit_penalty), auto_ttsync(timing.arch, timing.auto_ttsync_linger) {
  const Arch arch = timing.arch;
  const std::size_t depths[] = {"fifo_push_depth_t0"_size, "fifo_push_depth_t1"_size, "fifo_push_depth_t2"_size};
  const int readmit_level = static_cast<int>(size(arch, "fifo_push_readmit_level"_size));
  place_of_fifo_ = readmit_level != 0 ? 0 : 1;
  tag_ = readmit_level != 0 ? Entry::credit_bit : 0;
  places_ = readmit_level != 0 ? readmit_level + 1 : static_cast<int>(size(arch, depths[thread]));
}

AutoTtSync::WordsAhead Frontend::words_ahead() const {
  return {
      .in_push_fifo = queue_.pushed_size(), .in_replay_fifo = queue_.replay_size(), .in_gate_fifo = queue_.gate_size()};
}

/// Auto TTSync sees no further than the words: what expansions do to the bank escapes it.
unsigned Frontend::bank_behind_all_words(unsigned bank) const {
  for (unsigned i = 0; i < queue_.size(); ++i)
    bank = config_bank_set_by(Arch::blackhole, queue_[i].word).value_or(bank);
  return bank;
}

void Frontend::enable_auto_ttsync(const TtSyncEnables& enables, unsigned bank) {
  auto_ttsync.enable(enables, words_ahead(), bank_behind_all_words(bank));
  opcodes_looked_at_ = Entry::last_frontend_opcode;
  if (!auto_ttsync.is_on()) return;
  opcodes_looked_at_ = 0xFF;
  simple_ = false;
}

void Frontend::reset_auto_ttsync(unsigned bank) {
  auto_ttsync.reset(words_ahead(), bank_behind_all_words(bank));
}

/// A word for an expander, or one that Auto TTSync has to know of.
bool Frontend::push_slowly(Word word, std::uint32_t origin) {
  Entry entry{word, next_tag(origin)};
  if (auto_ttsync.takes(word)) return true;
  if (Entry::is_for_frontend(word)) {
    entry.tag |= Entry::frontend_bit;
    simple_ = false;
  }
  queue_.push(entry);
  --places_;
  return true;
}

void Frontend::discard_before_mux() {
  auto_ttsync.discard_before_mux();
  while (!queue_.pushed_empty())
    leave(take_pushed());
  mop.discard();
}

bool Frontend::mop_is_idle() const {
  if (mop.is_expanding()) return false;
  for (unsigned i = 0; i < queue_.pushed_size(); ++i)
    if (isa::opcode_of(queue_.pushed_at(i).word) == "MOP"_op) return false;
  return true;
}

bool Frontend::has_only_plain_words() const {
  for (unsigned i = queue_.gate_size(); i < queue_.size(); ++i)
    if (queue_[i].concerns_frontend()) return false;
  return true;
}

bool Frontend::advance_slowly(Arch arch) {
  auto_ttsync.words_left_at_gate(queue_.gate_size());
  const bool replay_moved = advance_replay();
  if (!replay_.is_playing()) auto_ttsync.replay_expander_is_done();
  const bool mop_moved = advance_mop(arch);
  if (!mop.is_expanding()) auto_ttsync.mop_expander_is_done();
  simple_ = !auto_ttsync.is_on() && replay_.is_passing() && mop.is_passing() && !brisc_word_ && has_only_plain_words();
  return replay_moved || mop_moved;
}

bool Frontend::advance_replay() {
  const bool room = !queue_.gate_full();
  if (replay_.is_playing()) {
    if (!room) return false;
    play_to_gate();
    return true;
  }
  if (queue_.replay_empty()) return false;
  if (replay_.is_recording()) {
    const bool swallows = replay_.swallows();
    if (!swallows && !room) return false;
    written.replay_slots |= 1U << replay_.slot();
    replay_.record(queue_.replay_front());
    if (!swallows) {
      give_to_gate();
      return true;
    }
    auto_ttsync.replay_expander_takes();
    leave(queue_.take_from_replay());
    return true;
  }
  const Entry& next = queue_.replay_front();
  if (isa::opcode_of(next.word) != "REPLAY"_op) {
    if (!room) return false;
    give_to_gate();
    return true;
  }
  const bool plays = frontend_words::replay_load.get(next.word) == 0;
  if (plays && !room) return false;
  auto_ttsync.replay_expander_takes();
  const Entry replay = queue_.take_from_replay();
  if (frontend_words::replay_count.get(replay.word) > ReplayExpander::slots) {
    notes_.long_replay = replay;
    has_notes_ = true;
  }
  leave(replay);
  replay_.start(replay);
  if (plays) {
    if (written.replay_slots != WrittenFrontend::all_replay_slots) look_for_unwritten_slots(replay);
    play_to_gate();
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
  const std::uint8_t opcode = queue_.pushed_empty() ? std::uint8_t{0} : isa::opcode_of(queue_.pushed_at(0).word);
  if (mop.is_expanding()) return room ? Presented{mop.next(), true} : Presented{};
  if (mop.has_dead_cycle() && opcode != "MOP"_op) {
    mop.pass_dead_cycle();
    return {std::nullopt, true};
  }
  if (queue_.pushed_empty() || (!room && opcode != "MOP_CFG"_op)) return {};
  const Entry entry = take_pushed();
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

/// The front of the push FIFO means nothing to the MOP Expander, which has nothing else to do.
bool Frontend::passes_mop_expander() const {
  if (queue_.pushed_empty() || !mop.is_passing()) return false;
  const std::uint8_t opcode = isa::opcode_of(queue_.pushed_at(0).word);
  return opcode != "MOP"_op && opcode != "MOP_CFG"_op;
}

/// The mux: BRISC's word passes and displaces the expander's; if there is no room neither passes (ruling 10).
bool Frontend::advance_mop(Arch arch) {
  const bool room = !queue_.replay_full();
  if (room && !brisc_word_ && passes_mop_expander()) {
    auto_ttsync.mop_expander_takes();
    auto_ttsync.mop_expander_gives();
    queue_.pass_mop();
    places_ += place_of_fifo_;
    return true;
  }
  const bool brisc_passes = brisc_word_.has_value() && room;
  const Presented presented = step_expander(arch, room);
  if (!brisc_passes) {
    if (presented.word) {
      auto_ttsync.mop_expander_gives();
      queue_.insert_in_replay(*presented.word);
    }
    return presented.changed;
  }
  auto_ttsync.brisc_gives();
  queue_.insert_in_replay(*brisc_word_);
  brisc_word_.reset();
  if (presented.word) {
    leave(*presented.word);
    notes_.dropped_at_mux = presented.word;
    has_notes_ = true;
  }
  return true;
}

}  // namespace tensim::tensix
