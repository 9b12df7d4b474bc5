// The programs of examples/guest, on both chips: each runs to its end, the same in lock-step and running ahead.
#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/support/guest_example.hpp"

namespace tensim {
namespace {

using test::GuestExample;
using test::GuestProgram;
using test::programs_of;
using tile::AccessFault;
using tile::CoreId;
using Outcome = test::GuestExample::Outcome;

constexpr tile::Cycle budget = 20'000;

TEST(GuestExamples, HaveACompiler) {
  ASSERT_TRUE(TENSIM_HAS_GUEST_COMPILER) << "riscv64-unknown-elf-gcc is missing: make test installs it";
}

void expect_same(const tile::Tile& ahead, const tile::Tile& lockstep) {
  EXPECT_EQ(ahead.l1, lockstep.l1);
  EXPECT_EQ(ahead.print_rings.texts, lockstep.print_rings.texts);
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const riscv::Core& a = ahead.cores[i];
    const riscv::Core& b = lockstep.cores[i];
    EXPECT_EQ(a.clock, b.clock) << tile::core_names[i];
    EXPECT_EQ(a.retired, b.retired) << tile::core_names[i];
    EXPECT_EQ(a.pc, b.pc) << tile::core_names[i];
    EXPECT_EQ(a.x, b.x) << tile::core_names[i];
    EXPECT_EQ(a.local_ram, b.local_ram) << tile::core_names[i];
    EXPECT_EQ(a.account, b.account) << tile::core_names[i];
    ASSERT_EQ(a.stop.has_value(), b.stop.has_value()) << tile::core_names[i];
    if (!a.stop) continue;
    EXPECT_EQ(a.stop->cycle, b.stop->cycle) << tile::core_names[i];
  }
}

/// The example after its run, compared with the same in lock-step.
GuestExample run(Arch arch, const std::vector<GuestProgram>& programs, Outcome expected, CoreId first = CoreId::brisc) {
  GuestExample example(arch, programs, first);
  EXPECT_EQ(example.run(budget), expected);
  GuestExample lockstep(arch, programs, first);
  lockstep.tile.walk_in_lockstep(true);
  lockstep.run(budget);  // goes on to the end of the budget: in lock-step nobody sees that nothing is left
  expect_same(example.tile, lockstep.tile);
  return example;
}

class GuestExamples : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
};
INSTANTIATE_TEST_SUITE_P(EachChip, GuestExamples, ::testing::Values(Arch::wormhole, Arch::blackhole));

TEST_P(GuestExamples, Boot) {  // C27 C35 P11 P12 P14 P22
  const GuestExample example = run(GetParam(), programs_of("boot"), Outcome::finished);
  EXPECT_EQ(example.shared(1), 2080U);
  for (const unsigned semaphore : {1U, 2U, 4U, 7U})
    EXPECT_EQ(example.tile.coprocessor.sync.semaphores()[semaphore].max, 1) << semaphore;
  EXPECT_NE(example.printed().find("1 + ... + 64 = 2080\n"), std::string::npos);
  EXPECT_NE(example.printed().find("core 4: 544\n"), std::string::npos);
}

TEST_P(GuestExamples, Handshake) {  // C1 C30 P2 P3 P4 P5
  const GuestExample example = run(GetParam(), programs_of("handshake"), Outcome::finished);
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(example.shared(2 + thread), 20U);
  EXPECT_EQ(example.tile.coprocessor.sync.semaphores()[4].value, 2);  // PACK_DONE
  EXPECT_EQ(example.tile.coprocessor.sync.semaphores()[1].value, 0);
}

TEST_P(GuestExamples, BrokenHandshakeIsADeadlock) {  // M11
  const GuestExample example = run(GetParam(), programs_of("broken"), Outcome::deadlocked);
  EXPECT_EQ(example.tile.coprocessor.sync.semaphores()[4].value, 0);
  EXPECT_EQ(example.shared(0), 0U);  // BRISC never got there
  for (unsigned thread = 0; thread < 3; ++thread)
    EXPECT_EQ(example.tile.coprocessor.gprs.value[thread][20], 2U);
}

TEST_P(GuestExamples, MutexGuardsReadModifyWrite) {  // M26 M29 W29
  const GuestExample example = run(GetParam(), programs_of("mutex_rmw"), Outcome::finished);
  EXPECT_EQ(example.shared(5), 50U << 16U | 50U);
  const std::uint32_t unguarded = example.shared(6);
  EXPECT_LT((unguarded >> 16U) + (unguarded & 0xFFFFU), 100U) << "nothing was lost without the mutex";
}

TEST_P(GuestExamples, Mailboxes) {  // C32
  const GuestExample example = run(GetParam(), programs_of("mailbox"), Outcome::finished);
  EXPECT_EQ(example.shared(1), 40U);
  EXPECT_EQ(example.shared(2), 0x1234U);
}

TEST_P(GuestExamples, BackPressure) {  // C2 C17 C20 P7 P8 U14
  const GuestExample example = run(GetParam(), programs_of("back_pressure"), Outcome::finished);
  EXPECT_LT(example.shared(3), 100U);
  EXPECT_GT(example.shared(4), 900U);
  EXPECT_GT(example.shared(6), example.shared(5));
}

TEST_P(GuestExamples, AccessRules) {  // C7 C18 C21 C22 C24 C28 C29 C31 C34 M27 M28 P7 P9 P13
  const GuestExample example = run(GetParam(), programs_of("access_rules"), Outcome::finished);
  for (unsigned core = 0; core < tile::core_count; ++core)
    EXPECT_EQ(example.shared(3 + core), 1U) << tile::core_names[core];
  EXPECT_EQ(example.tile.coprocessor.sync.semaphores()[5].value, 1);  // NCRISC's SEMPOST, by the debug registers
}

// ---- what a core may not do ----

struct Forbidden {
  std::string_view name;
  CoreId core;
  AccessFault fault;
  std::uint32_t address;
  bool is_store;
};

constexpr std::array forbidden{
    Forbidden{"ncrisc_pushes", CoreId::ncrisc, AccessFault::unmapped, 0xFFE40000, true},
    Forbidden{"ncrisc_semaphore", CoreId::ncrisc, AccessFault::unmapped, 0xFFE80020, false},
    Forbidden{"ncrisc_mailbox", CoreId::ncrisc, AccessFault::unmapped, 0xFFEC0000, true},
    Forbidden{"ncrisc_gpr", CoreId::ncrisc, AccessFault::unmapped, 0xFFE00000, true},
    Forbidden{"ncrisc_config", CoreId::ncrisc, AccessFault::unmapped, 0xFFEF0000, false},
    Forbidden{"brisc_mop", CoreId::brisc, AccessFault::unmapped, 0xFFB80000, true},
    Forbidden{"trisc_foreign_pcbuf", CoreId::trisc0, AccessFault::unmapped, 0xFFE90000, false},
    Forbidden{"trisc_reads_buffer", CoreId::trisc0, AccessFault::not_readable, 0xFFE40000, false},
    Forbidden{"trisc_config_byte", CoreId::trisc0, AccessFault::wrong_size, 0xFFEF0000, true},
    Forbidden{"trisc_semaphore_tail", CoreId::trisc0, AccessFault::no_register, 0xFFE80040, true},
};

std::vector<GuestProgram> program_of(std::string_view rule, CoreId core) {
  return {{core, "access_rules/forbidden/" + std::string(rule)}};
}

void expect_fault(const GuestExample& example, CoreId core, AccessFault fault) {
  ASSERT_EQ(example.tile.stopped_core(), core);
  EXPECT_EQ(example.tile.core(core).stop->reason, riscv::CoreStop::Reason::access);
  EXPECT_EQ(example.tile.core(core).stop->access_fault, fault);
}

TEST_P(GuestExamples, WhatACoreMayNotReachIsAFaultThatNamesIt) {  // C7 C26 M25 M28 P10
  for (const Forbidden& rule : forbidden) {
    SCOPED_TRACE(rule.name);
    const GuestExample example = run(GetParam(), program_of(rule.name, rule.core), Outcome::stopped, rule.core);
    expect_fault(example, rule.core, rule.fault);
    EXPECT_EQ(example.tile.core(rule.core).stop->address, rule.address);
    EXPECT_EQ(example.tile.core(rule.core).stop->is_store, rule.is_store);
  }
}

TEST_P(GuestExamples, ThreadConfigurationCannotBeStored) {  // C34
  const GuestExample example =
      run(GetParam(), program_of("trisc_thread_config", CoreId::trisc0), Outcome::stopped, CoreId::trisc0);
  expect_fault(example, CoreId::trisc0, AccessFault::not_writable);
}

TEST_P(GuestExamples, TdmaRiscIsNotMappedForNcriscOfBlackhole) {  // C33
  if (GetParam() != Arch::blackhole) return;                      // on Wormhole it is mapped: TdmaRisc's tests say so
  const GuestExample example =
      run(GetParam(), program_of("ncrisc_tdma", CoreId::ncrisc), Outcome::stopped, CoreId::ncrisc);
  expect_fault(example, CoreId::ncrisc, AccessFault::unmapped);
}

TEST_P(GuestExamples, AForeignInstructionBufferHangsATCore) {  // C23
  const GuestExample example =
      run(GetParam(), program_of("trisc_foreign_buffer", CoreId::trisc0), Outcome::deadlocked, CoreId::trisc0);
  EXPECT_TRUE(example.tile.core(CoreId::trisc0).stores.is_blocked());
}

}  // namespace
}  // namespace tensim
