#include "tensix/registers/adc.hpp"

namespace tensim::tensix {
namespace {

using isa::literals::operator""_op;

constexpr isa::Field pk = field_of("SETADC", "", "PK");
constexpr isa::Field u1 = field_of("SETADC", "", "U1");
constexpr isa::Field u0 = field_of("SETADC", "", "U0");
constexpr isa::Field set_channel = field_of("SETADC", "", "Channel");
constexpr isa::Field set_xyzw = field_of("SETADC", "", "XYZW");
constexpr isa::Field set_value = field_of("SETADC", "", "NewValue");
constexpr isa::Field xx_value0 = field_of("SETADCXX", "", "X0Val");
constexpr isa::Field xx_value1 = field_of("SETADCXX", "", "X1Val");

/// The amounts and enables of the six instructions that come in an XY and a ZW variant, which are laid out alike:
/// `minor` is X or Z, `major` is Y or W.
constexpr isa::Field thread_override = field_of("SETADCXY", "", "ThreadOverride");
constexpr std::array minor_amount{field_of("SETADCXY", "", "X0Val"), field_of("SETADCXY", "", "X1Val")};
constexpr std::array major_amount{field_of("SETADCXY", "", "Y0Val"), field_of("SETADCXY", "", "Y1Val")};
constexpr std::array minor_enable{field_of("SETADCXY", "", "X0"), field_of("SETADCXY", "", "X1")};
constexpr std::array major_enable{field_of("SETADCXY", "", "Y0"), field_of("SETADCXY", "", "Y1")};

consteval bool selects_alike(std::string_view instruction) {
  return same_place(field_of(instruction, "", "PK"), pk) && same_place(field_of(instruction, "", "U1"), u1) &&
         same_place(field_of(instruction, "", "U0"), u0);
}

consteval bool has_amounts(std::string_view instruction, std::string_view minor0, std::string_view major0,
                           std::string_view minor1, std::string_view major1) {
  return selects_alike(instruction) && same_place(field_of(instruction, "", "ThreadOverride"), thread_override) &&
         same_place(field_of(instruction, "", minor0), minor_amount[0]) &&
         same_place(field_of(instruction, "", major0), major_amount[0]) &&
         same_place(field_of(instruction, "", minor1), minor_amount[1]) &&
         same_place(field_of(instruction, "", major1), major_amount[1]);
}

consteval bool has_enables(std::string_view instruction, std::string_view minor0, std::string_view major0,
                           std::string_view minor1, std::string_view major1) {
  return same_place(field_of(instruction, "", minor0), minor_enable[0]) &&
         same_place(field_of(instruction, "", major0), major_enable[0]) &&
         same_place(field_of(instruction, "", minor1), minor_enable[1]) &&
         same_place(field_of(instruction, "", major1), major_enable[1]);
}

static_assert(selects_alike("SETADCXX"));
static_assert(has_amounts("SETADCXY", "X0Val", "Y0Val", "X1Val", "Y1Val"));
static_assert(has_amounts("INCADCXY", "X0Inc", "Y0Inc", "X1Inc", "Y1Inc"));
static_assert(has_amounts("ADDRCRXY", "X0Inc", "Y0Inc", "X1Inc", "Y1Inc"));
static_assert(has_amounts("SETADCZW", "Z0Val", "W0Val", "Z1Val", "W1Val"));
static_assert(has_amounts("INCADCZW", "Z0Inc", "W0Inc", "Z1Inc", "W1Inc"));
static_assert(has_amounts("ADDRCRZW", "Z0Inc", "W0Inc", "Z1Inc", "W1Inc"));
static_assert(has_enables("ADDRCRXY", "X0", "Y0", "X1", "Y1"));
static_assert(has_enables("SETADCZW", "Z0", "W0", "Z1", "W1"));
static_assert(has_enables("ADDRCRZW", "Z0", "W0", "Z1", "W1"));

/// 0 is the issuing thread's own context, n that of thread n-1: two bits name no other.
constexpr unsigned context_of(unsigned thread, std::uint32_t override_value) {
  return override_value == 0 ? thread : override_value - 1U;
}
static_assert(thread_override.max() == std::tuple_size_v<decltype(Adcs::context)>);

template <class Change>
void for_each_set(AdcContext& context, isa::Word word, Change change) {
  if (u0.get(word) != 0) change(context.unpacker[0]);
  if (u1.get(word) != 0) change(context.unpacker[1]);
  if (pk.get(word) != 0) change(context.packer);
}

enum class Pair : bool { xy, zw };

/// change(counter, amount, enable) for the four counters that the word is about, of each set it selects.
template <Pair pair, class Change>
void for_each_counter(Adcs& adcs, unsigned thread, isa::Word word, Change change) {
  for_each_set(adcs.context[context_of(thread, thread_override.get(word))], word, [&](AdcSet& set) {
    for (std::size_t c = 0; c < set.channel.size(); ++c) {
      AdcChannel& channel = set.channel[c];
      const auto on_both = [&](auto& minor, auto& major) {
        change(minor, minor_amount[c].get(word), minor_enable[c].get(word) != 0);
        change(major, major_amount[c].get(word), major_enable[c].get(word) != 0);
      };
      if constexpr (pair == Pair::xy)
        on_both(channel.x, channel.y);
      else
        on_both(channel.z, channel.w);
    }
  });
}

constexpr auto set_if_enabled = [](auto& counter, std::uint32_t amount, bool enable) {
  if (enable) counter.set(amount);
};
constexpr auto step_always = [](auto& counter, std::uint32_t amount, bool) { counter.step(amount); };
constexpr auto step_cr_if_enabled = [](auto& counter, std::uint32_t amount, bool enable) {
  if (enable) counter.step_cr(amount);
};

}  // namespace

void setadc(Adcs& adcs, unsigned thread, isa::Word word) {
  // The override has no bits of its own: it is the top two of the value's, and no part of what X, the only counter that
  // is wide enough for them, is set to (ruling 28).
  constexpr unsigned override_shift = 16;
  const std::uint32_t override_value = set_value.get(word) >> override_shift;
  const std::uint32_t value = set_value.get(word) & ((1U << override_shift) - 1U);
  for_each_set(adcs.context[context_of(thread, override_value)], word, [&](AdcSet& set) {
    AdcChannel& channel = set.channel[set_channel.get(word)];
    switch (set_xyzw.get(word)) {
      case 0: channel.x.set(value); break;
      case 1: channel.y.set(value); break;
      case 2: channel.z.set(value); break;
      default: channel.w.set(value); break;
    }
  });
}

void setadcxy(Adcs& adcs, unsigned thread, isa::Word word) {
  for_each_counter<Pair::xy>(adcs, thread, word, set_if_enabled);
}

void incadcxy(Adcs& adcs, unsigned thread, isa::Word word) {
  for_each_counter<Pair::xy>(adcs, thread, word, step_always);
}

void addrcrxy(Adcs& adcs, unsigned thread, isa::Word word) {
  for_each_counter<Pair::xy>(adcs, thread, word, step_cr_if_enabled);
}

void setadczw(Adcs& adcs, unsigned thread, isa::Word word) {
  for_each_counter<Pair::zw>(adcs, thread, word, set_if_enabled);
}

void incadczw(Adcs& adcs, unsigned thread, isa::Word word) {
  for_each_counter<Pair::zw>(adcs, thread, word, step_always);
}

void addrcrzw(Adcs& adcs, unsigned thread, isa::Word word) {
  for_each_counter<Pair::zw>(adcs, thread, word, step_cr_if_enabled);
}

void setadcxx(Adcs& adcs, unsigned thread, isa::Word word) {
  // Its two ten-bit values leave no room for an override: always the issuing thread's context.
  for_each_set(adcs.context[thread], word, [&](AdcSet& set) {
    set.channel[0].x.set(xx_value0.get(word));
    set.channel[1].x.set(xx_value1.get(word));
  });
}

bool apply_adc_instruction(Adcs& adcs, unsigned thread, isa::Word word) {
  switch (isa::opcode_of(word)) {
    case "SETADC"_op: setadc(adcs, thread, word); return true;
    case "SETADCXY"_op: setadcxy(adcs, thread, word); return true;
    case "INCADCXY"_op: incadcxy(adcs, thread, word); return true;
    case "ADDRCRXY"_op: addrcrxy(adcs, thread, word); return true;
    case "SETADCZW"_op: setadczw(adcs, thread, word); return true;
    case "INCADCZW"_op: incadczw(adcs, thread, word); return true;
    case "ADDRCRZW"_op: addrcrzw(adcs, thread, word); return true;
    case "SETADCXX"_op: setadcxx(adcs, thread, word); return true;
    default: return false;
  }
}

}  // namespace tensim::tensix
