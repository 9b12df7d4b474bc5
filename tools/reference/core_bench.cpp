// The mixed loop of bench/cores.hpp on five cores, so many rounds of it, on a reference and here: instructions per second
// of CPU time. Usage: tensim-core-bench LIBRARY [wormhole|blackhole] [ROUNDS]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bench/cores.hpp"
#include "reference/reference_tile.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;

constexpr std::uint32_t done = 0x8000;  // a word for each core

bench::Code program(unsigned core, std::uint32_t rounds) {
  using namespace rv;
  const bench::Code loop = bench::mixed_loop();
  bench::Code code{lui(s0, 0x10 + core), addi(s0, s0, static_cast<int>(32 * core)),
                   lui(s1, 0xFFB00),     addi(a2, zero, 3),
                   lui(s2, done >> 12U), lui(a5, rounds >> 12U)};
  code.insert(code.end(), loop.begin(), loop.end());
  code.push_back(addi(t0, zero, 1));
  code.push_back(sw(t0, s2, static_cast<int>(4 * core)));
  code.push_back(here);
  return code;
}
constexpr std::uint32_t code_of(unsigned core) {
  return 0x1000 + core * 0x1000;
}

double seconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

[[noreturn]] void fail(const Error& error) {
  std::fputs(fmt::format("{}: {}\n", name(error.kind), error.text).c_str(), stderr);
  std::exit(1);
}
void expect(const std::optional<Error>& error) {
  if (error) fail(*error);
}

double run_reference(const std::string& library, Arch arch, std::uint32_t rounds) {
  const double before = seconds(RUSAGE_CHILDREN);
  {
    auto opened = ReferenceTile::open({.library = library, .arch = arch});
    if (const auto* error = std::get_if<Error>(&opened)) fail(*error);
    auto& tile = std::get<ReferenceTile>(opened);
    std::vector<Condition> conditions;
    for (unsigned core = 0; core < tile::core_count; ++core) {
      expect(tile.write_words(code_of(core), program(core, rounds)));
      expect(tile.set_start(static_cast<tile::CoreId>(core), code_of(core)));
      conditions.push_back({done + 4 * core, 1});
    }
    expect(tile.hold(0));
    const auto end = tile.run_until(conditions, std::uint64_t{100} * rounds);
    if (const auto* error = std::get_if<Error>(&end)) fail(*error);
    if (!std::get<RunEnd>(end).met) std::fputs("the reference did not finish\n", stderr);
  }
  return seconds(RUSAGE_CHILDREN) - before;
}

double run_here(Arch arch, std::uint32_t rounds) {
  tile::Tile tile(arch);
  for (unsigned core = 0; core < tile::core_count; ++core) {
    const bench::Code code = program(core, rounds);
    tile.write(code_of(core), reinterpret_cast<const std::uint8_t*>(code.data()), 4 * code.size());
    tile.release(static_cast<tile::CoreId>(core), code_of(core));
    tile.stop_when(done + 4 * core, 1);
  }
  const double before = seconds(RUSAGE_SELF);
  const auto halt = tile.run_until(std::uint64_t{1000} * rounds);
  if (halt != tile::Tile::Halt::met) std::fputs("tensim did not finish\n", stderr);
  return seconds(RUSAGE_SELF) - before;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: tensim-core-bench LIBRARY [wormhole|blackhole] [ROUNDS]\n", stderr);
    return 2;
  }
  const Arch arch = count > 2 && std::strcmp(arguments[2], "wormhole") == 0 ? Arch::wormhole : Arch::blackhole;
  const auto asked = count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 1'000'000UL;
  const auto rounds = static_cast<std::uint32_t>(asked + 0xFFFU) & ~0xFFFU;  // as lui has it
  const double instructions =
      1e-6 * static_cast<double>(tile::core_count) * static_cast<double>(bench::mixed_loop().size()) * rounds;
  const double theirs = run_reference(arguments[1], arch, rounds);
  const double ours = run_here(arch, rounds);
  fmt::print("{:.1f} million instructions: reference {:.2f} s ({:.1f} M/s), tensim {:.2f} s ({:.1f} M/s)\n",
             instructions, theirs, instructions / theirs, ours, instructions / ours);
  return 0;
}
