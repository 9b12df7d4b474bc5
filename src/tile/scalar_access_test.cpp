// Registers of the tile by STOREREG, LOADREG and STOREIND, run cycle by cycle and in lockstep.
#include <memory>
#include <random>

#include "tests/support/guest_tile.hpp"
#include "tests/support/tensix_tile.hpp"

namespace tensim::test {
namespace {

constexpr std::uint32_t tdma = 0xFFB11000;

std::string at(std::uint32_t address) {
  return std::to_string((address & 0xFFFFFU) / 4);
}
std::string storereg(unsigned reg, std::uint32_t address) {
  return "STOREREG DataReg=" + std::to_string(reg) + ", AddrLo=" + at(address) + "\n";
}
std::string loadreg(unsigned reg, std::uint32_t address) {
  return "LOADREG ResultReg=" + std::to_string(reg) + ", AddrLo=" + at(address) + "\n";
}

class ScalarAccess : public BothArchs {
 protected:
  TensixTile bench{GetParam()};
  std::uint32_t& gpr(unsigned reg) { return bench.gpr(reg); }
};
TENSIM_BOTH_ARCHS(ScalarAccess);

TEST_P(ScalarAccess, StoreregAndLoadregReachTdmaRisc) {
  // XMOV_L1_BASE_ADDR: what is nobody's own is T0's. 7 DMANOPs cover the load (LOADREG.md).
  gpr(8) = 0x1234;
  bench.run(0, storereg(8, tdma + 0x2C));
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 0x1234U);
  const Cycle before = bench.tile.now();
  bench.run(0, loadreg(9, tdma + 0x2C));
  EXPECT_EQ(gpr(9), 0x1234U);
  EXPECT_EQ(bench.tile.now() - bench.issued(0, 1), 10U) << before;
}

TEST_P(ScalarAccess, StoreindAddsASixteenthOfTheOffset) {
  gpr(8) = 0x4321;
  gpr(5) = (tdma + 0x2C - 4) & 0xFFFFFU;
  gpr(6) = 4 * 16;
  bench.run(0, "STOREIND.MMIO OffsetHalfReg=12, OffsetIncrement=INC_16B, DataReg=8, AddrReg=5");
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 0x4321U);
  EXPECT_EQ(gpr(6), 4U * 16 + 16);
}

TEST_P(ScalarAccess, AMoveCanBeOrderedFromAThread) {
  bench.set_word(0x1000, 0xCAFE);
  gpr(8) = 0x100;
  gpr(9) = 0x200;
  gpr(10) = 1;
  gpr(11) = 3;
  gpr(12) = 0x40;
  bench.run(0, storereg(8, tdma) + storereg(9, tdma + 4) + storereg(10, tdma + 8) + storereg(11, tdma + 12) +
                   storereg(12, tdma + 16));
  bench.tile.run_until(bench.tile.now() + 10);
  EXPECT_EQ(bench.word(0x2000), 0xCAFEU);
}

TEST_P(ScalarAccess, ARequestThatHasToWaitKeepsThoseBehindIt) {
  // Metadata of a packer that has none: LOADREG waits, and with it the store behind it and C0.
  gpr(8) = 7;
  EXPECT_EQ(bench.run(0, loadreg(9, tdma + 0x30) + storereg(8, tdma + 0x2C)), tile::Tile::Halt::nothing_left);
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 0U);
  EXPECT_TRUE(tensix::stall_condition_holds(bench.tile.coprocessor, 0, 0));
}

// As packers tell of a tile: the store is the thread's last instruction, and the core waits for the thread.
TEST_P(ScalarAccess, ACoreThatWaitsForItsThreadGoesOnBehindAStore) {
  using namespace rv;
  GuestTile guest(GetParam());
  const Word store = isa::assemble(GetParam(), storereg(8, tdma + 0x2C), "test").words.front().word;
  guest.start(tile::CoreId::trisc1, 0x1000,
              {ttinsn(store), lui(t0, 0xFFE80), lw(t1, t0, 4), addi(t2, t1, 1), jal(zero, 0)});
  guest.tile.run_until(1000);
  EXPECT_EQ(guest.x(tile::CoreId::trisc1, t2), 1U);
}

TEST_P(ScalarAccess, FiveCommandsAreAllTaken) {
  // The queue has four places; nobody loses a command, however fast a thread is.
  gpr(8) = 0x80000089;
  std::string program;
  for (unsigned i = 0; i < 12; ++i)
    program += storereg(8, tdma + 0x10);
  bench.run(0, program);
  EXPECT_TRUE(bench.tile.coprocessor.is_idle());
  EXPECT_TRUE(bench.tile.coprocessor.reports.empty() || !bench.reported(tensix::DataIssue::scalar_mmio_address));
}

TEST_P(ScalarAccess, LoadregReadsTheWallClock) {
  bench.run(0, loadreg(8, 0xFFB121F0));
  bench.tile.run_until(bench.tile.now() + 100);
  bench.run(0, loadreg(9, 0xFFB121F0));
  EXPECT_EQ(gpr(9) - gpr(8), bench.issued(0, 1) - bench.issued(0, 0));
}

TEST_P(ScalarAccess, StoreregCanHoldACoreInReset) {
  bench.set_word(0x100, 0x0000006F);  // jal x0, 0
  bench.tile.release(tile::CoreId::brisc, 0x100);
  bench.run(0, loadreg(8, 0xFFB121B0));
  EXPECT_EQ(gpr(8) >> 11U & 1U, 0U);
  gpr(9) = gpr(8) | 1U << 11U;
  bench.run(0, storereg(9, 0xFFB121B0));
  EXPECT_EQ(bench.tile.core(tile::CoreId::brisc).status, riscv::Core::Status::in_reset);
}

TEST_P(ScalarAccess, WhereNothingIsAStoreIsLostAndALoadGivesNought) {
  for (const std::uint32_t address : {0xFFB00000U, 0xFFB10FFCU, 0xFFB80000U, 0xFFBFFFFCU}) {
    TensixTile other(GetParam());
    other.gpr(8) = 42;
    other.run(0, storereg(8, address) + loadreg(8, address));
    EXPECT_TRUE(other.reported(tensix::DataIssue::scalar_mmio_address)) << std::hex << address;
    EXPECT_TRUE(other.tile.coprocessor.is_idle());
    EXPECT_EQ(other.gpr(8), address < 0xFFB11000U ? 42U : 0U);
  }
}

TEST_P(ScalarAccess, WhatIsNotModelledOfTheNocFaultsByName) {
  for (const std::uint32_t address : {0xFFB20300U, 0xFFB30300U, 0xFFB40000U + 4 * 200}) {
    TensixTile other(GetParam());
    EXPECT_EQ(other.run(0, storereg(8, address)), tile::Tile::Halt::coprocessor_fault);
    EXPECT_EQ(other.fault(), tensix::DataIssue::scalar_noc_register) << std::hex << address;
  }
}

TEST_P(ScalarAccess, RegistersOfAStreamThatAScenarioSetsCanBeRead) {
  bench.tile.coprocessor.streams[3].phase = 5;
  bench.tile.coprocessor.streams[3].registers = {{36, 77}};
  const std::uint32_t phase = GetParam() == Arch::wormhole ? 11 : 29;
  bench.run(0, loadreg(8, 0xFFB43000 + 4 * phase) + loadreg(9, 0xFFB43000 + 4 * 36));
  EXPECT_EQ(gpr(8), 5U);
  EXPECT_EQ(gpr(9), 77U);
  EXPECT_EQ(bench.run(0, loadreg(9, 0xFFB43000 + 4 * 37)), tile::Tile::Halt::coprocessor_fault);
}

TEST(ScalarAccessBlackhole, ACoresLocalRamIsReachedByItsSlowPath) {
  TensixTile bench(Arch::blackhole);
  bench.gpr(8) = 0xBEEF;
  bench.run(0, storereg(8, 0xFFB18010) + loadreg(9, 0xFFB18010));
  EXPECT_EQ(bench.gpr(9), 0xBEEFU);
  std::uint32_t word = 0;
  std::memcpy(&word, bench.tile.core(tile::CoreId::trisc0).local_ram.data() + 0x10, sizeof word);
  EXPECT_EQ(word, 0xBEEFU);
}

TEST_P(ScalarAccess, TdmaRiscTellsRegisterWritesTheirAddresses) {
  gpr(8) = 0x2C >> 2U;           // both bases, in the packers' register
  gpr(9) = gpr(8) << 8U | 0x3F;  // and in the unpackers', above the clock gates
  gpr(10) = 0;
  bench.run(0, storereg(8, tdma + 0x38) + storereg(9, tdma + 0x24) + storereg(10, tdma + 0x3C));
  bench.run(0, "UNPACR_NOP.SETREG AddrMid=17, Value11=12, Accumulate=1\n" + loadreg(11, tdma + 0x1C));
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 12U);
  EXPECT_EQ(gpr(11), 12U << 16U);
  bench.run(0, is_wormhole() ? "PACR_SETREG Push=1, Flush=1, PackSel=15, AddrMid=17, Value10=5"
                             : "PACR_SETREG.SetData WrData=5\nPACR_SETREG.Write Push=1, Flush=1, AddrMid=17");
  EXPECT_FALSE(bench.tile.coprocessor.fault);
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 5U);
  // Soft reset of TDMA-RISC leaves some value.
  gpr(12) = 1U << 8U;
  bench.run(0, storereg(12, 0xFFB121B0));
  EXPECT_FALSE(bench.tile.coprocessor.packers.register_bases.is_set);
}

// ---- with cores beside it: run ahead and in lockstep ----

/// BRISC counts a word of L1 up for ever; T0 waits for 3 by ATCAS, then stores what it has to TDMA-RISC.
void check_same_run(Arch arch) {
  const auto run = [&](bool lockstep) {
    auto machine = std::make_unique<tile::Tile>(arch);
    machine->walk_in_lockstep(lockstep);
    const std::array<std::uint32_t, 7> program{
        0x000025B7,  // lui  a1, 2
        0x00000513,  // li   a0, 0
        0x00150513,  // addi a0, a0, 1
        0x00A5A023,  // sw   a0, 0(a1)
        0x04A5A023,  // sw   a0, 64(a1): another block, so that none of the others is merged with the next
        0x00757513,  // andi a0, a0, 7
        0xFF1FF06F,  // j    -16
    };
    machine->write(0x100, reinterpret_cast<const std::uint8_t*>(program.data()), sizeof program);
    machine->release(tile::CoreId::brisc, 0x100);
    machine->coprocessor.gprs.value[0][5] = 0x200;
    machine->coprocessor.gprs.value[0][8] = 9;
    const isa::Assembly words =
        isa::assemble(arch, "ATCAS SetVal=4, CmpVal=5, AddrReg=5\n" + storereg(8, tdma + 0x2C) + "DMANOP", "test");
    for (const auto& word : words.words)
      machine->coprocessor.push(0, word.word, 0);
    machine->run_until(60'000);
    return machine;
  };
  const auto ahead = run(false);
  const auto walked = run(true);
  EXPECT_EQ(ahead->l1, walked->l1);
  EXPECT_EQ(ahead->devices.tdma.mov_cmd_base, walked->devices.tdma.mov_cmd_base);
  EXPECT_EQ(ahead->coprocessor.accounts, walked->coprocessor.accounts);
  EXPECT_EQ(ahead->devices.tdma.mov_cmd_base[1], 9U);  // it did get through
}
TEST(ScalarAccessOfTile, ACoreThatRunsAheadChangesNothing) {
  check_same_run(Arch::wormhole);
  check_same_run(Arch::blackhole);
}

// ---- any words ----

constexpr std::array<std::uint32_t, 13> random_opcodes{0x40, 0x46, 0x48, 0x49, 0x58, 0x60, 0x61,
                                                       0x62, 0x63, 0x64, 0x66, 0x67, 0x68};

/// Words with any operands, GPRs and orders that are often in range and sometimes far out of it.
std::unique_ptr<tile::Tile> run_random(Arch arch, unsigned seed, bool lockstep) {
  std::mt19937 random(seed);
  auto machine = std::make_unique<tile::Tile>(arch);
  machine->walk_in_lockstep(lockstep);
  tensix::Coprocessor& coprocessor = machine->coprocessor;
  for (auto& thread : coprocessor.gprs.value)
    for (std::uint32_t& reg : thread)
      reg = random() % 4 == 0 ? static_cast<std::uint32_t>(random()) : static_cast<std::uint32_t>(random() % 0x40);
  for (const unsigned word : arch == Arch::wormhole ? std::array{76U, 77U, 78U} : std::array{88U, 89U, 90U})
    coprocessor.config.bank[0][word] = static_cast<std::uint32_t>(random() % 64) | static_cast<std::uint32_t>(random())
                                                                                       << 30U;
  for (unsigned i = 0; i < 40; ++i) {
    const auto opcode = random_opcodes[random() % random_opcodes.size()];
    const auto word = opcode << 24U | (static_cast<std::uint32_t>(random()) & 0xFFFFFFU);
    const unsigned thread = static_cast<unsigned>(random() % 3);
    if (coprocessor.can_push(thread)) coprocessor.push(thread, word, i);
    machine->run_until(machine->now() + random() % 20);
  }
  machine->run_until(3000);
  return machine;
}

TEST_P(ScalarAccess, AnyWordsGiveTheSameRunAheadAndInLockstep) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto ahead = run_random(GetParam(), seed, false);
    const auto walked = run_random(GetParam(), seed, true);
    ASSERT_EQ(ahead->l1, walked->l1) << seed;
    ASSERT_EQ(ahead->coprocessor.gprs, walked->coprocessor.gprs) << seed;
    ASSERT_EQ(ahead->coprocessor.config, walked->coprocessor.config) << seed;
    ASSERT_EQ(ahead->coprocessor.reports.size(), walked->coprocessor.reports.size()) << seed;
    ASSERT_EQ(ahead->coprocessor.fault.has_value(), walked->coprocessor.fault.has_value()) << seed;
    if (ahead->coprocessor.fault) {
      ASSERT_EQ(ahead->coprocessor.fault->cycle, walked->coprocessor.fault->cycle) << seed;
    }
  }
}

}  // namespace
}  // namespace tensim::test
