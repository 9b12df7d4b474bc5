// For callgrind, as control_plane_count.cpp: the loop to run is the first argument.
#include <cstdio>
#include <cstring>

#include "bench/cores.hpp"

extern "C" __attribute__((noinline)) void tensim_counted(tensim::bench::BusyTile& busy) {
  busy.run(100'000);
}

int main(int count, char** arguments) {
  const char* const which = count > 1 ? arguments[1] : "mixed";
  const bool is_alu = std::strcmp(which, "alu") == 0;
  const bool is_polling = std::strcmp(which, "polling") == 0;
  const bool is_counted = std::strcmp(which, "counted") == 0;  // all blocks in one bank
  const bool is_wormhole = count > 2 && std::strcmp(arguments[2], "wormhole") == 0;
  const auto arch = is_wormhole ? tensim::Arch::wormhole : tensim::Arch::blackhole;
  using namespace tensim::bench;
  BusyTile busy(arch,
                is_alu       ? alu_loop()
                : is_polling ? polling_loop()
                : is_counted ? counted_loop()
                             : mixed_loop(),
                is_counted ? Banks::one : Banks::own);
  const auto before = busy.retired();
  tensim_counted(busy);
  std::printf("%llu instructions in 100000 cycles\n", static_cast<unsigned long long>(busy.retired() - before));
  return 0;
}
