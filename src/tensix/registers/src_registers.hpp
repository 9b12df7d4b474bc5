// SrcA and SrcB: two banks each of 64 rows of 16 datums of 19 bits. Who may use which bank is in src_banks.hpp. Page:
// SrcASrcB.md; the 19 bits are number/layout.hpp's.
#pragma once

#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct SrcRegisters {
  static constexpr unsigned rows = size_of_both("src_rows"_size);
  static constexpr unsigned columns = size_of_both("src_columns"_size);
  static constexpr std::size_t bank_count = size_of_both("src_banks"_size);
  using Row = std::array<std::uint32_t, columns>;
  using Bank = std::array<Row, rows>;

  std::array<std::array<Bank, bank_count>, 2> banks{};  // [file][bank]
  /// [file][bank]: the unpacker's output format, as a code, when it last handed the bank over. Blackhole's Matrix Unit can
  /// take its operands' formats from here.
  std::array<std::array<std::uint8_t, bank_count>, 2> format{};

  Bank& bank(Src src, unsigned which) { return banks[static_cast<std::size_t>(src)][which]; }
  const Bank& bank(Src src, unsigned which) const { return banks[static_cast<std::size_t>(src)][which]; }

  friend constexpr bool operator==(const SrcRegisters&, const SrcRegisters&) = default;
};

}  // namespace tensim::tensix
