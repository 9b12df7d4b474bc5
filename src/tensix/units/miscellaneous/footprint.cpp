#include "tensix/footprint.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/miscellaneous/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

constexpr isa::Field u0 = field_of("SETADC", "", "U0");
constexpr isa::Field u1 = field_of("SETADC", "", "U1");
constexpr isa::Field pk = field_of("SETADC", "", "PK");
constexpr isa::Field new_value = field_of("SETADC", "", "NewValue");
constexpr isa::Field channel_field = field_of("SETADC", "", "Channel");
constexpr isa::Field dimension_field = field_of("SETADC", "", "XYZW");
constexpr isa::Field thread_override = field_of("SETADCXY", "", "ThreadOverride");
constexpr std::array enables{field_of("SETADCXY", "", "X0"), field_of("SETADCXY", "", "Y0"),
                             field_of("SETADCXY", "", "X1"), field_of("SETADCXY", "", "Y1")};

unsigned context_of(unsigned thread, std::uint32_t named) {
  return named == 0 ? thread : named - 1U;
}

struct CounterUse {
  unsigned context = 0;
  unsigned counters = 0;  // within a set, a bit each
  bool reads = false;     // the old value matters
};

/// Bits 0 to 3 are X or Z and Y or W of channel 0, then of channel 1.
unsigned enabled_counters(Word word, unsigned first_dimension, bool always) {
  unsigned counters = 0;
  for (unsigned i = 0; i < enables.size(); ++i)
    if (always || enables[i].get(word) != 0) counters |= 1U << adc_counter(0, i / 2, first_dimension + i % 2);
  return counters;
}

CounterUse counter_use(unsigned thread, Word word) {
  const unsigned named = context_of(thread, thread_override.get(word));
  constexpr unsigned x = 0;
  constexpr unsigned z = 2;
  switch (isa::opcode_of(word)) {
    case "SETADC"_op:  // the override is the top two bits of the value
      return {context_of(thread, new_value.get(word) >> 16U),
              1U << adc_counter(0, channel_field.get(word), dimension_field.get(word)), false};
    case "SETADCXX"_op: return {thread, 1U << adc_counter(0, 0, x) | 1U << adc_counter(0, 1, x), false};
    case "SETADCXY"_op: return {named, enabled_counters(word, x, false), false};
    case "SETADCZW"_op: return {named, enabled_counters(word, z, false), false};
    case "INCADCXY"_op: return {named, enabled_counters(word, x, true), true};
    case "INCADCZW"_op: return {named, enabled_counters(word, z, true), true};
    case "ADDRCRXY"_op: return {named, enabled_counters(word, x, false), true};
    case "ADDRCRZW"_op: return {named, enabled_counters(word, z, false), true};
    default: return {};
  }
}

void add_counters(Footprint& footprint, const CounterUse& use, unsigned set) {
  const std::uint64_t counters = std::uint64_t{use.counters} << (set * 8);
  if (use.reads) footprint.add_runs(Resource::adc, use.context, counters, false);
  footprint.add_runs(Resource::adc, use.context, counters, true);
}

/// The rows of the bank that goes are event::BankFilled's; which bank it is shows when it runs, after what an unpacker may
/// hand over at the end of the cycle before.
void setdvalid(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  using namespace tensim::literals;
  for (unsigned file = 0; file < 2; ++file) {
    if (!sets_dvalid(candidate.entry.word, static_cast<Src>(file))) continue;
    footprint.writes(Resource::src_ownership, file, coprocessor.src.unpack_bank[file]);
    add_thread_field(footprint, coprocessor.arch, candidate.thread,
                     file == 0 ? "SRCA_SET_Base"_thread_config : "SRCB_SET_Base"_thread_config);
    footprint.writes(Resource::unpacker, file, unpacker_row(candidate.thread));
  }
}

}  // namespace

void units::miscellaneous_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  const Word word = candidate.entry.word;
  if (isa::opcode_of(word) == "SETDVALID"_op) return setdvalid(footprint, coprocessor, candidate);
  const CounterUse use = counter_use(candidate.thread, word);
  if (u0.get(word) != 0) add_counters(footprint, use, 0);
  if (u1.get(word) != 0) add_counters(footprint, use, 1);
  if (pk.get(word) != 0) add_counters(footprint, use, 2);
}

}  // namespace tensim::tensix
