#include "riscv/csr.hpp"

#include <gtest/gtest.h>

#include "riscv/csr_file.hpp"
#include "riscv/float.hpp"

namespace tensim::riscv {
namespace {

TEST(RiscvCsr, FoundByNumber) {
  for (const Csr& csr : csrs(Arch::blackhole))
    EXPECT_EQ(find_csr(Arch::blackhole, csr.number), &csr);
  EXPECT_EQ(find_csr(Arch::blackhole, 0x001), nullptr);  // fflags
  EXPECT_EQ(find_csr(Arch::blackhole, 0x002), nullptr);  // frm
  EXPECT_EQ(find_csr(Arch::blackhole, 0xC01), nullptr);  // time
  EXPECT_EQ(find_csr(Arch::wormhole, 0xB00), nullptr);
  EXPECT_EQ(csrs(Arch::blackhole).size(), 43U);
}

TEST(RiscvCsr, AFileStartsWithTheResetValuesAndKeepsWhatCanBeWritten) {
  for (const Csr& csr : csrs(Arch::blackhole)) {
    CsrFile file;
    const CsrKind kind = kind_of(csr, false);
    if (kind != CsrKind::storage && kind != CsrKind::constant) continue;
    EXPECT_EQ(file.read(csr, kind, 100, 200), csr.reset) << csr.name;
    file.write(csr, kind, ~csr.reset, 100, 200);
    EXPECT_EQ(file.read(csr, kind, 100, 200), kind == CsrKind::constant ? csr.reset : ~csr.reset & csr.writable);
  }
}

TEST(RiscvCsr, StreamStatusIsScratchOnBAndNotModelledOnTCores) {
  const Csr& status = *find_csr(Arch::blackhole, 0xBC2);
  EXPECT_EQ(kind_of(status, false), CsrKind::storage);
  EXPECT_EQ(kind_of(status, true), CsrKind::not_modelled);
}

TEST(RiscvCsr, AliasesLeadToCountersAndConstantsCannotBeWritten) {
  for (const Csr& csr : csrs(Arch::blackhole)) {
    if (csr.alias_of != 0) {
      EXPECT_EQ("m" + std::string(csr.name), find_csr(Arch::blackhole, csr.alias_of)->name);
    }
    EXPECT_EQ(csr.source == Csr::Source::constant, csr.writable == 0) << csr.name;
  }
}

TEST(RiscvCsr, FieldsDoNotOverlap) {
  for (const Csr& csr : csrs(Arch::blackhole)) {
    std::uint64_t seen = 0;
    for (const CsrField& field : csr.fields) {
      const std::uint64_t bits = ((std::uint64_t{1} << field.width) - 1U) << field.low;
      EXPECT_EQ(seen & bits, 0U) << csr.name << "." << field.name;
      EXPECT_LE(field.low + field.width, 32) << csr.name << "." << field.name;
      seen |= bits;
    }
  }
}

TEST(RiscvCsr, Cfg0StartsWithAMergeTimerOfSixteen) {
  const Csr* csr = find_csr(Arch::blackhole, 0x7C0);
  for (const CsrField& field : csr->fields)
    EXPECT_EQ(field.get(csr->reset), field.name == "StMergeTimer" ? 16U : 0U) << field.name;
}

TEST(RiscvCsr, Cfg0ChoosesWhatHalfPrecisionIs) {
  EXPECT_EQ(half_format(cfg0::at_reset), HalfFormat::fp16);
  EXPECT_EQ(half_format(1U << 31U), HalfFormat::fp16);
  EXPECT_EQ(half_format(1U << 30U), HalfFormat::bf16_towards_zero);
  EXPECT_EQ(half_format(3U << 30U), HalfFormat::bf16_nearest);
}

}  // namespace
}  // namespace tensim::riscv
