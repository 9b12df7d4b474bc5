// For tests of what the Matrix Unit does to Src and Dst: a coprocessor that owns its Src banks, configuration by the
// vendor's names, one instruction at a time through the gate.
#pragma once

#include "arch/config_registers.hpp"
#include "number/layout.hpp"
#include "number/move.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {

/// BF16 of small integers and halves, as Src and as a 16-bit Dst hold it.
constexpr std::uint32_t bf16_bits(float value) {
  return std::bit_cast<std::uint32_t>(value) >> 16U;
}
constexpr std::uint32_t src_bf16(float value) {
  return number::src_from_bf16(bf16_bits(value));
}
constexpr std::uint16_t dst_bf16(float value) {
  return static_cast<std::uint16_t>(number::dst_from_bf16(bf16_bits(value)));
}

struct MatrixBench {
  static constexpr unsigned thread = 1;
  Coprocessor coprocessor;

  explicit MatrixBench(Arch arch) : coprocessor(arch) {
    using namespace tensim::literals;
    for (auto& file : coprocessor.src.matrix_owns)
      file = {true, true};
    set("DISABLE_IMPLIED_SRCA_FMT_Base"_thread_config, 1);
    set("DISABLE_IMPLIED_SRCB_FMT_Base"_thread_config, 1);
    set_formats(number::DataFormat::bf16);
  }

  /// Of Config in both banks, or of the thread's configuration.
  void set(const ConfigField& field, std::uint32_t value) {
    const ConfigField::Place& place = field.on(coprocessor.arch);
    if (!place.exists()) return;
    const auto merged = [&](std::uint32_t old) {
      return (old & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
    };
    const auto word = static_cast<std::size_t>(place.word);
    if (is_thread_field(field)) {
      std::uint16_t& old = coprocessor.config.thread[thread][word];
      old = static_cast<std::uint16_t>(merged(old));
      return;
    }
    for (auto& bank : coprocessor.config.bank)
      bank[word] = merged(bank[word]);
  }

  void set_formats(number::DataFormat format) {
    using namespace tensim::literals;
    set("ALU_FORMAT_SPEC_REG0_SrcA"_config, static_cast<std::uint32_t>(format));
    set("ALU_FORMAT_SPEC_REG1_SrcB"_config, static_cast<std::uint32_t>(format));
  }

  /// Runs one instruction to its end.
  void run(Word word) {
    coprocessor.push(thread, word, 0);
    for (unsigned cycle = 0; cycle < 40 && !coprocessor.fault; ++cycle)
      coprocessor.step();
    EXPECT_TRUE(coprocessor.fault || coprocessor.is_idle());
  }
  void run(std::string_view line) { run(assemble(coprocessor.arch, line)); }

  tensix::Rwc& rwc() { return coprocessor.rwcs.thread[thread]; }
  tensix::SrcRegisters::Bank& src_a() {
    return coprocessor.src_registers.bank(tensix::Src::a, coprocessor.src.matrix_bank[0]);
  }
  tensix::SrcRegisters::Bank& src_b() {
    return coprocessor.src_registers.bank(tensix::Src::b, coprocessor.src.matrix_bank[1]);
  }
  tensix::Dst& dst() { return coprocessor.dst; }
  std::uint32_t dst32(unsigned row, unsigned column) const {
    return coprocessor.dst.get32(tensix::DstAddressing::of(coprocessor.config, coprocessor.arch), row, column);
  }

  bool reports(tensix::DataIssue issue) const {
    for (const Report& report : coprocessor.reports)
      if (report.issue == issue) return true;
    return false;
  }

 private:
  static bool is_thread_field(const ConfigField& field) {
    for (const auto family : thread_config_fields())
      for (const ConfigField& each : family)
        if (each.name == field.name) return true;
    return false;
  }
};

}  // namespace tensim::test
