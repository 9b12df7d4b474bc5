// What of the instruction set is modelled: each form is run once, with every operand 0, on a tile that is ready for it.
// And what has been held against the reference: a table, kept by hand beside the tools that do it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::scenario {

/// What stopped a run of the form; nothing if it is modelled.
std::optional<tensix::Fault> probe(Arch arch, const isa::Form& form);

struct ComparedInstruction {
  std::string_view instruction;
  std::string_view tool;       // that runs it here and on the reference
  std::string_view vectors;    // what the reference made of it, under tests/vectors; "" if it is only compared live
  std::string_view form = "";  // of several, the one that is compared
};

inline constexpr std::array compared_instructions{
    ComparedInstruction{"UNPACR", "unpack-diff, tile-diff", "number/unpack.tsv, tiles.tsv", "Regular"},
    ComparedInstruction{"PACR", "pack-diff, tile-diff", "number/pack.tsv, number/l1_accumulate.tsv, tiles.tsv"},
    ComparedInstruction{"MVMUL", "matrix-diff, tile-diff", "number/dot.tsv, tiles.tsv"},
    ComparedInstruction{"DOTPV", "", "number/dot.tsv"},
    ComparedInstruction{"GAPOOL", "matrix-diff", "number/dot.tsv"},
    ComparedInstruction{"GMPOOL", "matrix-diff", "number/max_pool.tsv"},
    ComparedInstruction{"ELWADD", "matrix-diff, tile-diff", "number/element.tsv, tiles.tsv"},
    ComparedInstruction{"ELWSUB", "matrix-diff, tile-diff", "number/element.tsv, tiles.tsv"},
    ComparedInstruction{"ELWMUL", "matrix-diff, tile-diff", "number/element.tsv, tiles.tsv"},
    ComparedInstruction{"MOVA2D", "matrix-diff", "number/move.tsv"},
    ComparedInstruction{"MOVB2D", "matrix-diff", "number/move.tsv"},
    ComparedInstruction{"MOVD2A", "matrix-diff", "number/move.tsv"},
    ComparedInstruction{"MOVD2B", "matrix-diff", "number/move.tsv"},
    ComparedInstruction{"MOVB2A", "matrix-diff", ""},
    ComparedInstruction{"TRNSPSRCB", "matrix-diff", ""},
    ComparedInstruction{"SFPABS", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPADD", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPADDI", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPAND", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPARECIP", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPCAST", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPCOMPC", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPCONFIG", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPDIVP2", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPEXEXP", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPEXMAN", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPGT", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPIADD", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPLE", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPLOAD", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPLOADI", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPLUT", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPLUTFP32", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPLZ", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPMAD", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPMOV", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPMUL", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPMUL24", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPMULI", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPNOT", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPOR", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSETCC", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSETEXP", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSETMAN", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSETSGN", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSHFT", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSHFT2", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSTOCHRND", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSTORE", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPSWAP", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPTRANSP", "vector-diff", "vector.tsv"},
    ComparedInstruction{"SFPXOR", "vector-diff", "vector.tsv"},
};

/// Null if the form has not been compared.
constexpr const ComparedInstruction* compared(const isa::Form& form) {
  for (const ComparedInstruction& row : compared_instructions)
    if (row.instruction == form.name && row.form == form.form) return &row;
  return nullptr;
}

}  // namespace tensim::scenario
