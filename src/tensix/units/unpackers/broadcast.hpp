// srcb_bcast of Blackhole's UNPACR: "broadcast starting row into adjacent 8 rows on SrcB" is all that the vendor's
// assembly.yaml says. One row to a multiple of eight is done; of anything else nobody knows which rows are meant.
#pragma once

#include "tensix/units/unpackers/transfer.hpp"

namespace tensim::tensix {

inline constexpr unsigned broadcast_rows = 8;

/// The bit that Wormhole calls RareB.
constexpr bool extra_bit_broadcasts(Arch arch) {
  return on(arch, false, true);
}

inline bool asks_for_broadcast(Arch arch, Word word) {
  return extra_bit_broadcasts(arch) && UnpackInstruction::of(word).extra;
}

inline unsigned first_row(const UnpackTransfer& transfer) {
  return target_row(transfer, transfer.out_address / SrcRegisters::columns);
}

/// A whole row, and the first of eight.
inline bool can_broadcast(const UnpackTransfer& transfer) {
  return transfer.target == UnpackTarget::src_b && transfer.moves && !transfer.is_compressed &&
         transfer.datums == SrcRegisters::columns && transfer.upsample_zeros == 0 &&
         transfer.out_address % SrcRegisters::columns == 0 && first_row(transfer) % broadcast_rows == 0;
}

}  // namespace tensim::tensix
