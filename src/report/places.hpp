// Where instructions and addresses come from, as their author knows them.
#pragma once

#include <cstdint>
#include <string>

#include "scenario/scenario.hpp"
#include "tensix/types.hpp"
#include "tile/access.hpp"

namespace tensim::report {

/// "SEMPOST sem=MATH_PACK (line 12)", or "(kernel.s:12)" if it is not in the scenario itself.
std::string instruction_text(const scenario::Scenario& scenario, unsigned thread, const tensix::Entry& entry);

/// A line of somebody's source. Without one: where in which function it is, or the address.
struct SourceLine {
  std::string file = {};  // empty: the scenario itself
  unsigned line = 0;

  auto operator<=>(const SourceLine&) const = default;
};
/// Of the instruction that pushed a word, or of the word in a scenario.
SourceLine line_of(const scenario::Scenario& scenario, unsigned thread, const tensix::Entry& entry);
SourceLine line_of(const scenario::Scenario& scenario, tile::CoreId core, std::uint32_t pc);
/// "math.c:41", "line 12"
std::string text_of(const SourceLine& line);

/// "main+0x14 (math.c:41)"
std::string location(const scenario::Scenario& scenario, tile::CoreId core, std::uint32_t pc);

/// ", called at noc.h:181, writer.c:9" of code that stands in the place of calls; otherwise nothing.
std::string called_at(const scenario::Scenario& scenario, tile::CoreId core, std::uint32_t pc);
/// The same of the instruction that pushed a word.
std::string push_called_at(const scenario::Scenario& scenario, unsigned thread, const tensix::Entry& entry);

/// "semaphore 1 (MATH_PACK)", "word done (0x00020000)", "word shared+0x14 (0x00020014)", "mailbox T0 (0xffec1004)",
/// "NIU_MST_WR_ACK_RECEIVED of NoC 0"
std::string what_is_at(const scenario::Scenario& scenario, tile::CoreId core, std::uint32_t address);

}  // namespace tensim::report
