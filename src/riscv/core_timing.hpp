// The cycle model's parameters of the cores as the pipeline uses them: rows of arch/timing/cores.hpp, looked up once.
#pragma once

#include "arch/timing.hpp"
#include "time/order.hpp"

namespace tensim::riscv {

/// Misaligned accesses go to the aligned address below.
constexpr bool rounds_addresses_down(Arch arch) {
  return on(arch, true, false);
}

struct CoreTiming {
  bool operator==(const CoreTiming&) const = default;

  bool mul_blocks = false;  // the next instruction waits for the product, wanted or not
  bool fence_drains = false;
  bool merges_stores = false;
  bool fuses_pushes = false;
  bool has_l0 = false;
  bool rounds_addresses_down = false;  // misaligned accesses go to the aligned address below
  std::uint8_t mul_latency = 2;
  std::uint8_t div_trivial = 2;
  std::uint8_t div_least = 6;
  std::uint8_t div_most = 33;
  std::uint8_t mispredict_bubble = 2;
  std::uint8_t load_local = 2;
  std::uint8_t load_l0_hit = 2;
  std::uint8_t load_l1 = 8;
  std::uint8_t amo_l1 = 12;
  std::uint8_t float_latency = 2;
  std::uint8_t csr_barrier = 3;
  std::uint8_t clear_word = 0;  // of the local RAM, after reset
  std::uint8_t fetch_line_tenths = 50;
  std::uint8_t fetch_line_t1_tenths = 50;
  std::uint8_t fetch_ahead = 8;
  std::uint32_t instruction_buffer = 0;  // of a T core: where its words go
  std::uint32_t instruction_buffer_bytes = 0;
};

CoreTiming core_timing(const Timing& timing);

}  // namespace tensim::riscv
