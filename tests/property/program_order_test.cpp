// Random programs of one T core against a naive model that does one thing after the other: what the core stores to a
// region it finds there when it loads (MemoryOrdering.md), and on Blackhole, with Auto TTSync, the instructions it pushes
// are in order with its accesses both ways (AutoTTSync.md). The other two threads keep the units busy meanwhile.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/three_threads.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim::test {
namespace {

using namespace rv;
using isa::Word;
using tile::CoreId;
using tile::Tile;

constexpr std::uint32_t code_at = 0x6000;
constexpr std::uint32_t noise_at = 0xA000;
constexpr std::uint32_t results_at = 0x20000;
constexpr std::uint32_t done_at = 0x28000;
constexpr std::uint32_t data_at = 0x30000;
constexpr std::uint32_t data_words = 16;

std::uint32_t datum(std::uint32_t word) {
  return 0x1000'0001 * (word + 3);
}

// Registers of the core that hold addresses.
constexpr Word results = s0;
constexpr Word sync_window = s1;
constexpr Word gprs = s2;
constexpr Word configuration = s3;
constexpr Word pushes = s4;

/// Which registers are whose. Auto TTSync orders no two instructions with each other, so none of them reads, later than
/// at once, what another of them writes.
constexpr unsigned arithmetic_gprs = 0;  // eight: written and read by the Scalar Unit's arithmetic
constexpr unsigned loaded_gprs = 8;      // four: written by LOADIND
constexpr unsigned counted_gprs = 12;    // four: written by ATINCGET, which takes what it adds from them
constexpr unsigned read_gprs = 16;       // four: written by RDCFG
constexpr unsigned given_gprs = 20;      // four: read by WRCFG
constexpr unsigned address_gprs = 24;    // four: of L1, in blocks of 16 bytes; offset 0 is in the one behind them
constexpr unsigned offset_gpr = 28;
constexpr unsigned gpr_count = 24;  // of those that programs store to
constexpr unsigned read_config = 10;
constexpr unsigned written_config = 15;  // five of either
constexpr unsigned semaphore_count = 3;

class Program {
 public:
  Program(Arch arch, unsigned seed) : arch_(arch), random_(seed) {
    set_up();
    for (unsigned i = 0; i < 60; ++i)
      statement();
    emit({lw(t0, sync_window, 4), addi(t0, t0, 0)});  // when all that was pushed is done
    emit(li(t1, done_at) + li(t0, 1) + Code{sw(t0, t1, 0), here});
  }

  const Code& code() const { return code_; }
  const std::vector<std::uint32_t>& expected() const { return expected_; }
  std::string listing() const { return listing_; }

 private:
  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random_); }
  bool one_in(unsigned count) { return pick(count) == 0; }
  void emit(const Code& code) { code_ = code_ + code; }
  void note(const std::string& text) { listing_ += text + "\n"; }

  void set_up() {
    emit(li(results, results_at) + li(sync_window, 0xFFE80000) + li(gprs, 0xFFE00000));
    emit(li(configuration, 0xFFEF0000) + li(pushes, 0xFFE40000));
    if (arch_ == Arch::blackhole) {
      push("SETC16 CfgIndex=56, NewValue=0x1F");
      emit({lw(t0, sync_window, 4), addi(t0, t0, 0)});  // from here on it is on
    }
    for (unsigned reg = 0; reg < gpr_count; ++reg)
      store_gpr(reg, pick(1000));
    for (unsigned i = 0; i < 4; ++i)
      store_gpr(address_gprs + i, data_at / 16 + i);
    store_gpr(offset_gpr, 0);
    for (unsigned word = 0; word < 10; ++word)
      store_config(read_config + word, pick(1000));
  }

  void statement() {
    switch (pick(arch_ == Arch::blackhole ? 11 : 6)) {
      case 0: return change_semaphore();
      case 1: return load_semaphore();
      case 2: return store_gpr(pick(gpr_count), pick(2000));
      case 3: return load_gpr();
      case 4: return store_config(read_config + pick(10), pick(2000));
      case 5: return load_config();
      case 6: return set_gpr();
      case 7: return add();
      case 8: return load_from_l1();
      case 9: return count_in_l1();
      default: return one_in(2) ? read_config_word() : write_config_word();
    }
  }

  // ---- the core's accesses ----
  void store(Word base, unsigned offset, std::uint32_t value) {
    emit(li(t0, value) + Code{sw(t0, base, static_cast<int>(offset))});
  }
  /// The value goes to the next word of the results.
  void load(Word base, unsigned offset, std::uint32_t expected) {
    // Loads overtake pushes that are still in the store queue (AutoTTSync.md).
    if (std::exchange(has_pushed_, false)) emit({fence});
    emit({lw(t0, base, static_cast<int>(offset)), sw(t0, results, static_cast<int>(4 * expected_.size()))});
    note(fmt::format("{:3}: expects {}", expected_.size(), expected));
    expected_.push_back(expected);
  }
  void change_semaphore() {
    const unsigned which = pick(semaphore_count);
    const bool posts = !one_in(3);
    unsigned& value = semaphores_[which];
    if (posts) value = std::min(value + 1, 15U);
    if (!posts && value > 0) --value;
    note(fmt::format("{} semaphore {}", posts ? "posts" : "gets", which));
    store(sync_window, 0x20 + 4 * which, posts ? 0 : 1);
  }
  void load_semaphore() {
    const unsigned which = pick(semaphore_count);
    note(fmt::format("loads semaphore {}", which));
    load(sync_window, 0x20 + 4 * which, semaphores_[which]);
  }
  void store_gpr(unsigned reg, std::uint32_t value) {
    note(fmt::format("stores {} to GPR {}", value, reg));
    store(gprs, 4 * reg, gprs_[reg] = value);
  }
  void load_gpr() {
    const unsigned reg = pick(gpr_count);
    note(fmt::format("loads GPR {}", reg));
    load(gprs, 4 * reg, gprs_[reg]);
  }
  void store_config(unsigned word, std::uint32_t value) {
    note(fmt::format("stores {} to configuration {}", value, word));
    store(configuration, 4 * word, config_[word] = value);
  }
  void load_config() {
    const unsigned word = read_config + pick(10);
    note(fmt::format("loads configuration {}", word));
    load(configuration, 4 * word, config_[word]);
  }

  // ---- instructions ----
  void push(const std::string& line) {
    note(line);
    const Word word = assemble(arch_, line);
    if (one_in(2))
      emit({ttinsn(word)});
    else
      emit(li(t0, word) + Code{sw(t0, pushes, 0)});
    has_pushed_ = true;
  }
  void set_gpr() {
    const unsigned reg = arithmetic_gprs + pick(8);
    const std::uint32_t value = pick(1000);
    push(fmt::format("ttsetdmareg 0, {}, 0, {}", value, 2 * reg));
    gprs_[reg] = (gprs_[reg] & 0xFFFF0000U) | value;
  }
  void add() {
    const unsigned result = arithmetic_gprs + pick(8);
    const unsigned left = arithmetic_gprs + pick(8);
    const unsigned constant = pick(64);
    push(fmt::format("ttadddmareg 1, {}, {}, {}", result, constant, left));
    gprs_[result] = gprs_[left] + constant;
  }
  void load_from_l1() {
    const unsigned result = loaded_gprs + pick(4);
    const unsigned address = pick(2);  // what ATINCGET leaves alone
    push(fmt::format("LOADIND Size=LD_32bit, OffsetHalfReg={}, ResultReg={}, AddrReg={}", 2 * offset_gpr, result,
                     address_gprs + address));
    gprs_[result] = l1_[4 * address];
  }
  void count_in_l1() {
    const unsigned reg = counted_gprs + pick(4);
    const unsigned address = 2 + pick(2);
    push(fmt::format("ATINCGET IntWidth=31, Ofs=0, InOutReg={}, AddrReg={}", reg, address_gprs + address));
    gprs_[reg] = std::exchange(l1_[4 * address], l1_[4 * address] + gprs_[reg]);
    // Another one might take what it adds before this one's answer is there.
    push("STALLWAIT 0x1FF, 0x1");
  }
  void read_config_word() {
    const unsigned reg = read_gprs + pick(4);
    const unsigned word = read_config + pick(5);
    push(fmt::format("RDCFG ResultReg={}, CfgIndex={}", reg, word));
    gprs_[reg] = config_[word];
  }
  void write_config_word() {
    const unsigned reg = given_gprs + pick(4);
    const unsigned word = written_config + pick(5);
    push(fmt::format("WRCFG InputReg={}, CfgIndex={}", reg, word));
    config_[word] = gprs_[reg];
  }

  Arch arch_;
  std::mt19937 random_;
  Code code_;
  std::string listing_;
  bool has_pushed_ = false;
  std::vector<std::uint32_t> expected_;
  std::array<unsigned, semaphore_count> semaphores_{};
  std::map<unsigned, std::uint32_t> gprs_;
  std::map<unsigned, std::uint32_t> config_;
  std::array<std::uint32_t, data_words> l1_ = [] {
    std::array<std::uint32_t, data_words> words{};
    for (unsigned i = 0; i < data_words; ++i)
      words[i] = datum(i);
    return words;
  }();
};

/// Takes slots of the Sync Unit, the Scalar Unit and the Configuration Unit for ever.
Code noise(Arch arch, unsigned seed) {
  std::mt19937 random(seed);
  const std::array lines{"SEMPOST 0x80", "SEMGET 0x80", "ttadddmareg 1, 1, 3, 1", "ttwrcfg 4, 0, 30", "NOP"};
  Code code = li(s1, 0xFFE80000);
  const auto start = code.size();
  for (unsigned i = 0; i < 20; ++i) {
    if (random() % 4 == 0) code.push_back(sw(zero, s1, 0x20 + 4 * 6));
    code.push_back(ttinsn(assemble(arch, lines[random() % lines.size()])));
  }
  code.push_back(jal(zero, -4 * static_cast<int>(code.size() - start)));
  return code;
}

class ProgramOrder : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chips, ProgramOrder, ::testing::ValuesIn(all_archs),
                         [](const auto& of) { return std::string(name(of.param)); });

void check(Arch arch, unsigned seed, bool lockstep) {
  const Program program(arch, seed);
  auto guest = std::make_unique<GuestTile>(arch);
  guest->tile.walk_in_lockstep(lockstep);
  for (unsigned word = 0; word < data_words; ++word)
    guest->set_word(data_at + 4 * word, datum(word));
  guest->start(CoreId::trisc0, code_at, program.code());
  if (seed % 3 != 0) guest->start(CoreId::trisc1, noise_at, noise(arch, seed));
  guest->tile.stop_when(done_at, 1);
  ASSERT_EQ(guest->tile.run_until(30'000), Tile::Halt::met);
  for (std::size_t i = 0; i < program.expected().size(); ++i)
    ASSERT_EQ(guest->word(results_at + 4 * static_cast<std::uint32_t>(i)), program.expected()[i])
        << "load " << i << (lockstep ? " walking\n" : " running ahead\n") << program.listing();
}

TEST_P(ProgramOrder, OfACoresAccessesAndWhatItPushes) {  // C38
  for (unsigned seed = 0; seed < 100 && !HasFatalFailure(); ++seed)
    for (const bool lockstep : {false, true}) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      check(GetParam(), seed, lockstep);
    }
}

}  // namespace
}  // namespace tensim::test
