// Packers: Dst to L1. Four on Wormhole, one with four read interfaces on Blackhole (errata 43). A packer works on one PACR
// at a time: what it does is decided when the PACR is accepted, Dst is read and L1 written in its last cycle. What does
// not fill 16 bytes of L1, or a block that shares an exponent, waits in the packer for the next PACR.
// Pages: PACR.md, Packers/*.md (Wormhole's; Blackhole has none).
#pragma once

#include <array>

#include "arch/sizes.hpp"
#include "number/stochastic.hpp"
#include "tensix/l1_traffic.hpp"
#include "tensix/operation.hpp"
#include "tensix/registers/register_write.hpp"
#include "tensix/types.hpp"
#include "tensix/units/packers/compression.hpp"
#include "tensix/units/packers/job.hpp"

namespace tensim::tensix {

struct Coprocessor;
class PackerConfig;

struct Packer {
  static constexpr std::uint32_t word_bytes = size_of_both("l1_access_bytes"_size);  // L1 is written in whole words
  static constexpr std::uint32_t block_datums = 16;
  static constexpr std::size_t histogram_bins = 32;

  /// Bytes on their way to consecutive words of L1.
  struct Stream {
    bool needs_address = true;
    std::uint8_t fill = 0;
    std::uint32_t address = 0;
    std::array<std::uint8_t, word_bytes> bytes{};
  };
  /// Where in the tile the next datum is: for edge masks.
  struct Position {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
  };

  Cycle free_from = 0;  // first cycle in which another PACR is accepted
  PackJob job;
  L1Progress progress;  // of the job
  Stream data;
  Stream exponents;
  Stream row_starts;  // of compressed data
  PackCompression compression;
  number::RoundingNoise noise;
  std::uint8_t datums = 0;  // of the tile so far, modulo 16
  std::uint8_t block_fill = 0;
  std::array<std::uint16_t, block_datums> block{};  // datums whose shared exponent is not known yet
  Position position;
  std::array<std::uint8_t, histogram_bins> histogram{};
  std::uint8_t max_exponent = 0;
  // Sizes of tiles, in words of 16 bytes, as TDMA-RISC and SETDMAREG show them (TDMA-RISC.md).
  std::uint16_t tile_words = 0;  // of the tile under way
  std::uint16_t last_tile_words = 0;
  std::uint8_t last_thread = 0;                              // that ended it
  std::array<std::uint16_t, thread_count> all_tile_words{};  // AccTileSize
};

struct Packers {
  static constexpr unsigned count = larger_size("packers"_size);  // Blackhole uses the first
  std::array<Packer, count> packer{};
  std::array<std::uint16_t, count> l1_dest_addr_offset{};  // TDMA-RISC's, in words of L1

  // PACR_SETREG's: addresses and, on Wormhole, factors are TDMA-RISC's; Blackhole presets the value.
  RegisterBases register_bases;
  std::array<std::uint16_t, 4> register_scaler{};  // by the two low bits of the output's format
  std::uint8_t known_scalers = 0;                  // mask: those that somebody has set
  std::uint32_t register_data = 0;

  // Blackhole: the context of PACRs that do not name theirs (CtxtCtrl), and the planes packed since it moved on.
  static constexpr std::uint8_t contexts = 4;
  std::uint8_t context = 0;
  std::uint8_t context_planes = 0;

  void reset_context() { context = context_planes = 0; }
  void next_context() {
    context = static_cast<std::uint8_t>((context + 1) % contexts);
    context_planes = 0;
  }

  /// TDMA-RISC's SetScaler: three of nine bits from the first on, or the last alone.
  void set_scalers(unsigned first, std::uint32_t values) {
    for (unsigned i = first; i < register_scaler.size() && i < first + 3; ++i, values >>= 9U) {
      register_scaler[i] = static_cast<std::uint16_t>(values & 0x1FFU);
      known_scalers = static_cast<std::uint8_t>(known_scalers | 1U << i);
    }
  }

  void seed(std::uint32_t value) {
    for (Packer& each : packer)
      each.noise.seed(value);
  }

  void clear_histograms() {
    for (Packer& each : packer) {
      each.histogram = {};
      each.max_exponent = 0;
    }
  }
};

/// What the cycle asks of the unit beyond its operation rows.
namespace units {

/// The context of the address counters that PACR uses for `packer`.
unsigned pack_counters(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer);
/// Whose block of settings PACR takes for `packer`. Blackhole's one packer has four contexts of them.
unsigned pack_settings(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer);
/// The word of ADDR_MOD_PACK that PACR applies.
std::uint32_t pack_addr_mod(const Coprocessor& coprocessor, const Candidate& candidate);
/// Zeros are dropped on the way to L1.
bool pack_compresses(const PackerConfig& config);
/// What SETDMAREG reads of their state for `thread`, by its InputSource; zeros of sources that do not exist.
/// Source 8 also resets the sizes of the packers in the mask `which`; sources 6 and 7 are those of packer `which`.
std::array<std::uint32_t, 4> packer_state(Coprocessor& coprocessor, unsigned thread, unsigned source, unsigned which);
/// Dst is read and L1 written. The cycle in which that is due counts as an event: L1 changes in it.
void finish_pack(Coprocessor& coprocessor, unsigned packer);
Cycle next_packer_event(const Coprocessor& coprocessor);

}  // namespace units

}  // namespace tensim::tensix
