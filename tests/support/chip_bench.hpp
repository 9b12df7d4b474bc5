// A chip with a program on some of its tiles, for tests of what goes between them.
#pragma once

#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "chip/chip.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::test {

inline constexpr std::uint32_t code_at = 0x4000;
inline constexpr std::uint32_t done_at = 0x100;
inline constexpr std::uint32_t data_at = 0x10000;
inline constexpr std::uint32_t there = 0x20000;

inline std::uint32_t word_of(const tile::Tile& tile, std::uint32_t address) {
  std::uint32_t value = 0;
  std::memcpy(&value, tile.l1.data() + address, sizeof value);
  return value;
}

inline void fill(tile::Tile& tile, std::uint32_t address, std::uint32_t bytes, std::uint32_t seed) {
  std::vector<std::uint8_t> data(bytes);
  std::mt19937 random(seed);
  for (std::uint8_t& byte : data)
    byte = static_cast<std::uint8_t>(random());
  tile.write(address, data.data(), data.size());
}

class ChipBench {
 public:
  explicit ChipBench(Arch arch) : ChipBench(noc::FloorPlan(arch)) {}
  explicit ChipBench(const noc::FloorPlan& of) : plan(of), chip(plan) {}

  /// The n-th Tensix tile, in rows.
  noc::Coordinates tensix(unsigned n) const {
    for (unsigned y = 0; y < plan.height(); ++y)
      for (unsigned x = 0; x < plan.width(); ++x)
        if (plan.has_tensix({x, y}) && n-- == 0) return {x, y};
    return {};
  }
  noc::Coordinates name(unsigned n) const { return plan.translated(tensix(n)); }
  /// What software calls a tile of a bank of memory, on NoC 0.
  noc::Coordinates bank(unsigned number = 0) const {
    const noc::Coordinates tile = plan.bank_tiles(number)[0];
    return plan.arch() == Arch::wormhole ? tile : plan.translated(tile);
  }
  tile::Tile& tile(unsigned n) { return *chip.touch(tensix(n)).tile; }
  const std::array<std::uint32_t, noc::niu_counters>& counters(unsigned n, unsigned noc = 0) {
    return tile(n).devices.nius.niu[noc].counters;
  }

  /// Lets BRISC of the n-th tile go; at its end the program says that it is done.
  void start(unsigned n, NocProgram program) {
    program.store(done_at, 1);
    program.stay();
    chip::Slot& slot = chip.touch(tensix(n));
    slot.tile->settle();
    slot.tile->idle_until(chip.now());
    const auto& words = program.words();
    slot.tile->write(code_at, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
    slot.tile->release(tile::CoreId::brisc, code_at);
    slot.is_idle = false;
  }
  bool is_done(unsigned n) { return word_of(tile(n), done_at) == 1; }
  /// Until the programs of tiles 0 to `count` - 1 have come to their ends.
  bool run(unsigned count, time::Cycle budget = 100'000) {
    const time::Cycle end = chip.now() + budget;
    const auto all_done = [&] {
      for (unsigned n = 0; n < count; ++n)
        if (!is_done(n)) return false;
      return true;
    };
    while (chip.now() < end && !all_done())
      chip.run_until(chip.now() + 100);
    return all_done();
  }

  noc::FloorPlan plan;
  chip::Chip chip;
};

}  // namespace tensim::test
