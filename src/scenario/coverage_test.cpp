// Every form of both chips either runs on a tile or is in the list of those that do not.
#include "scenario/coverage.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "report/coverage.hpp"
#include "tests/places.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using Names = std::set<std::string>;

Names unmodelled(Arch arch) {
  Names names;
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& form : unit.forms) {
      if (!form.archs.contains(arch)) continue;
      if (const auto fault = scenario::probe(arch, form))
        names.insert(std::string(form.name) + (form.form.empty() ? "" : ".") + std::string(form.form) + ": " +
                     report::fault_text(*fault));
    }
  return names;
}

/// No source says what they do; or they are waiting for what is named (the NoC's streams, register writes).
const Names unmodelled_on_both{
    "MPOOL3S1: not modelled: is a legacy max pool, whose result is not documented",
    "MPOOL3S2: not modelled: is a legacy max pool, whose result is not documented",
    "RAREB: not modelled",
    "RSTDMA: not modelled",
    "SETASHRMH0: not modelled",
    "SETASHRMH1: not modelled",
    "SETASHRMH: not modelled",
    "SETASHRMV: not modelled",
    "SETIBRWC: not modelled",
    "SETPKEDGOF: not modelled",
    "TBUFCMD: not modelled",
    "TRNSPSRCA: not modelled",
    "UNPACR_NOP.OverlayClear0: not modelled: UNPACR_NOP that acknowledges messages of a stream",
    "UNPACR_NOP.OverlayClear3: not modelled: UNPACR_NOP that acknowledges messages of a stream",
};

TEST(Coverage, OnlyTheseFormsAreNotModelledOnBlackhole) {
  EXPECT_EQ(unmodelled(Arch::blackhole), unmodelled_on_both);
}

TEST(Coverage, OnlyTheseFormsAreNotModelledOnWormhole) {
  EXPECT_EQ(unmodelled(Arch::wormhole), unmodelled_on_both);
}

TEST(Coverage, ComparedInstructionsAndTheirVectorsExist) {
  for (const scenario::ComparedInstruction& row : scenario::compared_instructions) {
    const auto is_it = [&](const isa::Form& form) { return scenario::compared(form) == &row; };
    EXPECT_TRUE(std::ranges::any_of(isa::unit_tables, [&](const isa::UnitTable& unit) {
      return std::ranges::any_of(unit.forms, is_it);
    })) << row.instruction;
    std::istringstream files{std::string(row.vectors)};
    for (std::string file; std::getline(files >> std::ws, file, ',');)
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(TENSIM_VECTORS) / file)) << file;
  }
}

}  // namespace
}  // namespace tensim::test
