// A kernel of this folder: a scenario with marks in comments, from which its forms are made. README.md has the marks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.hpp"
#include "insight/races.hpp"
#include "scenario/run.hpp"
#include "scenario/scenario.hpp"

namespace tensim::races {

/// A line, and what its marks say of it.
struct Line {
  std::string text;
  bool is_first = false;   // of the pair that the broken form is reported with
  bool is_second = false;  //
  bool is_without = false;
  std::optional<std::string> becomes = {};
  std::optional<Arch> only = {};

  bool differs() const { return is_without || becomes.has_value(); }
  bool is_on(Arch arch) const { return !only || *only == arch; }
};
using Lines = std::vector<Line>;

struct Kernel {
  std::string file;
  std::map<std::string, std::string, std::less<>>
      head;  // marks that stand alone: arch, rule, severity, trap, bug, repair
  Lines lines;

  std::string_view mark(std::string_view name) const;
  bool runs_on(Arch arch) const;
  /// Whether there is a form that lacks something.
  bool has_broken_form() const;
  Lines correct(Arch arch) const { return form(arch, false); }
  Lines broken(Arch arch) const { return form(arch, true); }

 private:
  /// What stands in the file for that chip. Lines keep their numbers.
  Lines form(Arch arch, bool is_broken) const;
};

/// By the name of the file in this folder.
Kernel read_kernel(const std::string& name);
std::vector<std::string> all_kernels();

/// A form of a kernel, run with the check on.
struct CheckedRun {
  Lines lines;
  scenario::Scenario scenario;
  scenario::TileRun ran;

  const insight::Races& races() const { return *ran.outcome.races; }
  /// The first marked line that the site may be; null if it is none of them.
  const Line* first(insight::SiteNumber site) const { return marked(site, &Line::is_first); }
  const Line* second(insight::SiteNumber site) const { return marked(site, &Line::is_second); }
  const Line* marked(insight::SiteNumber site) const { return first(site) != nullptr ? first(site) : second(site); }
  /// Whether it is the marked pair. Which of two that nothing orders came first is the run's business.
  bool is_marked(const insight::Race& race) const;
  std::string text_of(const insight::Race& race) const;

 private:
  const Line* marked(insight::SiteNumber site, bool Line::* mark) const;
};
/// With another `feeding` than 0 the threads are fed from other cycles on, and more slowly: in ways that the number chooses.
/// With another `shaking` than 0 the gates stay closed for up to 100 cycles after each instruction.
CheckedRun run_checked(const std::string& file, Lines lines, unsigned feeding = 0, std::uint32_t shaking = 0);

/// The lines with what would order the pair, where the report says; nothing if that is not a matter of one line.
std::optional<Lines> repaired(const CheckedRun& run, const insight::Race& race);

}  // namespace tensim::races
