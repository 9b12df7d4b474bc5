// Mover. Page: Mover.md.
#pragma once

#include <array>

#include "isa/form.hpp"
#include "isa/symbols.hpp"

namespace tensim::isa::table {

constexpr Form mover_row(Form form) {
  form.unit = Unit::mover;
  if (form.block.bits == 0) form.block = {B0 | B4};
  return form;
}

constexpr auto mover_forms() {
  return std::array{
      mover_row({.name = "XMOV",
                 .opcode = 0x40,
                 .select_mask = 0x800000,
                 .operands = {{"Mov_block_selection", 23, 1}, {"Last", 0, 23}},
                 .fields = {{"Last", 0, 0, "vendor: last move of a task, flushes the mover's buffers; undocumented"}},
                 .summary = "Start a background copy by the mover, described by the THCON_SEC0_REG6 settings",
                 .source = "TensixCoprocessor/XMOV.md"}),
  };
}

inline constexpr std::array mover = mover_forms();

}  // namespace tensim::isa::table
