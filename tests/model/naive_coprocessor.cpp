#include "naive_coprocessor.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>

#include "arch/mutexes.hpp"
#include "isa/decode.hpp"
#include "isa/table.hpp"

namespace tensim::naive {
namespace {

using isa::Word;
using namespace isa::literals;

constexpr unsigned thread_count = 3;
constexpr unsigned replay_fifo_depth = 8;
constexpr unsigned gate_fifo_depth = 2;
constexpr unsigned replay_slots = 32;
constexpr unsigned quiet_cycles_until_dead = 200;
constexpr unsigned default_block_mask = 0x40;
constexpr int nobody = -1;

/// SrcA and SrcB, as indices.
constexpr unsigned a = 0;
constexpr unsigned b = 1;

/// The condition bits of STALLWAIT that can ever hold here (errata 32). ThCon memory, unpackers, packers, mover and
/// TRISC_CFG are never busy: their bits are left out. A bit of 0 does not exist on the chip, or is ThCon's on Wormhole,
/// where it stands for memory alone (ruling 12).
struct ConditionBits {
  Word scalar;
  Word math;
  Word src_clear[2];
  Word src_valid[2];
  Word vector;
  Word configuration;
};
constexpr ConditionBits wormhole_conditions{0, 1U << 7, {1U << 8, 1U << 9}, {1U << 10, 1U << 11}, 1U << 14, 0};
constexpr ConditionBits blackhole_conditions{1U << 0,  1U << 4, {1U << 5, 1U << 6}, {1U << 7, 1U << 8},
                                             1U << 11, 1U << 12};

/// A word in a FIFO of the frontend. On Blackhole a word that was pushed, and did not come out of the replay buffer,
/// keeps its place of the push FIFO until it leaves the frontend.
struct Entry {
  Word word = 0;
  bool holds_place = false;
};

struct ReplayExpander {
  std::array<Word, replay_slots> buffer = {};
  unsigned words_to_record = 0;
  bool execute_while_recording = false;
  unsigned words_to_play = 0;
  unsigned slot = 0;  // the next one to record into or to play
};

/// The latched wait of a Wait Gate.
struct Latch {
  bool valid = false;
  bool waits_on_semaphores = false;  // SEMWAIT; otherwise STALLWAIT
  Word block_mask = 0;
  Word condition_mask = 0;
  Word semaphore_mask = 0;
  bool operator==(const Latch&) const = default;
};

struct Frontend {
  std::deque<Word> core;  // not pushed yet
  std::deque<Entry> push_fifo;
  std::deque<Entry> replay_fifo;
  ReplayExpander replay;
  std::deque<Entry> gate_fifo;
  Latch latch;

  bool has_words() const {
    return !core.empty() || !push_fifo.empty() || !replay_fifo.empty() || replay.words_to_play > 0 ||
           !gate_fifo.empty();
  }

  unsigned places_held() const {
    unsigned places = 0;
    for (const auto* fifo : {&push_fifo, &replay_fifo, &gate_fifo})
      for (const Entry& entry : *fifo)
        if (entry.holds_place) ++places;
    return places;
  }
};

/// What a cycle sees as it was at its start, and changes at its end.
struct Shared {
  std::array<std::pair<unsigned, unsigned>, 8> semaphores = {};  // value, maximum
  std::array<int, 8> mutex_owner = {nobody, nobody, nobody, nobody, nobody, nobody, nobody, nobody};
  std::array<unsigned, 8> last_releaser = {2, 2, 2, 2, 2, 2, 2, 2};
  std::array<std::array<bool, 2>, 2> matrix_owns_bank = {};  // [SrcA, SrcB][bank]; otherwise the unpackers own it
  std::array<unsigned, 2> matrix_bank = {};                  // the bank the Matrix Unit points at, of SrcA and of SrcB
  std::array<unsigned, 2> unpacker_bank = {};                // the same for unpacker 0 (SrcA) and unpacker 1 (SrcB)
  bool operator==(const Shared&) const = default;
};

/// An instruction of `thread` that stays in a unit for so many more cycles, this one included.
struct InUnit {
  unsigned thread = 0;
  unsigned cycles_left = 0;
};

/// A bank on its way from the Matrix Unit back to the unpackers.
struct BankReturn {
  unsigned src = a;
  unsigned bank = 0;
  unsigned cycles_left = 0;
};

/// Where an instruction contends with those of other threads. `own`: nowhere, each thread has its own port.
enum class Port { own, semaphore_group, mutex, scalar, matrix, vector };

Port port_of(Word word) {
  switch (isa::opcode_of(word)) {
    case "SEMINIT"_op:
    case "SEMPOST"_op:
    case "SEMGET"_op:
    case "SEMWAIT"_op:
    case "STALLWAIT"_op: return Port::semaphore_group;
    case "ATGETM"_op:
    case "ATRELM"_op: return Port::mutex;
    case "DMANOP"_op:
    case "ADDDMAREG"_op: return Port::scalar;
    case "SETRWC"_op:
    case "INCRWC"_op:
    case "CLEARDVALID"_op: return Port::matrix;
    case "SFPNOP"_op:
    case "SFPMOV"_op: return Port::vector;
    default: return Port::own;
  }
}

unsigned scalar_latency(Word word) {
  return isa::opcode_of(word) == "DMANOP"_op ? 1 : 3;
}
constexpr unsigned matrix_latency = 1;
constexpr unsigned vector_latency = 1;
constexpr unsigned setc16_latency = 1;

using Words = std::array<std::optional<Word>, thread_count>;  // at most one per thread

class Coprocessor {
 public:
  Coprocessor(Arch arch, const Program& program) : arch_(arch) {
    for (unsigned thread = 0; thread < thread_count; ++thread)
      frontends_[thread].core.assign(program.threads[thread].begin(), program.threads[thread].end());
    shared_.semaphores = program.semaphores;
  }

  Result run(std::uint64_t max_cycles);

 private:
  void step();

  // The Wait Gates.
  Words candidates_past_rules_1_to_3(const Shared& before) const;
  bool is_held_by_latch(const Latch& latch, Word word) const;
  bool is_held_by_scalar_unit(unsigned thread) const;
  bool is_held_by_mutex(const Shared& before, unsigned thread, Word word) const;
  Words arbitrate(const Shared& before, const Words& candidates);
  void serve_round_robin(Port port, unsigned& last_served, const Words& candidates, Words& issued) const;
  void serve_mutexes(const Shared& before, const Words& candidates, Words& issued) const;
  bool keeps_waiting(const Shared& before, unsigned thread) const;
  bool keeps_stalling(const Shared& before, unsigned thread, Word conditions) const;

  // The units.
  void accept(unsigned thread, Word word);
  void release_banks(Word word);
  void change_semaphores(Word word);
  void update_latches(const Shared& before, const Words& issued);
  Latch latch_of(Word word) const;
  void end_of_cycle(const Words& issued);
  bool counters_run() const;

  // The frontends.
  void move_replay_expander(Frontend& frontend);
  void play_one(Frontend& frontend);
  void move_mop_expander(Frontend& frontend);
  void push(unsigned thread);
  bool push_fifo_has_room(unsigned thread) const;

  Word field(Word word, std::string_view name) const { return isa::decode(arch_, word).form->field(name)->get(word); }

  Arch arch_;
  std::uint64_t cycle_ = 0;
  std::array<Frontend, thread_count> frontends_;
  Shared shared_;

  InUnit scalar_;  // one instruction at a time
  std::deque<InUnit> matrix_;
  std::deque<InUnit> vector_;
  std::deque<InUnit> configuration_;
  std::deque<BankReturn> bank_returns_;

  // At reset T0 comes first, as if T2 had just been served.
  unsigned semaphore_group_served_ = 2;
  unsigned scalar_served_ = 2;
  unsigned matrix_served_ = 2;
  unsigned vector_served_ = 2;

  bool word_moved_ = false;  // in this cycle, anywhere
  Result result_;
};

// ---- One cycle. ----

void Coprocessor::step() {
  const Shared before = shared_;
  word_moved_ = false;

  const Words issued = arbitrate(before, candidates_past_rules_1_to_3(before));
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (issued[thread]) {
      frontends_[thread].gate_fifo.pop_front();
      result_.issues.push_back({thread, cycle_, *issued[thread]});
      result_.last_cycle = cycle_;
      word_moved_ = true;
      accept(thread, *issued[thread]);
    }
  update_latches(before, issued);

  for (unsigned thread = 0; thread < thread_count; ++thread) {  // downstream first
    move_replay_expander(frontends_[thread]);
    move_mop_expander(frontends_[thread]);
    push(thread);
  }
  end_of_cycle(issued);
}

Result Coprocessor::run(std::uint64_t max_cycles) {
  const auto any_words = [&] {
    return std::ranges::any_of(frontends_, [](const Frontend& frontend) { return frontend.has_words(); });
  };
  unsigned quiet_cycles = 0;
  for (cycle_ = 0; cycle_ < max_cycles && quiet_cycles < quiet_cycles_until_dead; ++cycle_) {
    if (!any_words() && !counters_run()) break;
    const Shared shared = shared_;
    const std::array latches{frontends_[0].latch, frontends_[1].latch, frontends_[2].latch};
    const bool counters_ran = counters_run();
    step();
    const bool changed = word_moved_ || counters_ran || counters_run() || shared != shared_ ||
                         latches != std::array{frontends_[0].latch, frontends_[1].latch, frontends_[2].latch};
    quiet_cycles = changed ? 0 : quiet_cycles + 1;
  }
  result_.finished = !any_words();
  if (quiet_cycles == quiet_cycles_until_dead)
    for (unsigned thread = 0; thread < thread_count; ++thread)
      result_.stuck[thread] = frontends_[thread].has_words();
  result_.semaphores = shared_.semaphores;
  result_.mutex_owner = shared_.mutex_owner;
  result_.matrix_owns_bank = shared_.matrix_owns_bank;
  return result_;
}

// ---- Wait Gate: who may issue. ----

Words Coprocessor::candidates_past_rules_1_to_3(const Shared& before) const {
  Words candidates;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const Frontend& frontend = frontends_[thread];
    if (frontend.gate_fifo.empty()) continue;
    const Word word = frontend.gate_fifo.front().word;
    if (is_held_by_latch(frontend.latch, word)) continue;  // rule 1
    if (is_held_by_scalar_unit(thread)) continue;          // rule 2
    if (is_held_by_mutex(before, thread, word)) continue;  // rule 3
    candidates[thread] = word;
  }
  return candidates;
}

bool Coprocessor::is_held_by_latch(const Latch& latch, Word word) const {
  if (!latch.valid) return false;
  const isa::Decoded decoded = isa::decode(arch_, word);
  if (decoded.form == nullptr) return latch.block_mask == isa::all_block_bits;  // as a NOP
  return decoded.form->block.held_by(latch.block_mask);
}

bool Coprocessor::is_held_by_scalar_unit(unsigned thread) const {
  return arch_ == Arch::wormhole && scalar_.cycles_left > 0 && scalar_.thread == thread;
}

bool Coprocessor::is_held_by_mutex(const Shared& before, unsigned thread, Word word) const {
  if (port_of(word) != Port::mutex) return false;
  const Word mutex = field(word, "mutex");
  if (!is_valid_mutex(arch_, mutex)) return true;  // for ever
  if (isa::opcode_of(word) == "ATRELM"_op) return false;
  const int owner = before.mutex_owner[mutex];
  return owner != nobody && owner != static_cast<int>(thread);
}

// ---- Ports: who does issue. ----

Words Coprocessor::arbitrate(const Shared& before, const Words& candidates) {
  Words issued;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (candidates[thread] && port_of(*candidates[thread]) == Port::own) issued[thread] = candidates[thread];
  serve_round_robin(Port::semaphore_group, semaphore_group_served_, candidates, issued);
  serve_mutexes(before, candidates, issued);
  if (scalar_.cycles_left == 0) serve_round_robin(Port::scalar, scalar_served_, candidates, issued);
  serve_round_robin(Port::matrix, matrix_served_, candidates, issued);
  serve_round_robin(Port::vector, vector_served_, candidates, issued);
  return issued;
}

/// One candidate for `port`: the thread after the last one served comes first.
void Coprocessor::serve_round_robin(Port port, unsigned& last_served, const Words& candidates, Words& issued) const {
  for (unsigned distance = 1; distance <= thread_count; ++distance) {
    const unsigned thread = (last_served + distance) % thread_count;
    if (candidates[thread] && port_of(*candidates[thread]) == port) {
      issued[thread] = candidates[thread];
      last_served = thread;
      return;
    }
  }
}

/// One operation per mutex: first the thread after the last releaser, then the one after that, then the releaser.
void Coprocessor::serve_mutexes(const Shared& before, const Words& candidates, Words& issued) const {
  for (unsigned mutex = 0; mutex < before.mutex_owner.size(); ++mutex)
    for (unsigned distance = 1; distance <= thread_count; ++distance) {
      const unsigned thread = (before.last_releaser[mutex] + distance) % thread_count;
      if (candidates[thread] && port_of(*candidates[thread]) == Port::mutex &&
          field(*candidates[thread], "mutex") == mutex) {
        issued[thread] = candidates[thread];
        break;
      }
    }
}

// ---- Latches. ----

void Coprocessor::update_latches(const Shared& before, const Words& issued) {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    Latch& latch = frontends_[thread].latch;
    if (latch.valid && !keeps_waiting(before, thread)) latch = {};
    if (!issued[thread]) continue;
    const Word word = *issued[thread];
    if (isa::opcode_of(word) == "STALLWAIT"_op || isa::opcode_of(word) == "SEMWAIT"_op) latch = latch_of(word);
  }
}

Latch Coprocessor::latch_of(Word word) const {
  const Word default_condition_mask = arch_ == Arch::wormhole ? 0x7F : 0x0F;
  const Word condition = field(word, "cond");
  Latch latch{.valid = true, .block_mask = field(word, "block"), .condition_mask = condition};
  if (latch.block_mask == 0) latch.block_mask = default_block_mask;
  if (condition == 0) {
    latch.condition_mask = default_condition_mask;  // also of a SEMWAIT, which then is a STALLWAIT
  } else if (isa::opcode_of(word) == "SEMWAIT"_op) {
    latch.waits_on_semaphores = true;
    latch.semaphore_mask = field(word, "sem");
  }
  return latch;
}

/// Semaphores and banks as they were before this cycle; units with what they accepted in it.
bool Coprocessor::keeps_waiting(const Shared& before, unsigned thread) const {
  const Latch& latch = frontends_[thread].latch;
  if (!latch.waits_on_semaphores) return keeps_stalling(before, thread, latch.condition_mask);
  for (unsigned i = 0; i < before.semaphores.size(); ++i) {
    if ((latch.semaphore_mask >> i & 1U) == 0) continue;
    const auto [value, maximum] = before.semaphores[i];
    if ((latch.condition_mask & 1U) != 0 && value == 0) return true;
    if ((latch.condition_mask & 2U) != 0 && value >= maximum) return true;
  }
  return false;
}

bool Coprocessor::keeps_stalling(const Shared& before, unsigned thread, Word conditions) const {
  const ConditionBits& bits = arch_ == Arch::wormhole ? wormhole_conditions : blackhole_conditions;
  const auto is_of_this_thread = [&](const InUnit& instruction) { return instruction.thread == thread; };
  Word holding = 0;
  if (scalar_.cycles_left > 0 && is_of_this_thread(scalar_)) holding |= bits.scalar;
  if (std::ranges::any_of(matrix_, is_of_this_thread)) holding |= bits.math;
  if (std::ranges::any_of(vector_, is_of_this_thread)) holding |= bits.vector;
  if (!configuration_.empty()) holding |= bits.configuration;  // of any thread
  for (const unsigned src : {a, b}) {
    if (before.matrix_owns_bank[src][before.unpacker_bank[src]]) holding |= bits.src_clear[src];
    if (!before.matrix_owns_bank[src][before.matrix_bank[src]]) holding |= bits.src_valid[src];
  }
  return (conditions & holding) != 0;
}

// ---- Units. ----

/// Puts an issued word into its unit. What it does to shared_ is seen from the next cycle on: nobody looks at shared_
/// before then, only at the copy from the start of the cycle.
void Coprocessor::accept(unsigned thread, Word word) {
  const isa::Decoded decoded = isa::decode(arch_, word);
  if (decoded.status == isa::Decoded::Status::undefined_opcode) return;  // a slot never recorded: as a NOP
  switch (isa::opcode_of(word)) {
    case "NOP"_op:
    case "REPLAY"_op:     // played back, or recorded with Exec, and so not interpreted
    case "STALLWAIT"_op:  // see update_latches()
    case "SEMWAIT"_op:
    case "SETDVALID"_op: return;  // see end_of_cycle()
    case "SEMINIT"_op:
    case "SEMPOST"_op:
    case "SEMGET"_op: return change_semaphores(word);
    case "ATGETM"_op: shared_.mutex_owner[field(word, "mutex")] = static_cast<int>(thread); return;
    case "ATRELM"_op:
      if (const Word mutex = field(word, "mutex"); shared_.mutex_owner[mutex] == static_cast<int>(thread)) {
        shared_.mutex_owner[mutex] = nobody;
        shared_.last_releaser[mutex] = thread;
      }
      return;
    case "ADDDMAREG"_op:
      if (decoded.form->form != "Immediate") break;
      [[fallthrough]];
    case "DMANOP"_op: scalar_ = {thread, scalar_latency(word)}; return;
    case "SETRWC"_op:
    case "CLEARDVALID"_op: release_banks(word); [[fallthrough]];
    case "INCRWC"_op: matrix_.push_back({thread, matrix_latency}); return;
    case "SFPNOP"_op:
    case "SFPMOV"_op: vector_.push_back({thread, vector_latency}); return;
    case "SETC16"_op: configuration_.push_back({thread, setc16_latency}); return;
    default: break;
  }
  throw std::invalid_argument("the naive model does not know " +
                              std::string(decoded.form == nullptr ? "an undefined form" : decoded.form->name));
}

void Coprocessor::change_semaphores(Word word) {
  const Word mask = field(word, "sem");
  for (unsigned i = 0; i < shared_.semaphores.size(); ++i) {
    if ((mask >> i & 1U) == 0) continue;
    auto& [value, maximum] = shared_.semaphores[i];
    if (isa::opcode_of(word) == "SEMINIT"_op) {
      value = field(word, "value");
      maximum = field(word, "max");
    } else if (isa::opcode_of(word) == "SEMPOST"_op) {
      if (value < 15) ++value;
    } else {
      if (value > 0) --value;
    }
  }
}

/// CLEARDVALID and SETRWC: the pointer moves for the next cycle, the bank goes back after the latency. A Reset is done
/// in end_of_cycle().
void Coprocessor::release_banks(Word word) {
  const bool is_cleardvalid = isa::opcode_of(word) == "CLEARDVALID"_op;
  if (is_cleardvalid && field(word, "ResetAll") != 0) return;
  const bool keeps_bank = is_cleardvalid && field(word, "KeepReadingSameSrc") != 0;
  for (const unsigned src : {a, b}) {
    if (field(word, src == a ? "FlipSrcA" : "FlipSrcB") == 0) continue;
    bank_returns_.push_back({src, shared_.matrix_bank[src], matrix_latency});
    if (!keeps_bank) shared_.matrix_bank[src] ^= 1U;
  }
}

/// Counts down, and hands banks over: first those the Matrix Unit gives back, then those of SETDVALID, then a Reset.
void Coprocessor::end_of_cycle(const Words& issued) {
  for (BankReturn& bank_return : bank_returns_)
    if (--bank_return.cycles_left == 0) shared_.matrix_owns_bank[bank_return.src][bank_return.bank] = false;
  std::erase_if(bank_returns_, [](const BankReturn& bank_return) { return bank_return.cycles_left == 0; });

  for (const auto& word : issued)
    if (word && isa::opcode_of(*word) == "SETDVALID"_op)
      for (const unsigned src : {a, b}) {
        if (field(*word, src == a ? "FlipSrcA" : "FlipSrcB") == 0) continue;
        shared_.matrix_owns_bank[src][shared_.unpacker_bank[src]] = true;
        shared_.unpacker_bank[src] ^= 1U;
      }

  for (const auto& word : issued)
    if (word && isa::opcode_of(*word) == "CLEARDVALID"_op && field(*word, "ResetAll") != 0) {
      shared_.matrix_owns_bank = {};
      shared_.matrix_bank = {};
      shared_.unpacker_bank = {};
    }

  if (scalar_.cycles_left > 0) --scalar_.cycles_left;
  for (auto* unit : {&matrix_, &vector_, &configuration_}) {
    for (InUnit& instruction : *unit)
      --instruction.cycles_left;
    std::erase_if(*unit, [](const InUnit& instruction) { return instruction.cycles_left == 0; });
  }
}

bool Coprocessor::counters_run() const {
  return scalar_.cycles_left > 0 || !matrix_.empty() || !vector_.empty() || !configuration_.empty() ||
         !bank_returns_.empty();
}

// ---- Frontend. ----

void Coprocessor::move_replay_expander(Frontend& frontend) {
  ReplayExpander& replay = frontend.replay;
  const bool gate_has_room = frontend.gate_fifo.size() < gate_fifo_depth;

  if (replay.words_to_play > 0) {  // takes nothing in
    if (gate_has_room) play_one(frontend);
    return;
  }
  if (frontend.replay_fifo.empty()) return;
  const Entry head = frontend.replay_fifo.front();

  if (replay.words_to_record > 0) {  // whatever the word is, a REPLAY too
    if (replay.execute_while_recording && !gate_has_room) return;
    if (replay.execute_while_recording) frontend.gate_fifo.push_back(head);
    replay.buffer[replay.slot] = head.word;
    replay.slot = (replay.slot + 1) % replay_slots;
    --replay.words_to_record;
  } else if (isa::opcode_of(head.word) == "REPLAY"_op) {
    const bool load = field(head.word, "Load") != 0;
    if (!load && !gate_has_room) return;  // its first word leaves in the cycle it is taken in
    unsigned count = field(head.word, "Count") % 32;
    if (count == 0) count = 32;
    replay.slot = field(head.word, "Index");
    if (load) {
      replay.words_to_record = count;
      replay.execute_while_recording = field(head.word, "Exec") != 0;
    } else {
      replay.words_to_play = count;
      play_one(frontend);
    }
  } else {
    if (!gate_has_room) return;
    frontend.gate_fifo.push_back(head);
  }
  frontend.replay_fifo.pop_front();
  word_moved_ = true;
}

void Coprocessor::play_one(Frontend& frontend) {
  ReplayExpander& replay = frontend.replay;
  frontend.gate_fifo.push_back({.word = replay.buffer[replay.slot], .holds_place = false});
  replay.slot = (replay.slot + 1) % replay_slots;
  --replay.words_to_play;
  word_moved_ = true;
}

void Coprocessor::move_mop_expander(Frontend& frontend) {
  if (frontend.push_fifo.empty() || frontend.replay_fifo.size() == replay_fifo_depth) return;
  const Entry head = frontend.push_fifo.front();
  const auto opcode = isa::opcode_of(head.word);
  if (opcode == "MOP"_op || opcode == "MOP_CFG"_op || opcode == "RESOURCEDECL"_op)
    throw std::invalid_argument("the naive model expands no MOP");
  frontend.push_fifo.pop_front();
  frontend.replay_fifo.push_back(head);
  word_moved_ = true;
}

void Coprocessor::push(unsigned thread) {
  Frontend& frontend = frontends_[thread];
  if (frontend.core.empty() || !push_fifo_has_room(thread)) return;
  frontend.push_fifo.push_back({.word = frontend.core.front(), .holds_place = true});
  frontend.core.pop_front();
  result_.pushes[thread].push_back(cycle_);
  word_moved_ = true;
}

bool Coprocessor::push_fifo_has_room(unsigned thread) const {
  if (arch_ == Arch::blackhole) return frontends_[thread].places_held() < 29;
  return frontends_[thread].push_fifo.size() < (thread == 0 ? 32U : 16U);
}

}  // namespace

Result run(Arch arch, const Program& program, std::uint64_t max_cycles) {
  return Coprocessor(arch, program).run(max_cycles);
}

}  // namespace tensim::naive
