#include "tests/support/random_tile.hpp"

#include <bit>
#include <cstdio>
#include <random>
#include <span>
#include <utility>

#include "arch/config_registers.hpp"
#include "isa/table.hpp"
#include "riscv/disassemble.hpp"

namespace tensim::test {
namespace {

using namespace rv;
using namespace isa::literals;
using namespace tensim::literals;
using tile::core_count;
using tile::CoreId;

// Programs stand where soft reset lets cores start. Each core has a routine of its own that others write.
constexpr std::array<std::uint32_t, core_count> program_at{0, 0x6000, 0xA000, 0xE000, 0x12000};
constexpr std::uint32_t routine_offset = 0x2000;
constexpr std::uint32_t iram = 0xFFC00000;

/// Registers that hold addresses all the time.
constexpr Word shared = s0;
constexpr Word local = s1;
constexpr Word sync_window = s6;  // PCBuf, TTSync and semaphores of a T core; PCBuf of T0 for B
constexpr Word gprs = s7;
constexpr Word configuration = s8;
constexpr Word pushes = s9;
constexpr Word control = s10;
constexpr Word tdma = s11;
constexpr Word address = s5;  // of what has no register of its own
constexpr std::array loop_counters{s2, s3, s4};

Word routine_word(std::uint32_t adds) {
  return addi(a0, a0, static_cast<int>(adds));
}

class Generator {
 public:
  Generator(Arch arch, std::mt19937& random, CoreId core, std::uint8_t running)
      : arch_(arch), random_(random), core_(core), running_(running) {}

  std::vector<Word> program() {
    set_up();
    const auto start = words_.size();
    const unsigned statements = 5 + pick(40);
    for (unsigned i = 0; i < statements; ++i)
      statement();
    if (one_in(100)) emit(ebreak);
    emit(one_in(3) ? here : jal(zero, back_to(start)));
    return std::move(words_);
  }

  /// A few statements, and then it only counts in L1, with what it polls beside it; or it stays where it is.
  std::vector<Word> program_that_comes_to_rest(bool beats) {
    set_up();
    for (unsigned left = pick(6); left != 0; --left)
      statement();
    if (beats)
      beat();
    else if (one_in(3))
      poll_l1();
    emit(here);
    return std::move(words_);
  }

 private:
  struct Kind {
    unsigned weight;
    void (Generator::*emit)();
    std::uint8_t cores = all_cores;
    ArchSet archs = ArchSet(Arch::wormhole) | Arch::blackhole;
  };
  static std::span<const Kind> kinds();

  // ---- tools ----
  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random_); }
  bool one_in(unsigned count) { return pick(count) == 0; }
  void emit(Word word) { words_.push_back(word); }
  Word data() {
    static constexpr std::array<Word, 9> all{t0, t1, t2, a0, a1, a2, a3, a4, a5};
    return all[pick(all.size())];
  }
  int back_to(std::size_t place) const { return -4 * static_cast<int>(words_.size() - place); }
  void load_immediate(Word rd, std::uint32_t value) {
    emit(lui(rd, (value + 0x800U) >> 12U));
    if ((value & 0xFFFU) != 0) emit(addi(rd, rd, static_cast<int>(value << 20U) >> 20));
  }
  int some_shared() { return static_cast<int>(4 * pick(shared_words)); }
  CoreId some_running() {
    while (true)
      if (const unsigned core = pick(core_count); (running_ >> core & 1U) != 0) return static_cast<CoreId>(core);
  }
  unsigned number() const { return static_cast<unsigned>(core_); }

  void set_up() {
    load_immediate(shared, shared_area);
    load_immediate(local, 0xFFB00000);
    load_immediate(sync_window, 0xFFE80000);
    load_immediate(gprs, 0xFFE00000);
    load_immediate(configuration, 0xFFEF0000);
    load_immediate(pushes, 0xFFE40000);
    load_immediate(control, 0xFFB12000);
    load_immediate(tdma, 0xFFB11000);
    for (Word reg = a0; reg <= a5; ++reg)
      emit(addi(reg, zero, static_cast<int>(pick(4000)) - 2000));
  }
  void statement() {
    unsigned total = 0;
    for (const Kind& kind : kinds())
      if (fits(kind)) total += kind.weight;
    unsigned left = pick(total);
    for (const Kind& kind : kinds()) {
      if (!fits(kind)) continue;
      if (left < kind.weight) return (this->*kind.emit)();
      left -= kind.weight;
    }
  }
  bool fits(const Kind& kind) const { return (kind.cores >> number() & 1U) != 0 && kind.archs.contains(arch_); }

  // ---- a core by itself ----
  void arithmetic() {
    switch (pick(6)) {
      case 0: return emit(add(data(), data(), data()));
      case 1: return emit(sub(data(), data(), data()));
      case 2: return emit(xor_(data(), data(), data()));
      case 3: return emit(andi(data(), data(), static_cast<int>(pick(16))));
      default: return emit(addi(data(), data(), static_cast<int>(pick(100))));
    }
  }
  void multiply() {
    emit(one_in(2)   ? mul(data(), data(), data())
         : one_in(2) ? divu(data(), data(), data())
                     : rem(data(), data(), data()));
  }
  void access_local() {
    const int offset = static_cast<int>(4 * pick(16));
    emit(one_in(2) ? lw(data(), local, offset) : one_in(3) ? sb(data(), local, offset) : sw(data(), local, offset));
  }
  void branch_forward() {
    const auto place = words_.size();
    emit(0);
    const unsigned length = 1 + pick(3);
    for (unsigned i = 0; i < length; ++i)
      arithmetic();
    const int offset = 4 * static_cast<int>(words_.size() - place);
    words_[place] = one_in(2) ? bne(data(), data(), offset) : bltu(data(), data(), offset);
  }
  void loop() {
    if (depth_ == loop_counters.size()) return arithmetic();
    const Word counter = loop_counters[depth_++];
    emit(addi(counter, zero, 1 + static_cast<int>(pick(6))));
    const auto start = words_.size();
    const unsigned length = 1 + pick(4);
    for (unsigned i = 0; i < length; ++i)
      statement();
    emit(addi(counter, counter, -1));
    emit(bne(counter, zero, back_to(start)));
    --depth_;
  }
  /// Long enough for others to fall asleep.
  void delay() {
    emit(addi(t0, zero, 20 + static_cast<int>(pick(600))));
    emit(addi(t0, t0, -1));
    emit(bne(t0, zero, -4));
  }
  void float_arithmetic() {
    emit(flw(pick(4), one_in(2) ? shared : local, some_shared()));
    emit(fadd(pick(4), pick(4), pick(4)));
    if (one_in(2)) emit(fsw(pick(4), one_in(2) ? shared : local, some_shared()));
  }

  // ---- L1 ----
  void load_l1() {
    const int offset = some_shared();
    emit(one_in(3)   ? lbu(data(), shared, offset + static_cast<int>(pick(4)))
         : one_in(4) ? lh(data(), shared, offset + 2)
                     : lw(data(), shared, offset));
  }
  void store_l1() {
    const int offset = some_shared();
    emit(one_in(3)   ? sb(data(), shared, offset + static_cast<int>(pick(4)))
         : one_in(4) ? sh(data(), shared, offset)
                     : sw(data(), shared, offset));
  }
  void store_block() {
    for (int i = 0; i < 4; ++i)
      emit(sw(data(), shared, i * 4));
  }
  /// To any bank, one behind the other.
  void store_many() {
    const unsigned count = 4 + pick(12);
    for (unsigned i = 0; i < count; ++i) {
      const int offset = static_cast<int>(16 * pick(16) + 4 * pick(4));
      emit(one_in(4) ? sb(data(), shared, offset) : sw(data(), shared, offset));
    }
  }
  void store_and_load() {
    const int offset = some_shared();
    emit(sw(data(), shared, offset));
    emit(lw(data(), shared, offset));
  }
  /// Rounded down, and reported.
  void misaligned_access() { emit(lw(data(), shared, some_shared() + 1)); }
  void atomic() {
    emit(addi(address, shared, some_shared()));
    emit(one_in(2) ? amoadd(data(), data(), address) : amoswap(data(), data(), address));
  }
  void fence_() { emit(fence); }
  void poll_l1() {
    const auto start = words_.size();
    if (one_in(2)) emit(fence);
    const Word reg = data();
    emit(one_in(3) ? lbu(reg, shared, some_shared()) : lw(reg, shared, some_shared()));
    if (one_in(3)) emit(lw(data(), shared, some_shared()));
    if (one_in(3)) emit(xori(a5, a5, 1));
    emit(andi(reg, reg, 1));
    emit(one_in(2) ? beq(reg, zero, back_to(start)) : bne(reg, zero, back_to(start)));
  }

  /// Counts in every round, for ever or until a word is odd; then from the start.
  void beat() {
    const auto start = words_.size();
    const bool goes_through_another = one_in(2);
    emit(addi(goes_through_another ? a1 : a0, a0, 1 + static_cast<int>(pick(5))));
    for (unsigned left = pick(3); left != 0; --left)
      emit(one_in(2) ? lw(t2, shared, some_shared()) : lbu(t2, shared, some_shared()));
    emit(one_in(2) ? slli(a2, goes_through_another ? a1 : a0, static_cast<int>(pick(24)))
                   : srli(a2, goes_through_another ? a1 : a0, static_cast<int>(pick(8))));
    if (one_in(2)) emit(one_in(2) ? xor_(a2, a2, a3) : mul(a2, a2, a3));
    for (unsigned left = pick(8); left != 0; --left)
      emit(addi(zero, zero, 0));
    for (unsigned left = 1 + pick(one_in(3) ? 6 : 1); left != 0; --left) {
      const int offset = static_cast<int>(0x40 + 4 * pick(12));
      emit(one_in(3) ? sb(a2, shared, offset) : sw(one_in(2) ? a2 : a0, shared, offset));
    }
    if (goes_through_another) emit(addi(a0, a1, 0));
    if (one_in(2)) return emit(jal(zero, back_to(start)));
    emit(lw(t0, shared, some_shared()));
    emit(andi(t0, t0, 1));
    emit(beq(t0, zero, back_to(start)));
    emit(addi(a4, a4, 1));
    emit(jal(zero, back_to(start)));
  }

  // ---- mailboxes and PCBufs ----
  void mailbox_of(CoreId other) { emit(lui(address, 0xFFEC0 + static_cast<Word>(other))); }
  CoreId some_end() { return static_cast<CoreId>(pick(4)); }
  void send() {
    mailbox_of(some_end());
    emit(sw(data(), address, 0));
  }
  void receive() {
    mailbox_of(some_end());
    emit(lw(data(), address, 0));
  }
  void receive_if_any() {
    mailbox_of(some_end());
    emit(lw(t0, address, 4));
    emit(beq(t0, zero, 8));
    emit(lw(data(), address, 0));
  }
  void poll_mailbox() {
    mailbox_of(some_end());
    emit(lw(t0, address, 4));
    emit(beq(t0, zero, -4));
    emit(lw(data(), address, 0));
  }
  void push_to_pc_buffer() {
    emit(lui(address, 0xFFE80 + 0x10 * pick(3)));
    emit(sw(data(), address, 0));
  }
  void wait_for_pc_buffer() {
    emit(lui(address, 0xFFE80 + 0x10 * pick(3)));
    emit(lw(data(), address, 0));
  }
  void pop_pc_buffer() { emit(lw(data(), sync_window, 0)); }

  // ---- the coprocessor ----
  static Word tensix(std::uint8_t opcode, Word parameters) { return Word{opcode} << 24U | parameters; }
  Word tensix_word() {
    const Word semaphore = 4U << pick(3);
    switch (pick(14)) {
      case 0: return tensix("NOP"_op, 0);
      case 1:
      case 2: return tensix("SEMPOST"_op, semaphore);
      case 3: return tensix("SEMGET"_op, semaphore);
      case 4: return tensix("SEMINIT"_op, (1 + pick(4)) << 20U | pick(4) << 16U | semaphore);
      case 5: return tensix("SEMWAIT"_op, (1U << pick(9)) << 15U | semaphore | (1 + pick(2)));
      case 6:
      case 7: return tensix("STALLWAIT"_op, (1U << pick(9)) << 15U | 1U << pick(15));
      case 8:
      case 9: return tensix("SETDMAREG"_op, pick(1000) << 8U | pick(64));
      case 10: return tensix("ADDDMAREG"_op, 1U << 23U | pick(64) << 12U | pick(64) << 6U | pick(64));
      case 11: return tensix("DMANOP"_op, 0);
      case 12: return tensix("SETC16"_op, 40U << 16U | pick(16));
      default: return tensix("INCRWC"_op, pick(16) << 6U);
    }
  }
  void push() {
    if (one_in(3)) {
      load_immediate(t0, tensix_word());
      return emit(sw(t0, pushes, 0));
    }
    const unsigned count = 1 + pick(4);
    for (unsigned i = 0; i < count; ++i)
      emit(ttinsn(tensix_word()));
  }
  /// To or from L1, by either unpacker, the packers (Wormhole: one of four) or the mover.
  Word transfer_word() {
    switch (pick(6)) {
      case 0:
      case 1:
      case 2: return tensix("UNPACR"_op, pick(2) << 23U | pick(2) << 15U);
      case 3:
      case 4: return tensix("PACR"_op, (arch_ == Arch::wormhole ? 1U << pick(4) : 15U) << 8U | pick(2));
      default: return tensix("XMOV"_op, 0);
    }
  }
  /// With stores beside them.
  void transfer() {
    const unsigned count = 1 + pick(4);
    for (unsigned i = 0; i < count; ++i)
      emit(ttinsn(transfer_word()));
    if (one_in(2)) emit(ttinsn(tensix("STALLWAIT"_op, 0x1FFU << 15U | 1U << pick(15))));
    if (!one_in(4)) store_many();
  }
  /// A counter of a circular buffer, as one of four streams has it.
  std::uint32_t stream_register() {
    const tensix::StreamRegisterRow& row = tensix::stream_register_rows[1 + pick(2)];
    return 0xFFB40000U + 0x1000U * pick(4) + 4 * row.on(arch_);
  }
  /// As the packer's thread does it: the core waits for the store, or somebody looks for it.
  void push_stream_access() {
    const Word place = (stream_register() >> 2U & 0x3FFFFU) | pick(64) << 18U;
    emit(ttinsn(tensix(one_in(3) ? "LOADREG"_op : "STOREREG"_op, place)));
    if (one_in(2)) wait_for_thread();
  }
  void access_stream() {
    load_immediate(address, stream_register());
    emit(lw(data(), address, 0));
    if (one_in(2)) emit(sw(data(), address, 0));
  }
  void push_from_brisc() {
    load_immediate(t0, tensix_word());
    emit(lui(address, 0xFFE40 + 0x10 * pick(3)));
    emit(sw(t0, address, 0));
  }
  int some_semaphore() { return static_cast<int>(0x20 + 4 * pick(3)); }
  void load_semaphore() { emit(lw(data(), sync_window, some_semaphore())); }
  void store_semaphore() {
    emit(addi(t0, zero, static_cast<int>(pick(2))));
    emit(sw(t0, sync_window, some_semaphore()));
  }
  void poll_semaphore() {
    emit(lw(t0, sync_window, some_semaphore()));
    emit(one_in(2) ? beq(t0, zero, -4) : bne(t0, zero, -4));
  }
  void change_and_load_semaphore() {
    const int semaphore = some_semaphore();
    emit(sw(one_in(3) ? data() : zero, sync_window, semaphore));
    emit(lw(data(), sync_window, semaphore));
  }
  /// Auto TTSync, for all kinds of accesses or none.
  void switch_auto_ttsync() { emit(ttinsn(tensix("SETC16"_op, 56U << 16U | (one_in(3) ? 0 : 0x1FU)))); }
  /// Something that writes GPRs or configuration, and an access behind it.
  void push_and_access() {
    const Word gpr = pick(64);
    const Word word = 10 + pick(10);
    switch (pick(4)) {
      case 0: emit(ttinsn(tensix("ADDDMAREG"_op, 1U << 23U | gpr << 12U | pick(64) << 6U | pick(64)))); break;
      case 1: emit(ttinsn(tensix("RDCFG"_op, gpr << 16U | word))); break;
      case 2: emit(ttinsn(tensix("WRCFG"_op, gpr << 16U | word))); break;
      default: emit(ttinsn(tensix("LOADIND"_op, 1U << 22U | pick(64) << 6U | gpr))); break;
    }
    if (one_in(2)) emit(fence);
    const bool is_gpr = !one_in(3);
    const Word base = is_gpr ? gprs : configuration;
    const int offset = static_cast<int>(4 * (is_gpr ? gpr : word));
    emit(one_in(2) ? lw(data(), base, offset) : sw(data(), base, offset));
  }
  void wait_for_thread() { emit(lw(data(), sync_window, one_in(2) ? 4 : 8)); }
  void access_gpr() {
    const int offset = static_cast<int>(4 * pick(64));
    emit(one_in(2) ? lw(data(), gprs, offset) : sw(data(), gprs, offset));
  }
  void poll_gpr() {
    emit(lw(t0, gprs, static_cast<int>(4 * pick(64))));
    emit(andi(t0, t0, 1));
    emit(one_in(2) ? beq(t0, zero, -8) : bne(t0, zero, -8));
  }
  void access_config() {
    const int offset = static_cast<int>(4 * (10 + pick(10)));
    emit(one_in(2) ? lw(data(), configuration, offset) : sw(data(), configuration, offset));
  }

  // ---- the tile ----
  void read_clock() { emit(lw(data(), control, 0x1F0 + static_cast<int>(4 * pick(3)))); }
  void read_csr() {
    static constexpr std::array<Word, 6> all{0xB00, 0xB02, 0xBC0, 0xBC1, 0xBC0, 0xBC1};
    emit(csrrs(data(), all[pick(all.size())], zero));
  }
  /// cfg0: no merging, no L0, no flushes by itself, no predictor, loads behind stores; pmacfg0: all accesses in order.
  void write_csr() {
    static constexpr std::array<Word, 6> all{1U << 0U, 1U << 1U, 1U << 3U, 1U << 12U, 1U << 24U, 0};
    if (one_in(4)) {
      emit(addi(t0, zero, static_cast<int>(pick(2))));
      return emit(csrrw(zero, 0x7C1, t0));
    }
    load_immediate(t0, all[pick(all.size())] | pick(20) << 13U);
    emit(csrrw(zero, 0x7C0, t0));
  }
  void reset_another() {
    const CoreId other = some_running();
    load_immediate(address, tile::reset_bit(other));
    emit(lw(t0, control, 0x1B0));
    emit(or_(t0, t0, address));
    emit(sw(t0, control, 0x1B0));
    if (one_in(2)) delay();
    emit(lw(t0, control, 0x1B0));
    emit(xori(t1, address, -1));
    emit(and_(t0, t0, t1));
    emit(sw(t0, control, 0x1B0));
  }
  void write_routine() {
    load_immediate(t0, routine_word(pick(8)));
    load_immediate(address, program_at[static_cast<unsigned>(some_running())] + routine_offset);
    emit(sw(t0, address, 0));
  }
  void call_routine() {
    const auto at = static_cast<std::uint32_t>(words_.size() * 4);
    emit(jal(ra, static_cast<int>(routine_offset - at)));
  }
  void invalidate_caches() {
    emit(addi(t0, zero, static_cast<int>(1 + pick(31))));
    emit(sw(t0, configuration, 4 * (arch_ == Arch::wormhole ? 157 : 185)));
  }
  void access_other_ram() {
    static constexpr std::array<Word, core_count> windows{0xFFB14, 0xFFB18, 0xFFB1A, 0xFFB1C, 0xFFB16};
    emit(lui(address, windows[static_cast<unsigned>(some_running())]));
    const int offset = static_cast<int>(4 * pick(16));
    emit(one_in(3) ? sw(data(), address, offset) : lw(data(), address, offset));
  }
  void read_pc() {
    emit(lui(address, 0xFFB13));
    emit(lw(data(), address, 0x138 + static_cast<int>(4 * pick(core_count))));
  }
  void poll_status() {
    emit(lw(t0, control, 0x0A8));  // INSTRN_BUF_STATUS
    emit(andi(t0, t0, 1 << (4 + pick(3))));
    emit(one_in(2) ? beq(t0, zero, -8) : bne(t0, zero, -8));
  }
  /// A word to L1, or a copy within it.
  void command_tdma() {
    const bool moves = one_in(2);
    const std::uint32_t to = shared_area + 16 * pick(3);
    const std::array<std::uint32_t, 4> write{to, 0, pick(4), 0};
    const std::array<std::uint32_t, 4> move{(shared_area + 16 * pick(3)) / 16, to / 16, 1 + pick(one_in(2) ? 3 : 40),
                                            one_in(3) ? 0U : 3U};
    command(moves ? move : write, moves ? 0x40 : 0x666);
  }
  void command(const std::array<std::uint32_t, 4>& parameters, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) {
      load_immediate(t0, parameters[i]);
      emit(sw(t0, tdma, static_cast<int>(4 * i)));
    }
    load_immediate(t0, word);
    emit(sw(t0, tdma, 0x10));
  }
  /// Somebody's routine to the IRAM, where NC calls it.
  void fill_iram() {
    const std::uint32_t from = program_at[pick(core_count)] + routine_offset;
    command({from / 16, 0x40000 / 16, 1, 1}, 0x40);
  }
  void call_iram() {
    load_immediate(address, iram);
    emit(jalr(ra, address, 0));
  }
  void poll_tdma() {
    emit(lw(t0, tdma, 0x14));
    emit(andi(t0, t0, 9));
    emit(addi(t0, t0, -8));
    emit(bne(t0, zero, -12));  // until the queue is empty and the mover done
  }

  Arch arch_;
  std::mt19937& random_;
  CoreId core_;
  std::uint8_t running_;
  std::vector<Word> words_;
  unsigned depth_ = 0;
};

std::span<const Generator::Kind> Generator::kinds() {
  using G = Generator;
  constexpr auto blackhole = Arch::blackhole;
  static constexpr std::array all{
      Kind{20, &G::arithmetic},
      Kind{6, &G::multiply},
      Kind{8, &G::access_local},
      Kind{6, &G::branch_forward},
      Kind{8, &G::loop},
      Kind{3, &G::delay},
      Kind{2, &G::float_arithmetic, all_cores, blackhole},
      Kind{10, &G::load_l1},
      Kind{12, &G::store_l1},
      Kind{2, &G::store_block},
      Kind{6, &G::store_many},
      Kind{3, &G::store_and_load},
      Kind{1, &G::misaligned_access, all_cores, Arch::wormhole},
      Kind{4, &G::atomic, all_cores, blackhole},
      Kind{3, &G::fence_},
      Kind{8, &G::poll_l1},
      Kind{4, &G::send, b_and_t_cores},
      Kind{1, &G::receive, b_and_t_cores},
      Kind{3, &G::receive_if_any, b_and_t_cores},
      Kind{1, &G::poll_mailbox, b_and_t_cores},
      Kind{3, &G::push_to_pc_buffer, B},
      Kind{1, &G::wait_for_pc_buffer, B},
      Kind{2, &G::pop_pc_buffer, t_cores},
      Kind{8, &G::push, t_cores},
      Kind{6, &G::transfer, t_cores},
      Kind{4, &G::push_from_brisc, B},
      Kind{3, &G::push_stream_access, t_cores},
      Kind{3, &G::access_stream},
      Kind{4, &G::load_semaphore, t_cores},
      Kind{4, &G::store_semaphore, t_cores},
      Kind{3, &G::change_and_load_semaphore, t_cores},
      Kind{2, &G::poll_semaphore, t_cores},
      Kind{2, &G::switch_auto_ttsync, t_cores, blackhole},
      Kind{4, &G::push_and_access, t_cores, blackhole},
      Kind{2, &G::wait_for_thread, t_cores},
      Kind{4, &G::access_gpr, b_and_t_cores},
      Kind{1, &G::poll_gpr, b_and_t_cores},
      Kind{4, &G::access_config, b_and_t_cores},
      Kind{2, &G::read_clock},
      Kind{3, &G::read_csr, all_cores, blackhole},
      Kind{1, &G::write_csr, all_cores, blackhole},
      Kind{1, &G::reset_another},
      Kind{3, &G::write_routine},
      Kind{5, &G::call_routine},
      Kind{1, &G::invalidate_caches, b_and_t_cores},
      Kind{1, &G::access_other_ram, all_cores, blackhole},
      Kind{1, &G::read_pc, all_cores, blackhole},
      Kind{1, &G::poll_status},
      Kind{1, &G::command_tdma, b_and_t_cores},
      Kind{1, &G::poll_tdma, b_and_t_cores},
      Kind{1, &G::fill_iram, b_and_t_cores, Arch::wormhole},
      Kind{8, &G::call_iram, NC, Arch::wormhole},
  };
  return all;
}

}  // namespace

TileProgram random_tile_program(Arch arch, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random); };
  std::uint8_t running = 0;
  const unsigned count = 2 + pick(core_count - 1);
  while (std::popcount(running) < static_cast<int>(count))
    running |= static_cast<std::uint8_t>(1U << pick(core_count));
  TileProgram program;
  program.transfers = {.datums = 1 + pick(pick(2) == 0 ? 1024 : 64), .throttle = pick(3), .accumulates = pick(4) == 0};
  for (unsigned core = 0; core < core_count; ++core) {
    program.routines[core] = pick(8);
    if ((running >> core & 1U) != 0)
      program.cores[core] = Generator(arch, random, static_cast<CoreId>(core), running).program();
  }
  return program;
}

TileProgram random_beating_program(Arch arch, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto beating = static_cast<unsigned>(random() % core_count);
  auto running = static_cast<std::uint8_t>(1U << beating);
  if (random() % 2 == 0) running |= static_cast<std::uint8_t>(random() % (1U << core_count));
  TileProgram program;
  for (unsigned core = 0; core < core_count; ++core)
    if ((running >> core & 1U) != 0)
      program.cores[core] =
          Generator(arch, random, static_cast<CoreId>(core), running).program_that_comes_to_rest(core == beating);
  return program;
}

void TileProgram::start(tile::Tile& tile) const {
  set_up_transfers(tile, transfers);
  const auto put = [&](std::uint32_t at, const std::vector<Word>& words) {
    tile.write(at, reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4);
  };
  for (unsigned core = 0; core < core_count; ++core) {
    put(program_at[core], cores[core]);
    put(program_at[core] + routine_offset, {routine_word(routines[core]), jalr(zero, ra, 0)});
  }
  if (tile.arch == Arch::wormhole) put(iram, {routine_word(1), jalr(zero, ra, 0)});
  for (unsigned core = 0; core < core_count; ++core)
    if (!cores[core].empty()) tile.release(static_cast<CoreId>(core), program_at[core]);
}

std::string TileProgram::listing(Arch arch) const {
  std::string text;
  for (unsigned core = 0; core < core_count; ++core)
    for (std::size_t i = 0; i < cores[core].size(); ++i) {
      const auto at = program_at[core] + static_cast<std::uint32_t>(4 * i);
      std::array<char, 32> place{};
      std::snprintf(place.data(), place.size(), "%u %05x ", core, at);
      text += place.data() + riscv::disassemble(arch, cores[core][i], at) + "\n";
    }
  return text;
}

}  // namespace tensim::test
