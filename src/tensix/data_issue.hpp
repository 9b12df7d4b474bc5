// What data-path instructions can be asked that the documentation leaves undefined, or that is not modelled. The first
// kind is reported once per instruction and place, and what happens instead is fixed and stated here; the second stops
// the run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tensim::tensix {

enum class DataIssue : std::uint8_t {
  none,
  // ---- undefined: reported; the run goes on ----
  l1_range,  // a transfer reaches beyond L1: that part is not moved
  // ---- not modelled: the run stops ----
  first_unmodelled,
};

struct DataIssueText {
  DataIssue issue;
  std::string_view text;
};

inline constexpr std::array data_issue_texts{
    DataIssueText{DataIssue::none, ""},
    DataIssueText{DataIssue::l1_range, "reaches beyond L1; that part is not moved"},
    DataIssueText{DataIssue::first_unmodelled, ""},
};

constexpr bool is_modelled(DataIssue issue) {
  return issue < DataIssue::first_unmodelled;
}
constexpr std::string_view text_of(DataIssue issue) {
  for (const DataIssueText& row : data_issue_texts)
    if (row.issue == issue) return row.text;
  return "";
}

}  // namespace tensim::tensix
