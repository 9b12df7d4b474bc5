#include "program/elf_file.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include "program/byte_cursor.hpp"

namespace tensim::program {
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

/// Of a 32-bit file, in the types of libelf for all.
std::uint32_t word(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
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

// The gelf functions copy: a hostile offset makes libelf's own tables misaligned.
std::string read_program_headers(Elf* elf, const Elf32_Ehdr& header, Bytes file, ElfFile& result) {
  std::size_t count = header.e_phnum;
  if (count == 0) return {};
  if (std::string wrong = table_problem(file, "segment", header.e_phoff, 1, sizeof(Elf32_Phdr)); !wrong.empty())
    return wrong;
  if (elf_getphdrnum(elf, &count) != 0) return problem("segment table");
  // libelf says 0 for a table outside the file.
  count = std::max<std::size_t>(count, header.e_phnum);
  if (std::string wrong = table_problem(file, "segment", header.e_phoff, count, sizeof(Elf32_Phdr)); !wrong.empty())
    return wrong;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr entry;
    if (gelf_getphdr(elf, static_cast<int>(i), &entry) == nullptr) return problem("segment table");
    result.program_headers.push_back({entry.p_type, entry.p_flags, word(entry.p_offset), word(entry.p_vaddr),
                                      word(entry.p_paddr), word(entry.p_filesz), word(entry.p_memsz)});
  }
  return {};
}

std::string read_sections(Elf* elf, const Elf32_Ehdr& header, Bytes file, ElfFile& result) {
  if (header.e_shoff == 0) return {};
  std::size_t count = 0;
  if (elf_getshdrnum(elf, &count) != 0) return problem("section table");
  count = std::max<std::size_t>({count, header.e_shnum, 1});
  if (std::string wrong = table_problem(file, "section", header.e_shoff, count, sizeof(Elf32_Shdr)); !wrong.empty())
    return wrong;
  std::vector<std::uint32_t> names;
  for (Elf_Scn* section = elf_getscn(elf, 0); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr entry;
    if (gelf_getshdr(section, &entry) == nullptr) return problem("section header");
    const bool in_file = entry.sh_type != SHT_NOBITS && is_in(file, entry.sh_offset, entry.sh_size);
    result.sections.push_back({{},
                               entry.sh_type,
                               word(entry.sh_flags),
                               word(entry.sh_addr),
                               word(entry.sh_size),
                               entry.sh_link,
                               in_file ? file.subspan(entry.sh_offset, entry.sh_size) : Bytes{}});
    names.push_back(entry.sh_name);
  }
  std::size_t names_index = 0;
  if (elf_getshdrstrndx(elf, &names_index) != 0 || names_index >= result.sections.size()) return {};
  // Not with elf_strptr, which searches the whole string table on every call.
  for (std::size_t i = 0; i < names.size(); ++i)
    result.sections[i].name = string_at(result.sections[names_index].bytes, names[i], max_section_name);
  return {};
}

}  // namespace

const ElfSection* ElfFile::section(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const ElfSection& candidate) { return candidate.name == name; });
  return found != sections.end() ? &*found : nullptr;
}

std::span<const std::uint8_t> ElfFile::contents(std::string_view name, std::vector<std::string>& notes) const {
  const ElfSection* found = section(name);
  if (found == nullptr || found->size == 0) return {};
  if ((found->flags & SHF_COMPRESSED) != 0) {
    notes.push_back(fmt::format("{} is compressed, and not used", name));
    return {};
  }
  if (found->bytes.empty()) notes.push_back(fmt::format("{} runs past the end of the file", name));
  return found->bytes;
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
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) return problem("ELF header");
  ElfFile result;
  result.type = header.e_type;
  result.flags = header.e_flags;
  result.entry = header.e_entry;
  if (std::string wrong = read_program_headers(elf.get(), header, bytes, result); !wrong.empty()) return wrong;
  if (std::string wrong = read_sections(elf.get(), header, bytes, result); !wrong.empty()) return wrong;
  return result;
}

}  // namespace tensim::program
