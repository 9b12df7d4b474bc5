#include "riscv/core_timing.hpp"

#include "arch/timing.hpp"

namespace tensim::riscv {
namespace {

constexpr std::uint8_t row(Arch arch, std::size_t index) {
  return static_cast<std::uint8_t>(cycles(arch, index));
}

constexpr std::uint8_t tenths(Arch arch, std::size_t index) {
  const auto hundredths = static_cast<unsigned>(cycles(arch, index) * 100);
  return static_cast<std::uint8_t>((hundredths + 5U) / 10U);
}

constexpr CoreTiming timing_of(Arch arch) {
  const bool is_blackhole = arch == Arch::blackhole;
  return {
      .mul_blocks = row(arch, "mul_interval"_cycles) > 1,
      .fence_drains = is_blackhole,
      .merges_stores = is_blackhole,
      .fuses_pushes = is_blackhole,
      .has_l0 = is_blackhole,
      .rounds_addresses_down = !is_blackhole,
      .mul_latency = row(arch, "mul_latency"_cycles),
      .div_trivial = row(arch, "div_latency_trivial"_cycles),
      .div_least = row(arch, "div_latency_min"_cycles),
      .div_most = row(arch, "div_latency_max"_cycles),
      .mispredict_bubble = row(arch, "mispredict_bubble"_cycles),
      .load_local = row(arch, "load_local_latency"_cycles),
      .load_l0_hit = is_blackhole ? row(arch, "load_l0_hit_latency"_cycles) : std::uint8_t{0},
      .load_l1 = row(arch, "load_l1_latency_min"_cycles),
      .amo_l1 = is_blackhole ? row(arch, "amo_l1_latency_min"_cycles) : std::uint8_t{0},
      .store_l1_interval = row(arch, "store_l1_interval"_cycles),
      .float_latency = is_blackhole ? row(arch, "float_latency"_cycles) : std::uint8_t{0},
      .csr_barrier = is_blackhole ? row(arch, "csr_barrier"_cycles) : std::uint8_t{0},
      .clear_word = is_blackhole ? row(arch, "local_ram_clear_word"_cycles) : std::uint8_t{0},
      .fetch_line_tenths = tenths(arch, "fetch_line"_cycles),
      .fetch_line_t1_tenths = tenths(arch, "fetch_line_t1"_cycles),
      .fetch_ahead = row(arch, "fetch_ahead"_cycles),
  };
}

constexpr CoreTiming wormhole = timing_of(Arch::wormhole);
constexpr CoreTiming blackhole = timing_of(Arch::blackhole);

}  // namespace

const CoreTiming& core_timing(Arch arch) {
  return arch == Arch::wormhole ? wormhole : blackhole;
}

}  // namespace tensim::riscv
