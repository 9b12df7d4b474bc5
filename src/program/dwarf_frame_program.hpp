// The programs of frame descriptions (CFI), reduced to the registers that lead to a caller.
#pragma once

#include <cstdint>
#include <vector>

#include "program/byte_cursor.hpp"
#include "program/source_map.hpp"

namespace tensim::program {

/// What entries of one kind have in common (a CIE).
struct FrameCommon {
  std::uint64_t code_factor = 1;
  std::int64_t data_factor = 1;
  std::uint8_t return_register = 1;
  std::uint8_t pointer_encoding = 0;  // DW_EH_PE_*
  bool has_augmentation_data = false;
  FrameRow initial;
};

/// Runs a program that begins with `row` and adds rows for [row.begin, row.end), as far as it can be understood: false
/// if that is not all of it. The last state stays in `row`.
bool run_frame_program(const FrameCommon& common, ByteCursor program, FrameRow& row, std::vector<FrameRow>& rows);

}  // namespace tensim::program
