// A look at a TOML document before the parser gets it.
#pragma once

#include <optional>
#include <string_view>

namespace tensim::scenario {

/// The line, from 1, of the first character beyond ASCII that stands outside of strings and comments, or right behind a
/// backslash. TOML gives such a character no meaning, and toml++ 3.3 has undefined behaviour instead of an error for some.
std::optional<unsigned> stray_character_line(std::string_view text);

}  // namespace tensim::scenario
