// Which tiles do what in a probe of data/silicon/noc.csv: the cards' plans, with their own harvesting.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tests/silicon/noc_program.hpp"
#include "tests/silicon/rows.hpp"

namespace tensim::silicon {

/// The chip that the rows were measured on (noc 5).
const noc::FloorPlan& card(Arch arch);

/// Of rows whose figures come from one run; nothing if the row is none of those.
std::optional<NocProbe> noc_probe(const Row& row);
/// 64 writes of 4096 bytes to a tile in another column, row or both.
NocProbe hops_probe(const Row& row, bool other_column, bool other_row);

inline constexpr unsigned dram_transactions = 256;

/// The number behind `mark`, and the one before it; 0 if there is none.
unsigned number_behind(const std::string& text, std::string_view mark);
unsigned number_before(const std::string& text, std::string_view mark);

}  // namespace tensim::silicon
