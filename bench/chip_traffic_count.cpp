// Host instructions per request of a core, from the store that initiates it to its acknowledgement or data, for callgrind:
// tensim_count_chip write|posted|dram|idle [wormhole].
#include <cstdio>
#include <cstring>
#include <string>

#include "chip/chip.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::bench {
namespace {

using namespace tensim::test;
using noc::Coordinates;
using noc::operator""_counter;
using noc::operator""_niu;

constexpr std::uint32_t code = 0x4000;
constexpr std::uint32_t data_at = 0x10000;

Coordinates tensix(const noc::FloorPlan& plan, unsigned n) {
  for (unsigned y = 0; y < plan.height(); ++y)
    for (unsigned x = 0; x < plan.width(); ++x)
      if (plan.has_tensix({x, y}) && n-- == 0) return {x, y};
  return {};
}

Coordinates dram(const noc::FloorPlan& plan) {
  for (unsigned y = plan.height(); y-- > 0;)
    for (unsigned x = plan.width(); x-- > 0;)
      if (plan.kind({x, y}) == noc::TileKind::dram) return {x, y};
  return {};
}

/// Requests of 64 bytes, one after another as a kernel writes them: five registers and NOC_CMD_CTRL, when that reads 0.
struct Requests {
  std::uint32_t ctrl;
  std::uint32_t count;
  unsigned polled_counter;  // waited for after each request; no counter if it is niu_counters

  void add_to(NocProgram& program) const {
    program.set(rv::s0, program.reg("NOC_TARG_ADDR_LO"_niu));
    program.set(rv::s1, program.counter(polled_counter));
    program.set(rv::a0, 1);
    program.set(rv::a1, ctrl);
    program.set(rv::a2, data_at);
    program.set(rv::a3, 64);
    program.set(rv::a4, 0);
    program.set(rv::a5, count);
    const auto at = [&](const noc::NiuRegister& row) {
      return static_cast<int>(program.reg(row) - program.reg("NOC_TARG_ADDR_LO"_niu));
    };
    const std::size_t first = program.words().size();
    program.add(rv::lw(rv::t2, rv::s0, at("NOC_CMD_CTRL"_niu)));
    program.add(rv::bne(rv::t2, rv::zero, -4));
    program.add(rv::sw(rv::a1, rv::s0, at("NOC_CTRL"_niu)));
    program.add(rv::sw(rv::a2, rv::s0, at("NOC_TARG_ADDR_LO"_niu)));
    program.add(rv::sw(rv::a2, rv::s0, at("NOC_RET_ADDR_LO"_niu)));
    program.add(rv::sw(rv::a3, rv::s0, at("NOC_AT_LEN_BE"_niu)));
    program.add(rv::sw(rv::a0, rv::s0, at("NOC_CMD_CTRL"_niu)));
    program.add(rv::addi(rv::a4, rv::a4, 1));
    if (polled_counter != noc::niu_counters) {
      program.add(rv::lw(rv::t2, rv::s1, 0));
      program.add(rv::bne(rv::t2, rv::a4, -4));
    }
    const auto back = static_cast<int>(program.words().size() - first);
    program.add(rv::bne(rv::a4, rv::a5, -4 * back));
    program.stay();
  }
};

void start(chip::Chip& chip, Coordinates place, const NocProgram& program) {
  chip::Slot& slot = chip.touch(place);
  const auto& words = program.words();
  slot.tile->write(code, reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
  slot.tile->release(tile::CoreId::brisc, code);
  slot.is_idle = false;
}

int run(const std::string& which, Arch arch);

}  // namespace
}  // namespace tensim::bench

extern "C" __attribute__((noinline)) void tensim_counted(tensim::chip::Chip& chip, tensim::chip::Cycle end) {
  chip.run_until(end);
}

namespace tensim::bench {
namespace {

int run(const std::string& which, Arch arch) {
  const noc::FloorPlan plan(arch);
  chip::Chip chip(plan);
  if (which == "idle") {  // everything that there is has been touched, and nothing happens
    for (unsigned n = 0; tensix(plan, n) != Coordinates{}; ++n)
      chip.touch(tensix(plan, n));
    chip.run_until_idle(1000);
    tensim_counted(chip, 1'000'000'000);
    std::printf("1000 requests in 1000000000 cycles\n");
    return 0;
  }
  const bool is_read = which == "dram";
  const Coordinates own = plan.translated(tensix(plan, 0));
  // Ten hops away.
  const Coordinates other =
      is_read ? plan.translated(dram(plan)) : plan.translated(tensix(plan, arch == Arch::blackhole ? 36 : 22));
  NocProgram program(plan);
  program.target(is_read ? other : own, data_at);
  program.back(is_read ? own : other, data_at);
  constexpr std::uint32_t count = 1000;
  const Requests requests{is_read             ? ctrl_read
                          : which == "posted" ? ctrl_posted_write
                                              : ctrl_write,
                          count, is_read ? "NIU_MST_RD_RESP_RECEIVED"_counter : noc::niu_counters};
  requests.add_to(program);
  start(chip, tensix(plan, 0), program);
  chip.run_until(2000);
  const auto& counters = chip.touch(tensix(plan, 0)).tile->devices.nius.niu[0].counters;
  const std::uint32_t before = counters["NIU_MST_CMD_ACCEPTED"_counter];
  tensim_counted(chip, 2000 + (is_read ? 200'000 : 10'000));
  std::printf("%u requests in %llu cycles\n", counters["NIU_MST_CMD_ACCEPTED"_counter] - before,
              static_cast<unsigned long long>(chip.now() - 2000));
  return 0;
}

}  // namespace
}  // namespace tensim::bench

int main(int count, char** arguments) {
  const bool is_wormhole = count > 2 && std::strcmp(arguments[2], "wormhole") == 0;
  return tensim::bench::run(count > 1 ? arguments[1] : "write",
                            is_wormhole ? tensim::Arch::wormhole : tensim::Arch::blackhole);
}
