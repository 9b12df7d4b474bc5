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
  l1_range,               // a transfer reaches beyond L1: that part is not moved
  pack_mask,              // packers that no page lists together: all of them work
  pack_x_range,           // X ends before it starts: nothing is packed; Blackhole, more than 16 datums: 16 are
  pack_format,            // a conversion that no page has: zeros are packed
  pack_integer_infinity,  // an edge mask's minus infinity among integers: all ones
  // ---- not modelled: the run stops ----
  first_unmodelled,
  pack_compression,
  pack_from_l1,
  pack_context,
  pack_setting,
  pack_metadata,
  pack_stochastic_rounding,
  pack_descale_mode,
  pack_accumulate_format,
  pack_register_write,
};

struct DataIssueText {
  DataIssue issue;
  std::string_view text;
};

inline constexpr std::array data_issue_texts{
    DataIssueText{DataIssue::none, ""},
    DataIssueText{DataIssue::l1_range, "reaches beyond L1; that part is not moved"},
    DataIssueText{DataIssue::pack_mask, "names packers that cannot be named together; all of them work"},
    DataIssueText{DataIssue::pack_x_range,
                  "has an X range that is empty or longer than a row; nothing, or 16 datums, are packed"},
    DataIssueText{DataIssue::pack_format, "asks for a conversion that is not defined; zeros are packed"},
    DataIssueText{DataIssue::pack_integer_infinity, "replaces integers by minus infinity; all their bits are set"},
    DataIssueText{DataIssue::first_unmodelled, ""},
    DataIssueText{DataIssue::pack_compression, "compression in a packer (Disable_zero_compress = 0)"},
    DataIssueText{DataIssue::pack_from_l1, "packing from L1 (Source_interface_selection = 1)"},
    DataIssueText{DataIssue::pack_context, "configuration contexts of the packer (CfgContext, CtxtCtrl)"},
    DataIssueText{DataIssue::pack_setting, "a packer setting that no page describes"},
    DataIssueText{DataIssue::pack_metadata, "metadata of packed tiles (Enable_out_fifo = 1)"},
    DataIssueText{DataIssue::pack_stochastic_rounding, "stochastic rounding in a packer"},
    DataIssueText{DataIssue::pack_descale_mode, "a shift for each Z (INT_DESCALE_Mode = 1)"},
    DataIssueText{DataIssue::pack_accumulate_format, "accumulation in L1 of this format"},
    DataIssueText{DataIssue::pack_register_write, "a register write by PACR_SETREG"},
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
