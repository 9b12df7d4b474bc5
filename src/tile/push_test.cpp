// Cores push Tensix instructions: by store, by .ttinsn, and from BRISC.
#include <gtest/gtest.h>

#include "tests/support/guest_tile.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim {
namespace {

using namespace rv;
using test::assemble;
using test::GuestTile;
using tile::CoreId;
using tile::Tile;

class Push : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, Push, ::testing::Values(Arch::wormhole, Arch::blackhole));

constexpr Word buffer_page = 0xFFE40;  // lui

/// lui and addi of any value.
std::vector<Word> li(Word rd, Word value) {
  const Word upper = (value + 0x800) >> 12U;
  return {lui(rd, upper & 0xFFFFF), addi(rd, rd, static_cast<int>(value - (upper << 12U)))};
}
std::vector<Word> joined(std::initializer_list<std::vector<Word>> parts) {
  std::vector<Word> all;
  for (const std::vector<Word>& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST_P(Push, AStoreOfAComputedWordToTheInstructionBuffer) {  // C17
  GuestTile guest(GetParam());
  const Word post = assemble(GetParam(), "ttsempost 1");
  guest.start(CoreId::trisc2, 0xE000,
              joined({{lui(t0, buffer_page)}, li(t1, post), {sw(t1, t0, 0), sw(t1, t0, 0), here}}));
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.tile.coprocessor.sync.semaphores()[0].value, 2);
}

TEST_P(Push, EachTCoreReachesMutexesThroughItsOwnFifo) {  // M26
  const Word get = assemble(GetParam(), "ttatgetm 2");
  for (const unsigned thread : {0U, 1U, 2U})
    for (const bool by_store : {false, true}) {
      GuestTile guest(GetParam());
      guest.start(static_cast<CoreId>(thread + 1), 0x6000,
                  by_store ? joined({{lui(t0, buffer_page)}, li(t1, get), {sw(t1, t0, 0), here}})
                           : std::vector<Word>{ttinsn(get), here});
      EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
      EXPECT_EQ(guest.tile.coprocessor.sync.mutex_owner[2], thread);
    }
}

/// Cycles in which TRISC0 gets 32 `.ttinsn` into its store queue and past it, once its code is cached.
std::uint64_t cycles_of_pushes(Arch arch, Word cfg0_bits) {
  constexpr Word cfg0 = 0x7c0;
  GuestTile guest(arch);
  std::vector<Word> program = li(t1, cfg0_bits);
  if (cfg0_bits != 0) program.push_back(csrrs(zero, cfg0, t1));
  program.push_back(addi(t2, zero, 2));  // twice round: the second time from the cache
  while (program.size() % 4 != 0)
    program.push_back(addi(zero, zero, 0));
  const std::size_t body = program.size();
  for (unsigned i = 0; i < 16; ++i)
    program.push_back(ttinsn(assemble(arch, "NOP")));
  program.push_back(addi(t2, t2, -1));
  program.push_back(bne(t2, zero, -4 * static_cast<int>(program.size() - body)));
  program.push_back(here);
  guest.start(CoreId::trisc0, 0x6000, program);
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_EQ(guest.tile.coprocessor.accounts[0][event::Stall::issued], 32U);
  const riscv::CoreAccount& account = guest.tile.core(CoreId::trisc0).account;
  return account[riscv::CoreStall::none];
}

TEST(PushBlackhole, FourNeighboursAreFusedIntoOneUnlessCfg0ForbidsIt) {  // C19
  constexpr Word DisTriscCache = 1U << 18U;
  const std::uint64_t apart = cycles_of_pushes(Arch::blackhole, DisTriscCache);
  const std::uint64_t fused = cycles_of_pushes(Arch::blackhole, 0);
  // 32 words: 32 cycles of the core, or 8. (The word that writes cfg0 is one more.)
  EXPECT_GE(apart - fused, 24U);
  EXPECT_LE(apart - fused, 25U + 4U);
}

TEST_P(Push, BriscsBootSequenceGoesThroughThreadZero) {  // C27
  // ZEROACC of all of Dst, SFPENCC, constants of the Vector Unit, SEMINIT: as BRISC's firmware pushes them.
  GuestTile guest(GetParam());
  const bool is_blackhole = GetParam() == Arch::blackhole;
  std::vector<Word> program{lui(t0, buffer_page)};
  for (const char* text :
       {is_blackhole ? "ttzeroacc 3,0,0,1,0" : "ttzeroacc 3,0,0", "ttsfpencc 3,10", "ttsfpnop", "ttsfploadi 0,10,0",
        "ttsfpconfig 0,11,0", "ttseminit 1,0,2", "ttseminit 1,0,4", "ttseminit 1,0,128"}) {
    const std::vector<Word> push = joined({li(t1, assemble(GetParam(), text)), {sw(t1, t0, 0)}});
    program.insert(program.end(), push.begin(), push.end());
  }
  program.push_back(here);
  guest.start(CoreId::brisc, 0x1000, program);
  EXPECT_EQ(guest.tile.run_until(10'000), Tile::Halt::nothing_left);
  EXPECT_FALSE(guest.tile.coprocessor.fault.has_value());
  for (const unsigned index : {1U, 2U, 7U})
    EXPECT_EQ(guest.tile.coprocessor.sync.semaphores()[index].max, 1);
  EXPECT_EQ(guest.tile.coprocessor.accounts[0][event::Stall::issued], 8U);
}

}  // namespace
}  // namespace tensim
