// The cycle model's parameters of the coprocessor as its units use them: rows of arch/timing, worked out once for all tiles
// of a run.
#pragma once

#include <array>
#include <memory>

#include "arch/timing.hpp"
#include "tensix/operation.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct UnitTiming {
  explicit UnitTiming(const Timing& timing);
  bool operator==(const UnitTiming&) const = default;

  OperationTable operations;
  Arch arch;

  // Frontend
  std::uint8_t mop_exit_penalty;
  std::uint8_t auto_ttsync_linger;

  // Configuration Unit and requests of cores
  Cycle rdcfg_thread_hold;
  Cycle core_request_travel;

  // Scalar Unit
  Cycle dmareg_near;
  Cycle dmareg_far;
  Cycle atincget_interval;
  Cycle atswap_interval;
  Cycle scalar_request;   // from acceptance until a request is at L1 or a register, and a load's answer is back
  Cycle atincget_result;  // from acceptance until the old value is in its GPR

  // Matrix and Vector Unit
  Cycle dst_hazard_spacing;
  Cycle shiftxb_interval;
  Cycle movd2a_exclusive;
  Cycle movb2a_exclusive;
  Cycle movd2b_exclusive;
  Cycle mov_to_dst_reader_stall;
  Cycle multiply_add;
  Cycle swap;
  Cycle swap_interval;
  Cycle shuffle;  // SFPSHFT2 modes 2 to 4
  Cycle shuffle_interval;
  Cycle sfpload_after_fpu_gap;

  // Unpackers: words of 16 bytes per cycle, by Throttle_mode; the third may differ for datums of 16 and 32 bits
  Cycle unpack_address;
  Cycle unpack_compressed_address;
  std::array<std::uint8_t, 4> unpack_speed;
  std::uint8_t unpack_speed_x4_wide;
  unsigned unpackers_share;  // what divides the speed of both while both ask for more than one word a cycle

  // Packers and Mover: cycles per word of 16 bytes, or per row of Dst
  double pack_write;
  double pack_accumulate;
  double pack_read_row;
  double move_copy;
  double move_zeros_to_l1;
  double move_zeros_elsewhere;

  // L1
  Cycle accumulate_hold;
  Cycle l1_store_travel;

  // What a scenario without L1 says of transfers
  Cycle unpack_data_cycles;
  Cycle pack_data_cycles;
  Cycle mover_cycles;
  Cycle scalar_memory_cycles;
};

/// As the chip has it.
std::shared_ptr<const UnitTiming> unit_timing(Arch arch);

}  // namespace tensim::tensix
