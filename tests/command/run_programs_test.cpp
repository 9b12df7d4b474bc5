// Programs that are no programs, and programs that go wrong: the command says what is wrong and where, and ends.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <elf.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"
#include "tests/support/riscv_words.hpp"

namespace {

using namespace tensim::rv;
using tensim::test::contains;
using tensim::test::Outcome;
using tensim::test::TemporaryFile;
using Code = std::vector<Word>;

constexpr int expectation_failed = 1;
constexpr int bad_input = 2;
constexpr int guest_fault = 4;
constexpr int budget_exhausted = 5;

/// An ELF file of one segment, to be spoilt.
struct Program {
  explicit Program(const Code& code) : words(code) {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_version = EV_CURRENT;
    header.e_entry = 0x1000;
    header.e_phoff = sizeof header;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof segment;
    header.e_phnum = 1;
    segment.p_type = PT_LOAD;
    segment.p_offset = sizeof header + sizeof segment;
    segment.p_vaddr = segment.p_paddr = 0x1000;
    segment.p_filesz = segment.p_memsz = static_cast<Elf32_Word>(4 * code.size());
    segment.p_flags = PF_R | PF_W | PF_X;
  }
  Program& at(std::uint32_t address) {
    segment.p_vaddr = segment.p_paddr = header.e_entry = address;
    return *this;
  }
  std::string bytes() const {
    std::string all(reinterpret_cast<const char*>(&header), sizeof header);
    all.append(reinterpret_cast<const char*>(&segment), sizeof segment);
    return all.append(reinterpret_cast<const char*>(words.data()), 4 * words.size());
  }

  Code words;
  Elf32_Ehdr header{};
  Elf32_Phdr segment{};
};

Outcome run_bytes(const std::string& bytes, const std::string& options = "") {
  const TemporaryFile file("tensim_program.elf", bytes);
  return tensim::test::run("run --budget 20000 --brisc " + file.path() + " " + options);
}

void expect_refusal(const std::string& bytes, const std::string& text, const std::string& options = "") {
  const Outcome outcome = run_bytes(bytes, options);
  EXPECT_EQ(outcome.exit_code, bad_input) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, text)) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "tensim_program.elf")) << outcome.output;
}

void expect_fault(const Program& program, const std::string& text, const std::string& options = "") {
  const Outcome outcome = run_bytes(program.bytes(), options);
  EXPECT_EQ(outcome.exit_code, guest_fault) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, text)) << outcome.output;
}

// ---- files ----

TEST(RunPrograms, AProgramThatParksIsFine) {
  for (const std::string arch : {"wormhole", "blackhole"})
    EXPECT_EQ(run_bytes(Program({here}).bytes(), "--arch " + arch).exit_code, 0);
}

TEST(RunPrograms, MemoryIsWrittenToAFileWhenItIsOver) {
  const TemporaryFile dump("tensim_dump");
  const Code code{lui(t0, 0x20), addi(t1, zero, 0x123), sw(t1, t0, 4), here};
  EXPECT_EQ(run_bytes(Program(code).bytes(), "--dump 0x20000:8:" + dump.path()).exit_code, 0);
  std::ifstream file(dump.path(), std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(content, std::string("\0\0\0\0\x23\x01\0\0", 8));
  const std::vector<std::string> refused{"0x20000", "0x20000:8", "0x17fffc:8:" + dump.path(), "x:8:" + dump.path(),
                                         "0x20000:8:/no/such/directory/file"};
  for (const std::string& bad : refused)
    EXPECT_EQ(run_bytes(Program(code).bytes(), "--dump " + bad).exit_code, bad_input) << bad;
}

TEST(RunPrograms, FilesThatEndEarlyAreRefused) {
  const std::string whole = Program({here, here}).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(run_bytes(whole.substr(0, size)).exit_code, bad_input) << size;
  expect_refusal("", "not an ELF file");
  expect_refusal(whole.substr(0, 20), "the file ends within the ELF header");
  expect_refusal(whole.substr(0, sizeof(Elf32_Ehdr)), "runs past the end of the file");
}

TEST(RunPrograms, FilesForOtherMachinesAreRefused) {
  Program wide({here});
  wide.header.e_ident[EI_CLASS] = ELFCLASS64;
  expect_refusal(wide.bytes(), "not a 32-bit ELF file");
  Program big_endian({here});
  big_endian.header.e_ident[EI_DATA] = ELFDATA2MSB;
  expect_refusal(big_endian.bytes(), "not a little-endian ELF file");
  Program other({here});
  other.header.e_machine = EM_386;
  expect_refusal(other.bytes(), "not for RISC-V");
  Program object({here});
  object.header.e_type = ET_REL;
  expect_refusal(object.bytes(), "link it first");
}

TEST(RunPrograms, TablesAndSegmentsThatCannotBeAreRefused) {
  Program many({here});
  many.header.e_phnum = 60000;
  expect_refusal(many.bytes(), "segment table of 60000 entries");
  Program far({here});
  far.header.e_phoff = 0xFFFFFFF0;
  expect_refusal(far.bytes(), "runs past the end of the file");
  Program none({here});
  none.header.e_phnum = 0;
  expect_refusal(none.bytes(), "no segment to load");
  Program huge({here});
  huge.segment.p_memsz = 0xFFFFF000;
  expect_refusal(huge.bytes(), "more than 16777216 bytes");
  Program longer({here});
  longer.segment.p_filesz = longer.segment.p_memsz = 400;
  expect_refusal(longer.bytes(), "runs past the end of the file");
  expect_refusal(Program({here, here}).at(0xFFFFFFFC).bytes(), "runs past the end of the address space");
}

TEST(RunPrograms, SegmentsOutsideL1AreRefused) {
  for (const std::uint32_t address : {0x00400000U, 0xFFB00000U, 0x0017FFFCU, 0xFFC00000U})
    expect_refusal(Program({here, here}).at(address).bytes(), "segment 0 does not fit: 8 bytes at 0x");
  const Outcome outcome = run_bytes(Program({here, here}).at(0xFFC00000).bytes(), "--arch wormhole --budget 1");
  EXPECT_FALSE(contains(outcome.output, "does not fit")) << "Wormhole's NCRISC has memory there";
}

TEST(RunPrograms, WordsToWaitForMustBeInL1) {
  for (const std::string word : {"0x180000", "0x17fffd", "0xffb00000", "0xffffffff"}) {
    const Outcome outcome = run_bytes(Program({here}).bytes(), "--until " + word + "=1");
    EXPECT_EQ(outcome.exit_code, bad_input) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "--until '" + word + "=1': " + word + " is no word of L1")) << outcome.output;
  }
}

TEST(RunPrograms, EveryConditionHasAnOptionOfItsOwn) {
  const Code code{lui(t0, 0x20), addi(t1, zero, 1), sw(t1, t0, 0), sw(t1, t0, 4), here};
  EXPECT_EQ(run_bytes(Program(code).bytes(), "--until 0x20000=1 --until 0x20004=1").exit_code, 0);
  EXPECT_EQ(run_bytes(Program(code).bytes(), "--until 0x20000=1 --until 0x20004=2").exit_code, expectation_failed);
}

TEST(RunPrograms, ACoreWithoutAProgramCannotBeHeld) {
  const Outcome outcome = run_bytes(Program({here}).bytes(), "--held trisc1");
  EXPECT_EQ(outcome.exit_code, bad_input);
  EXPECT_TRUE(contains(outcome.output, "--held trisc1: TRISC1 has no program; give it one with --trisc1 FILE"))
      << outcome.output;
}

TEST(RunPrograms, ADumpThatCannotBeWrittenIsNamed) {
  const Outcome outcome = run_bytes(Program({here}).bytes(), "--dump 0:4:/dev/full");
  EXPECT_EQ(outcome.exit_code, bad_input);
  EXPECT_TRUE(contains(outcome.output, "cannot write '/dev/full': No space left on device")) << outcome.output;
}

TEST(RunPrograms, AProgramThatEndsWithoutWhatItIsRunForFails) {
  const Outcome outcome = run_bytes(Program({here}).bytes(), "--until 0x2000=1");
  EXPECT_EQ(outcome.exit_code, expectation_failed);
  EXPECT_TRUE(contains(outcome.output, "until word 0x2000 is 0x1")) << outcome.output;
}

// ---- programs ----

TEST(RunPrograms, EntriesWhereNoCodeCanBeAreFaults) {
  Program outside({here});
  outside.header.e_entry = 0x10000000;
  expect_fault(outside, "code can only be fetched from L1");
  Program between({here});
  between.header.e_entry = 0x1002;
  expect_fault(between, "must be a multiple of four");
  Program empty({here});
  empty.header.e_entry = 0x5000;  // zeroes
  expect_fault(empty, "undefined instruction");
}

TEST(RunPrograms, WildAccessesNameTheInstructionAndTheAddress) {
  for (const std::string arch : {"--arch wormhole", "--arch blackhole"}) {
    expect_fault(Program({lui(t0, 0xE0000), lw(t1, t0, 4), here}), "0x1004: BRISC loads from 0xe0000004", arch);
    expect_fault(Program({lui(t0, 0xE0000), sw(t1, t0, 4), here}), "0x1004: BRISC stores to 0xe0000004", arch);
    // A stack that grows out of local RAM.
    expect_fault(Program({lui(sp, 0xFFB00), addi(sp, sp, 64), addi(sp, sp, -16), sw(ra, sp, 0), jal(zero, -8)}),
                 "0x100c: BRISC stores to 0xffaffff0: nothing is mapped there", arch);
  }
}

TEST(RunPrograms, MisalignedAccessesStopBlackholeAndAreNotedOnWormhole) {
  const Program program({lui(t0, 0x20), lw(t1, t0, 1), here});
  expect_fault(program, "loads from 0x00020001: misaligned", "--arch blackhole");
  const Outcome wormhole = run_bytes(program.bytes(), "--arch wormhole");
  EXPECT_EQ(wormhole.exit_code, 0);
  EXPECT_TRUE(contains(wormhole.output, "note: BRISC")) << wormhole.output;
  EXPECT_TRUE(contains(wormhole.output, "misaligned access to 0x00020001")) << wormhole.output;
}

TEST(RunPrograms, JumpsToWhereNoCodeCanBeAreFaults) {
  expect_fault(Program({lui(t0, 0x1), jalr(zero, t0, 2)}), "must be a multiple of four");
  expect_fault(Program({jal(zero, 6), here, here}), "must be a multiple of four");
  expect_fault(Program({lui(t0, 0xDEAD0), jalr(zero, t0, 0)}), "code can only be fetched from L1");
  expect_fault(Program({lui(t0, 0xFFB00), jalr(zero, t0, 0)}), "code can only be fetched from L1");
}

TEST(RunPrograms, WhatIsNoInstructionIsNamed) {
  expect_fault(Program({0xFFFFFFFF}), "0xffffffff is no instruction of this core");
  expect_fault(Program({ebreak}), "assertion failed");
  expect_fault(Program({csrrs(t0, 0x305, zero)}), "no such CSR", "--arch blackhole");
}

TEST(RunPrograms, ACoreThatStoresOverItsOwnCodeEnds) {
  // It clears everything from its own first instruction on, and never jumps.
  const Code wipes{lui(t0, 1), sw(zero, t0, 0), addi(t0, t0, 4), jal(zero, -8)};
  const Outcome outcome = run_bytes(Program(wipes).bytes());
  EXPECT_TRUE(outcome.exit_code == guest_fault || outcome.exit_code == budget_exhausted) << outcome.output;
}

TEST(RunPrograms, NewCodeRunsIfItHasNotBeenFetchedBefore) {
  // Stores an ebreak far ahead, and goes there.
  const Code writes{lui(t0, 0x8), lui(t1, ebreak >> 12U), addi(t1, t1, 0x73), sw(t1, t0, 0)};
  Code code = writes;
  code.insert(code.end(), 40, addi(zero, zero, 0));
  code.push_back(jalr(zero, t0, 0));
  expect_fault(Program(code), "assertion failed");
}

TEST(RunPrograms, RandomWordsEndInAFaultOrNot) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    Code code(256);
    for (Word& word : code)
      word = static_cast<Word>(random());
    const Outcome outcome = run_bytes(Program(code).bytes(), i % 2 == 0 ? "--arch wormhole" : "--arch blackhole");
    EXPECT_GE(outcome.exit_code, 0) << outcome.output;  // not by a signal
    EXPECT_LE(outcome.exit_code, budget_exhausted) << outcome.output;
  }
}

TEST(RunPrograms, FaultsAreInTheJsonToo) {
  const Outcome outcome = run_bytes(Program({lui(t0, 0xE0000), sw(t1, t0, 0), here}).bytes(), "--json");
  EXPECT_EQ(outcome.exit_code, guest_fault);
  const auto document = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(document.at("outcome"), "faulted");
  EXPECT_TRUE(contains(document.at("core_stop").at(0).get<std::string>(), "0xe0000000"));
}

}  // namespace
