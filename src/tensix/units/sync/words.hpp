// Where the Sync Unit's instructions have their operands (src/isa/table/sync.hpp).
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix::sync_words {

// ATGETM and ATRELM.
inline constexpr isa::Field mutex = field_of("ATGETM", "", "mutex");
static_assert(same_place(field_of("ATRELM", "", "mutex"), mutex));
/// Nobody documents a meaning of the bits above (errata 3).
inline constexpr Word mutex_unused_bits = form_of(Arch::blackhole, "ATGETM", "").unused_bits(isa::parameter_mask);

// SEMPOST, SEMGET, SEMINIT and SEMWAIT: a bit for each of the eight semaphores.
inline constexpr isa::Field semaphores = field_of("SEMPOST", "", "sem");
static_assert(same_place(field_of("SEMGET", "", "sem"), semaphores) &&
              same_place(field_of("SEMINIT", "", "sem"), semaphores) &&
              same_place(field_of("SEMWAIT", "", "sem"), semaphores) && semaphores.width() == 8);
inline constexpr isa::Field init_value = field_of("SEMINIT", "", "value");
inline constexpr isa::Field init_max = field_of("SEMINIT", "", "max");

// The waits.
inline constexpr isa::Field block = field_of("STALLWAIT", "", "block");
static_assert(same_place(field_of("SEMWAIT", "", "block"), block) &&
              same_place(field_of(Arch::blackhole, "STREAMWAIT", "", "block"), block) &&
              block.max() == isa::all_block_bits);
inline constexpr FieldByArch stall_conditions = field_by_arch("STALLWAIT", "", "cond");
inline constexpr isa::Field semaphore_condition = field_of("SEMWAIT", "", "cond");
inline constexpr isa::Field stream_target_low = field_of(Arch::blackhole, "STREAMWAIT", "", "TargetValueLo");
inline constexpr isa::Field stream_condition = field_of(Arch::blackhole, "STREAMWAIT", "", "ConditionIndex");
inline constexpr isa::Field stream_select = field_of(Arch::blackhole, "STREAMWAIT", "", "StreamSelect");

constexpr std::uint8_t semaphore_mask_of(Word word) {
  return static_cast<std::uint8_t>(semaphores.get(word));
}

}  // namespace tensim::tensix::sync_words
