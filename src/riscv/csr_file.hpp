// The control and status registers of a Blackhole core (BabyRISCV/CSRs.md). Wormhole's cores have none.
#pragma once

#include <array>
#include <cstdint>

#include "riscv/csr.hpp"
#include "time/order.hpp"

namespace tensim::riscv {

using time::Cycle;
using time::never;

namespace cfg0 {
inline constexpr std::uint32_t DisLdBufByp = 1U << 0U;
inline constexpr std::uint32_t DisBp = 1U << 1U;
inline constexpr std::uint32_t DisLowCash = 1U << 3U;
inline constexpr std::uint32_t DisStMerge = 1U << 12U;
inline constexpr unsigned StMergeTimer_shift = 13;
inline constexpr std::uint32_t StMergeTimer_mask = 0x1F;
inline constexpr std::uint32_t DisTriscCache = 1U << 18U;
inline constexpr std::uint32_t DisLowCachePeriodicFlush = 1U << 24U;
inline constexpr std::uint32_t at_reset = 16U << StMergeTimer_shift;
}  // namespace cfg0

/// What a core does with a CSR.
enum class CsrKind : std::uint8_t {
  constant,  // writes do nothing
  storage,   // reads what was written
  cycle_low,
  cycle_high,
  instret_low,
  instret_high,
  coprocessor,   // tt_cfg_qstatus, tt_cfg_bstatus
  not_modelled,  // event counters, vector state, overlay streams as T cores see them
};
CsrKind kind_of(const Csr& csr, bool is_t_core);

struct CsrFile {
  static constexpr std::size_t capacity = 48;

  std::uint32_t config = cfg0::at_reset;  // cfg0: the pipeline looks at it all the time
  std::uint32_t ordering = 0;             // pmacfg0 or pmacfg1 makes every access wait like behind a fence
  std::array<std::uint32_t, capacity> stored{};
  std::uint64_t cycle_offset = 0;  // of the counters, as software has set them
  std::uint64_t instret_offset = 0;

  CsrFile();
  /// `cycle` and `retired` are the counters' inputs.
  std::uint32_t read(const Csr& csr, CsrKind kind, Cycle cycle, std::uint64_t retired) const;
  void write(const Csr& csr, CsrKind kind, std::uint32_t value, Cycle cycle, std::uint64_t retired);
};

}  // namespace tensim::riscv
