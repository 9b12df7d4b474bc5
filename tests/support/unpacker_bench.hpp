// For tests of the unpackers: a coprocessor with L1, configured field by field, that runs a few instructions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch/config_registers.hpp"
#include "tensix/units/unpackers/settings.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {

class UnpackerBench {
 public:
  static constexpr std::size_t l1_bytes = 0x20000;
  static constexpr std::uint32_t tile_word = 0x100;  // header of the tile, in words of 16 bytes
  static constexpr std::uint32_t tile_at = (tile_word + 1) * 16;

  explicit UnpackerBench(Arch arch) : coprocessor(arch), l1(l1_bytes), arch_(arch) { coprocessor.memory.l1 = l1; }
  UnpackerBench(const UnpackerBench&) = delete;
  UnpackerBench& operator=(const UnpackerBench&) = delete;

  Arch arch() const { return arch_; }

  void set(const ConfigField& field, std::uint32_t value, unsigned unpacker = 0) {
    const ConfigField::Place& place = field.on(arch_);
    const std::size_t section = unpacker == 0 ? 0 : tensix::unpacker_fields::section_words(arch_);
    std::uint32_t& word = coprocessor.config.bank[0][static_cast<std::size_t>(place.word) + section];
    word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
  }
  void set_thread(const ConfigField& field, std::uint32_t value, unsigned thread = 0) {
    const ConfigField::Place& place = field.on(arch_);
    std::uint16_t& word = coprocessor.config.thread[thread][static_cast<std::size_t>(place.word)];
    word = static_cast<std::uint16_t>((word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift);
  }

  /// A tile of four faces of 16x16 at tile_word, all of it by one UNPACR without contexts, from row 0 of Src or Dst on.
  void set_up_tile(unsigned in, unsigned out, unsigned unpacker = 0) {
    using namespace tensim::literals;
    constexpr std::uint32_t uncompressed = 1U << 4U;
    set("THCON_SEC0_REG0_TileDescriptor"_config, in | uncompressed | 256U << 16U, unpacker);
    descriptor_word(1, unpacker) = 1U | 4U << 16U;
    set("THCON_SEC0_REG2_Out_data_format"_config, out, unpacker);
    set("THCON_SEC0_REG3_Base_address"_config, tile_word, unpacker);
    set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 1);
    if (unpacker == 0) set_output(64);
    datums(1024, unpacker);
  }
  std::uint32_t& descriptor_word(unsigned index, unsigned unpacker = 0) {
    using namespace tensim::literals;
    const std::size_t section = unpacker == 0 ? 0 : tensix::unpacker_fields::section_words(arch_);
    const auto first = static_cast<std::size_t>("THCON_SEC0_REG0_TileDescriptor"_config.on(arch_).word);
    return coprocessor.config.bank[0][first + section + index];
  }
  /// The first datum of unpacker 0's output, in datums of the format `out`.
  void set_output(std::uint32_t datum) {
    using namespace tensim::literals;
    set("UNP0_ADDR_CTRL_XY_REG_1_Ystride"_config, datum);
    adc().channel[1].y.set(output_bytes());
  }
  /// `count` datums from the first on.
  void datums(std::uint32_t count, unsigned unpacker = 0, unsigned context = 0) {
    adc(unpacker, context).channel[0].x.set(0);
    adc(unpacker, context).channel[1].x.set(count - 1);
  }
  tensix::AdcSet& adc(unsigned unpacker = 0, unsigned context = 0) {
    return coprocessor.adcs.context[context].unpacker[unpacker];
  }

  void put(std::uint32_t address, std::uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      l1[address + i] = static_cast<std::uint8_t>(value >> (i * 8U));
  }
  /// Datum i is `first + i`.
  void fill(std::uint32_t address, unsigned count, unsigned bytes, std::uint32_t first = 0) {
    for (unsigned i = 0; i < count; ++i)
      put(address + i * bytes, first + i, bytes);
  }

  /// Runs the lines on the thread until everything is done.
  void run(std::string_view lines, unsigned thread = 0) {
    const isa::Assembly assembly = isa::assemble(arch_, lines, "test");
    ASSERT_TRUE(assembly.ok()) << to_text(assembly.diagnostics.front());
    for (const auto& word : assembly.words)
      coprocessor.push(thread, word.word, 0);
    for (unsigned i = 0; i < 100'000 && !coprocessor.is_idle() && !coprocessor.fault; ++i)
      coprocessor.step();
    EXPECT_TRUE(coprocessor.is_idle() || coprocessor.fault);
  }

  const tensix::SrcRegisters::Bank& src(tensix::Src file, unsigned bank = 0) const {
    return coprocessor.src_registers.bank(file, bank);
  }
  bool reported(tensix::DataIssue issue) const {
    for (const Report& report : coprocessor.reports)
      if (report.issue == issue) return true;
    return false;
  }
  bool faulted(tensix::DataIssue issue) const { return coprocessor.fault && coprocessor.fault->issue == issue; }
  bool is_clean() const { return coprocessor.reports.empty() && !coprocessor.fault; }

  Coprocessor coprocessor;
  std::vector<std::uint8_t> l1;

 private:
  /// Y is the bytes of an output datum: the stride counts datums then.
  std::uint32_t output_bytes() const {
    using namespace tensim::literals;
    const ConfigField::Place& place = "THCON_SEC0_REG2_Out_data_format"_config.on(arch_);
    switch (place.get(coprocessor.config.bank[0][static_cast<std::size_t>(place.word)])) {
      case 0:
      case 4:
      case 8: return 4;
      case 1:
      case 5:
      case 9: return 2;
      default: return 1;
    }
  }

  Arch arch_;
};

}  // namespace tensim::test
