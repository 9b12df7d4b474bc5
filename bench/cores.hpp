// The work the core benchmarks measure: one tile, five cores, each with code and data of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/riscv_words.hpp"
#include "tile/tile.hpp"

namespace tensim::bench {

using Code = std::vector<rv::Word>;

/// Two loads and a store in L1, a load and a store in local RAM, a multiplication, four additions and two branches.
inline Code mixed_loop() {
  using namespace rv;
  return {lw(t0, s0, 0),  lw(t1, s0, 4), addi(a0, a0, 1),    mul(a1, a0, a2),  lw(t2, s1, 0),    add(a3, t0, t1),
          sw(a3, s0, 64), sw(a1, s1, 4), bne(zero, zero, 8), xor_(a4, t2, a3), addi(a5, a5, -1), bne(a5, zero, -44)};
}

/// The same instructions as tools that run other simulators beside this one have them; 8(s0) counts the rounds.
inline Code counted_loop() {
  using namespace rv;
  return {lw(a0, s0, 0), lw(a1, s0, 4),   add(a2, a0, a1),  sw(s3, s0, 8),   lw(a3, s1, 0),   addi(a3, a3, 1),
          sw(a3, s1, 0), mul(a4, a2, a3), xor_(s2, s2, a4), beq(s3, s1, 12), addi(s3, s3, 1), jal(zero, -44)};
}

/// Sixteen additions and the branch back.
inline Code alu_loop() {
  using namespace rv;
  Code code;
  for (const Word reg : {a0, a1, a2, a3, a4, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11})
    code.push_back(addi(reg, reg, 1));
  code.push_back(addi(a5, a5, -1));
  code.push_back(bne(a5, zero, -64));
  return code;
}

/// Reads a word that nobody writes.
inline Code polling_loop() {
  using namespace rv;
  return {lw(t0, s0, 0), beq(t0, zero, -4)};
}

/// Where the cores have their blocks of L1: in banks of their own, where they wait for ports alone, or all in one.
enum class Banks : std::uint8_t { own, one };

struct BusyTile {
  BusyTile(Arch arch, const Code& loop, Banks where = Banks::own) : banks(where), tile(arch) {
    for (unsigned core = 0; core < tile::core_count; ++core)
      start(static_cast<tile::CoreId>(core), loop);
    tile.run_until(10'000);  // local RAM is clear, caches are warm
  }

  void start(tile::CoreId id, const Code& loop) {
    const auto number = static_cast<std::uint32_t>(id);
    const auto offset = static_cast<int>(banks == Banks::own ? 32 * number : 0);
    Code code{rv::lui(rv::s0, 0x10 + number), rv::addi(rv::s0, rv::s0, offset), rv::lui(rv::s1, 0xFFB00),
              rv::addi(rv::a2, rv::zero, 3)};
    code.insert(code.end(), loop.begin(), loop.end());
    const std::uint32_t at = 0x1000 + number * 0x1000;
    tile.write(at, reinterpret_cast<const std::uint8_t*>(code.data()), 4 * code.size());
    tile.release(id, at);
  }

  std::uint64_t retired() const {
    std::uint64_t sum = 0;
    for (const riscv::Core& core : tile.cores)
      sum += core.retired;
    return sum;
  }
  void run(tile::Cycle cycles) { tile.run_until(tile.now() + cycles); }

  Banks banks;
  tile::Tile tile;
};

}  // namespace tensim::bench
