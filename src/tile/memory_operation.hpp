// What a device does to memories that are the tile's: the tile carries it out when it is due, with carry_out().
// Pages: Mover.md, TDMA-RISC.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tensix/coprocessor.hpp"
#include "tensix/types.hpp"

namespace tensim::tile {

struct MemoryOperation {
  enum class Source : std::uint8_t { l1, zeros, value };
  enum class Target : std::uint8_t { l1, config, iram, nowhere };
  tensix::Cycle due = 0;  // seen from the next cycle on
  Source source = Source::l1;
  Target target = Target::l1;
  std::uint32_t from = 0;  // bytes, as all of these
  std::uint32_t to = 0;
  std::uint32_t size = 0;
  std::array<std::uint32_t, 2> value{};
};

/// `iram` is Wormhole's NCRISC instruction RAM; empty on Blackhole. False if the operation leaves a memory's bounds.
bool carry_out(const MemoryOperation& operation, tensix::Coprocessor& coprocessor, std::span<std::uint8_t> l1,
               std::span<std::uint8_t> iram);

}  // namespace tensim::tile
