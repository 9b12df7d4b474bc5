#include "tensix/unit_timing.hpp"

#include <cmath>

namespace tensim::tensix {
namespace {

using namespace tensim::literals;

/// Words of 16 bytes per cycle; 0 if the chip does not have the speed.
std::uint8_t words_per_cycle(const Timing& timing, std::size_t per_word) {
  return timing[per_word] == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::lround(1 / timing[per_word]));
}

}  // namespace

UnitTiming::UnitTiming(const Timing& timing)
    : operations(operation_table(timing)),
      arch(timing.arch()),
      mop_exit_penalty(timing.whole<std::uint8_t>("mop_exit_penalty"_cycles)),
      auto_ttsync_linger(timing.whole<std::uint8_t>("auto_ttsync_linger_default"_cycles)),
      rdcfg_thread_hold(timing.whole<Cycle>("rdcfg_thread_hold"_cycles)),
      core_request_travel(timing.whole<Cycle>("core_request_travel"_cycles)),
      dmareg_near(timing.whole<Cycle>("dmareg_arith_latency_near"_cycles)),
      dmareg_far(timing.whole<Cycle>("dmareg_arith_latency_far"_cycles)),
      atincget_interval(timing.whole<Cycle>("atincget_interval_min"_cycles)),
      atswap_interval(timing.whole<Cycle>("atswap_interval_min"_cycles)),
      scalar_request(timing.whole<Cycle>("loadind_latency_min"_cycles) +
                     timing.whole<Cycle>("thcon_load_result_usual"_cycles)),
      atincget_result(timing.whole<Cycle>("atincget_latency_min"_cycles) +
                      timing.whole<Cycle>("atincget_result_usual"_cycles)),
      dst_hazard_spacing(timing.whole<Cycle>("dst_hazard_spacing"_cycles)),
      shiftxb_interval(timing.whole<Cycle>("shiftxb_interval"_cycles)),
      movd2a_exclusive(timing.whole<Cycle>("movd2a_exclusive_cycles"_cycles)),
      movb2a_exclusive(timing.whole<Cycle>("movb2a_exclusive_cycles"_cycles)),
      movd2b_exclusive(timing.whole<Cycle>("movd2b_exclusive_cycles"_cycles)),
      mov_to_dst_reader_stall(timing.whole<Cycle>("mov_to_dst_reader_stall"_cycles)),
      multiply_add(timing.whole<Cycle>("sfpu_mad_latency"_cycles)),
      swap(timing.whole<Cycle>("sfpswap_latency"_cycles)),
      swap_interval(timing.whole<Cycle>("sfpswap_interval"_cycles)),
      shuffle(timing.whole<Cycle>("sfpshft2_cross_latency"_cycles)),
      shuffle_interval(timing.whole<Cycle>("sfpshft2_cross_interval"_cycles)),
      sfpload_after_fpu_gap(timing.whole<Cycle>("sfpload_after_fpu_gap"_cycles)),
      unpack_address(timing.whole<Cycle>("unpacr_address_latency"_cycles)),
      unpack_compressed_address(timing.whole<Cycle>("unpacr_compressed_address_latency"_cycles)),
      unpack_speed{
          words_per_cycle(timing, "unpack_x1_per_16b"_cycles), words_per_cycle(timing, "unpack_x2_per_16b"_cycles),
          words_per_cycle(timing, "unpack_x4_per_16b"_cycles), words_per_cycle(timing, "unpack_x8_per_16b"_cycles)},
      unpack_speed_x4_wide(words_per_cycle(timing, "unpack_x4_wide_per_16b"_cycles)),
      unpackers_share(static_cast<unsigned>(
          std::lround(timing["unpack_both_x4_per_16b"_cycles] / timing["unpack_x4_per_16b"_cycles]))),
      pack_write(timing["pack_write_per_16b"_cycles]),
      pack_accumulate(timing["pack_accumulate_atomic_per_16b"_cycles]),
      pack_read_row(timing["pack_read_per_row"_cycles]),
      move_copy(timing["mover_memcpy_per_16b"_cycles]),
      move_zeros_to_l1(timing["mover_memset_l1_per_16b"_cycles]),
      move_zeros_elsewhere(timing["mover_memset_cfg_per_16b"_cycles]),
      accumulate_hold(timing.whole<Cycle>("l1_accumulate_atomic_hold"_cycles)),
      l1_store_travel(timing.whole<Cycle>("l1_store_travel"_cycles)),
      unpack_data_cycles(timing.whole<Cycle>("unpack_data_cycles"_cycles)),
      pack_data_cycles(timing.whole<Cycle>("pack_data_cycles"_cycles)),
      mover_cycles(timing.whole<Cycle>("mover_cycles"_cycles)),
      scalar_memory_cycles(timing.whole<Cycle>("scalar_memory_cycles"_cycles)) {}

std::shared_ptr<const UnitTiming> unit_timing(Arch arch) {
  static const auto wormhole = std::make_shared<const UnitTiming>(Timing(Arch::wormhole));
  static const auto blackhole = std::make_shared<const UnitTiming>(Timing(Arch::blackhole));
  return *on(arch, &wormhole, &blackhole);
}

}  // namespace tensim::tensix
