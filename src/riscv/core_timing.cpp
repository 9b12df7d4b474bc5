#include "riscv/core_timing.hpp"

#include "arch/address_map.hpp"
#include "arch/sizes.hpp"
#include "riscv/instruction_cache.hpp"

namespace tensim::riscv {
namespace {

using namespace tensim::literals;

std::uint8_t tenths(const Timing& timing, std::size_t row) {
  const auto hundredths = static_cast<unsigned>(timing[row] * 100);
  return static_cast<std::uint8_t>((hundredths + 5U) / 10U);
}

static_assert(larger_size("ttinsn_fuse_max"_size) == InstructionCache::words_per_line, "a line is fused at most");

}  // namespace

CoreTiming core_timing(const Timing& timing) {
  const Arch arch = timing.arch();
  const Region& buffer = region_of(arch, Region::Kind::instruction_buffer_own);
  const auto whole = [&timing](std::size_t row) { return timing.whole<std::uint8_t>(row); };
  return {
      .mul_blocks = timing["mul_interval"_cycles] > 1,
      .fence_drains = on(arch, false, true),
      .merges_stores = on(arch, false, true),
      .fuses_pushes = size(arch, "ttinsn_fuse_max"_size) > 1,
      .has_l0 = has(arch, "l0_dcache_lines"_size),
      .rounds_addresses_down = rounds_addresses_down(arch),
      .mul_latency = whole("mul_latency"_cycles),
      .div_trivial = whole("div_latency_trivial"_cycles),
      .div_least = whole("div_latency_min"_cycles),
      .div_most = whole("div_latency_max"_cycles),
      .mispredict_bubble = whole("mispredict_bubble"_cycles),
      .load_local = whole("load_local_latency"_cycles),
      .load_l0_hit = whole("load_l0_hit_latency"_cycles),
      .load_l1 = whole("load_l1_latency_min"_cycles),
      .amo_l1 = whole("amo_l1_latency_min"_cycles),
      .float_latency = whole("float_latency"_cycles),
      .csr_barrier = whole("csr_barrier"_cycles),
      .clear_word = whole("local_ram_clear_word"_cycles),
      .fetch_line_tenths = tenths(timing, "fetch_line"_cycles),
      .fetch_line_t1_tenths = tenths(timing, "fetch_line_t1"_cycles),
      .fetch_ahead = whole("fetch_ahead"_cycles),
      .instruction_buffer = buffer.base,
      .instruction_buffer_bytes = buffer.size_bytes,
  };
}

}  // namespace tensim::riscv
