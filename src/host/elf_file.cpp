#include "host/elf_file.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

namespace tensim::host {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t max_section_name = 64;

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

std::string problem(const char* what) {
  const char* detail = elf_errmsg(-1);
  return fmt::format("{}: {}", what, detail != nullptr ? detail : "unknown error");
}

bool is_in(Bytes file, std::uint64_t offset, std::uint64_t size) {
  return offset <= file.size() && size <= file.size() - offset;
}

std::string header_problem(const Elf32_Ehdr& header) {
  if (header.e_ident[EI_CLASS] != ELFCLASS32) return "not a 32-bit ELF file";
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) return "not a little-endian ELF file";
  if (header.e_machine != EM_RISCV)
    return fmt::format("not for RISC-V: machine {}, expected {}", header.e_machine, EM_RISCV);
  if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf32_Phdr))
    return fmt::format("segment table entries of {} bytes, expected {}", header.e_phentsize, sizeof(Elf32_Phdr));
  if (header.e_shoff != 0 && header.e_shentsize != sizeof(Elf32_Shdr))
    return fmt::format("section table entries of {} bytes, expected {}", header.e_shentsize, sizeof(Elf32_Shdr));
  return {};
}

/// libelf finds nothing in a table that is not wholly in the file, and does not say so.
std::string table_problem(Bytes file, const char* what, std::uint64_t offset, std::uint64_t count, std::size_t entry) {
  if (count == 0 || is_in(file, offset, count * entry)) return {};
  return fmt::format("{} table of {} entries at {:#x} runs past the end of the file", what, count, offset);
}

std::string read_program_headers(Elf* elf, Bytes file, ElfFile& result) {
  const Elf32_Ehdr* header = elf32_getehdr(elf);
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return problem("segment table");
  // libelf says 0 for a table outside the file.
  count = std::max<std::size_t>(count, header->e_phnum);
  if (std::string wrong = table_problem(file, "segment", header->e_phoff, count, sizeof(Elf32_Phdr)); !wrong.empty())
    return wrong;
  const Elf32_Phdr* table = elf32_getphdr(elf);
  if (count != 0 && table == nullptr) return problem("segment table");
  for (const Elf32_Phdr& entry : std::span(table, count))
    result.program_headers.push_back(
        {entry.p_type, entry.p_flags, entry.p_offset, entry.p_vaddr, entry.p_paddr, entry.p_filesz, entry.p_memsz});
  return {};
}

/// The names are read here: elf_strptr searches the whole string table on every call.
std::string_view name_at(Bytes names, std::uint32_t offset) {
  if (offset >= names.size()) return {};
  const Bytes rest = names.subspan(offset, std::min(names.size() - offset, max_section_name));
  const auto end = std::find(rest.begin(), rest.end(), 0);
  return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

std::string read_sections(Elf* elf, Bytes file, ElfFile& result) {
  const Elf32_Ehdr* header = elf32_getehdr(elf);
  if (header->e_shoff == 0) return {};
  std::size_t count = 0;
  if (elf_getshdrnum(elf, &count) != 0) return problem("section table");
  count = std::max<std::size_t>({count, header->e_shnum, 1});
  if (std::string wrong = table_problem(file, "section", header->e_shoff, count, sizeof(Elf32_Shdr)); !wrong.empty())
    return wrong;
  std::vector<std::uint32_t> names;
  for (Elf_Scn* section = elf_getscn(elf, 0); section != nullptr; section = elf_nextscn(elf, section)) {
    const Elf32_Shdr* entry = elf32_getshdr(section);
    if (entry == nullptr) return problem("section header");
    const bool in_file = entry->sh_type != SHT_NOBITS && is_in(file, entry->sh_offset, entry->sh_size);
    result.sections.push_back({{},
                               entry->sh_type,
                               entry->sh_flags,
                               entry->sh_addr,
                               entry->sh_size,
                               entry->sh_link,
                               in_file ? file.subspan(entry->sh_offset, entry->sh_size) : Bytes{}});
    names.push_back(entry->sh_name);
  }
  std::size_t names_index = 0;
  if (elf_getshdrstrndx(elf, &names_index) != 0 || names_index >= result.sections.size()) return {};
  for (std::size_t i = 0; i < names.size(); ++i)
    result.sections[i].name = name_at(result.sections[names_index].bytes, names[i]);
  return {};
}

}  // namespace

const ElfSection* ElfFile::section(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const ElfSection& candidate) { return candidate.name == name; });
  return found != sections.end() ? &*found : nullptr;
}

std::variant<ElfFile, std::string> read_elf_file(std::span<const std::uint8_t> bytes) {
  if (elf_version(EV_CURRENT) == EV_NONE) return problem("libelf");
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return std::string("not an ELF file");
  Elf32_Ehdr header;
  if (bytes.size() < sizeof header) return std::string("the file ends within the ELF header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string wrong = header_problem(header); !wrong.empty()) return wrong;

  // libelf takes a non-const image, but an image opened this way is only read (ELF_C_READ).
  const ElfHandle elf(elf_memory(const_cast<char*>(reinterpret_cast<const char*>(bytes.data())), bytes.size()));
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF || elf32_getehdr(elf.get()) == nullptr) return problem("ELF header");
  ElfFile result;
  result.type = header.e_type;
  result.flags = header.e_flags;
  result.entry = header.e_entry;
  if (std::string wrong = read_program_headers(elf.get(), bytes, result); !wrong.empty()) return wrong;
  if (std::string wrong = read_sections(elf.get(), bytes, result); !wrong.empty()) return wrong;
  return result;
}

}  // namespace tensim::host
