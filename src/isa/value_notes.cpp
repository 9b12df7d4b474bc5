#include "isa/value_notes.hpp"

#include <array>

#include <fmt/format.h>

#include "arch/sizes.hpp"
#include "isa/symbols.hpp"
#include "isa/table.hpp"

namespace tensim::isa {
namespace {

constexpr Word replay_slots = 32;  // on both chips: proved below

bool is_zero(Arch, Word value) {
  return value == 0;
}
bool is_no_mutex(Arch arch, Word value) {
  return !is_valid_mutex(arch, value);
}
bool is_above_replay_slots(Arch, Word value) {
  return value > replay_slots;
}

std::string default_block(Arch arch) {
  const auto mask = static_cast<std::uint32_t>(size(arch, "stallwait_default_block_mask"_size));
  for (const Symbol& symbol : block_mask.symbols)
    if (symbol.value == mask) return fmt::format("0 acts as {}", symbol.name);
  return fmt::format("0 acts as {:#x}", mask);
}
std::string default_condition(Arch arch) {
  return fmt::format("0 acts as {:#x}", size(arch, "stallwait_default_condition_mask"_size));
}
std::string waits_for_ever(Arch) {
  return "no such mutex: the thread waits for ever";
}
std::string undefined_zero(Arch) {
  return "0 is undefined";
}
std::string full_replay(Arch) {
  return fmt::format("0 acts as {}", replay_slots);
}
std::string unsupported_replay(Arch) {
  return fmt::format("above {} is unsupported", replay_slots);
}

// W17, W18, W36, M8, M9; errata 8, 20, 30, 31.
constexpr std::array notes{
    ValueNote{"STALLWAIT"_op, "block", is_zero, default_block},
    ValueNote{"SEMWAIT"_op, "block", is_zero, default_block},
    ValueNote{"STREAMWAIT"_op, "block", is_zero, default_block},
    ValueNote{"STALLWAIT"_op, "cond", is_zero, default_condition},
    ValueNote{"SEMWAIT"_op, "cond", is_zero, undefined_zero, true},
    ValueNote{"ATGETM"_op, "mutex", is_no_mutex, waits_for_ever},
    ValueNote{"ATRELM"_op, "mutex", is_no_mutex, waits_for_ever},
    ValueNote{"REPLAY"_op, "Count", is_zero, full_replay},
    ValueNote{"REPLAY"_op, "Count", is_above_replay_slots, unsupported_replay, true},
};

constexpr bool every_note_names_a_field() {
  for (const ValueNote& note : notes)
    for (const UnitTable& unit : unit_tables)
      for (const Form& form : unit.forms)
        if (form.opcode == note.opcode && form.field(note.field) == nullptr) return false;
  return true;
}
static_assert(every_note_names_a_field());
static_assert(size(Arch::wormhole, "replay_slots"_size) == replay_slots);
static_assert(size(Arch::blackhole, "replay_slots"_size) == replay_slots);

}  // namespace

const ValueNote* value_note(Arch arch, const Form& form, const Field& field, Word value) {
  for (const ValueNote& note : notes)
    if (note.opcode == form.opcode && note.field == field.name && note.applies(arch, value)) return &note;
  return nullptr;
}

}  // namespace tensim::isa
