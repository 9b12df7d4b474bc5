// What the integer instructions compute, against qemu's user-mode emulation: the same random programs run in it, in a
// plain interpreter over decode() and semantics.hpp, and on the cores of a tile, and must leave the same registers and
// memory.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "riscv/decode.hpp"
#include "riscv/disassemble.hpp"
#include "riscv/semantics.hpp"
#include "riscv/table.hpp"
#include "tests/support/guest_tile.hpp"
#include "tests/support/random_riscv.hpp"

namespace tensim::riscv {
namespace {

using testing_support::executable_source;
using testing_support::most_programs;
using testing_support::Page;
using testing_support::page_address;
using testing_support::page_middle;
using testing_support::program_address;
using testing_support::random_program;
using testing_support::RandomProgram;

/// Runs a program in zero time: registers, one page, nothing else.
struct Interpreter {
  Arch arch;
  const RandomProgram& program;
  std::uint32_t base;
  std::uint32_t page_base;
  Page page = program.page;
  std::array<std::uint32_t, 32> x{};
  std::set<Op> executed = {};

  void run() {
    for (unsigned i = 1; i < 31; ++i)
      x[i] = page[i];
    x[31] = page_base + page_middle;
    std::uint32_t pc = base;
    while ((pc - base) / 4 < program.words.size())
      pc = step(pc);
    ASSERT_EQ(pc, base + 4 * program.words.size());
    for (unsigned i = 1; i < 31; ++i)
      page[i] = x[i];
  }

  std::uint32_t step(std::uint32_t pc) {
    const Instruction it = decode(arch, program.words[(pc - base) / 4]);
    executed.insert(it.op);
    const auto imm = static_cast<std::uint32_t>(it.imm);
    const std::uint32_t a = x[it.rs1];
    const std::uint32_t b = x[it.rs2];
    auto* const bytes = reinterpret_cast<unsigned char*>(page.data());
    std::uint32_t next = pc + 4;
    std::uint32_t result = x[it.rd];
    switch (kind(it.op)) {
      case Kind::alu:
      case Kind::mul:
      case Kind::div:
        result = compute(it.op, it.op == Op::auipc ? pc : a, (operands(it.op) & op_rs2) != 0 ? b : imm);
        break;
      case Kind::load: {
        std::uint32_t raw = 0;
        std::memcpy(&raw, bytes + (a + imm - page_base), access_bytes(it.op));
        result = loaded(it.op, raw);
        break;
      }
      case Kind::store: std::memcpy(bytes + (a + imm - page_base), &b, access_bytes(it.op)); break;
      case Kind::branch:
        if (taken(it.op, a, b)) next = pc + imm;
        break;
      case Kind::jal:
        result = pc + 4;
        next = pc + imm;
        break;
      case Kind::jalr:
        result = pc + 4;
        next = (a + imm) & ~1U;
        break;
      default: ADD_FAILURE() << disassemble(arch, program.words[(pc - base) / 4], pc);
    }
    x[it.rd] = result;
    x[0] = 0;
    return next;
  }
};

/// Runs programs on the cores of one tile, all at the same time.
struct TileOfPrograms {
  explicit TileOfPrograms(Arch arch) : guest(arch) {}

  /// The core loads its registers from the page, runs the program, stores them back and parks.
  void start(tile::CoreId core, const RandomProgram& program, std::size_t index) {
    constexpr int to_page = -static_cast<int>(page_middle);
    const std::uint32_t middle = page_address(index) + page_middle;
    std::vector<rv::Word> before{rv::lui(rv::t6, (middle + 0x800) >> 12U),
                                 rv::addi(rv::t6, rv::t6, static_cast<int>(middle << 20U) >> 20U)};
    std::vector<rv::Word> code = program.words;
    for (unsigned i = 1; i < 31; ++i) {
      before.push_back(rv::lw(i, rv::t6, to_page + static_cast<int>(4 * i)));
      code.push_back(rv::sw(i, rv::t6, to_page + static_cast<int>(4 * i)));
    }
    code.push_back(rv::here);
    before.push_back(rv::jal(rv::zero, 512 - static_cast<int>(4 * before.size())));
    write(page_address(index), program.page.data(), sizeof program.page);
    write(program_address(index), code.data(), code.size() * 4);
    guest.start(core, program_address(index) - 512, before);
  }
  void write(std::uint32_t address, const std::uint32_t* words, std::size_t bytes) {
    ASSERT_TRUE(guest.tile.write(address, reinterpret_cast<const std::uint8_t*>(words), bytes));
  }
  Page page(std::size_t index) const {
    Page page{};
    EXPECT_TRUE(guest.tile.read(page_address(index), reinterpret_cast<std::uint8_t*>(page.data()), sizeof page));
    return page;
  }

  test::GuestTile guest;
};

bool have(const std::string& command) {
  return std::system(("command -v " + command + " >/dev/null 2>&1").c_str()) ==
         0;  // NOLINT(bugprone-command-processor)
}

/// A folder that goes away with it.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tensim_riscv_reference_" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
};

/// The pages that qemu leaves behind; fewer than there are programs if it stopped.
std::vector<Page> pages_of_qemu(const std::vector<RandomProgram>& programs) {
  const Folder folder;
  const std::string at = folder.path.string() + "/";
  std::ofstream(at + "a.s") << executable_source(programs);
  const std::string build = "riscv64-unknown-elf-gcc -nostdlib -static -march=rv32im -mabi=ilp32 -Wl,-Ttext=0x10000" +
                            std::string(" -Wl,-Tdata=0x80000 ") + at + "a.s -o " + at + "a.elf";
  EXPECT_EQ(std::system(build.c_str()), 0);  // NOLINT(bugprone-command-processor)
  EXPECT_EQ(std::system(("qemu-riscv32 " + at + "a.elf >" + at + "out").c_str()),
            0);  // NOLINT(bugprone-command-processor)
  std::ifstream file(at + "out", std::ios::binary);
  std::vector<Page> pages;
  for (Page page; file.read(reinterpret_cast<char*>(page.data()), sizeof page);)
    pages.push_back(page);
  return pages;
}

class RiscvReference : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, RiscvReference, testing::ValuesIn(all_archs),
                         [](const auto& of) { return std::string(name(of.param)); });

struct Reference {
  std::vector<RandomProgram> programs;
  std::vector<Page> pages;  // that qemu leaves
};

bool have_reference() {
  return have("qemu-riscv32") && have("riscv64-unknown-elf-gcc");
}
constexpr const char* what_is_missing = "no qemu-riscv32 or riscv64-unknown-elf-gcc (Debian: qemu-user and the latter)";

constexpr unsigned executables = 2;

Reference reference(Arch arch, std::uint32_t executable) {
  Reference it;
  for (std::uint32_t i = 0; i < most_programs; ++i)
    it.programs.push_back(random_program(arch, executable * std::uint32_t{most_programs} + i, 300));
  it.pages = pages_of_qemu(it.programs);
  return it;
}

TEST_P(RiscvReference, RandomProgramsLeaveWhatTheyLeaveInQemu) {
  if (!have_reference()) GTEST_SKIP() << what_is_missing;
  std::set<Op> executed;
  for (unsigned executable = 0; executable < executables; ++executable) {
    const Reference expected = reference(GetParam(), executable);
    ASSERT_EQ(expected.pages.size(), expected.programs.size());
    for (std::size_t i = 0; i < most_programs; ++i) {
      Interpreter interpreter{GetParam(), expected.programs[i], program_address(i), page_address(i)};
      interpreter.run();
      ASSERT_EQ(interpreter.page, expected.pages[i]) << "executable " << executable << ", program " << i;
      executed.merge(interpreter.executed);
    }
  }
  for (const Row& row : rows) {
    const bool integer = row.extension == Extension::i || row.extension == Extension::m;
    const bool bits = row.extension == Extension::zba || row.extension == Extension::zbb;
    if (row.kind == Kind::fence || row.kind == Kind::system || !(integer || bits)) continue;
    EXPECT_EQ(executed.contains(row.op), integer || GetParam() == Arch::blackhole) << row.name;
  }
}

TEST_P(RiscvReference, FiveCoresOfATileLeaveWhatQemuLeaves) {
  if (!have_reference()) GTEST_SKIP() << what_is_missing;
  for (unsigned executable = 0; executable < executables; ++executable) {
    const Reference expected = reference(GetParam(), executable);
    ASSERT_EQ(expected.pages.size(), expected.programs.size());
    for (std::size_t first = 0; first < most_programs; first += tile::core_count) {
      TileOfPrograms run(GetParam());
      for (unsigned core = 0; core < tile::core_count; ++core)
        run.start(static_cast<tile::CoreId>(core), expected.programs[first + core], first + core);
      ASSERT_EQ(run.guest.tile.run_until(1'000'000), tile::Tile::Halt::nothing_left);
      for (unsigned core = 0; core < tile::core_count; ++core)
        ASSERT_EQ(run.page(first + core), expected.pages[first + core])
            << "executable " << executable << ", program " << first + core << " on " << tile::core_names[core];
    }
  }
}

TEST(RandomRiscv, TheSameSeedIsTheSameProgram) {
  EXPECT_EQ(random_program(Arch::blackhole, 7, 300).words, random_program(Arch::blackhole, 7, 300).words);
  EXPECT_NE(random_program(Arch::blackhole, 7, 300).words, random_program(Arch::blackhole, 8, 300).words);
}

}  // namespace
}  // namespace tensim::riscv
