// Where UNPACR and UNPACR_NOP have their fields (src/isa/table/unpackers.hpp), and which form a word has.
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

namespace unpacker_words {

inline constexpr isa::Field which_unpacker = field_of_all_forms("UNPACR", "WhichUnpacker");
static_assert(same_place(field_of_all_forms("UNPACR_NOP", "WhichUnpacker"), which_unpacker));

inline constexpr isa::Field context_number = field_of("UNPACR", "Regular", "ContextNumber");
inline constexpr isa::Field context_adc = field_of("UNPACR", "Regular", "ContextADC");
inline constexpr isa::Field multi_context_mode = field_of("UNPACR", "Regular", "MultiContextMode");
inline constexpr isa::Field flip_src = field_of("UNPACR", "Regular", "FlipSrc");
inline constexpr isa::Field rareb_en = field_of(Arch::wormhole, "UNPACR", "Regular", "rareb_en");
inline constexpr isa::Field srcb_bcast = field_of(Arch::blackhole, "UNPACR", "Regular", "srcb_bcast");
inline constexpr isa::Field all_datums_are_zero = field_of("UNPACR", "Regular", "AllDatumsAreZero");
inline constexpr isa::Field use_context_counter = field_of("UNPACR", "Regular", "UseContextCounter");
inline constexpr isa::Field row_search = field_of("UNPACR", "Regular", "RowSearch");
inline constexpr isa::Field ch0_y_inc = field_of("UNPACR", "Regular", "Ch0YInc");
inline constexpr isa::Field ch0_z_inc = field_of("UNPACR", "Regular", "Ch0ZInc");
inline constexpr isa::Field ch1_y_inc = field_of("UNPACR", "Regular", "Ch1YInc");
inline constexpr isa::Field ch1_z_inc = field_of("UNPACR", "Regular", "Ch1ZInc");

}  // namespace unpacker_words

namespace units {

/// Which of the two an UNPACR or UNPACR_NOP is for.
constexpr unsigned unpacker_of(Word word) {
  return unpacker_words::which_unpacker.get(word);
}
/// UNPACR: a transfer, neither a flush nor a step of the context counter.
constexpr bool is_unpacr_transfer(Word word) {
  return form_bits("UNPACR", "Regular").match(word);
}
/// UNPACR that only steps the context counter.
constexpr bool is_unpacr_context_step(Word word) {
  return form_bits("UNPACR", "IncrementContextCounter").match(word);
}

}  // namespace units

}  // namespace tensim::tensix
