#include "tile/tile_timing.hpp"

namespace tensim::tile {
namespace {

using namespace tensim::literals;

constexpr std::size_t load_row(Region::Kind kind) {
  using enum Region::Kind;
  switch (kind) {
    case l1: return "load_l1_latency_min"_cycles;
    case local_ram: return "load_local_latency"_cycles;
    case local_ram_slow: return "load_local_slow_latency_min"_cycles;
    case mailbox: return "load_mailbox_latency_min"_cycles;
    case pc_buffer_brisc:
    case pc_buffer_own: return "load_pcbuf_latency_min"_cycles;
    case tt_sync: return "load_ttsync_latency_min"_cycles;
    case semaphores:
    case semaphores_tail: return "load_semaphore_latency_min"_cycles;
    case gprs_all:
    case gprs_own: return "load_gpr_latency_min"_cycles;
    case config: return "load_config_latency_min"_cycles;
    case tdma_risc: return "load_tdma_latency_min"_cycles;
    case pic: return "load_pic_latency_min"_cycles;
    case noc_niu: return "load_noc_latency_min"_cycles;
    case noc_overlay: return "load_overlay_latency_min"_cycles;
    default: return "load_debug_latency_min"_cycles;
  }
}

std::array<std::uint8_t, Region::kind_count> load_latencies(const Timing& timing) {
  std::array<std::uint8_t, Region::kind_count> latencies{};
  for (std::size_t kind = 0; kind < latencies.size(); ++kind)
    latencies[kind] = timing.whole<std::uint8_t>(load_row(static_cast<Region::Kind>(kind)));
  return latencies;
}

}  // namespace

TileTiming::TileTiming(const Timing& timing)
    : cores(riscv::core_timing(timing)),
      units(timing),
      load_latency(load_latencies(timing)),
      narrow_write_hold(timing.whole<time::Cycle>("l1_narrow_write_hold"_cycles)) {}

std::shared_ptr<const TileTiming> tile_timing(Arch arch) {
  static const auto wormhole = std::make_shared<const TileTiming>(Timing(Arch::wormhole));
  static const auto blackhole = std::make_shared<const TileTiming>(Timing(Arch::blackhole));
  return *on(arch, &wormhole, &blackhole);
}

}  // namespace tensim::tile
