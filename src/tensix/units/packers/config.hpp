// A packer's settings by their names. Wormhole's four packers have a block of settings each, all of one layout; here a
// name of packer 0's block (THCON_SEC0_REG1) stands for the same setting of any packer. A test proves the layout.
#pragma once

#include <array>

#include "tensix/registers/config_view.hpp"

namespace tensim::tensix {

class PackerConfig {
 public:
  PackerConfig(const ConfigView& view, unsigned packer) : view_(view), packer_(packer) {}

  unsigned packer() const { return packer_; }
  const ConfigView& common() const { return view_; }

  /// "THCON_SEC0_REG1_Out_data_format"_config
  std::uint32_t own(const ConfigField& field) const { return of_section(field, block_offset()); }
  /// One word each: "PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config
  std::uint32_t numbered(const ConfigField& field) const { return of_section(field, packer_); }

  /// The packer's limit and size of its output FIFO (THCON_SECn_REG9); two packers share a section's register.
  std::uint32_t limit_address() const { return of_section(limit(), fifo_offset()); }
  std::uint32_t fifo_size() const { return of_section(size(), fifo_offset()); }

  /// A whole word, `plus` further.
  std::uint32_t word(const ConfigField& field, unsigned plus) const {
    return view_.word(static_cast<std::size_t>(field.on(view_.arch()).word) + plus);
  }

  /// Words from packer 0's block of settings to this packer's, and from its FIFO's.
  unsigned block_offset() const {
    using namespace tensim::literals;
    constexpr const ConfigField& first = "THCON_SEC0_REG1_L1_Dest_addr"_config;
    switch (packer_) {
      case 1: return word_distance(first, "THCON_SEC0_REG8_L1_Dest_addr"_config);
      case 2: return word_distance(first, "THCON_SEC1_REG1_L1_Dest_addr"_config);
      case 3: return word_distance(first, "THCON_SEC1_REG8_L1_Dest_addr"_config);
      default: return 0;
    }
  }
  unsigned fifo_offset() const {
    using namespace tensim::literals;
    switch (packer_) {
      case 1: return word_distance(limit(), "THCON_SEC0_REG9_Pack_1_3_limit_address"_config);
      case 2: return word_distance(limit(), "THCON_SEC1_REG9_Pack_0_2_limit_address"_config);
      case 3: return word_distance(limit(), "THCON_SEC1_REG9_Pack_1_3_limit_address"_config);
      default: return 0;
    }
  }

 private:
  static constexpr const ConfigField& limit() {
    using namespace tensim::literals;
    return "THCON_SEC0_REG9_Pack_0_2_limit_address"_config;
  }
  static constexpr const ConfigField& size() {
    using namespace tensim::literals;
    return "THCON_SEC0_REG9_Pack_0_2_fifo_size"_config;
  }
  unsigned word_distance(const ConfigField& from, const ConfigField& to) const {
    return static_cast<unsigned>(to.on(view_.arch()).word - from.on(view_.arch()).word);
  }
  std::uint32_t of_section(const ConfigField& field, unsigned words) const {
    const ConfigField::Place& place = field.on(view_.arch());
    return place.exists() ? place.get(view_.word(static_cast<std::size_t>(place.word) + words)) : 0;
  }

  ConfigView view_;
  unsigned packer_;
};

}  // namespace tensim::tensix
