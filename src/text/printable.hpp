// Text that files, programs and users have brought along, made fit for a terminal: what a terminal would obey (escape
// codes, a carriage return, a change of writing direction) and what is not UTF-8 is shown instead, byte by byte, as \x1b.
#pragma once

#include <string>
#include <string_view>

namespace tensim::text {

/// One line: a tab becomes a space, and a line end is shown as \x0a.
std::string printable(std::string_view text);

/// Several lines: their ends, and tabs, stay.
std::string printable_lines(std::string_view text);

}  // namespace tensim::text
