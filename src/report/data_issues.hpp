// What software did that hardware leaves undefined or that is not modelled, in words.
#pragma once

#include <span>
#include <string_view>

#include "arch/named_rows.hpp"
#include "tensix/data_issue.hpp"

namespace tensim::report {

/// All of them, in the order of the enum.
std::span<const NamedRow<tensix::DataIssue>> data_issue_rows();

std::string_view text_of(tensix::DataIssue issue);

}  // namespace tensim::report
