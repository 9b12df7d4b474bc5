// TDMA-RISC and what it has the mover do (C33, W29).
#include <numeric>

#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

class TdmaRisc : public BothArchs {};
TENSIM_BOTH_ARCHS(TdmaRisc);

constexpr std::uint32_t base = 0xFFB11000;
constexpr std::uint32_t command = base + 0x10;
constexpr std::uint32_t status = base + 0x14;
constexpr std::uint32_t nop_command = 0x80000089;
constexpr std::uint32_t wait_command = 0x80000046;

struct Machine : CoreAccesses {
  explicit Machine(Arch arch) : CoreAccesses(arch) { std::iota(l1.begin(), l1.end(), std::uint8_t{1}); }
  std::vector<std::uint8_t> l1 = std::vector<std::uint8_t>(4096);
  std::vector<std::uint8_t> iram = std::vector<std::uint8_t>(1024);

  /// A cycle as the tile runs it, between loads and stores.
  void cycle() {
    step();
    const auto now = coprocessor.now - 1;
    advance(devices, coprocessor, now);
    while (!devices.memory_operations.empty() && devices.memory_operations.front().due <= now)
      EXPECT_TRUE(tile::carry_out(devices.memory_operations.pop(), coprocessor, l1, iram));
  }
  void move(std::uint32_t from, std::uint32_t to, std::uint32_t size, std::uint32_t mode) {
    const std::array params{from / 16, to / 16, size / 16, mode};
    for (std::uint32_t i = 0; i < 4; ++i)
      EXPECT_TRUE(store(CoreId::brisc, base + 4 * i, params[i]).is_done());
    EXPECT_TRUE(store(CoreId::brisc, command, 0x40).is_done());
  }
  std::vector<std::uint8_t> bytes(std::uint32_t from, std::uint32_t size) const {
    return {l1.begin() + from, l1.begin() + from + size};
  }
};

TEST_P(TdmaRisc, CopiesWithinL1WhenTheMoverIsDone) {  // C33
  Machine machine(GetParam());
  const auto source = machine.bytes(256, 128);
  const auto before = machine.bytes(1024, 128);
  machine.move(256, 1024, 128, 3);
  machine.cycle();  // stored in cycle 0, taken in 1; eight units take eleven cycles, 2 to 12
  for (unsigned cycle = 2; cycle <= 12; ++cycle) {
    EXPECT_EQ(machine.value(CoreId::brisc, status) & 1U, 1U) << cycle;
    EXPECT_EQ(machine.bytes(1024, 128), before) << cycle;
    machine.cycle();
  }
  EXPECT_EQ(machine.value(CoreId::brisc, status) & 1U, 0U);
  EXPECT_EQ(machine.bytes(1024, 128), source);
  EXPECT_EQ(next_event(machine.devices, machine.coprocessor), tensix::never);
}

TEST_P(TdmaRisc, FillsWithZerosAndReachesConfigurationAndIram) {  // C33
  Machine machine(GetParam());
  const auto run = [&] {
    for (unsigned i = 0; i < 50; ++i)
      machine.cycle();
  };
  machine.move(0, 512, 64, 0);  // zeros to L1
  run();
  EXPECT_EQ(machine.bytes(512, 64), std::vector<std::uint8_t>(64));
  EXPECT_NE(machine.l1[576], 0);
  machine.move(16, 32, 16, 1);  // L1 to configuration words 8 to 11 of bank 0
  run();
  EXPECT_EQ(machine.coprocessor.config.bank[0][8], 0x14131211U);
  if (is_wormhole()) {
    machine.move(16, 0x40020, 16, 1);  // and to the IRAM
    run();
    EXPECT_EQ(machine.iram[0x20], 0x11);
  }
  const auto all = machine.l1;
  machine.move(16, 0x20000, 16, 1);  // and to nowhere
  run();
  EXPECT_EQ(machine.l1, all);
}

TEST_P(TdmaRisc, CompactCommandsAndWritesToL1) {  // C33
  Machine machine(GetParam());
  machine.store(CoreId::trisc1, base + 0x2C, 16);  // XMOV_L1_BASE_ADDR of T1, in units of 16 bytes
  machine.store(CoreId::trisc1, command, 0xC0000000U | 2U << 24U | 8U << 16U | 4U << 8U | 0x40U);
  EXPECT_EQ(machine.value(CoreId::trisc1, base + 0x2C), 16U);
  EXPECT_EQ(machine.value(CoreId::trisc0, base + 0x2C), 0U);
  for (unsigned i = 0; i < 20; ++i)
    machine.cycle();
  EXPECT_EQ(machine.bytes(128, 32), machine.bytes(320, 32));
  machine.store(CoreId::brisc, base + 0, 64);
  machine.store(CoreId::brisc, base + 8, 0xAABBCCDD);
  machine.store(CoreId::brisc, command, 0x666);
  for (unsigned i = 0; i < 3; ++i)
    machine.cycle();
  EXPECT_EQ(machine.bytes(64, 4), (std::vector<std::uint8_t>{0xDD, 0xCC, 0xBB, 0xAA}));
}

TEST_P(TdmaRisc, TheQueueHoldsFourAndAFullOneKeepsTheCoreWaiting) {  // C33
  Machine machine(GetParam());
  EXPECT_EQ(machine.value(CoreId::brisc, status), 4U << 8U | 1U << 5U | 1U << 3U);
  machine.move(0, 1024, 128, 3);
  EXPECT_EQ(machine.value(CoreId::brisc, status), 3U << 8U);  // one credit used: neither full nor empty
  machine.cycle();
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_TRUE(machine.store(CoreId::brisc, command, i == 0 ? wait_command : nop_command).is_done());
  EXPECT_EQ(machine.store(CoreId::brisc, command, nop_command).wait, Wait::tdma_queue_full);
  EXPECT_EQ(machine.value(CoreId::brisc, status) & ~1U, 1U << 5U | 1U << 2U);
  EXPECT_EQ(next_event(machine.devices, machine.coprocessor), 12U);  // the copy's last cycle
  while (machine.coprocessor.now <= 13)
    machine.cycle();
  machine.woken();
  EXPECT_TRUE(machine.store(CoreId::brisc, command, nop_command).is_done());
}

TEST_P(TdmaRisc, UndefinedCommandsAreRefused) {
  Machine machine(GetParam());
  for (const std::uint32_t word : {0x00U, 0x80000041U, 0x80000666U, 0x66U})
    EXPECT_EQ(machine.store(CoreId::brisc, command, word).fault, AccessFault::undefined) << word;
  machine.store(CoreId::brisc, command, 0x46);
  machine.store(CoreId::brisc, command, 0x46);
  EXPECT_EQ(machine.store(CoreId::brisc, command, 0x46).fault, AccessFault::undefined);  // a third with parameters
}

TEST_P(TdmaRisc, RegistersBesideThePackersExist) {  // C33
  Machine machine(GetParam());
  for (std::uint32_t packer = 0; packer < 4; ++packer)
    for (std::uint32_t thread = 0; thread < 3; ++thread) {
      EXPECT_EQ(machine.value(CoreId::trisc2, base + 0x18 + 0x100 * packer + 0x40 * thread), 0U);
      EXPECT_EQ(machine.value(CoreId::trisc2, base + 0x1C + 0x100 * packer + 0x40 * thread), 0U);
    }
  machine.store(CoreId::trisc2, base + 0x3C, 1U | 2U << 9U | 3U << 18U);
  EXPECT_EQ(machine.value(CoreId::trisc2, base + 0x13C), 1U | 2U << 9U | 3U << 18U);
  machine.store(CoreId::trisc2, base + 0x38, 0x123456);
  EXPECT_EQ(machine.value(CoreId::trisc2, base + 0x38), 0x12345655U);
  EXPECT_EQ(machine.load(CoreId::trisc2, base + 0x30).wait, Wait::packer_metadata_empty);
  EXPECT_EQ(machine.load(CoreId::trisc2, base + 0x40).fault, AccessFault::no_register);
  const Answer by_ncrisc = machine.load(CoreId::ncrisc, status);
  EXPECT_EQ(by_ncrisc.fault, is_blackhole() ? AccessFault::unmapped : AccessFault::none);
}

TEST_P(TdmaRisc, ShowsWhatPackersAndUnpackersCount) {
  Machine machine(GetParam());
  tensix::Packer& packer = machine.coprocessor.packers.packer[2];
  packer.last_tile_words = 65;
  packer.last_thread = 1;
  packer.all_tile_words = {7, 130, 9};
  packer.compression.all_zero_rows = 0x80000005;
  machine.coprocessor.unpackers.register_sum = {0x1ABCD, 2};
  const auto value = [&](std::uint32_t offset) { return machine.value(CoreId::trisc2, base + offset); };
  EXPECT_EQ(value(0x218), 0U) << "T1 ended the tile";
  EXPECT_EQ(value(0x258), 65U);
  EXPECT_EQ(value(0x25C), 0xABCD0000U | 130);
  EXPECT_EQ(value(0x29C), 0xABCD0000U | 9);
  EXPECT_EQ(value(0x31C), 2U << 16U);
  EXPECT_EQ(value(0x220), 0x80000005U);
  EXPECT_EQ(value(0x120), 0U);
  EXPECT_EQ(value(0x03C), 1U << 31U) << "the bit of the sum that has no room elsewhere";
  EXPECT_EQ(value(0x13C), 0U);
  machine.store(CoreId::trisc2, base + 0x1C, 1U << 18U | 0x77);  // of packer 2 alone
  EXPECT_EQ(value(0x25C), 0xABCD0000U);
  EXPECT_EQ(value(0x258), 65U);
  EXPECT_EQ(machine.coprocessor.packers.l1_dest_addr_offset[2], 0x77);
}

TEST_P(TdmaRisc, AnAccessIsARequestThatC10Sees) {  // W29
  Machine machine(GetParam());
  machine.step(5);
  machine.store(CoreId::trisc0, base, 1);  // in cycle 4
  EXPECT_TRUE(machine.coprocessor.core_requests.any_of_thread(0, 6));
  EXPECT_FALSE(machine.coprocessor.core_requests.any_of_thread(0, 7));
}

TEST_P(TdmaRisc, ABusyMoverHoldsXmovAndC9) {
  Machine machine(GetParam());
  machine.move(0, 1024, 128, 3);
  machine.cycle();
  EXPECT_TRUE(tensix::stall_condition_holds(machine.coprocessor, 0, is_wormhole() ? 12 : 9));
  EXPECT_EQ(machine.coprocessor.next_event(), 13U);
  machine.coprocessor.push(0, assemble(GetParam(), "XMOV"), 0);
  while (!machine.coprocessor.in_flight.holds(tensix::Occupancy::mover))
    machine.cycle();
  EXPECT_EQ(machine.coprocessor.now - 1, 13U);
}

}  // namespace
}  // namespace tensim::test
