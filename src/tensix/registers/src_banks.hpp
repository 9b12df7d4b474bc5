// Who may use the two banks of SrcA and of SrcB, and which bank each side is on (SrcASrcB.md, errata 34).
#pragma once

#include <array>

#include "tensix/types.hpp"

namespace tensim::tensix {

struct SrcBanks {
  /// [file][bank]: the Matrix Unit owns it; otherwise the unpackers do, as they do at reset.
  std::array<std::array<bool, 2>, 2> matrix_owns{};
  /// [file][bank]: on its way back to the unpackers, so that the Matrix Unit has it no longer and they not yet (ruling 17).
  std::array<std::array<bool, 2>, 2> returning{};
  std::array<std::uint8_t, 2> matrix_bank{};
  std::array<std::uint8_t, 2> unpack_bank{};

  bool matrix_side_valid(Src src) const {
    const auto file = static_cast<std::size_t>(src);
    return matrix_owns[file][matrix_bank[file]] && !returning[file][matrix_bank[file]];
  }
  bool unpack_side_clear(Src src) const {
    const auto file = static_cast<std::size_t>(src);
    return !matrix_owns[file][unpack_bank[file]];
  }
  /// The unpacker's bank goes to the Matrix Unit, and the unpacker to the other bank.
  void hand_to_matrix(Src src) {
    const auto file = static_cast<std::size_t>(src);
    matrix_owns[file][unpack_bank[file]] = true;
    unpack_bank[file] ^= 1U;
  }
  /// The bits of `banks`: 0 A bank 0, 1 A bank 1, 2 B bank 0, 3 B bank 1.
  void begin_return(unsigned banks) {
    for (unsigned bank = 0; bank < 4; ++bank)
      if ((banks >> bank & 1U) != 0) returning[bank / 2][bank % 2] = true;
  }
  void end_return(unsigned banks) {
    for (unsigned bank = 0; bank < 4; ++bank)
      if ((banks >> bank & 1U) != 0) matrix_owns[bank / 2][bank % 2] = returning[bank / 2][bank % 2] = false;
  }
  bool operator==(const SrcBanks&) const = default;
};

}  // namespace tensim::tensix
