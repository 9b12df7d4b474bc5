// Mailboxes (C32).
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class Mailboxes : public BothArchs {};
TENSIM_BOTH_ARCHS(Mailboxes);

constexpr std::uint32_t mailbox(CoreId other) {
  return 0xFFEC0000U + 0x1000U * static_cast<std::uint32_t>(other);
}
constexpr std::uint32_t query(CoreId other) {
  return mailbox(other) + 4;
}

TEST_P(Mailboxes, AStoreSendsToTheCoreOfThePageAndALoadReceivesFromIt) {  // C32
  for (const CoreId from : b_and_t_core_ids)
    for (const CoreId to : b_and_t_core_ids) {
      CoreAccesses cores(GetParam());
      EXPECT_TRUE(cores.store(from, mailbox(to), 42).is_done());
      EXPECT_EQ(cores.woken(), bit(to));
      for (const CoreId reader : b_and_t_core_ids)
        for (const CoreId writer : b_and_t_core_ids)
          EXPECT_EQ(cores.value(reader, query(writer)), reader == to && writer == from ? 1U : 0U);
      EXPECT_EQ(cores.value(to, mailbox(from)), 42U);
      EXPECT_EQ(cores.woken(), bit(from));
      EXPECT_EQ(cores.value(to, query(from)), 0U);
    }
}

TEST_P(Mailboxes, WordsComeOutInOrderAndAnEmptyOneKeepsTheReaderWaiting) {  // C32
  CoreAccesses cores(GetParam());
  EXPECT_EQ(cores.load(CoreId::trisc1, mailbox(CoreId::brisc)).wait, Wait::mailbox_empty);
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_TRUE(cores.store(CoreId::brisc, mailbox(CoreId::trisc1) + 8 * i, i).is_done());  // any address of the page
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(cores.value(CoreId::trisc1, mailbox(CoreId::brisc) + 8 * i), i);
  EXPECT_EQ(cores.load(CoreId::trisc1, mailbox(CoreId::brisc)).wait, Wait::mailbox_empty);
}

TEST_P(Mailboxes, OneCoreHasFourWordsUnderWayWhereverTheyGo) {  // C32
  CoreAccesses cores(GetParam());
  for (const CoreId to : b_and_t_core_ids)
    EXPECT_TRUE(cores.store(CoreId::trisc0, mailbox(to), 1).is_done());
  for (const CoreId to : b_and_t_core_ids)
    EXPECT_EQ(cores.store(CoreId::trisc0, mailbox(to), 2).wait, Wait::mailbox_full);
  EXPECT_TRUE(cores.store(CoreId::trisc1, mailbox(CoreId::brisc), 3).is_done());  // another writer has its own four
  EXPECT_EQ(cores.value(CoreId::trisc2, mailbox(CoreId::trisc0)), 1U);
  EXPECT_TRUE(cores.store(CoreId::trisc0, mailbox(CoreId::brisc), 2).is_done());
  EXPECT_EQ(cores.store(CoreId::trisc0, mailbox(CoreId::brisc), 2).wait, Wait::mailbox_full);
}

TEST_P(Mailboxes, NcriscHasNone) {  // C32
  for (const CoreId other : b_and_t_core_ids) {
    CoreAccesses cores(GetParam());
    EXPECT_EQ(cores.load(CoreId::ncrisc, mailbox(other)).fault, AccessFault::unmapped);
    EXPECT_EQ(cores.store(CoreId::ncrisc, mailbox(other), 1).fault, AccessFault::unmapped);
  }
}

TEST_P(Mailboxes, APollMaySleepAndAPopMayNot) {
  CoreAccesses cores(GetParam());
  EXPECT_EQ(cores.load(CoreId::brisc, query(CoreId::trisc0)).watch, tile::watch_devices);
  cores.store(CoreId::trisc0, mailbox(CoreId::brisc), 1);
  EXPECT_EQ(cores.load(CoreId::brisc, mailbox(CoreId::trisc0)).watch, tile::watch_time);
}

}  // namespace
}  // namespace tensim::test
