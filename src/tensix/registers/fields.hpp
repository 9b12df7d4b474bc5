// Look-ups in the tables of arch/ and isa/ that happen while compiling: a name that is not there does not compile, and
// the code that runs sees only shifts, masks and array bounds.
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

/// A field that stands in the same place on both architectures.
consteval isa::Field field_of(std::string_view instruction, std::string_view form, std::string_view field) {
  const isa::Field wormhole = field_of(Arch::wormhole, instruction, form, field);
  const isa::Field blackhole = field_of(Arch::blackhole, instruction, form, field);
  if (wormhole.high != blackhole.high || wormhole.low != blackhole.low)
    throw "the field differs between the architectures: name one";
  return wormhole;
}

static_assert(thread_count == size_of_both("tensix_threads"_size));

}  // namespace tensim::tensix
