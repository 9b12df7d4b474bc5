#include <algorithm>
#include <cstring>

#include <elf.h>
#include <gtest/gtest.h>

#include "program/image.hpp"
#include "tests/support/guest.hpp"

namespace tensim::program {
namespace {

using File = std::vector<std::uint8_t>;

/// What is wrong with a file, empty if nothing is.
std::string refusal(const File& file) {
  const auto result = read_elf_image(file, "test.elf");
  const auto* wrong = std::get_if<std::string>(&result);
  if (wrong == nullptr) return {};
  EXPECT_NE(*wrong, "");
  return *wrong;
}

Elf32_Phdr loadable(std::uint32_t address, std::uint32_t file_size, std::uint32_t memory_size) {
  return {.p_type = PT_LOAD,
          .p_offset = 0,
          .p_vaddr = address,
          .p_paddr = address,
          .p_filesz = file_size,
          .p_memsz = memory_size,
          .p_flags = PF_R | PF_X,
          .p_align = 4};
}

/// A file of headers alone: the segments have its first bytes.
File elf_file(const std::vector<Elf32_Phdr>& segments, const auto& change) {
  Elf32_Ehdr header{};
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
  header.e_phentsize = sizeof(Elf32_Phdr);
  header.e_phnum = static_cast<Elf32_Half>(segments.size());
  change(header);
  File file(sizeof header + segments.size() * sizeof(Elf32_Phdr));
  std::memcpy(file.data(), &header, sizeof header);
  if (!segments.empty())
    std::memcpy(file.data() + sizeof header, segments.data(), segments.size() * sizeof(Elf32_Phdr));
  return file;
}

File elf_file(const std::vector<Elf32_Phdr>& segments) {
  return elf_file(segments, [](Elf32_Ehdr&) {});
}

std::string refusal_with(const auto& change) {
  return refusal(elf_file({loadable(0x1000, 16, 32)}, change));
}

TEST(ElfImage, SegmentsAreLoadedAtOneAddressAndRunAtAnother) {
  const File file = test::guest_file("nested");
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  const auto result = read_elf_image(file, "nested.elf");
  const Image& image = std::get<Image>(result);
  EXPECT_EQ(image.file, "nested.elf");
  EXPECT_EQ(image.entry, 0x6000U);
  EXPECT_FALSE(image.compressed);
  EXPECT_EQ(image.notes, std::vector<std::string>());
  ASSERT_EQ(image.segments.size(), 2U);
  const Segment& code = image.segments[0];
  EXPECT_EQ(code.load_address, 0x6000U);
  EXPECT_EQ(code.run_address, 0x6000U);
  EXPECT_TRUE(code.executable);
  const Segment& data = image.segments[1];
  EXPECT_EQ(data.load_address, 0x6000U + code.bytes.size());
  EXPECT_EQ(data.run_address, 0xFFB00000U);
  EXPECT_FALSE(data.executable);
}

TEST(ElfImage, DataIsInitialisedAndTheRestIsZero) {
  const File file = test::guest_file("nested");
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  const auto result = read_elf_image(file, "nested.elf");
  const Image& image = std::get<Image>(result);
  const Segment& data = image.segments.at(1);
  const Symbol* table = image.source->symbol("table");
  const Symbol* zeroed = image.source->symbol("zeroed");
  ASSERT_TRUE(table != nullptr && zeroed != nullptr);
  EXPECT_EQ(table->size, 16U);
  EXPECT_EQ(zeroed->size, 64U);
  EXPECT_EQ(image.source->data_at(zeroed->address + 63), zeroed);
  EXPECT_EQ(data.file_size, 16U);
  ASSERT_EQ(data.bytes.size(), 16U + 64U + 4U);
  EXPECT_EQ(data.load_bytes().size(), 16U);
  EXPECT_EQ(data.bytes[table->address - data.run_address + 8], 3U);
  EXPECT_TRUE(std::all_of(data.bytes.begin() + 16, data.bytes.end(), [](std::uint8_t byte) { return byte == 0; }));
}

TEST(ElfImage, LinesAreThoseOfTheSource) {
  for (const char* name : {"nested", "nested_o0", "nested_dwarf4", "nested_dwarf2"}) {
    const File file = test::guest_file(name);
    if (file.empty()) GTEST_SKIP() << "no compiler for guests";
    const auto result = read_elf_image(file, name);
    const SourceMap& source = *std::get<Image>(result).source;
    const Symbol* outer = source.symbol("outer");
    ASSERT_NE(outer, nullptr);
    for (std::uint32_t pc = outer->address; pc < outer->address + outer->size; pc += 4) {
      const auto location = source.locate(pc);
      ASSERT_TRUE(location);
      EXPECT_EQ(location->function, "outer");
      EXPECT_EQ(location->offset, pc - outer->address);
      EXPECT_EQ(location->file, "nested.c") << name;
      EXPECT_TRUE(location->line >= 19 && location->line <= 22) << name << ' ' << location->line;
    }
    EXPECT_EQ(source.describe(0x6000), "_start (start.S:7)");
  }
}

TEST(ElfImage, NamesAreThoseOfTheSource) {
  const File file = test::guest_file("names");
  if (file.empty()) GTEST_SKIP() << "no compiler for guests";
  const auto result = read_elf_image(file, "names.elf");
  const SourceMap& source = *std::get<Image>(result).source;
  const Symbol* add = source.symbol("engine::Counter::add");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->name, "engine::Counter::add(int)");
  EXPECT_EQ(source.symbol("_ZN6engine7Counter3addEi"), add);
  EXPECT_EQ(source.function_at(add->address + 4), add);
  EXPECT_EQ(source.data_at(source.symbol("engine::counter")->address)->name, "engine::counter");
}

TEST(ElfImage, OtherFilesAreRefusedByName) {
  EXPECT_EQ(refusal_with([](Elf32_Ehdr&) {}), "");
  EXPECT_EQ(refusal({}), "not an ELF file");
  EXPECT_EQ(refusal({0x7F, 'E', 'L', 'F'}), "the file ends within the ELF header");
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS64; }), "not a 32-bit ELF file");
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }), "not a little-endian ELF file");
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_machine = EM_ARM; }), "not for RISC-V: machine 40, expected 243");
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_type = ET_REL; }), "an object file (ET_REL): link it first");
  EXPECT_NE(refusal_with([](Elf32_Ehdr& h) { h.e_type = ET_DYN; }).find("ET_DYN"), std::string::npos);
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_type = 77; }), "not an executable: type 77, expected 2 (ET_EXEC)");
}

TEST(ElfImage, CountsThatLieAreRefused) {
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_phnum = 2; }),
            "segment table of 2 entries at 0x34 runs past the end of the file");
  EXPECT_NE(refusal_with([](Elf32_Ehdr& h) { h.e_phnum = PN_XNUM; }), "");
  EXPECT_NE(refusal_with([](Elf32_Ehdr& h) { h.e_phoff = 0xFFFFFFF0; }), "");
  EXPECT_NE(refusal_with([](Elf32_Ehdr& h) { h.e_phentsize = 8; }), "");
  EXPECT_EQ(refusal_with([](Elf32_Ehdr& h) { h.e_phnum = 0; }), "no segment to load");
  EXPECT_NE(refusal_with([](Elf32_Ehdr& h) {
              h.e_shoff = 0x34;
              h.e_shentsize = sizeof(Elf32_Shdr);
              h.e_shnum = 0xFE00;
            }),
            "");
}

TEST(ElfImage, SegmentsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refusal(elf_file({loadable(0x1000, 16, 8)})), "segment at 0x1000 has 16 bytes in the file but 8 in memory");
  EXPECT_EQ(refusal(elf_file({loadable(0x1000, 4096, 4096)})), "segment at 0x1000 runs past the end of the file");
  EXPECT_EQ(refusal(elf_file({loadable(0xFFFFFFF0, 16, 32)})),
            "segment at 0xfffffff0 with 32 bytes runs past the end of the address space");
  EXPECT_EQ(refusal(elf_file({loadable(0xFFFFFFF0, 16, 16)})), "");
  EXPECT_EQ(refusal(elf_file({loadable(0x1000, 16, 32), loadable(0x101F, 16, 32)})),
            "segments at 0x1000 and 0x101f overlap where they are loaded");
  Elf32_Phdr elsewhere = loadable(0x1010, 16, 16);
  elsewhere.p_paddr = 0x2000;
  EXPECT_EQ(refusal(elf_file({loadable(0x1000, 16, 32), elsewhere})),
            "segments at 0x1000 and 0x1010 overlap where they run");
}

TEST(ElfImage, MemoryIsBounded) {
  EXPECT_EQ(refusal(elf_file({loadable(0x1000, 0, max_image_bytes)})), "");
  EXPECT_EQ(refusal(elf_file({loadable(0x1000, 0, max_image_bytes), loadable(0x4000000, 0, 1)})),
            "segment at 0x4000000 with 1 bytes brings the program to more than 16777216 bytes");
  EXPECT_NE(refusal(elf_file({loadable(0, 0, 0xFFFFFFFF)})), "");
}

TEST(ElfImage, OdditiesAreNoted) {
  const auto result = read_elf_image(elf_file({loadable(0x1000, 16, 32)},
                                              [](Elf32_Ehdr& h) {
                                                h.e_flags = EF_RISCV_RVC;
                                                h.e_entry = 0x1020;
                                              }),
                                     "odd.elf");
  const Image& image = std::get<Image>(result);
  EXPECT_TRUE(image.compressed);
  EXPECT_EQ(image.notes, (std::vector<std::string>{"may have compressed instructions (EF_RISCV_RVC)",
                                                   "the entry 0x1020 is in no executable segment"}));
}

TEST(ElfImage, RawImagesStandWhereTheyAreToldTo) {
  const File bytes{1, 2, 3, 4};
  const auto result = read_raw_image(bytes, 0x8000);
  const Image& image = std::get<Image>(result);
  EXPECT_EQ(image.entry, 0x8000U);
  ASSERT_EQ(image.segments.size(), 1U);
  EXPECT_EQ(image.segments[0].bytes, bytes);
  EXPECT_EQ(image.source->describe(0x8000), "0x8000");
  EXPECT_TRUE(std::holds_alternative<std::string>(read_raw_image(bytes, 0xFFFFFFFD)));
  EXPECT_TRUE(std::holds_alternative<std::string>(read_raw_image({}, 0)));
  EXPECT_TRUE(std::holds_alternative<std::string>(read_raw_image(File(max_image_bytes + 1), 0)));
}

}  // namespace
}  // namespace tensim::program
