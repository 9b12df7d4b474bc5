#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

// ---- Proofs. A row that breaks one of these does not compile. ----

constexpr bool has_pattern(const Row& row) {
  return row.op != Op::ttinsn && row.op != Op::undefined;
}

consteval bool rows_stand_in_the_order_of_op() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].op != static_cast<Op>(i)) return false;
  return true;
}
static_assert(rows_stand_in_the_order_of_op());

consteval bool matches_lie_within_masks() {
  for (const Row& row : rows)
    if ((row.match & ~row.mask) != 0) return false;
  return true;
}
static_assert(matches_lie_within_masks());

/// Bits 1:0 of every row are 3: nothing overlaps with .ttinsn.
consteval bool no_row_is_a_ttinsn() {
  for (const Row& row : rows)
    if (has_pattern(row) && (row.match & row.mask & 3U) != 3U) return false;
  return true;
}
static_assert(no_row_is_a_ttinsn());

consteval bool names_are_unique() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j)
      if (rows[i].name == rows[j].name) return false;
  return true;
}
static_assert(names_are_unique());

/// Two rows that fit one word are one another's special case (zext.h of pack), and the special one has the lower Op:
/// the decoder takes the first that fits.
consteval bool overlaps_are_special_cases_and_come_first() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const Row& a = rows[i];
      const Row& b = rows[j];
      if (!has_pattern(a) || !has_pattern(b) || ((a.match ^ b.match) & a.mask & b.mask) != 0) continue;
      const bool a_is_special = (a.mask & b.mask) == b.mask && a.mask != b.mask;
      const bool pair_is_known = (a.op == Op::zext_h && b.op == Op::pack) || b.op == Op::grevi;
      if (!a_is_special || !pair_is_known) return false;
    }
  return true;
}
static_assert(overlaps_are_special_cases_and_come_first());

}  // namespace
}  // namespace tensim::riscv
