// Programs that were damaged, by accident or on purpose: an image or a refusal, never a crash (run with sanitizers).
#include <cstring>

#include <elf.h>
#include <gtest/gtest.h>

#include "program/elf_file.hpp"
#include "program/elf_symbols.hpp"
#include "program/image.hpp"
#include "program/unwind.hpp"
#include "tests/support/guest.hpp"

namespace tensim::program {
namespace {

using File = std::vector<std::uint8_t>;

/// Loads, and asks for everything an image can say.
void use(const File& file) {
  const auto result = read_elf_image(file, "hostile.elf");
  const auto* image = std::get_if<Image>(&result);
  if (image == nullptr) return;
  for (const std::uint32_t pc : {0x6000U, 0x6020U, 0x6060U, 0x60B0U, 0xFFFFFFFFU}) {
    EXPECT_NE(image->source->describe(pc), "");
    EXPECT_LT(image->source->inlined_at(pc).size(), 10'000U);
    const LoadWord load = [](std::uint32_t address) { return std::optional(address); };
    EXPECT_LE(call_stack(*image->source, pc, std::array<std::uint32_t, 32>{}, load).size(), max_call_depth);
  }
}

TEST(ElfHostile, EveryTruncationIsRefused) {
  const File file = test::guest_file("nested");
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  for (std::size_t size = 0; size < file.size(); ++size) {
    // A copy without the rest, so that a read beyond its end is seen.
    const File cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(std::holds_alternative<std::string>(read_elf_image(cut, "cut.elf"))) << size;
  }
}

void damage_each_byte(File file, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end && at < file.size(); ++at) {
    const std::uint8_t original = file[at];
    for (const std::uint8_t value :
         {std::uint8_t{0}, std::uint8_t{0xFF}, std::uint8_t{0x80}, static_cast<std::uint8_t>(original ^ 1U),
          static_cast<std::uint8_t>(original + 4)}) {
      file[at] = value;
      use(file);
    }
    file[at] = original;
  }
}

TEST(ElfHostile, EveryByteOfTheHeadersMayBeWrong) {
  const File file = test::guest_file("nested");
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  Elf32_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  damage_each_byte(file, 0, header.e_phoff + std::size_t{header.e_phnum} * sizeof(Elf32_Phdr));
  damage_each_byte(file, header.e_shoff, file.size());
}

TEST(ElfHostile, EveryByteOfTheDebugInformationMayBeWrong) {
  for (const char* name : {"nested", "nested_dwarf4", "nested_eh"}) {
    const File file = test::guest_file(name);
    if (file.empty()) GTEST_SKIP() << "no compiler for guests";
    const auto elf = read_elf_file(file);
    for (const char* section : {".debug_line", ".debug_frame", ".eh_frame", ".symtab", ".debug_line_str", ".debug_info",
                                ".debug_abbrev", ".debug_rnglists", ".debug_ranges"}) {
      const ElfSection* found = std::get<ElfFile>(elf).section(section);
      if (found == nullptr) continue;
      const auto begin = static_cast<std::size_t>(found->bytes.data() - file.data());
      damage_each_byte(file, begin, begin + found->size);
    }
  }
}

/// Runs of bytes at random places, the same each time.
TEST(ElfHostile, MoreThanOneByteMayBeWrong) {
  const File file = test::guest_file("nested");
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  std::uint32_t random = 1;
  const auto next = [&] { return random = random * 1664525U + 1013904223U, random >> 8; };
  for (int round = 0; round < 3000; ++round) {
    File broken = file;
    for (int i = 0; i < 8; ++i)
      broken[0x1000 + next() % (broken.size() - 0x1000)] = static_cast<std::uint8_t>(next());
    use(broken);
  }
}

TEST(ElfHostile, NamesThatWouldGrowStayAsTheyAre) {
  // Each p<> holds the one before twice: demangled, this is gigabytes.
  std::string name = "_Z1f1a1pIS_S_E";
  for (const char previous : std::string_view("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    name += std::string("S0_IS") + previous + "_S" + previous + "_E";
  const std::string strings = std::string(1, '\0') + name + '\0';
  const Elf32_Sym symbol{.st_name = 1,
                         .st_value = 0x1000,
                         .st_size = 4,
                         .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                         .st_other = 0,
                         .st_shndx = 1};
  ElfFile file;
  file.sections.resize(2);
  file.sections[0].type = SHT_SYMTAB;
  file.sections[0].link = 1;
  file.sections[0].bytes = {reinterpret_cast<const std::uint8_t*>(&symbol), sizeof symbol};
  file.sections[1].bytes = {reinterpret_cast<const std::uint8_t*>(strings.data()), strings.size()};
  std::vector<std::string> notes;
  const std::vector<Symbol> symbols = read_symbols(file, notes);
  ASSERT_EQ(symbols.size(), 1U);
  EXPECT_EQ(symbols[0].name, name);
}

}  // namespace
}  // namespace tensim::program
