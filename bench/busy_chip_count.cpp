// Host instructions of a chip whose tiles all go round the counted loop (bench/cores.hpp) on five cores, for callgrind:
// tensim_count_busy_chip TILES [same|other] [wormhole]. `other`: each tile has its code elsewhere, with other registers, and starts
// at another time.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/cores.hpp"
#include "chip/chip.hpp"

namespace tensim::bench {
namespace {

constexpr chip::Cycle warm = 10'000;
constexpr chip::Cycle counted = 20'000;

/// The counted loop as the tile numbered `n` has it.
Code loop_of(unsigned n, bool differs) {
  if (!differs) return counted_loop();
  using namespace rv;
  const Word a = n % 2 == 0 ? t0 : a0;
  const Word b = n % 3 == 0 ? t1 : a1;
  const Word sum = n % 5 == 0 ? t2 : a2;
  const Word count = n % 7 == 0 ? s4 : s3;
  return {lw(a, s0, 0),  lw(b, s0, 4),     add(sum, a, b),   sw(count, s0, 8),   lw(a3, s1, 0),         addi(a3, a3, 1),
          sw(a3, s1, 0), mul(a4, sum, a3), xor_(s2, s2, a4), beq(count, s1, 12), addi(count, count, 1), jal(zero, -44)};
}

void start(chip::Slot& slot, unsigned n, bool differs) {
  for (std::uint32_t core = 0; core < tile::core_count; ++core) {
    Code code{rv::lui(rv::s0, 0x30 + core), rv::lui(rv::s1, 0xFFB00), rv::addi(rv::s3, rv::zero, 0)};
    code.resize(code.size() + (differs ? (n * 7 + core * 3) % 41 : 0), rv::addi(rv::zero, rv::zero, 0));
    const Code loop = loop_of(n, differs);
    code.insert(code.end(), loop.begin(), loop.end());
    const std::uint32_t at = 0x4000 * (core + 1) + (differs ? 16 * (n % 61) : 0);
    slot.tile->write(at, reinterpret_cast<const std::uint8_t*>(code.data()), 4 * code.size());
    slot.tile->release(static_cast<tile::CoreId>(core), at);
  }
  slot.is_idle = false;
}

std::vector<tile::Tile*> busy_tiles(chip::Chip& chip, const noc::FloorPlan& plan, unsigned count, bool differs) {
  std::vector<tile::Tile*> tiles;
  for (unsigned y = 0; y < plan.height(); ++y)
    for (unsigned x = 0; x < plan.width() && tiles.size() < count; ++x)
      if (plan.has_tensix({x, y})) {
        chip::Slot& slot = chip.touch({x, y});
        start(slot, static_cast<unsigned>(tiles.size()), differs);
        tiles.push_back(&*slot.tile);
      }
  return tiles;
}

std::uint64_t retired(const std::vector<tile::Tile*>& tiles) {
  std::uint64_t sum = 0;
  for (const tile::Tile* tile : tiles)
    for (const riscv::Core& core : tile->cores)
      sum += core.retired;
  return sum;
}

}  // namespace
}  // namespace tensim::bench

extern "C" __attribute__((noinline)) void tensim_counted(tensim::chip::Chip& chip, tensim::chip::Cycle end) {
  chip.run_until(end);
}

int main(int count, char** arguments) {
  using namespace tensim;
  const unsigned tiles = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 1;
  const bool differs = count > 2 && std::strcmp(arguments[2], "other") == 0;
  const bool is_wormhole = count > 3 && std::strcmp(arguments[3], "wormhole") == 0;
  const noc::FloorPlan plan(is_wormhole ? Arch::wormhole : Arch::blackhole);
  chip::Chip chip(plan);
  const std::vector<tile::Tile*> busy = bench::busy_tiles(chip, plan, tiles, differs);
  chip.run_until(bench::warm);
  const std::uint64_t before = bench::retired(busy);
  const auto start = std::chrono::steady_clock::now();
  tensim_counted(chip, bench::warm + bench::counted);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::printf("%llu instructions in %llu cycles of %zu tiles, %.3f s\n",
              static_cast<unsigned long long>(bench::retired(busy) - before),
              static_cast<unsigned long long>(bench::counted), busy.size(), time.count());
  return 0;
}
