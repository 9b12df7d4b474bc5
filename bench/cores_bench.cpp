#include <benchmark/benchmark.h>

#include "bench/cores.hpp"

namespace {

using namespace tensim;

void five_cores(benchmark::State& state, Arch arch, const bench::Code& loop) {
  bench::BusyTile busy(arch, loop);
  const std::uint64_t before = busy.retired();
  for (auto _ : state)
    busy.run(1'000'000);
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(busy.retired() - before), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(five_cores, mixed_blackhole, Arch::blackhole, bench::mixed_loop());
BENCHMARK_CAPTURE(five_cores, mixed_wormhole, Arch::wormhole, bench::mixed_loop());
BENCHMARK_CAPTURE(five_cores, alu_blackhole, Arch::blackhole, bench::alu_loop());
BENCHMARK_CAPTURE(five_cores, alu_wormhole, Arch::wormhole, bench::alu_loop());
BENCHMARK_CAPTURE(five_cores, polling_blackhole, Arch::blackhole, bench::polling_loop());
BENCHMARK_CAPTURE(five_cores, polling_wormhole, Arch::wormhole, bench::polling_loop());

}  // namespace
