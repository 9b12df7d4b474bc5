// What a listener that wants to know the order of things hears of cores and of those who act in their name.
#include <memory>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/tensix_tile.hpp"
#include "tests/support/timed_core.hpp"

namespace tensim::test {
namespace {

using namespace rv;
using event::Fenced;
using event::Landed;
using event::Loaded;
using event::Moved;
using event::Released;
using event::Stored;
using event::Updated;
using event::Used;
using tile::CoreId;

constexpr std::uint32_t code_at = 0x1000;
constexpr std::uint32_t other_code_at = 0x2000;
constexpr std::uint32_t word_at = 0x8000;
constexpr std::uint32_t soft_reset = tile::TileControl::soft_reset_address;
constexpr std::uint32_t mailbox_with_t1 = 0xFFEC2000;  // of B
constexpr std::uint32_t mailbox_with_b = 0xFFEC0000;   // of a T core
constexpr std::uint32_t mop_config = 0xFFB80000;
constexpr Word tensix_nop = 0x02000000;

class Heard : public event::Listener {
 public:
  Heard() : Listener(event::wants_order) {}
  void happened(const event::Event& event) override {
    all.push_back({event.when, event.what, {event.accesses.begin(), event.accesses.end()}});
  }

  struct One {
    time::Key when;
    event::What what;
    std::vector<event::Access> accesses;
  };
  /// Those of a kind, and their places among all.
  template <class Kind>
  struct Found {
    Kind is;
    std::size_t place;
    time::Cycle cycle;
  };
  template <class Kind>
  std::vector<Found<Kind>> of() const {
    std::vector<Found<Kind>> found;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const Kind* is = std::get_if<Kind>(&all[i].what)) found.push_back({*is, i, time::cycle_of(all[i].when)});
    return found;
  }

  std::vector<One> all;
};

class Observed : public BothArchs {
 protected:
  Observed() { guest.tile.tell(&heard); }
  bool is_blackhole() const { return GetParam() == Arch::blackhole; }
  void run(CoreId core, const Code& code, tile::Cycle cycles = 2000) {
    guest.start(core, code_at, code + Code{here});
    guest.tile.run_until(cycles);
  }

  Heard heard;
  GuestTile guest{GetParam()};
};
TENSIM_BOTH_ARCHS(Observed);

TEST_P(Observed, AStoreToL1LeavesTheCoreAndLandsLater) {
  run(CoreId::brisc, li(t0, word_at) + li(t1, 0x12345678) + Code{sb(t1, t0, 6)});
  const auto stored = heard.of<Stored>();
  const auto landed = heard.of<Landed>();
  ASSERT_EQ(stored.size(), 1U);
  ASSERT_EQ(landed.size(), 1U);
  EXPECT_EQ(stored[0].is.core, 0);
  EXPECT_EQ(stored[0].is.pc, code_at + 16);
  EXPECT_EQ(stored[0].is.address, word_at + 6);
  EXPECT_EQ(stored[0].is.bytes, 1);
  EXPECT_EQ(stored[0].is.value, 0x78U);
  EXPECT_EQ(landed[0].is.address, word_at);
  EXPECT_EQ(landed[0].is.mask, 1U << 6U);
  EXPECT_EQ(landed[0].is.pc, code_at + 16);
  EXPECT_GT(landed[0].cycle, stored[0].cycle);
}

/// Blackhole merges stores to one block.
TEST_P(Observed, ALandingSaysHowManyStoresItIsOf) {
  run(CoreId::brisc, li(t0, word_at) + Code{sw(t0, t0, 0), sw(t0, t0, 4), sw(t0, t0, 8), sw(t0, t0, 64)});
  EXPECT_EQ(heard.of<Stored>().size(), 4U);
  std::vector<unsigned> counts;
  for (const auto& landed : heard.of<Landed>())
    counts.push_back(landed.is.count);
  EXPECT_EQ(counts, is_blackhole() ? std::vector<unsigned>({3, 1}) : std::vector<unsigned>({1, 1, 1, 1}));
}

TEST_P(Observed, AStoreToADeviceLandsWhenItIsTaken) {
  run(CoreId::trisc1, li(t0, mop_config) + li(t1, 77) + Code{sw(t1, t0, 8)});
  const auto stored = heard.of<Stored>();
  const auto landed = heard.of<Landed>();
  ASSERT_EQ(stored.size(), 1U);
  ASSERT_EQ(landed.size(), 1U);
  EXPECT_EQ(landed[0].is.core, 2);
  EXPECT_EQ(landed[0].is.address, mop_config + 8);
  EXPECT_EQ(landed[0].is.value, 77U);
  EXPECT_EQ(landed[0].is.pc, stored[0].is.pc);
  EXPECT_EQ(landed[0].is.mask, 0);
  EXPECT_EQ(landed[0].cycle, stored[0].cycle + 1);
}

TEST_P(Observed, LocalRamIsNobodysBusiness) {
  run(CoreId::brisc, li(t0, 0xFFB00100) + Code{sw(t0, t0, 0), lw(t1, t0, 0), addi(t2, t1, 0)}, 5000);
  EXPECT_EQ(guest.x(CoreId::brisc, t2), 0xFFB00100U);
  EXPECT_TRUE(heard.of<Stored>().empty());
  EXPECT_TRUE(heard.of<Loaded>().empty());
  EXPECT_TRUE(heard.of<Used>().empty());
}

TEST_P(Observed, ALoadIsUsedByTheFirstInstructionThatNeedsIt) {
  guest.set_word(word_at, 0xABCD1234);
  run(CoreId::brisc,
      li(t0, word_at) + Code{lh(t1, t0, 2), addi(a0, zero, 1), addi(a1, zero, 1), add(a2, t1, t1), add(a3, t1, t1)});
  const auto loaded = heard.of<Loaded>();
  const auto used = heard.of<Used>();
  ASSERT_EQ(loaded.size(), 1U);
  EXPECT_EQ(loaded[0].is.address, word_at + 2);
  EXPECT_EQ(loaded[0].is.bytes, 2);
  EXPECT_EQ(loaded[0].is.value, 0xABCDU) << "without its sign";
  EXPECT_EQ(loaded[0].is.to, t1);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0].is.reg, t1);
  EXPECT_EQ(used[0].is.pc, code_at + 4 * 5);
  EXPECT_GT(used[0].cycle, loaded[0].cycle + 1);
}

TEST_P(Observed, ALoadThatIsOverwrittenWasNotUsed) {
  run(CoreId::brisc, li(t0, word_at) + Code{lw(t1, t0, 0), addi(t1, zero, 1), add(a2, t1, t1)});
  EXPECT_EQ(heard.of<Loaded>().size(), 1U);
  EXPECT_TRUE(heard.of<Used>().empty());
}

TEST_P(Observed, AnAddressAndAStoredValueAreUses) {
  run(CoreId::brisc, li(t0, word_at) + Code{lw(t1, t0, 0), lw(t2, t1, 0), sw(t2, t0, 4)});
  const auto used = heard.of<Used>();
  const auto stored = heard.of<Stored>();
  ASSERT_EQ(used.size(), 2U);
  EXPECT_EQ(used[0].is.pc, code_at + 4 * 3);
  EXPECT_EQ(used[1].is.pc, code_at + 4 * 4);
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_LT(used[1].place, stored[0].place);
}

/// The load is asked first in the cycle of its instruction, and answered behind B's store.
TEST_P(Observed, ALoadThatHasToWaitIsToldWhenItIsAnswered) {
  guest.start(CoreId::trisc1, other_code_at,
              li(t0, mailbox_with_b) + Code{lw(t1, t0, 0), sw(t0, sp, 0x400), addi(t2, t1, 0), here});
  run(CoreId::brisc, li(t0, mailbox_with_t1) + times(200, {addi(a0, a0, 1)}) + Code{sw(a0, t0, 0)});
  const auto loaded = heard.of<Loaded>();
  const auto stored = heard.of<Stored>();
  const auto landed = heard.of<Landed>();
  const auto used = heard.of<Used>();
  ASSERT_EQ(loaded.size(), 1U);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(loaded[0].is.value, 200U);
  EXPECT_EQ(loaded[0].is.pc, other_code_at + 8);
  EXPECT_EQ(used[0].is.core, 2);
  ASSERT_EQ(stored.size(), 2U);
  EXPECT_LT(stored[0].place, loaded[0].place) << "the store behind the load did not wait for it";
  EXPECT_EQ(stored[1].is.core, 0);
  ASSERT_EQ(landed.size(), 2U);
  EXPECT_LT(landed[1].place, loaded[0].place);
  EXPECT_LT(loaded[0].place, used[0].place);
}

/// Blackhole stores up to four words of one line at once.
TEST_P(Observed, FusedWordsAreOneStore) {
  run(CoreId::trisc0, times(4, {addi(zero, zero, 0)}) + times(6, {ttinsn(tensix_nop)}));
  std::vector<std::pair<unsigned, std::uint32_t>> pushes;
  for (const auto& stored : heard.of<Stored>()) {
    pushes.emplace_back(stored.is.count, (stored.is.pc - code_at) / 4);
    EXPECT_EQ(stored.is.core, 1);
    EXPECT_EQ(stored.is.value, tensix_nop);
    EXPECT_EQ(stored.is.address, 0xFFE40000U);
  }
  using Pushes = decltype(pushes);
  EXPECT_EQ(pushes,
            is_blackhole() ? Pushes({{4, 4}, {2, 8}}) : Pushes({{1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}}));
  EXPECT_TRUE(heard.of<Landed>().empty());
  EXPECT_EQ(heard.of<event::Issued>().size(), 6U);
}

/// A core whose words find no room goes on pushing where it waits.
TEST_P(Observed, WordsThatWaitForRoomAreToldOnce) {
  const Code words = times(200, {ttinsn(tensix_nop)});
  run(CoreId::trisc0, words, 20'000);
  unsigned count = 0;
  std::uint32_t next = code_at;
  for (const auto& stored : heard.of<Stored>()) {
    EXPECT_EQ(stored.is.pc, next);
    next += 4 * stored.is.count;
    count += stored.is.count;
  }
  EXPECT_EQ(count, 200U);
}

/// B sleeps over the word for thousands of cycles.
TEST_P(Observed, TheLoadThatSeesAChangeIsToldOnceHoweverLongTheCoreHasPolled) {
  const Code poll = li(t0, word_at) + Code{fence, lw(t1, t0, 0), beq(t1, zero, -8), addi(a0, t1, 0), here};
  guest.start(CoreId::brisc, other_code_at, poll);
  const Code late = li(t0, word_at) + li(t1, 5000) + Code{addi(t1, t1, -1), bne(t1, zero, -4), sw(t0, t0, 0)};
  run(CoreId::ncrisc, late, 60'000);
  ASSERT_EQ(guest.x(CoreId::brisc, a0), word_at);
  const auto landed = heard.of<Landed>();
  ASSERT_EQ(landed.size(), 1U);
  unsigned sightings = 0;
  unsigned polls = 0;
  for (const auto& loaded : heard.of<Loaded>()) {
    ++polls;
    if (loaded.is.value == 0) continue;
    ++sightings;
    EXPECT_GT(loaded.place, landed[0].place);
    EXPECT_LT(loaded.cycle, landed[0].cycle + 40);
  }
  EXPECT_EQ(sightings, 1U);
  EXPECT_LT(polls, 400U) << "most rounds are skipped";
}

TEST_P(Observed, BlackholesFenceWaitsForStoresToLeave) {
  run(CoreId::brisc, li(t0, word_at) + Code{sw(t0, t0, 0), fence, sw(t0, t0, 64)});
  const auto fenced = heard.of<Fenced>();
  ASSERT_EQ(fenced.size(), is_blackhole() ? 1U : 0U);
  if (!is_blackhole()) return;
  const auto landed = heard.of<Landed>();
  ASSERT_EQ(landed.size(), 2U);
  EXPECT_LT(landed[0].place, fenced[0].place);
  EXPECT_LT(fenced[0].place, heard.of<Stored>()[1].place);
}

TEST_P(Observed, AnAtomicIsToldWithWhatItFoundAndLeft) {
  if (!is_blackhole()) GTEST_SKIP() << "Wormhole's cores have none";
  guest.set_word(word_at, 40);
  run(CoreId::brisc, li(t0, word_at) + Code{addi(t1, zero, 2), sw(t1, t0, 64), amoadd(t2, t1, t0), addi(a0, t2, 0)});
  const auto updated = heard.of<Updated>();
  ASSERT_EQ(updated.size(), 1U);
  EXPECT_EQ(updated[0].is.address, word_at);
  EXPECT_EQ(updated[0].is.found, 40U);
  EXPECT_EQ(updated[0].is.left, 42U);
  EXPECT_EQ(updated[0].is.pc, code_at + 4 * 4);
  ASSERT_EQ(heard.of<Fenced>().size(), 1U);
  EXPECT_EQ(heard.of<Fenced>()[0].place + 1, updated[0].place);
  ASSERT_EQ(heard.of<Landed>().size(), 1U) << "only of the store before it";
  EXPECT_LT(heard.of<Landed>()[0].place, updated[0].place);
  ASSERT_EQ(heard.of<Used>().size(), 1U);
  EXPECT_EQ(heard.of<Used>()[0].is.reg, t2);
}

TEST_P(Observed, ACoreIsLetGoByTheHostOrByAnother) {
  const std::uint32_t all_but_b_and_t1 =
      tile::TileControl::all_cores_held & ~tile::reset_bit(CoreId::brisc) & ~tile::reset_bit(CoreId::trisc1);
  run(CoreId::brisc, li(t0, soft_reset) + li(t1, all_but_b_and_t1) + Code{sw(t1, t0, 0)});
  const auto released = heard.of<Released>();
  ASSERT_EQ(released.size(), 2U);
  EXPECT_EQ(released[0].is.by, Released::outside);
  EXPECT_EQ(released[0].is.cores, 1U << 0U);
  EXPECT_EQ(released[0].place, 0U);
  EXPECT_EQ(released[1].is.by, 0);
  EXPECT_EQ(released[1].is.cores, 1U << 2U);
  ASSERT_FALSE(heard.of<Landed>().empty());
  EXPECT_EQ(heard.of<Landed>()[0].place + 1, released[1].place);
}

TEST_P(Observed, TheMoverSaysForWhomAndWhat) {
  const std::uint32_t tdma = 0xFFB11000;
  Code code = li(t0, tdma);
  const std::array<std::uint32_t, 4> params{word_at / 16, (word_at + 0x100) / 16, 4, 3};
  for (int i = 0; i < 4; ++i)
    code = code + li(t1, params[static_cast<std::size_t>(i)]) + Code{sw(t1, t0, 4 * i)};
  run(CoreId::trisc2, code + li(t1, 0x40) + Code{sw(t1, t0, 16)});
  const auto moved = heard.of<Moved>();
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0].is.by, Moved::By::tdma);
  EXPECT_EQ(moved[0].is.who, 3);
  using event::Access;
  using event::Resource;
  EXPECT_EQ(heard.all[moved[0].place].accesses,
            std::vector({Access{.resource = Resource::l1, .first = word_at, .count = 64},
                         Access{.resource = Resource::l1, .write = true, .first = word_at + 0x100, .count = 64}}));
}

TEST_P(Observed, TheScalarUnitSaysWhichRegisterItReached) {
  constexpr std::uint32_t l1_base = 0xFFB1102C;
  const std::string at = std::to_string((l1_base & 0xFFFFFU) / 4);
  const std::string program = "STOREREG DataReg=8, AddrLo=" + at + "\nLOADREG ResultReg=9, AddrLo=" + at + "\n";
  Code words;
  for (const auto& word : isa::assemble(GetParam(), program, "test").words)
    words.push_back(ttinsn(word.word));
  guest.tile.coprocessor.gprs.value[1][8] = 0x1234;
  run(CoreId::trisc1, words);
  const auto moved = heard.of<Moved>();
  ASSERT_EQ(moved.size(), 2U);
  for (const auto& one : moved) {
    EXPECT_EQ(one.is.by, Moved::By::scalar_unit);
    EXPECT_EQ(one.is.who, 1);
    EXPECT_EQ(one.is.address, l1_base);
    EXPECT_EQ(one.is.value, 0x1234U);
  }
  EXPECT_TRUE(moved[0].is.is_store);
  EXPECT_FALSE(moved[1].is.is_store);
}

TEST_P(Observed, AScriptsAccessesAreToldLikeACores) {
  auto lists = std::make_shared<tile::ScriptLists>();
  lists->accesses[0] = {{.cycle = 3, .address = mailbox_with_t1, .value = 7}};
  lists->accesses[2] = {{.cycle = 0, .is_store = false, .address = mailbox_with_b}};
  lists->threads[0] = {.words = {tensix_nop, tensix_nop}};
  guest.tile.script = tile::Script(lists);
  guest.tile.run_until(100);
  const auto stored = heard.of<Stored>();
  const auto landed = heard.of<Landed>();
  const auto loaded = heard.of<Loaded>();
  const auto used = heard.of<Used>();
  ASSERT_EQ(stored.size(), 3U);
  EXPECT_EQ(stored[0].is.core, 1) << "a word that T0's thread is fed";
  EXPECT_EQ(stored[0].is.value, tensix_nop);
  EXPECT_EQ(stored[2].is.core, 0);
  EXPECT_EQ(stored[2].is.value, 7U);
  ASSERT_EQ(landed.size(), 1U);
  EXPECT_EQ(landed[0].place, stored[2].place + 1);
  ASSERT_EQ(loaded.size(), 1U);
  EXPECT_EQ(loaded[0].is.core, 2);
  EXPECT_EQ(loaded[0].is.value, 7U);
  EXPECT_EQ(loaded[0].cycle, 4U);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0].place, loaded[0].place + 1);
}

/// Otherwise cores go on as if nobody listened.
TEST_P(Observed, ByAListenerOfGatesOnlyNothingOfThisIsHeard) {
  class Gates : public event::Listener {
   public:
    Gates() : Listener(event::wants_gates) {}
    void happened(const event::Event& event) override {
      others += !std::holds_alternative<event::Issued>(event.what) && !std::holds_alternative<event::Held>(event.what);
    }
    unsigned others = 0;
  } gates;
  guest.tile.tell(&gates);
  run(CoreId::brisc, li(t0, word_at) + Code{sw(t0, t0, 0), lw(t1, t0, 0), addi(t2, t1, 0)});
  EXPECT_EQ(gates.others, 0U);
}

}  // namespace
}  // namespace tensim::test
