#include "report/notes.hpp"

#include <fmt/format.h>

#include "report/data_issues.hpp"
#include "report/places.hpp"

namespace tensim::report {

using scenario::Scenario;

std::string text_of(const Scenario& scenario, const tensix::Fault& fault) {
  std::string where = fmt::format("T{} in cycle {}: {}", fault.thread, fault.cycle,
                                  instruction_text(scenario, fault.thread, fault.entry));
  switch (fault.category) {
    case tensix::Fault::Category::undefined_instruction: return where + ": undefined instruction at the Wait Gate";
    case tensix::Fault::Category::not_modelled:
      return where + ": not modelled yet" +
             (fault.issue == tensix::DataIssue::none ? "" : ": " + std::string(text_of(fault.issue)));
    case tensix::Fault::Category::frontend_only:
      return where +
             ": only the frontend understands it, and it reached the Wait Gate (BRISC cannot push MOP; a replay cannot "
             "hold REPLAY)";
  }
  return where;
}

namespace {

/// "GPR 12 of T1"
std::string describe_place(const tensix::Report& report) {
  using tensix::Place;
  switch (report.place) {
    case Place::none: break;
    case Place::gpr: return fmt::format("GPR {} of T{}", report.index, report.owner);
    case Place::config_word: return fmt::format("configuration word {} of bank {}", report.index, report.owner);
    case Place::mop_word: return fmt::format("MopCfg word {} of T{}", report.index, report.owner);
    case Place::replay_slot: return fmt::format("replay slot {} of T{}", report.index, report.owner);
    case Place::semaphore: return fmt::format("semaphore {}", report.index);
  }
  return "state";
}

}  // namespace

std::string what_of(const tensix::Report& report) {
  using Category = tensix::Report::Category;
  switch (report.category) {
    case Category::mux_drop: return "lost at the mux: BRISC pushed in the same cycle";
    case Category::rdcfg_dropped: return "lost: several threads presented RDCFG in one cycle";
    case Category::inline_mop_count: return "MOP with loop counts of its own: documented by the YAML alone";
    case Category::replay_count: return "REPLAY of more than 32: only the low five bits count";
    case Category::semwait_no_condition:
      return "SEMWAIT without a condition is undefined; it acts as a STALLWAIT with the default conditions";
    case Category::foreign_release: return "releases a mutex that the thread does not hold: nothing happens";
    case Category::semaphore_limit: return describe_place(report) + " is at its limit: nothing happens";
    case Category::unused_bits: return "sets bits without a meaning";
    case Category::undefined_data: return std::string(text_of(report.issue));
    case Category::uninitialised_read: return describe_place(report) + " is read before anybody has written it";
    case Category::open_recording:
      return fmt::format("its recording is still open: {} more word{} would have to come", report.index,
                         report.index == 1 ? "" : "s");
  }
  return "";
}

std::string text_of(const Scenario& scenario, const tensix::Report& report) {
  return fmt::format("T{} in cycle {}: {}: {}", report.thread, report.cycle,
                     instruction_text(scenario, report.thread, report.entry), what_of(report));
}

}  // namespace tensim::report
