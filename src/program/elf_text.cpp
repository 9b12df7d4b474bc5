#include "program/elf_text.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include "text/printable.hpp"

namespace tensim::program {
namespace {

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

std::string problem(const char* what) {
  const char* detail = elf_errmsg(-1);
  return fmt::format("{}: {}", what, detail != nullptr ? detail : "unknown error");
}

/// libelf finds no sections where the table is not wholly in the file, and does not say so.
std::string section_table_problem(const GElf_Ehdr& header, std::size_t file_size) {
  if (header.e_shoff == 0) return "no section table";
  const std::uint64_t size = std::uint64_t{header.e_shentsize} * std::max<std::uint64_t>(header.e_shnum, 1);
  if (header.e_shentsize < sizeof(Elf32_Shdr) || header.e_shoff > file_size || size > file_size - header.e_shoff)
    return fmt::format("section table at {:#x} runs past the end of the file", header.e_shoff);
  return {};
}

}  // namespace

bool is_elf(std::span<const std::byte> file) {
  return file.size() >= SELFMAG && std::memcmp(file.data(), ELFMAG, SELFMAG) == 0;
}

std::variant<std::vector<TextSection>, std::string> executable_sections(std::span<const std::byte> file) {
  if (elf_version(EV_CURRENT) == EV_NONE) return problem("libelf");
  if (!is_elf(file)) return std::string("not an ELF file");
  // libelf takes a non-const image, but an image opened this way is only read (ELF_C_READ).
  const ElfHandle elf(elf_memory(const_cast<char*>(reinterpret_cast<const char*>(file.data())), file.size()));
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return std::string("not an ELF file");
  GElf_Ehdr header;
  if (gelf_getehdr(elf.get(), &header) == nullptr) return problem("ELF header");
  if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_machine != EM_RISCV || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return std::string("not a 32-bit little-endian RISC-V ELF file");
  if (std::string table_problem = section_table_problem(header, file.size()); !table_problem.empty())
    return table_problem;

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
    sections.push_back({text::printable(name != nullptr ? name : "?"),
                        static_cast<std::uint32_t>(section_header.sh_addr),
                        file.subspan(section_header.sh_offset, section_header.sh_size)});
  }
  if (sections.empty()) return std::string("no executable section");
  return sections;
}

}  // namespace tensim::program
