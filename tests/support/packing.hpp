// For tests of the packers: a coprocessor with an L1 of its own, settings by their names, and PACRs of thread 2.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "number/layout.hpp"
#include "tensix/units/packers/config.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {

using namespace tensim::literals;

class Packing {
 public:
  static constexpr unsigned thread = 2;
  static constexpr std::size_t l1_bytes = 0x20000;
  static constexpr std::uint32_t out = 0x1000;  // where tiles go unless a test says otherwise
  static constexpr std::uint8_t untouched = 0xEE;

  explicit Packing(Arch arch) : coprocessor(arch), l1(l1_bytes, untouched), arch_(arch) {
    for (unsigned packer = 0; packer < (arch == Arch::wormhole ? 4U : 1U); ++packer) {
      set_own(packer, "THCON_SEC0_REG1_Disable_zero_compress"_config, 1);
      set_own(packer, "THCON_SEC0_REG1_L1_Dest_addr"_config, out / 16 - 1 + packer * 0x80);
      set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config, 16, packer);
    }
    for (unsigned i = 0; i < 4; ++i)
      set("PCK_EDGE_OFFSET_SEC0_mask"_config, 0xFFFF, i);
    formats(5, 5);
  }

  /// Codes: what Dst is taken for, and what goes to L1. Strides fit the first.
  void formats(std::uint32_t from, std::uint32_t to, bool read_32b = false) {
    const std::uint32_t bytes = (from & 3U) == 0 ? 4 : (from & 3U) == 1 ? 2 : 1;
    set("ALU_FORMAT_SPEC_REG2_Dstacc"_config, from);
    set("PCK_DEST_RD_CTRL_Read_32b_data"_config, read_32b ? 1 : 0);
    set("PCK0_ADDR_CTRL_XY_REG_0_Xstride"_config, bytes);
    set("PCK0_ADDR_CTRL_XY_REG_0_Ystride"_config, 16 * bytes);
    set("PCK0_ADDR_CTRL_ZW_REG_0_Zstride"_config, 256 * bytes);
    set("PCK0_ADDR_CTRL_ZW_REG_0_Wstride"_config, 1024 * bytes);
    for (unsigned packer = 0; packer < (arch_ == Arch::wormhole ? 4U : 1U); ++packer) {
      set_own(packer, "THCON_SEC0_REG1_In_data_format"_config, from);
      set_own(packer, "THCON_SEC0_REG1_Out_data_format"_config, to);
    }
  }

  /// A field of bank 0, or the same field `words` further.
  void set(const ConfigField& field, std::uint32_t value, unsigned words = 0) {
    const ConfigField::Place& place = field.on(arch_);
    std::uint32_t& word = coprocessor.config.bank[0][static_cast<std::size_t>(place.word) + words];
    word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
  }
  void set_own(unsigned packer, const ConfigField& field, std::uint32_t value) {
    constexpr std::array offsets{0U, 28U, 40U, 68U};  // Wormhole's blocks: words 56, 84, 96, 124
    set(field, value, offsets[packer]);
  }
  void set_thread(const ConfigField& field, std::uint32_t value, unsigned of = thread) {
    const ConfigField::Place& place = field.on(arch_);
    std::uint16_t& word = coprocessor.config.thread[of][static_cast<std::size_t>(place.word)];
    word = static_cast<std::uint16_t>((word & ~(place.mask() << place.shift)) | value << place.shift);
  }

  tensix::AdcSet& adc(unsigned context = thread) { return coprocessor.adcs.context[context].packer; }
  /// From X to X, both included.
  void x_range(std::uint32_t from, std::uint32_t to) {
    adc().channel[0].x.set(from);
    adc().channel[1].x.set(to);
  }

  /// Runs instructions of thread 2 until nothing is left, or the run stops. How many cycles that took.
  Cycle run(const std::string& text) {
    coprocessor.memory.l1 = l1;
    const Cycle begin = coprocessor.now;
    const isa::Assembly assembly = isa::assemble(arch_, text, "test");
    if (!assembly.ok()) ADD_FAILURE() << to_text(assembly.diagnostics.front());
    for (const isa::AssembledWord& word : assembly.words) {
      while (!coprocessor.can_push(thread) && !coprocessor.fault)
        coprocessor.step();
      coprocessor.push(thread, word.word, 0);
    }
    constexpr Cycle enough = 1'000'000;
    while (!coprocessor.is_idle() && !coprocessor.fault && coprocessor.now < begin + enough)
      coprocessor.step();
    return coprocessor.now - begin;
  }

  /// BF16 numbers, all different.
  void fill_rows(unsigned first, unsigned count) {
    for (unsigned row = first; row < first + count; ++row)
      for (unsigned column = 0; column < 16; ++column)
        set_bf16(row, column, datum(row, column));
  }
  static std::uint16_t datum(unsigned row, unsigned column) {
    return static_cast<std::uint16_t>(0x2000U + 16 * row + column);  // normal numbers, all different
  }
  void set_bf16(unsigned row, unsigned column, std::uint16_t bits) {
    coprocessor.dst.bits[row][column] = static_cast<std::uint16_t>(number::dst_from_bf16(bits));
  }
  void set_fp32(unsigned row, unsigned column, std::uint32_t bits) {
    coprocessor.dst.set32({}, row, column, number::dst_from_fp32(bits));
  }

  std::uint16_t half(std::uint32_t address) const { return read<std::uint16_t>(address); }
  std::uint32_t word(std::uint32_t address) const { return read<std::uint32_t>(address); }
  std::uint8_t byte(std::uint32_t address) const { return l1[address]; }
  std::vector<std::uint16_t> halves(std::uint32_t address, std::size_t count) const {
    std::vector<std::uint16_t> found(count);
    std::memcpy(found.data(), l1.data() + address, 2 * count);
    return found;
  }
  void set_half(std::uint32_t address, std::uint16_t value) { std::memcpy(l1.data() + address, &value, sizeof value); }
  void set_word(std::uint32_t address, std::uint32_t value) { std::memcpy(l1.data() + address, &value, sizeof value); }

  bool reported(tensix::DataIssue issue) const {
    return std::ranges::any_of(coprocessor.reports, [&](const Report& report) { return report.issue == issue; });
  }

  Coprocessor coprocessor;
  std::vector<std::uint8_t> l1;

 private:
  template <class T>
  T read(std::uint32_t address) const {
    T value;
    std::memcpy(&value, l1.data() + address, sizeof value);
    return value;
  }
  Arch arch_;
};

}  // namespace tensim::test
