// What instructions do for others that wait, against what they do when they are executed.
#include "tensix/releases.hpp"

#include <random>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tensix::Releases;

class ReleasesTest : public BothArchs {
 protected:
  static Releases of(const std::string& line) { return tensix::releases(GetParam(), assemble(GetParam(), line)); }
};
TENSIM_BOTH_ARCHS(ReleasesTest);

/// Everything that somebody can wait for, of the Matrix Unit's or of the unpackers', full or empty.
Coprocessor prepared(Arch arch, bool full) {
  Coprocessor coprocessor(arch);
  for (unsigned file = 0; file < 2; ++file)
    coprocessor.src.matrix_owns[file] = {full, full};
  const auto value = static_cast<std::uint8_t>(full ? 2 : 0);
  for (unsigned semaphore = 0; semaphore < 8; ++semaphore)
    coprocessor.sync.set_semaphore(semaphore, {value, value});
  coprocessor.written.semaphores = 0xFF;
  for (const unsigned mutex : {0U, 2U, 3U, 4U})
    coprocessor.sync.acquire(mutex, 0);
  return coprocessor;
}

/// What a run of the word by T0 has changed.
Releases changes(const Coprocessor& before, Word word) {
  Coprocessor after = before;
  after.push(0, word, 0);
  for (unsigned cycle = 0; cycle < 60 && !after.fault; ++cycle)
    after.step();
  Releases changed;
  for (unsigned file = 0; file < 2; ++file)
    for (unsigned bank = 0; bank < 2; ++bank) {
      const bool was = before.src.matrix_owns[file][bank];
      const bool is = after.src.matrix_owns[file][bank];
      if (!was && is) changed.src_to_matrix |= static_cast<std::uint8_t>(1U << file);
      if (was && !is) changed.src_to_unpackers |= static_cast<std::uint8_t>(1U << file);
    }
  for (unsigned i = 0; i < 8; ++i) {
    const tensix::Semaphore& was = before.sync.semaphores()[i];
    const tensix::Semaphore& is = after.sync.semaphores()[i];
    const auto bit = static_cast<std::uint8_t>(1U << i);
    if (was.value == 0 && is.value != 0) changed.raises |= bit;
    if (was.value >= was.max && is.value < is.max) (was.max == 0 ? changed.makes_room : changed.lowers) |= bit;
  }
  for (unsigned mutex = 0; mutex < before.sync.mutex_owner.size(); ++mutex)
    if (before.sync.mutex_owner[mutex] == 0 && after.sync.mutex_owner[mutex] != 0)
      changed.mutex = static_cast<std::uint16_t>(mutex);
  return changed;
}

/// All of `changed` is what `said` promises; SEMINIT makes room in a semaphore that a SEMGET would lower, too.
bool covers(const Releases& said, const Releases& changed) {
  const unsigned room = said.lowers | said.makes_room;
  return (changed.src_to_matrix & ~said.src_to_matrix) == 0 &&
         (changed.src_to_unpackers & ~said.src_to_unpackers) == 0 && (changed.raises & ~said.raises) == 0 &&
         (changed.lowers & ~room) == 0 && (changed.makes_room & ~said.makes_room) == 0 &&
         (!changed.mutex || changed.mutex == said.mutex);
}

TEST_P(ReleasesTest, WhateverAnInstructionReleasesWhenItIsExecutedIsSaid) {
  std::mt19937 random{16};
  const tensix::OperationTable operations = tensix::operation_table(Timing(GetParam()));
  const std::array prepared_for{prepared(GetParam(), false), prepared(GetParam(), true)};
  for (Word opcode = 0; opcode < 256; ++opcode) {
    if (operations[opcode].execute == nullptr) continue;
    for (unsigned i = 0; i < 24; ++i) {
      // Few bits, many bits, and the flips of the Matrix Unit.
      const Word parameters = static_cast<Word>(i % 2 == 0 ? random() & random() & random() : random()) | (i % 4)
                                                                                                              << 22U;
      const Word word = opcode << 24U | (parameters & 0xFF'FFFFU);
      for (const Coprocessor& before : prepared_for)
        EXPECT_TRUE(covers(tensix::releases(GetParam(), word), changes(before, word))) << std::hex << word;
    }
  }
}

TEST_P(ReleasesTest, EveryFieldThatFlipsABankOfTheMatrixUnitGivesItBack) {
  unsigned forms = 0;
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& form : unit.forms) {
      if (unit.unit != isa::Unit::matrix || !form.archs.contains(GetParam())) continue;
      for (const isa::Field& field : form.fields) {
        const bool is_a = field.name == "FlipSrcA";
        if (!is_a && field.name != "FlipSrcB") continue;
        const Word word = Word{form.opcode} << 24U | Word{1} << field.low;
        EXPECT_EQ(tensix::releases(GetParam(), word),
                  (Releases{.src_to_unpackers = is_a ? std::uint8_t{1} : std::uint8_t{2}}))
            << form.name;
        const Releases changed = changes(prepared(GetParam(), true), word);
        // Legacy max pools are not modelled: their runs end in a fault.
        if (form.name.substr(0, 5) != "MPOOL") {
          EXPECT_EQ(changed.src_to_unpackers, is_a ? 1 : 2) << form.name;
        }
        ++forms;
      }
    }
  EXPECT_GE(forms, 2 * 16U) << "fourteen kinds of arithmetic, SETRWC and CLEARDVALID";
}

TEST_P(ReleasesTest, ByTheWordAlone) {
  EXPECT_EQ(of("SEMPOST sem=MATH_PACK"), (Releases{.raises = 2}));
  EXPECT_EQ(of("SEMGET sem=MATH_PACK"), (Releases{.lowers = 2}));
  EXPECT_EQ(of("ttseminit 4,0,2"), (Releases{.makes_room = 2})) << "empty, with room";
  EXPECT_EQ(of("ttseminit 4,4,2"), (Releases{.raises = 2})) << "full";
  EXPECT_EQ(of("ttseminit 0,0,2"), Releases{}) << "neither";
  EXPECT_EQ(of("ATRELM mutex=2"), (Releases{.mutex = 2}));
  EXPECT_EQ(of("ATGETM mutex=2"), Releases{});
  EXPECT_EQ(of("SETDVALID FlipSrcB=1"), (Releases{.src_to_matrix = 2}));
  EXPECT_EQ(of("CLEARDVALID ResetAll=1"), (Releases{.src_to_unpackers = 3}));
  EXPECT_EQ(of("NOP"), Releases{});
}

}  // namespace
}  // namespace tensim::test
