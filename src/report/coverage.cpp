#include "report/coverage.hpp"

#include "report/data_issues.hpp"
#include "scenario/coverage.hpp"

namespace tensim::report {

std::string status(Arch arch, const isa::Form& form) {
  if (const auto fault = scenario::probe(arch, form)) return fault_text(*fault);
  return "modelled";
}

std::string fault_text(const tensix::Fault& fault) {
  if (fault.category != tensix::Fault::Category::not_modelled) return "faults";
  if (fault.issue == tensix::DataIssue::none) return "not modelled";
  return "not modelled: " + std::string(text_of(fault.issue));
}

}  // namespace tensim::report
