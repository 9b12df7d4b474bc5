// The child's side of child.hpp: opens the library, answers requests, ends with its parent.
#pragma once

#include <cstdint>
#include <span>

#include "reference/child.hpp"

namespace tensim::reference {

/// Does not return.
[[noreturn]] void serve(const OpenOptions& options, int socket, std::span<std::uint8_t> shared);

}  // namespace tensim::reference
