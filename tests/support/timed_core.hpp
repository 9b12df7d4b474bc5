// How long a few instructions take on a core: until an ebreak behind them enters the pipeline. Their code is in the
// instruction cache from the beginning, so that no fetch stands between them.
#pragma once

#include <vector>

#include "riscv/decode.hpp"
#include "tests/support/guest_tile.hpp"

namespace tensim::test {

using Code = std::vector<rv::Word>;

inline Code operator+(Code first, const Code& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline Code times(unsigned count, const Code& code) {
  Code all;
  for (unsigned i = 0; i < count; ++i)
    all = all + code;
  return all;
}

/// The two instructions that put any value into a register.
inline Code li(rv::Word rd, std::uint32_t value) {
  return {rv::lui(rd, (value + 0x800) >> 12U & 0xFFFFFU), rv::addi(rd, rd, static_cast<int>(value << 20U) >> 20)};
}

struct TimedCore : GuestTile {
  static constexpr std::uint32_t code_address = 0x1000;

  TimedCore(Arch arch, tile::CoreId which) : GuestTile(arch), id(which) {}

  riscv::Core& core() { return tile.core(id); }

  void start(const Code& code) {
    GuestTile::start(id, code_address, code);
    tile.core(id).local_ready = 0;  // the local RAM is clear already
    for (std::size_t line = 0; line < code.size(); line += riscv::InstructionCache::words_per_line) {
      const auto first = code_address + static_cast<std::uint32_t>(4 * line);
      const riscv::InstructionCache::Line cached = core().icache.replace(first);
      for (unsigned i = 0; i < riscv::InstructionCache::words_per_line; ++i)
        cached[i] = riscv::decoded(riscv::decode(tile.arch, word(first + 4 * i)), first + 4 * i);
    }
  }
  /// Until the program's ebreak; the cycle in which it would have entered.
  tile::Cycle run(const Code& code) {
    start(code + Code{rv::ebreak});
    tile.run_until(100'000);
    return core().stop ? core().stop->cycle : tile::never;
  }

  tile::CoreId id;
};

/// Of `code`, after `before`.
inline tile::Cycle cycles_of(Arch arch, tile::CoreId id, const Code& before, const Code& code) {
  return TimedCore(arch, id).run(before + code) - TimedCore(arch, id).run(before);
}

}  // namespace tensim::test
