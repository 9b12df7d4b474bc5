// One row for each of the Vector Unit's opcodes: who executes it, how long it takes, which register fields it has.
#pragma once

#include <array>

#include "isa/table.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix {

namespace vector_rows_detail {
using namespace isa::literals;
using namespace tensim::literals;
}  // namespace vector_rows_detail

/// Register fields that an instruction has, and those that Blackhole's interlock takes for sources, which is not always
/// the same (SFPMAD.md). What is not said to be missed there is taken to be seen.
enum VectorFields : std::uint16_t {
  has_vb = 1U << 0,
  has_vc = 1U << 1,
  is_load_format = 1U << 2,  // VD and Mod0 in the upper bits
  sees_va = 1U << 3,
  sees_vb = 1U << 4,
  sees_vc = 1U << 5,
  sees_vd = 1U << 6,
  sees_by_mode = 1U << 7,      // SFPSWAP and SFPSHFT2
  sees_tables = 1U << 8,       // SFPLUT and SFPLUTFP32
  sees_all = 1U << 9,          // SFPTRANSP: LReg 0 to 7
  may_be_indirect = 1U << 10,  // Mod1 of SFPMAD and its like
  has_no_vd = 1U << 11,        // no template either
  vb_by_use_vb = 1U << 12,     // SFPAND and SFPOR: only where the chip has USE_VB
  writes_indexed = 1U << 13,   // spoilt in LReg 4 to 7 by ENABLE_DEST_INDEX
  after_shuffle = 1U << 14,    // Wormhole: must not follow a shuffle
};

struct VectorRow {
  std::uint8_t opcode = 0;
  VectorSubUnit sub_unit = VectorSubUnit::load;
  std::uint16_t fields = 0;
  vector_data::Action action = nullptr;
  bool is_multiply_add = false;  // two cycles, and Blackhole's interlock looks after it
};

namespace vector_rows_detail {

using enum VectorSubUnit;

constexpr std::uint16_t one_source = has_vc | sees_vc | writes_indexed | after_shuffle;
constexpr std::uint16_t with_vd = one_source | sees_vd;
constexpr std::uint16_t three_sources =
    has_vb | has_vc | sees_va | sees_vb | sees_vc | may_be_indirect | writes_indexed;

inline constexpr std::array rows{
    VectorRow{"SFPLOAD"_op, load, is_load_format, vector_data::load},
    VectorRow{"SFPLOADI"_op, load, is_load_format, vector_data::load_immediate},
    VectorRow{"SFPSTORE"_op, store, is_load_format | sees_vd, vector_data::store},
    VectorRow{"SFPLUT"_op, mad, is_load_format | sees_tables | writes_indexed, vector_data::look_up_8, true},
    VectorRow{"SFPMULI"_op, mad, sees_vd | may_be_indirect | writes_indexed, vector_data::multiply_immediate, true},
    VectorRow{"SFPADDI"_op, mad, sees_vd | may_be_indirect | writes_indexed, vector_data::add_immediate, true},
    VectorRow{"SFPDIVP2"_op, simple, one_source, vector_data::divide_by_power},
    VectorRow{"SFPEXEXP"_op, simple, one_source, vector_data::extract_exponent},
    VectorRow{"SFPEXMAN"_op, simple, one_source, vector_data::extract_mantissa},
    VectorRow{"SFPIADD"_op, simple, one_source, vector_data::add_integers},
    VectorRow{"SFPSHFT"_op, simple, one_source, vector_data::shift},
    VectorRow{"SFPSETCC"_op, simple, has_vc | sees_vc, vector_data::set_flags},
    VectorRow{"SFPMOV"_op, simple, one_source, vector_data::move},
    VectorRow{"SFPABS"_op, simple, one_source, vector_data::absolute},
    VectorRow{"SFPAND"_op, simple, has_vb | vb_by_use_vb | with_vd, vector_data::bit_and},
    VectorRow{"SFPOR"_op, simple, has_vb | vb_by_use_vb | with_vd, vector_data::bit_or},
    VectorRow{"SFPNOT"_op, simple, one_source, vector_data::bit_not},
    VectorRow{"SFPLZ"_op, simple, one_source, vector_data::leading_zeros},
    VectorRow{"SFPSETEXP"_op, simple, with_vd, vector_data::set_exponent},
    VectorRow{"SFPSETMAN"_op, simple, with_vd, vector_data::set_mantissa},
    VectorRow{"SFPMAD"_op, mad, three_sources, vector_data::multiply_add, true},
    VectorRow{"SFPADD"_op, mad, three_sources, vector_data::multiply_add, true},
    VectorRow{"SFPMUL"_op, mad, three_sources, vector_data::multiply_add, true},
    VectorRow{"SFPPUSHC"_op, simple, 0, vector_data::push_flags},
    VectorRow{"SFPPOPC"_op, simple, 0, vector_data::pop_flags},
    VectorRow{"SFPSETSGN"_op, simple, with_vd, vector_data::set_sign},
    VectorRow{"SFPENCC"_op, simple, 0, vector_data::enable_flags},
    VectorRow{"SFPCOMPC"_op, simple, 0, vector_data::complement_flags},
    VectorRow{"SFPTRANSP"_op, simple, sees_all, vector_data::transpose},
    VectorRow{"SFPXOR"_op, simple, with_vd, vector_data::bit_xor},
    VectorRow{"SFPSTOCHRND"_op, round, has_vb | sees_vb | one_source, vector_data::round},
    VectorRow{"SFPNOP"_op, load, 0, vector_data::nothing},
    VectorRow{"SFPCAST"_op, simple, one_source, vector_data::cast},
    VectorRow{"SFPCONFIG"_op, simple, has_no_vd, vector_data::configure},
    VectorRow{"SFPSWAP"_op, simple, has_vc | sees_by_mode, vector_data::swap},
    VectorRow{"SFPLOADMACRO"_op, load, has_no_vd, vector_data::load_macro},
    VectorRow{"SFPSHFT2"_op, round, has_vb | has_vc | sees_by_mode | writes_indexed, vector_data::shuffle_or_shift},
    VectorRow{"SFPLUTFP32"_op, mad, sees_tables | writes_indexed, vector_data::look_up_32, true},
    VectorRow{"SFPLE"_op, simple, has_vc | sees_vc | sees_vd | writes_indexed, vector_data::compare_less_or_equal},
    VectorRow{"SFPGT"_op, simple, has_vc | sees_vc | sees_vd | writes_indexed, vector_data::compare_greater},
    VectorRow{"SFPMUL24"_op, mad, three_sources, vector_data::multiply_24, true},
    VectorRow{"SFPARECIP"_op, simple, has_vb | sees_vb | one_source, vector_data::approximate},
};

consteval auto by_opcode() {
  std::array<VectorRow, 256> found{};
  for (const VectorRow& row : rows)
    found[row.opcode] = row;
  return found;
}

}  // namespace vector_rows_detail

inline constexpr std::array<VectorRow, 256> vector_row_of = vector_rows_detail::by_opcode();

constexpr bool is_indirect_vd(const VectorInstruction& in) {
  return (vector_row_of[in.opcode].fields & (may_be_indirect | sees_tables)) != 0 && (in.mod & indirect_vd) != 0;
}

/// Where an opcode has its fields: their lowest bits.
struct VectorFieldPlaces {
  std::uint8_t vb = 0;
  std::uint8_t vc = 0;
  std::uint8_t vd = 0;
  std::uint8_t mod = 0;
};

namespace vector_rows_detail {

/// An instruction without a VB field has VD for it, and likewise for VC.
constexpr VectorFieldPlaces places_of(Arch arch, std::uint16_t fields) {
  using namespace vector_words;
  constexpr VectorFieldPlaces usual{.vb = vb.low, .vc = vc.low, .vd = vd.low, .mod = mod1.low};
  constexpr VectorFieldPlaces upper{.vd = upper_vd.low, .mod = mod0.low};
  VectorFieldPlaces places = (fields & is_load_format) != 0 ? upper : usual;
  const bool vb_exists = (fields & has_vb) != 0 && ((fields & vb_by_use_vb) == 0 || has_use_vb(arch));
  places.vb = vb_exists ? usual.vb : places.vd;
  places.vc = (fields & has_vc) != 0 ? usual.vc : places.vd;
  return places;
}
constexpr Word place_mask = vector_words::vd.max();
static_assert(vector_words::vb.max() == place_mask && vector_words::vc.max() == place_mask &&
              vector_words::upper_vd.max() == place_mask && vector_words::mod1.max() == place_mask &&
              vector_words::mod0.max() == place_mask);

consteval auto places_by_opcode(Arch arch) {
  std::array<VectorFieldPlaces, 256> places{};
  for (const VectorRow& row : rows)
    places[row.opcode] = places_of(arch, row.fields);
  return places;
}

}  // namespace vector_rows_detail

inline constexpr std::array vector_places_on_wormhole = vector_rows_detail::places_by_opcode(Arch::wormhole);
inline constexpr std::array vector_places_on_blackhole = vector_rows_detail::places_by_opcode(Arch::blackhole);

[[gnu::always_inline]] inline VectorInstruction take_apart(Arch arch, Word word) {
  using namespace isa::literals;
  const std::uint8_t opcode = isa::opcode_of(word);
  const VectorFieldPlaces& places = (*on(arch, &vector_places_on_wormhole, &vector_places_on_blackhole))[opcode];
  const auto register_at = [&](unsigned place) {
    return static_cast<std::uint8_t>(word >> place & vector_rows_detail::place_mask);
  };
  VectorInstruction in{.word = word,
                       .opcode = opcode,
                       .va = static_cast<std::uint8_t>(va_of(word)),
                       .vb = register_at(places.vb),
                       .vc = register_at(places.vc),
                       .vd = register_at(places.vd),
                       .mod = register_at(places.mod)};
  if (opcode == "SFPLOADMACRO"_op) [[unlikely]] {
    in.vd = static_cast<std::uint8_t>(macro_vd_of(word));
    in.mod = static_cast<std::uint8_t>(mod0_of(word));
  }
  return in;
}

}  // namespace tensim::tensix
