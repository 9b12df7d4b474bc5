// How much the race check keeps of a tile whose cores touch all of L1.
#include <gtest/gtest.h>

#include "arch/sizes.hpp"
#include "insight/tile_races.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using insight::TileRaces;
using tile::core_count;

constexpr std::size_t most_bytes = 16U << 20;

class RaceMemory : public BothArchs {
 protected:
  RaceMemory() { races.start(*tile); }

  template <class What>
  void tell(const What& what) {
    races.happened({time::key(++cycle, time::Phase::store, 0), what, {}});
  }
  void store(unsigned core, std::uint32_t address, std::uint8_t bytes = 4) {
    tell(event::Stored{.core = static_cast<std::uint8_t>(core), .bytes = bytes, .pc = 0x1000, .address = address});
    tell(event::Landed{
        .core = static_cast<std::uint8_t>(core), .mask = 0xF, .pc = 0x1000, .address = address / 16 * 16});
  }
  void load(unsigned core, std::uint32_t address) {
    tell(event::Loaded{.core = static_cast<std::uint8_t>(core), .to = 5, .pc = 0x1004, .address = address});
    tell(event::Used{.core = static_cast<std::uint8_t>(core), .reg = 5, .pc = 0x1008});
  }

  std::uint32_t l1_bytes = static_cast<std::uint32_t>(size(GetParam(), "l1_bytes"_size));
  std::unique_ptr<tile::Tile> tile = std::make_unique<tile::Tile>(GetParam());
  insight::RaceContext context{GetParam(), {}};
  TileRaces races{context, 0, {}};
  time::Cycle cycle = 0;
};
TENSIM_BOTH_ARCHS(RaceMemory);

TEST_P(RaceMemory, OfACoreThatStoresToEveryWordIsBounded) {
  for (std::uint32_t at = 0; at < l1_bytes; at += 4)
    store(0, at);
  EXPECT_LT(races.shadow_bytes(), most_bytes);
}

TEST_P(RaceMemory, OfACoreThatStoresToEveryByteIsBounded) {
  for (std::uint32_t at = 0; at < l1_bytes; ++at)
    store(0, at, 1);
  EXPECT_LT(races.shadow_bytes(), most_bytes);
}

TEST_P(RaceMemory, OfFiveCoresThatChangeEveryWordIsBounded) {
  for (std::uint32_t at = 0; at < l1_bytes / core_count; at += 4)
    for (unsigned core = 0; core < core_count; ++core) {
      const std::uint32_t own = core * (l1_bytes / core_count / 4) * 4 + at;
      load(core, own);
      store(core, own);
    }
  EXPECT_LT(races.shadow_bytes(), most_bytes);
}

TEST_P(RaceMemory, OfFiveCoresThatReadEverythingIsBounded) {
  for (unsigned core = 0; core < core_count; ++core)
    for (std::uint32_t at = 0; at < l1_bytes; at += 4)
      load(core, at);
  EXPECT_LT(races.shadow_bytes(), most_bytes);
}

/// In no order that anybody could foresee.
TEST_P(RaceMemory, OfScatteredStoresIsBounded) {
  const std::uint32_t words = l1_bytes / 4;
  for (std::uint64_t i = 0; i < words; ++i)
    store(static_cast<unsigned>(i % core_count), static_cast<std::uint32_t>(i * 100'003 % words * 4));
  EXPECT_LT(races.shadow_bytes(), most_bytes);
}

}  // namespace
}  // namespace tensim::test
