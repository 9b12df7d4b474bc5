// Who called: the stack of return addresses, from what the compiler said about frames.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/source_map.hpp"

namespace tensim::program {

/// The word at an address, if it can be read.
using LoadWord = std::function<std::optional<std::uint32_t>(std::uint32_t address)>;

inline constexpr std::size_t max_call_depth = 32;

/// `pc`, then the return addresses outwards. Where nothing is known about the frame of `pc`, `ra` if it leads into a
/// function. Ends at the first frame that makes no sense, so any registers and memory are safe.
std::vector<std::uint32_t> call_stack(const SourceMap& source, std::uint32_t pc,
                                      std::span<const std::uint32_t, 32> registers, const LoadWord& load);

/// Each entry of a call stack: the pc, then the calls (not what they return to, which is often the next line).
std::vector<std::string> describe(const SourceMap& source, std::span<const std::uint32_t> call_stack);

}  // namespace tensim::program
