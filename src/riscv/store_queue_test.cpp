#include "riscv/store_queue.hpp"

#include <gtest/gtest.h>

namespace tensim::test {
namespace {

using riscv::StoreQueue;
using riscv::Target;
using time::Cycle;
using time::never;

/// A store whose instruction entered in `cycle`.
void enter(StoreQueue& queue, Target target, std::uint32_t address, Cycle cycle) {
  if (target == Target::local)
    queue.push_local(cycle + 1);
  else if (target == Target::device)
    queue.push_device(address, 4, cycle + 1);
  else
    queue.push_block(address, 0, cycle + 1, 0).mask = 0xF;
}

TEST(StoreQueue, LocalStoreBehindAnotherLeavesUnseenAfterIt) {
  StoreQueue queue;
  enter(queue, Target::l1, 0x100, 10);
  enter(queue, Target::local, 0, 11);
  queue.pop(20, 5);
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue.next_drain(), 25U);
  EXPECT_EQ(queue.next_shared_drain(), never) << "nobody sees it";
  queue.pass_local(25);
  EXPECT_EQ(queue.size(), 1U);
  queue.pass_local(26);
  EXPECT_TRUE(queue.empty());
}

TEST(StoreQueue, LocalStoreAfterTheOldestHasLeftTookNoPlace) {
  for (const Cycle entered : {20U, 21U}) {
    StoreQueue queue;
    enter(queue, Target::l1, 0x100, 10);
    enter(queue, Target::local, 0, entered);  // before anybody knew when the oldest leaves
    queue.pop(20, 5);
    EXPECT_EQ(queue.size(), entered == 20 ? 1U : 0U) << "what leaves in a cycle is there in it";
  }
}

TEST(StoreQueue, SharedStoreKeepsItsPlaceWheneverItCame) {
  StoreQueue queue;
  enter(queue, Target::l1, 0x100, 10);
  enter(queue, Target::l1, 0x200, 30);
  queue.pop(20, 5);
  EXPECT_EQ(queue.next_shared_drain(), 31U);
}

TEST(StoreQueue, BytesToComeAreThoseOfEntriesThatAreThere) {
  StoreQueue queue;
  enter(queue, Target::l1, 0x000, 0);
  for (unsigned i = 1; i < 20; ++i) {
    enter(queue, Target::l1, 0x10 * i, 10 * i);
    EXPECT_EQ(queue.bytes_to_come(0x10 * i + 8), 0xFU) << "of the block";
    EXPECT_EQ(queue.bytes_to_come(0x10 * (i - 1)), 0xFU) << "and the one before";
    queue.pop(10 * i, 1);
    EXPECT_EQ(queue.bytes_to_come(0x10 * (i - 1)), 0U) << "it has left";
  }
  enter(queue, Target::device, 0x400, 1000);
  EXPECT_EQ(queue.bytes_to_come(0x400), 0U) << "not of L1";
}

/// Several stores may be on their way to a block.
TEST(StoreQueue, BytesToComeAreThoseOfAllEntries) {
  StoreQueue queue;
  queue.push_block(0x20, 0, 1, 0).mask = 0x00F0;
  queue.push_local(2);
  queue.push_block(0x20, 0, 3, 0).mask = 0x0F00;
  EXPECT_EQ(queue.bytes_to_come(0x24), 0x0FF0U);
  queue.pop(5, 1);
  EXPECT_EQ(queue.bytes_to_come(0x24), 0x0F00U);
}

}  // namespace
}  // namespace tensim::test
