// For callgrind: valgrind --tool=callgrind --toggle-collect='tensim_counted*' build/bench/tensim_count
#include <cstdio>

#include "bench/control_plane.hpp"

extern "C" __attribute__((noinline)) void tensim_counted(tensim::bench::SemaphorePipeline& pipeline) {
  pipeline.run(100'000);
}

int main() {
  tensim::bench::SemaphorePipeline pipeline(tensim::Arch::blackhole);
  pipeline.run(10'000);
  const auto before = pipeline.issued();
  const auto cycles = pipeline.coprocessor.now;
  tensim_counted(pipeline);
  std::printf("%llu instructions in %llu cycles\n", static_cast<unsigned long long>(pipeline.issued() - before),
              static_cast<unsigned long long>(pipeline.coprocessor.now - cycles));
  return 0;
}
