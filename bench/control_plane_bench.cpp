#include <benchmark/benchmark.h>

#include "bench/control_plane.hpp"
#include "scenario/run.hpp"

namespace {

using namespace tensim;

void semaphore_pipeline(benchmark::State& state, Arch arch) {
  bench::SemaphorePipeline pipeline(arch);
  const std::uint64_t before = pipeline.issued();
  const tensix::Cycle cycles_before = pipeline.coprocessor.now;
  for (auto _ : state)
    pipeline.run(10'000);
  state.counters["instructions"] =
      benchmark::Counter(static_cast<double>(pipeline.issued() - before), benchmark::Counter::kIsRate);
  state.counters["cycles"] =
      benchmark::Counter(static_cast<double>(pipeline.coprocessor.now - cycles_before), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(semaphore_pipeline, blackhole, Arch::blackhole);
BENCHMARK_CAPTURE(semaphore_pipeline, wormhole, Arch::wormhole);

/// A tile that waits for a billion cycles, then for a store by a core: the time is skipped, not walked.
void blocked_for_1e9_cycles(benchmark::State& state) {
  scenario::Scenario scenario;
  for (const isa::Word word :
       bench::words(Arch::blackhole, "SEMWAIT block=STALL_SYNC, sem=1, cond=STALL_ON_ZERO\nSEMGET sem=1"))
    scenario.threads[0].words.push_back({word, 0, 1});
  scenario.budget = 2'000'000'000;
  scenario.actions.push_back({.cycle = 1'000'000'000, .core = T0, .is_store = true, .address = 0xFFE80020, .value = 0});
  for (auto _ : state) {
    const scenario::Outcome outcome = scenario::run(scenario);
    if (outcome.kind != scenario::OutcomeKind::finished || outcome.cycles < 1'000'000'000)
      state.SkipWithError("did not finish as it should");
  }
}
BENCHMARK(blocked_for_1e9_cycles)->Unit(benchmark::kMicrosecond);

}  // namespace
