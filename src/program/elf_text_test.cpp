#include "program/elf_text.hpp"

#include <cstring>

#include <elf.h>
#include <gtest/gtest.h>

namespace tensim::program {
namespace {

/// A minimal 32-bit RISC-V ELF file: a null section, .text with `words`, and the section names.
std::vector<std::byte> elf_file(const std::vector<std::uint32_t>& words, std::uint16_t machine = EM_RISCV) {
  const std::string names("\0.text\0.shstrtab\0", 17);
  const auto text_offset = static_cast<Elf32_Off>(sizeof(Elf32_Ehdr));
  const auto text_size = static_cast<Elf32_Word>(words.size() * 4);
  const auto names_offset = static_cast<Elf32_Off>(text_offset + text_size);
  Elf32_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = machine;
  header.e_version = EV_CURRENT;
  header.e_shoff = static_cast<Elf32_Off>((names_offset + names.size() + 3) & ~std::size_t{3});
  header.e_ehsize = sizeof(Elf32_Ehdr);
  header.e_shentsize = sizeof(Elf32_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  Elf32_Shdr sections[3]{};
  sections[1] = {.sh_name = 1,
                 .sh_type = SHT_PROGBITS,
                 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                 .sh_addr = 0x6000,
                 .sh_offset = text_offset,
                 .sh_size = text_size,
                 .sh_link = 0,
                 .sh_info = 0,
                 .sh_addralign = 4,
                 .sh_entsize = 0};
  sections[2] = {.sh_name = 7,
                 .sh_type = SHT_STRTAB,
                 .sh_flags = 0,
                 .sh_addr = 0,
                 .sh_offset = names_offset,
                 .sh_size = static_cast<Elf32_Word>(names.size()),
                 .sh_link = 0,
                 .sh_info = 0,
                 .sh_addralign = 1,
                 .sh_entsize = 0};
  std::vector<std::byte> file(header.e_shoff + sizeof sections);
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + text_offset, words.data(), text_size);
  std::memcpy(file.data() + names_offset, names.data(), names.size());
  std::memcpy(file.data() + header.e_shoff, sections, sizeof sections);
  return file;
}

TEST(ElfText, FindsExecutableSections) {
  const std::vector<std::byte> file = elf_file({0x8c800022, 0x00000013});
  const auto result = executable_sections(file);
  const auto& sections = std::get<std::vector<TextSection>>(result);
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_EQ(sections[0].name, ".text");
  EXPECT_EQ(sections[0].address, 0x6000U);
  std::vector<std::uint32_t> words(2);
  ASSERT_EQ(sections[0].bytes.size(), 8U);
  std::memcpy(words.data(), sections[0].bytes.data(), 8);
  EXPECT_EQ(words, (std::vector<std::uint32_t>{0x8c800022, 0x00000013}));
}

TEST(ElfText, SectionTablesOutsideTheFileAreRefused) {
  std::vector<std::byte> file = elf_file({1});
  const auto with_header = [&](auto change) {
    std::vector<std::byte> changed = file;
    Elf32_Ehdr header;
    std::memcpy(&header, changed.data(), sizeof header);
    change(header);
    std::memcpy(changed.data(), &header, sizeof header);
    const auto result = executable_sections(changed);
    const auto* message = std::get_if<std::string>(&result);
    return message != nullptr ? *message : std::string("accepted");
  };
  EXPECT_EQ(with_header([](Elf32_Ehdr& header) { header.e_shoff = 0x10000; }),
            "section table at 0x10000 runs past the end of the file");
  EXPECT_NE(with_header([](Elf32_Ehdr& header) { header.e_shnum = 1000; }), "accepted");
  EXPECT_EQ(with_header([](Elf32_Ehdr& header) { header.e_shoff = 0; }), "no section table");
}

TEST(ElfText, AFileWithoutCodeIsRefused) {
  std::vector<std::byte> file = elf_file({1});
  Elf32_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  const Elf32_Word no_flags = SHF_ALLOC;
  std::memcpy(file.data() + header.e_shoff + sizeof(Elf32_Shdr) + offsetof(Elf32_Shdr, sh_flags), &no_flags,
              sizeof no_flags);
  EXPECT_EQ(std::get<std::string>(executable_sections(file)), "no executable section");
}

TEST(ElfText, OtherMachinesAreRefused) {
  EXPECT_EQ(std::get<std::string>(executable_sections(elf_file({1}, EM_386))),
            "not a 32-bit little-endian RISC-V ELF file");
}

TEST(ElfText, EveryTruncationIsAnAnswerNotACrash) {
  const std::vector<std::byte> file = elf_file({1, 2, 3, 4});
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const auto result = executable_sections(cut);
    if (const auto* sections = std::get_if<std::vector<TextSection>>(&result)) {
      for (const TextSection& section : *sections)
        EXPECT_LE(section.bytes.size(), size);
    }
  }
}

TEST(ElfText, EveryByteFlipIsAnAnswerNotACrash) {
  const std::vector<std::byte> file = elf_file({1, 2, 3, 4});
  for (std::size_t at = 0; at < file.size(); ++at)
    for (const unsigned value : {0x00U, 0xFFU, 0x80U}) {
      std::vector<std::byte> broken = file;
      broken[at] = static_cast<std::byte>(value);
      (void)executable_sections(broken);
    }
}

}  // namespace
}  // namespace tensim::program
