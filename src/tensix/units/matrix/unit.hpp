// Matrix Unit (FPU): SrcA and SrcB against Dst (MatrixUnit.md). One instruction a cycle over all threads.
#pragma once

#include <array>
#include <optional>

#include "arch/sizes.hpp"
#include "number/stochastic.hpp"
#include "tensix/operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;

struct MatrixUnit {
  static constexpr std::uint8_t nobody = 0xFF;
  static constexpr unsigned dst_blocks =
      size_of_both("dst_rows"_size) / size_of_both("dst_block_rows"_size);  // aligned, 16 columns

  /// The thread that the arbiter has picked and whose instruction waits for Dst: it keeps the port (ruling 13).
  std::uint8_t port_owner = nobody;
  /// Until here only `exclusive_opcodes` may pass (MOVD2A, MOVB2A, MOVD2B, SHIFTXB).
  Cycle exclusive_until = 0;
  std::array<std::uint8_t, 2> exclusive_opcodes{};
  /// Until here readers of Dst may not pass, whatever the block (MOVA2D, MOVB2D, MOVDBGA2D, MOVDBGB2D).
  Cycle dst_readers_from = 0;
  /// First cycle in which each block of Dst may be read again after a write.
  std::array<Cycle, dst_blocks> block_readable_from{};
  /// The row of SrcA that the last instruction worked out: what SHIFTXA reads from, by a hardware bug (SHIFTXA.md).
  std::uint8_t last_src_a_row = 0;
  /// Columns that moves between Src and Dst, and MOVB2A, leave as they are: a bit for each, of BLOCK_DEST_MOV in the Vector
  /// Unit's LaneConfig (SFPCONFIG.md), which sets it.
  std::uint16_t blocked_move_columns = 0;
  /// For ALU_ROUNDING_MODE_Fpu_srnd_en.
  number::RoundingNoise noise;

  bool moves_column(unsigned column) const { return (blocked_move_columns >> column & 1U) == 0; }
};

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// Dst blocks written too recently, and instructions that bar others (ruling 13).
Held matrix_hazard(const Coprocessor& coprocessor, const Candidate& candidate);
/// The address modifier, if it has one.
std::optional<unsigned> matrix_addr_mod(Arch arch, Word word);

}  // namespace units

}  // namespace tensim::tensix
