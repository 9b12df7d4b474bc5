// Where MOP, MOP_CFG and REPLAY have their fields (src/isa/table/frontend.hpp).
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix::frontend_words {

inline constexpr FormBits template1 = form_bits("MOP", "Template1");
inline constexpr isa::Field mop_mask_low = field_of("MOP", "Template0", "MaskLo");
inline constexpr isa::Field mop_count = field_of("MOP", "Template0", "Count1");
// Blackhole's template 1 (errata 9).
inline constexpr isa::Field mop_inner_count = field_of(Arch::blackhole, "MOP", "Template1", "InnerCount");
inline constexpr isa::Field mop_outer_count_low = field_of(Arch::blackhole, "MOP", "Template1", "OuterCountLo");
inline constexpr isa::Field mop_outer_count_high = field_of(Arch::blackhole, "MOP", "Template1", "OuterCountHi");
inline constexpr isa::Field mop_mask_high = field_of("MOP_CFG", "", "MaskHi");

inline constexpr isa::Field replay_index = field_of("REPLAY", "", "Index");
inline constexpr isa::Field replay_count = field_of("REPLAY", "", "Count");
inline constexpr isa::Field replay_exec = field_of("REPLAY", "", "Exec");
inline constexpr isa::Field replay_load = field_of("REPLAY", "", "Load");

}  // namespace tensim::tensix::frontend_words
