#include "host/elf_text.hpp"

#include <cstring>
#include <memory>

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

namespace tensim::host {
namespace {

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

std::string problem(const char* what) {
  const char* detail = elf_errmsg(-1);
  return fmt::format("{}: {}", what, detail != nullptr ? detail : "unknown error");
}

std::vector<std::uint32_t> words_of(const std::byte* bytes, std::size_t size) {
  std::vector<std::uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes, words.size() * 4);
  return words;
}

}  // namespace

bool is_elf(std::span<const std::byte> file) {
  return file.size() >= SELFMAG && std::memcmp(file.data(), ELFMAG, SELFMAG) == 0;
}

std::variant<std::vector<TextSection>, std::string> executable_sections(std::span<const std::byte> file) {
  if (elf_version(EV_CURRENT) == EV_NONE) return problem("libelf");
  // libelf takes a non-const image although it is opened for reading: give it a copy.
  std::vector<char> image(file.size());
  if (!image.empty()) std::memcpy(image.data(), file.data(), file.size());
  const ElfHandle elf(elf_memory(image.data(), image.size()));
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return std::string("not an ELF file");
  GElf_Ehdr header;
  if (gelf_getehdr(elf.get(), &header) == nullptr) return problem("ELF header");
  if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_machine != EM_RISCV || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return std::string("not a 32-bit little-endian RISC-V ELF file");

  std::vector<TextSection> sections;
  std::size_t names_index = 0;
  if (elf_getshdrstrndx(elf.get(), &names_index) != 0) return problem("section names");
  for (Elf_Scn* section = elf_nextscn(elf.get(), nullptr); section != nullptr;
       section = elf_nextscn(elf.get(), section)) {
    GElf_Shdr section_header;
    if (gelf_getshdr(section, &section_header) == nullptr) return problem("section header");
    if (section_header.sh_type != SHT_PROGBITS || (section_header.sh_flags & SHF_EXECINSTR) == 0) continue;
    // The range is checked here rather than trusted to libelf, which hands out what the header claims.
    if (section_header.sh_offset > file.size() || section_header.sh_size > file.size() - section_header.sh_offset)
      return fmt::format("section at {:#x} runs past the end of the file", section_header.sh_offset);
    const char* name = elf_strptr(elf.get(), names_index, section_header.sh_name);
    sections.push_back({name != nullptr ? name : "?", static_cast<std::uint32_t>(section_header.sh_addr),
                        words_of(file.data() + section_header.sh_offset, section_header.sh_size)});
  }
  return sections;
}

}  // namespace tensim::host
