// A loop as Wormhole's idle Ethernet firmware has it: it polls a byte, and stores a word in every round that counts them.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/riscv_words.hpp"

namespace tensim::test {

struct Heartbeat {
  static constexpr std::uint32_t word = 0x1C;
  static constexpr std::uint32_t polled = 0x2493;
  static constexpr std::uint32_t go = 0x80;      // ends the loop, as the byte that is polled
  static constexpr std::uint32_t ended = 0x200;  // then holds what has been counted

  std::uint32_t first = 0;    // what is counted from
  int step = 1;               // in a round
  rv::Word place = rv::zero;  // a register that the word's address, 0x1C, is added to
  unsigned nops = 0;          // in a round, beside it

  std::vector<rv::Word> words() const {
    using namespace rv;
    std::vector<Word> words{lui(s0, 2), lui(s7, 0xAABB0), lui(s11, (first + 0x800U) >> 12U),
                            addi(s11, s11, static_cast<int>(first << 20U) >> 20)};
    const std::size_t head = words.size();
    words.insert(words.end(), {lbu(a3, s0, 0x493), addi(a2, s11, step), slli(a5, a2, 16), srli(a5, a5, 16),
                               addi(a4, zero, 0x80), or_(a5, a5, s7)});
    words.insert(words.end(), nops, addi(zero, zero, 0));
    words.insert(words.end(), {beq(a3, a4, 16), sw(a5, place, 0x1C), addi(s11, a2, 0)});
    words.push_back(jal(zero, -4 * static_cast<int>(words.size() - head)));
    words.insert(words.end(), {sw(s11, zero, ended), here});
    return words;
  }
};

}  // namespace tensim::test
