// The configuration of one unpacker as an instruction finds it: names are the vendor's, of unpacker 0; the other one's
// are the same elsewhere. Pages: UNPACR_Regular.md (Configuration), BackendConfiguration.md.
#pragma once

#include <array>
#include <cstdint>

#include "tensix/registers/config_view.hpp"

namespace tensim::tensix {

namespace unpacker_fields {

using namespace tensim::literals;

/// A field of both unpackers that has no common distance.
using Pair = std::array<const ConfigField*, 2>;
/// A field of THCON_SEC0, for each context of a configuration.
template <std::size_t Contexts>
using PerContext = std::array<const ConfigField*, Contexts>;

inline constexpr Pair context_offset{&"UNPACK_MISC_CFG_CfgContextOffset_0"_thread_config,
                                     &"UNPACK_MISC_CFG_CfgContextOffset_1"_thread_config};
inline constexpr Pair src_base{&"SRCA_SET_Base"_thread_config, &"SRCB_SET_Base"_thread_config};
inline constexpr Pair out_base{&"UNP0_ADDR_BASE_REG_1_Base"_config, &"UNP1_ADDR_BASE_REG_1_Base"_config};
inline constexpr Pair y_stride{&"UNP0_ADDR_CTRL_XY_REG_1_Ystride"_config, &"UNP1_ADDR_CTRL_XY_REG_1_Ystride"_config};
inline constexpr Pair z_stride{&"UNP0_ADDR_CTRL_ZW_REG_1_Zstride"_config, &"UNP1_ADDR_CTRL_ZW_REG_1_Zstride"_config};
inline constexpr Pair w_stride{&"UNP0_ADDR_CTRL_ZW_REG_1_Wstride"_config, &"UNP1_ADDR_CTRL_ZW_REG_1_Wstride"_config};
inline constexpr Pair adds_destination{&"UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr"_config,
                                       &"UNP1_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr"_config};
inline constexpr Pair forced_exponent{&"UNP0_FORCED_SHARED_EXP_shared_exp"_config,
                                      &"UNP1_FORCED_SHARED_EXP_shared_exp"_config};
inline constexpr Pair is_unsigned{&"ALU_FORMAT_SPEC_REG0_SrcAUnsigned"_config,
                                  &"ALU_FORMAT_SPEC_REG0_SrcBUnsigned"_config};

inline constexpr PerContext<8> base{
    &"THCON_SEC0_REG3_Base_address"_config,       &"THCON_SEC0_REG3_Base_cntx1_address"_config,
    &"THCON_SEC0_REG3_Base_cntx2_address"_config, &"THCON_SEC0_REG3_Base_cntx3_address"_config,
    &"THCON_SEC0_REG4_Base_cntx4_address"_config, &"THCON_SEC0_REG4_Base_cntx5_address"_config,
    &"THCON_SEC0_REG4_Base_cntx6_address"_config, &"THCON_SEC0_REG4_Base_cntx7_address"_config};
inline constexpr PerContext<4> offset{
    &"THCON_SEC0_REG7_Offset_address"_config, &"THCON_SEC0_REG7_Offset_cntx1_address"_config,
    &"THCON_SEC0_REG7_Offset_cntx2_address"_config, &"THCON_SEC0_REG7_Offset_cntx3_address"_config};
inline constexpr PerContext<4> x_dim{
    &"THCON_SEC0_REG5_Tile_x_dim_cntx0"_config, &"THCON_SEC0_REG5_Tile_x_dim_cntx1"_config,
    &"THCON_SEC0_REG5_Tile_x_dim_cntx2"_config, &"THCON_SEC0_REG5_Tile_x_dim_cntx3"_config};
inline constexpr PerContext<4> destination{
    &"THCON_SEC0_REG5_Dest_cntx0_address"_config, &"THCON_SEC0_REG5_Dest_cntx1_address"_config,
    &"THCON_SEC0_REG5_Dest_cntx2_address"_config, &"THCON_SEC0_REG5_Dest_cntx3_address"_config};
inline constexpr PerContext<4> shift_amount{
    &"THCON_SEC0_REG2_Shift_amount_cntx0"_config, &"THCON_SEC0_REG2_Shift_amount_cntx1"_config,
    &"THCON_SEC0_REG2_Shift_amount_cntx2"_config, &"THCON_SEC0_REG2_Shift_amount_cntx3"_config};
inline constexpr PerContext<8> is_uncompressed{
    &"THCON_SEC0_REG2_Disable_zero_compress_cntx0"_config, &"THCON_SEC0_REG2_Disable_zero_compress_cntx1"_config,
    &"THCON_SEC0_REG2_Disable_zero_compress_cntx2"_config, &"THCON_SEC0_REG2_Disable_zero_compress_cntx3"_config,
    &"THCON_SEC0_REG2_Disable_zero_compress_cntx4"_config, &"THCON_SEC0_REG2_Disable_zero_compress_cntx5"_config,
    &"THCON_SEC0_REG2_Disable_zero_compress_cntx6"_config, &"THCON_SEC0_REG2_Disable_zero_compress_cntx7"_config};
inline constexpr PerContext<8> to_dst{
    &"THCON_SEC0_REG2_Unpack_if_sel_cntx0"_config, &"THCON_SEC0_REG2_Unpack_if_sel_cntx1"_config,
    &"THCON_SEC0_REG2_Unpack_if_sel_cntx2"_config, &"THCON_SEC0_REG2_Unpack_if_sel_cntx3"_config,
    &"THCON_SEC0_REG2_Unpack_if_sel_cntx4"_config, &"THCON_SEC0_REG2_Unpack_if_sel_cntx5"_config,
    &"THCON_SEC0_REG2_Unpack_if_sel_cntx6"_config, &"THCON_SEC0_REG2_Unpack_if_sel_cntx7"_config};
inline constexpr PerContext<8> in_format{
    &"THCON_SEC0_REG7_Unpack_data_format_cntx0"_config, &"THCON_SEC0_REG7_Unpack_data_format_cntx1"_config,
    &"THCON_SEC0_REG7_Unpack_data_format_cntx2"_config, &"THCON_SEC0_REG7_Unpack_data_format_cntx3"_config,
    &"THCON_SEC0_REG7_Unpack_data_format_cntx4"_config, &"THCON_SEC0_REG7_Unpack_data_format_cntx5"_config,
    &"THCON_SEC0_REG7_Unpack_data_format_cntx6"_config, &"THCON_SEC0_REG7_Unpack_data_format_cntx7"_config};
inline constexpr PerContext<8> out_format{
    &"THCON_SEC0_REG7_Unpack_out_data_format_cntx0"_config, &"THCON_SEC0_REG7_Unpack_out_data_format_cntx1"_config,
    &"THCON_SEC0_REG7_Unpack_out_data_format_cntx2"_config, &"THCON_SEC0_REG7_Unpack_out_data_format_cntx3"_config,
    &"THCON_SEC0_REG7_Unpack_out_data_format_cntx4"_config, &"THCON_SEC0_REG7_Unpack_out_data_format_cntx5"_config,
    &"THCON_SEC0_REG7_Unpack_out_data_format_cntx6"_config, &"THCON_SEC0_REG7_Unpack_out_data_format_cntx7"_config};

/// Words from a field of THCON_SEC0 to the same one of THCON_SEC1.
constexpr std::size_t section_words(Arch arch) {
  return static_cast<std::size_t>("THCON_SEC1_REG0_TileDescriptor"_config.on(arch).word -
                                  "THCON_SEC0_REG0_TileDescriptor"_config.on(arch).word);
}

consteval bool sections_are_alike() {
  using namespace config_registers;
  if (thcon_section_0.size() != thcon_section_1.size()) return false;
  for (const Arch arch : {Arch::wormhole, Arch::blackhole})
    for (std::size_t i = 0; i < thcon_section_0.size(); ++i) {
      const ConfigField::Place& a = thcon_section_0[i].on(arch);
      const ConfigField::Place& b = thcon_section_1[i].on(arch);
      if (a.exists() != b.exists()) return false;
      if (!a.exists()) continue;
      if (static_cast<std::size_t>(a.word) + section_words(arch) != static_cast<std::size_t>(b.word)) return false;
      if (a.shift != b.shift || a.width != b.width) return false;
    }
  return true;
}
static_assert(sections_are_alike());

}  // namespace unpacker_fields

class UnpackerSettings {
 public:
  UnpackerSettings(const BackendConfig& config, Arch arch, unsigned thread, unsigned unpacker)
      : view_(config, arch, thread),
        unpacker_(unpacker),
        section_(unpacker == 0 ? 0 : unpacker_fields::section_words(arch)) {}

  Arch arch() const { return view_.arch(); }
  unsigned unpacker() const { return unpacker_; }

  /// A field of THCON_SEC0 or, for unpacker 1, of THCON_SEC1; 0 if the chip does not have it.
  std::uint32_t section(const ConfigField& field) const {
    const ConfigField::Place& place = field.on(arch());
    return place.exists() ? place.get(view_.word(static_cast<std::size_t>(place.word) + section_)) : 0;
  }
  template <std::size_t Contexts>
  std::uint32_t section(const unpacker_fields::PerContext<Contexts>& field, unsigned context) const {
    return section(*field[context % Contexts]);
  }
  std::uint32_t get(const ConfigField& field) const { return view_.get(field); }
  std::uint32_t get(const unpacker_fields::Pair& field) const { return view_.get(*field[unpacker_]); }
  std::uint32_t thread(const ConfigField& field) const { return view_.get_thread(field); }
  std::uint32_t thread(const unpacker_fields::Pair& field) const { return view_.get_thread(*field[unpacker_]); }
  /// Word `index` of the four of the tile descriptor.
  std::uint32_t descriptor_word(unsigned index) const {
    using namespace tensim::literals;
    return view_.word(static_cast<std::size_t>("THCON_SEC0_REG0_TileDescriptor"_config.on(arch()).word) + section_ +
                      index);
  }

 private:
  ConfigView view_;
  unsigned unpacker_;
  std::size_t section_;
};

}  // namespace tensim::tensix
