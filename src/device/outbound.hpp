// From the PCIe tile to the host: which part of the tile's address space is the host's, and what the outbound iATU makes of
// it. Pages: PCIExpressTile/README.md of either chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "arch/arch.hpp"

namespace tensim::device {

inline constexpr std::size_t outbound_regions = 16;
inline constexpr std::size_t outbound_region_bytes = 0x200;
inline constexpr std::size_t outbound_bytes = outbound_regions * outbound_region_bytes;  // of the iATU's registers

/// The bus address of an access to the PCIe tile. What no region takes keeps its own. Nothing if it does not go to the host.
std::optional<std::uint64_t> outbound_address(Arch arch, std::span<const std::uint8_t> iatu, std::uint64_t noc_address,
                                              std::size_t bytes);

}  // namespace tensim::device
