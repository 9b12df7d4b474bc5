// Chips on which nothing goes on, each for a reason of its own; and what is found out about them.
#pragma once

#include "explain/chip_outcome.hpp"
#include "tests/support/chip_programs.hpp"

namespace tensim::test {

class HangingChips : public ChipPrograms {
 protected:
  static constexpr std::uint32_t flag = 0x8000;

  /// From the programs that were started, to the end; explained by running the same again.
  explain::ChipOutcome outcome() {
    chip::Chip start = chip_;
    const bool ended = chip_.run_until_idle(1'000'000);
    EXPECT_TRUE(ended);
    return explain::chip_outcome(chip_, ended, [&](event::PacketObserver& observer) {
      start.observe(&observer);
      start.run_until_idle(1'000'000);
    });
  }
  /// The program adds one to the flag of a tile.
  void increment(NocProgram& program, unsigned of) {
    program.target(name(of), flag);
    program.back(name(of), 0x9000);
    program.go(ctrl_atomic, increment_of(flag), 1);
  }
  /// The program writes 64 bytes from tile 0 to tile 1 and waits for so many acknowledgements.
  void write_and_wait(NocProgram& program, std::uint32_t acknowledgements) {
    using noc::operator""_counter;
    program.target(name(0), 0x10000);
    program.back(name(1), 0x20000);
    program.go(ctrl_write, 64);
    program.wait(program.counter("NIU_MST_WR_ACK_RECEIVED"_counter), acknowledgements);
  }

  /// Tile 0 wants four increments; 1, 2 and 3 send theirs, and 4 ends without.
  void start_with_one_increment_too_few() {
    NocProgram waits(plan_);
    waits.wait(flag, 4);
    start(0, waits);
    for (unsigned n = 1; n <= 3; ++n) {
      NocProgram sends(plan_);
      increment(sends, 0);
      start(n, sends);
    }
    start(4, NocProgram(plan_));
  }
  /// Tiles 0 and 1 send when the other has sent.
  void start_two_that_wait_for_each_other() {
    for (unsigned n = 0; n < 2; ++n) {
      NocProgram program(plan_);
      program.wait(flag, 1);
      increment(program, 1 - n);
      start(n, program);
    }
  }
  /// Tile 1 has stopped long before tile 0 writes to it.
  void start_a_write_to_a_tile_that_stands_still() {
    NocProgram stops(plan_);
    stops.add(0x00100073);  // ebreak
    start(1, stops);
    NocProgram program(plan_);
    for (unsigned i = 0; i < 200; ++i)
      program.add(rv::addi(rv::zero, rv::zero, 0));
    write_and_wait(program, 1);
    start(0, program);
  }
  void start_a_barrier_for_more_than_was_sent(unsigned noc) {
    NocProgram program(plan_, noc);
    write_and_wait(program, 2);
    start(0, program);
  }
};

}  // namespace tensim::test
