// What guests print: a ring in L1 for each core (guest/include/tensim/print.h). A program stores text and then the count
// of bytes written since its start; the text is taken in the cycle in which that store lands, so nobody waits for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tile/access.hpp"

namespace tensim::tile {

class Tile;

struct PrintRing {
  static constexpr std::uint32_t magic = 0x474E4952;
  static constexpr std::uint32_t written_offset = 8;  // behind the magic number and the capacity
  static constexpr std::uint32_t data_offset = 16;
  static constexpr std::uint32_t largest_capacity = 64U << 10U;

  std::uint32_t address = 0;
  std::uint32_t capacity = 0;
  std::uint32_t taken = 0;  // of the bytes written
};

/// Text that a core has printed.
struct PrintedText {
  CoreId core = CoreId::brisc;
  Cycle cycle = 0;
  std::string text;
  std::uint32_t lost = 0;  // bytes before it that the ring did not hold: too many at once, or the count was nonsense

  friend bool operator==(const PrintedText&, const PrintedText&) = default;
};

struct PrintRings {
  /// What is kept until the host takes it: a kernel in a loop must not fill its memory.
  static constexpr std::size_t most_bytes = 16U << 20U;

  bool any = false;
  std::array<std::optional<PrintRing>, core_count> of;
  std::vector<PrintedText> texts;  // in the order of cycles; the host may clear it between runs
  std::size_t kept = 0;            // bytes of them
  std::uint64_t dropped = 0;       // texts beyond the limit

  /// L1 has changed in [address, address + bytes).
  void look(std::span<const std::uint8_t> l1, std::uint32_t address, std::uint32_t bytes, Cycle cycle);
};

/// Takes what the core prints from now on. False if there is no ring: its program has to be loaded before.
bool attach_print_ring(Tile& tile, CoreId core, std::uint32_t address);

}  // namespace tensim::tile
