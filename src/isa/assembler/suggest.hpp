// "did you mean": the nearest known spelling.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tensim::isa {

/// "; did you mean 'X'?" for the nearest of `known`, a list of them when none is near and there are few, else nothing.
std::string suggestion(std::string_view text, std::span<const std::string_view> known);

}  // namespace tensim::isa
