// Look-ups in the tables of arch/ and isa/ that happen while compiling: a name that is not there does not compile, and
// the code that runs sees only shifts, masks and array bounds. Nothing outside isa/ takes an instruction word apart in
// another way (tests/source/decoding_test.cpp).
#pragma once

#include <cstddef>
#include <string_view>

#include "arch/sizes.hpp"
#include "isa/table.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

/// The field of `instruction` (and its form, "" if it has only one) on `arch`.
consteval isa::Field field_of(Arch arch, std::string_view instruction, std::string_view form, std::string_view field) {
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& row : unit.forms)
      if (row.name == instruction && row.form == form && row.archs.contains(arch))
        if (const isa::Field* found = row.field(field)) return *found;
  throw "no such field in isa/table";
}

consteval bool same_place(isa::Field a, isa::Field b) {
  return a.high == b.high && a.low == b.low;
}

/// A field that stands in the same place on all architectures.
consteval isa::Field field_of(std::string_view instruction, std::string_view form, std::string_view field) {
  const isa::Field common = field_of(all_archs.front(), instruction, form, field);
  for (const Arch arch : all_archs)
    if (!same_place(common, field_of(arch, instruction, form, field)))
      throw "the field differs between the architectures: name one";
  return common;
}

/// A field that every form of the instruction has, on both architectures, in the same place.
consteval isa::Field field_of_all_forms(std::string_view instruction, std::string_view field) {
  isa::Field common;
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& row : unit.forms) {
      if (row.name != instruction) continue;
      const isa::Field* found = row.field(field);
      if (found == nullptr) throw "a form of the instruction does not have the field";
      if (!common.name.empty() && !same_place(common, *found)) throw "the field differs between forms: name one";
      common = *found;
    }
  if (common.name.empty()) throw "no such instruction in isa/table";
  return common;
}

/// A field that the architectures have in different places.
struct FieldByArch {
  isa::Field wormhole;
  isa::Field blackhole;

  constexpr Word get(Arch arch, Word word) const { return on(arch, wormhole.get(word), blackhole.get(word)); }
};
consteval FieldByArch field_by_arch(std::string_view instruction, std::string_view form, std::string_view field) {
  return {field_of(Arch::wormhole, instruction, form, field), field_of(Arch::blackhole, instruction, form, field)};
}

/// The bits that tell a form of an instruction from its siblings, once the opcode is known.
struct FormBits {
  Word mask = 0;
  Word value = 0;

  constexpr bool match(Word word) const { return (word & mask) == value; }
};
consteval const isa::Form& form_of(Arch arch, std::string_view instruction, std::string_view form) {
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& row : unit.forms)
      if (row.name == instruction && row.form == form && row.archs.contains(arch)) return row;
  throw "no such form in isa/table";
}
consteval FormBits form_bits(Arch arch, std::string_view instruction, std::string_view form) {
  const isa::Form& row = form_of(arch, instruction, form);
  return {row.select_mask, row.select_value};
}
/// A form that all architectures choose by the same bits.
consteval FormBits form_bits(std::string_view instruction, std::string_view form) {
  const FormBits common = form_bits(all_archs.front(), instruction, form);
  for (const Arch arch : all_archs) {
    const FormBits bits = form_bits(arch, instruction, form);
    if (bits.mask != common.mask || bits.value != common.value)
      throw "the form is chosen differently by the architectures: name one";
  }
  return common;
}

static_assert(thread_count == size_of_both("tensix_threads"_size));

}  // namespace tensim::tensix
