// A chip with programs on tiles that are counted: the n-th Tensix tile, in rows.
#pragma once

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "chip/chip.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::test {

class ChipPrograms : public ::testing::TestWithParam<Arch> {
 protected:
  static constexpr std::uint32_t code = 0x4000;

  noc::FloorPlan plan_{GetParam()};
  chip::Chip chip_{plan_};

  noc::Coordinates tensix(unsigned n) const {
    for (unsigned y = 0; y < plan_.height(); ++y)
      for (unsigned x = 0; x < plan_.width(); ++x)
        if (plan_.has_tensix({x, y}) && n-- == 0) return {x, y};
    return {};
  }
  noc::Coordinates name(unsigned n) const { return plan_.translated(tensix(n)); }

  /// The program, and then the core stays where it is.
  void start(unsigned n, NocProgram program, tile::CoreId core = tile::CoreId::brisc, std::uint32_t at = code) {
    program.stay();
    chip::Slot& slot = chip_.touch(tensix(n));
    const auto& words = program.words();
    slot.tile->write(at, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
    slot.tile->release(core, at);
    slot.is_idle = false;
  }
};

}  // namespace tensim::test
