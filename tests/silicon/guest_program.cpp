#include "tests/silicon/guest_program.hpp"

#include <string>

#include "tests/silicon/rates.hpp"
#include "tests/support/guest_tile.hpp"

namespace tensim::silicon {
namespace {

using namespace rv;

// Where things are in L1.
constexpr std::uint32_t code_of_thread_0 = 0x10000;
constexpr std::uint32_t code_stride = 0x10000;
constexpr std::uint32_t go_words = 0x40;          // what firmware polls while its core has nothing to do
constexpr std::uint32_t barrier_words = 0x50000;  // one for each thread
constexpr std::uint32_t done_words = 0x50100;
constexpr std::uint32_t results = 0x51000;
constexpr std::uint32_t results_stride = 0x400;

constexpr std::uint32_t wall_clock = 0xFFB121F0;
constexpr std::uint32_t wall_clock_page = 0xFFB12000;
constexpr std::uint32_t pc_buffer = 0xFFE80000;
constexpr int tensix_sync_word = 4;
constexpr std::uint32_t stack = 0xFFB00200;

// Registers that no body uses.
constexpr Word before = t0;
constexpr Word after = t1;
constexpr Word scratch_register = t2;
constexpr Word trip = a5;
constexpr Word trips = s4;
constexpr Word barriers = s0;
constexpr Word sequence = s1;
constexpr Word out = s2;
constexpr Word clock_base = s6;
constexpr Word sync_base = s10;

/// Barrier words only grow: everybody spins until all of them have come as far as its own.
Code barrier(unsigned thread, unsigned active) {
  Code code{addi(sequence, sequence, 1), sw(sequence, barriers, static_cast<int>(4 * thread))};
  for (unsigned other = 0; other < thread_count; ++other)
    if ((active >> other & 1U) != 0)
      code = code +
             Code{lw(scratch_register, barriers, static_cast<int>(4 * other)), bltu(scratch_register, sequence, -4)};
  return code;
}

/// A store that the load cannot overtake; the load is answered when the thread has nothing in flight.
Code tensix_sync() {
  return {sw(zero, sp, 4), lw(scratch_register, sp, 4), sw(scratch_register, sync_base, tensix_sync_word),
          lw(scratch_register, sync_base, tensix_sync_word), sw(scratch_register, sp, 4)};
}

Code read_clock(Word rd) {
  return {lw(rd, clock_base, static_cast<int>(wall_clock - wall_clock_page))};
}

/// Counts up and goes back while there is more to do; a loop out of a branch's reach goes back by a jump.
Code loop(const Code& body) {
  const int back = -static_cast<int>(4 * body.size() + 4);
  constexpr int reach = 4096;
  Code code = body + Code{addi(trip, trip, 1)};
  if (back >= -reach) return code + Code{bne(trip, trips, back)};
  return code + Code{beq(trip, trips, 8), jal(zero, back - 4)};
}

Code prologue(Arch arch, unsigned thread) {
  Code code;
  if (arch == Arch::blackhole) code = load_immediate(t0, guest::firmware_cfg0) + Code{csrrs(zero, guest::cfg0, t0)};
  code = code + load_immediate(sp, stack) + load_immediate(barriers, barrier_words) +
         load_immediate(out, results + thread * results_stride) + load_immediate(clock_base, wall_clock_page) +
         load_immediate(sync_base, pc_buffer) + load_immediate(guest::base, guest::scratch(thread)) +
         load_immediate(guest::chase, guest::scratch(thread)) + load_immediate(guest::stack_chase, guest::stack_node) +
         load_immediate(guest::dividend, guest::large_dividend);
  code = code + Code{addi(guest::factor, zero, 3), addi(guest::toggle, zero, 0), addi(sequence, zero, 0)};
  // The two words on the stack that point at each other.
  return code + Code{addi(t0, guest::stack_chase, 4), sw(t0, guest::stack_chase, 0), sw(guest::stack_chase, t0, 0)};
}

Code timed_loop(const GuestProbe& probe, unsigned thread) {
  Code code = barrier(thread, probe.active);
  if (probe.drains_before) code = code + tensix_sync();
  code = code + repeat(probe.delay[thread], {addi(scratch_register, zero, 0)}) + read_clock(before) +
         repeat(probe.setup, {addi(scratch_register, zero, 0)}) + loop(probe.body[thread]);
  if (probe.drains_after) code = code + tensix_sync();
  return code + read_clock(after) + Code{sub(after, after, before), sw(after, out, 0), addi(out, out, 4)};
}

/// One timed loop, gone through for each entry of `trips`, so that the code is the same every time.
Code program(Arch arch, const GuestProbe& probe, unsigned thread) {
  constexpr Word table = s3;
  constexpr Word table_end = s5;
  const std::uint32_t trip_table = results + thread * results_stride + results_stride / 2;
  Code code = prologue(arch, thread) + load_immediate(table, trip_table) +
              load_immediate(table_end, trip_table + static_cast<std::uint32_t>(4 * probe.trips.size()));
  const Code once = Code{lw(trips, table, 0), addi(table, table, 4), addi(trip, zero, 0)} + timed_loop(probe, thread);
  const int back = -static_cast<int>(4 * once.size());
  code = code + once + Code{beq(table, table_end, 8), jal(zero, back - 4)};
  code = code + load_immediate(t0, done_words + 4 * thread) + Code{addi(t1, zero, 1), sw(t1, t0, 0), here};
  return code;
}

void build_ring(test::GuestTile& guest, unsigned thread) {
  for (unsigned node = 0; node < guest::ring_nodes; ++node)
    guest.set_word(guest::scratch(thread) + node * guest::ring_stride,
                   guest::scratch(thread) + (node + 1) % guest::ring_nodes * guest::ring_stride);
}

void start(test::GuestTile& guest, const GuestProbe& probe) {
  const Arch arch = guest.tile.arch;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const auto core = static_cast<tile::CoreId>(thread + 1);
    if ((probe.active >> thread & 1U) == 0) {
      guest.start(core, guest::idle_code + 0x100 * (thread + 1), idle_program(arch, core));
      continue;
    }
    build_ring(guest, thread);
    for (std::size_t i = 0; i < probe.trips.size(); ++i)
      guest.set_word(static_cast<std::uint32_t>(results + thread * results_stride + results_stride / 2 + 4 * i),
                     probe.trips[i]);
    guest.start(core, code_of_thread_0 + thread * code_stride, program(arch, probe, thread));
    guest.tile.stop_when(done_words + 4 * thread, 1);
  }
  guest.start(tile::CoreId::brisc, guest::idle_code, idle_program(arch, tile::CoreId::brisc));
}

}  // namespace

Code repeat(unsigned copies, const Code& code) {
  Code all;
  all.reserve(copies * code.size());
  for (unsigned i = 0; i < copies; ++i)
    all.insert(all.end(), code.begin(), code.end());
  return all;
}

Code operator+(Code first, const Code& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Code load_immediate(rv::Word rd, std::uint32_t value) {
  return {lui(rd, (value + 0x800) >> 12U & 0xFFFFFU), addi(rd, rd, static_cast<int>(value << 20U) >> 20)};
}

Code idle_program(Arch arch, tile::CoreId core) {
  constexpr unsigned shortest = 9;  // a load and a branch that needs it
  const bool is_brisc = core == tile::CoreId::brisc;
  const unsigned period = arch == Arch::wormhole ? (is_brisc ? 12 : 24) : (is_brisc ? 16 : 14);
  Code code;
  if (arch == Arch::blackhole) code = load_immediate(t0, guest::firmware_cfg0) + Code{csrrs(zero, guest::cfg0, t0)};
  const Code rest = repeat(period - shortest, {addi(t2, zero, 0)});
  const int back = -static_cast<int>(4 * rest.size() + 4);
  return code + load_immediate(t0, go_words + 4 * static_cast<std::uint32_t>(core)) + rest +
         Code{lw(t1, t0, 0), beq(t1, zero, back), here};
}

Times run(Arch arch, const GuestProbe& probe) {
  constexpr tile::Cycle budget = 10'000'000;
  test::GuestTile guest(arch);
  if (probe.needs_src) {
    guest.tile.coprocessor.src.hand_to_matrix(tensix::Src::a);
    guest.tile.coprocessor.src.hand_to_matrix(tensix::Src::b);
  }
  if (probe.walks_dst) let_t1_walk_dst(guest.tile.coprocessor);
  start(guest, probe);
  Times times;
  if (guest.tile.run_until(budget) != tile::Tile::Halt::met) return times;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    for (std::size_t i = 0; (probe.active >> thread & 1U) != 0 && i < probe.trips.size(); ++i)
      times[thread].push_back(guest.word(static_cast<std::uint32_t>(results + thread * results_stride + 4 * i)));
  return times;
}

}  // namespace tensim::silicon
