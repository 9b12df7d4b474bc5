// How fast an unpacker wants to fetch, and how much (UNPACR_Regular.md, Performance). Blackhole's ways are known from the
// reference alone.
#include <algorithm>

#include "number/format.hpp"
#include "tensix/unit_timing.hpp"
#include "tensix/units/unpackers/settings.hpp"
#include "tensix/units/unpackers/transfer.hpp"

namespace tensim::tensix {
namespace {

constexpr unsigned byte_bits = 8;
constexpr std::int64_t word_bytes = number::l1_word_bytes;
constexpr std::int64_t word_bits = word_bytes * byte_bits;
constexpr std::int64_t word_exponents = number::l1_word_bytes * number::bfp_block_datums;  // datums that they serve

enum Throttle : std::uint8_t { x1, x2, x4, x8 };

/// It has x8, too.
constexpr bool chooses_throttle_by_itself(Arch arch) {
  return on(arch, false, true);
}

/// Throttle_mode of the configuration. Blackhole has x8, and chooses by itself unless told not to.
unsigned configured_throttle(const UnpackTransfer& transfer, const UnpackerSettings& settings, UnpackIssues& issues) {
  const unsigned mode = settings.section("THCON_SEC0_REG2_Throttle_mode"_config);
  if (chooses_throttle_by_itself(settings.arch())) {
    if (settings.section("THCON_SEC0_REG1_ovrd_default_throttle_mode"_config) != 0) return mode;
    return transfer.datum_bits == byte_bits ? x8 : x4;
  }
  if (mode <= x4) return mode;
  issues.add(DataIssue::unpack_throttle);
  return x4;
}

unsigned throttle(const UnpackTransfer& transfer, const UnpackerSettings& settings, bool tilizes,
                  UnpackIssues& issues) {
  if (transfer.is_compressed || transfer.upsample_zeros >= 3 || transfer.datum_bits == 2) return x1;
  if (tilizes) return x4;
  const unsigned mode = configured_throttle(transfer, settings, issues);
  const bool is_narrow_to_dst = transfer.target == UnpackTarget::dst && transfer.datum_bits == 4;
  return transfer.upsample_zeros == 1 || is_narrow_to_dst ? std::min<unsigned>(mode, x2) : mode;
}

std::uint8_t words_per_cycle(const UnitTiming& timing, unsigned mode, bool is_wide) {
  return mode == x4 && is_wide ? timing.unpack_speed_x4_wide : timing.unpack_speed[std::min<unsigned>(mode, x8)];
}

/// A transfer that writes several rows of SrcA at once loses some if it does not start at a multiple of them (the
/// reference refuses it).
void check_burst(const UnpackTransfer& transfer, UnpackIssues& issues) {
  constexpr unsigned header_rows = 4;
  if (transfer.target != UnpackTarget::src_a || transfer.datums <= SrcRegisters::columns) return;
  const unsigned row_bits = SrcRegisters::columns * transfer.datum_bits;
  const unsigned rows = std::clamp(transfer.speed * static_cast<unsigned>(word_bits) / row_bits, 1U, 8U);
  const unsigned row = transfer.out_address / SrcRegisters::columns;
  if (row >= header_rows && (row - header_rows) % rows != 0) issues.add(DataIssue::unpack_burst);
}

std::int64_t words_between(std::int64_t first, std::int64_t end, std::int64_t word) {
  return end <= first ? 0 : (end + word - 1) / word - first / word;
}

std::int64_t datums_to_fetch(const UnpackTransfer& transfer) {
  const bool is_open = transfer.datums == UnpackTransfer::unlimited;
  return is_open ? std::int64_t{transfer.drop} + transfer.most_outputs : std::int64_t{transfer.datums};
}

std::int64_t exponent_words(const UnpackTransfer& transfer) {
  if (!transfer.reads_exponents) return 0;
  const std::int64_t first = std::abs(transfer.exponents_at) % word_exponents;
  return words_between(first, first + datums_to_fetch(transfer), word_exponents);
}

/// Every word that holds a datum or an exponent is fetched once; rows that lie apart are fetched apart (assumed).
std::int64_t words_to_fetch(const UnpackTransfer& transfer, bool tilizes) {
  const std::int64_t datums = datums_to_fetch(transfer);
  constexpr int delta_bits = 4;
  const std::int64_t bits = transfer.datum_bits + (transfer.is_compressed ? delta_bits : 0);
  std::int64_t words = 0;
  if (tilizes) {
    words = datums / transfer.row_datums * words_between(0, bits * transfer.row_datums, word_bits) +
            words_between(0, datums % transfer.row_datums * bits, word_bits);
  } else {
    const std::int64_t first = std::abs(transfer.datums_at) % word_bits;
    words = words_between(first, first + datums * bits, word_bits);
  }
  return words + exponent_words(transfer);
}

/// In bytes, with the FIFO that it lies in.
std::int64_t in_fifo(const UnpackTransfer& transfer, std::int64_t address) {
  return address > transfer.wrap_above ? address - transfer.wrap_by : address;
}

/// Of the n-th word of datums. Rows that lie apart begin with a word each.
std::int64_t datum_word_address(const UnpackTransfer& transfer, std::int64_t word) {
  const std::int64_t row_bits = std::int64_t{transfer.datum_bits} * transfer.row_datums;
  if (transfer.row_stride_bits == row_bits || row_bits == 0)
    return in_fifo(transfer, (transfer.datums_at / word_bits + word) * word_bytes);
  const std::int64_t words = words_between(0, row_bits, word_bits);
  const std::int64_t row = transfer.datums_at + word / words * transfer.row_stride_bits;
  return in_fifo(transfer, row / byte_bits) + word % words * word_bytes;
}

}  // namespace

void choose_unpack_speed(UnpackTransfer& transfer, const UnpackerSettings& settings, const UnitTiming& timing,
                         bool tilizes, UnpackIssues& issues) {
  const unsigned mode = throttle(transfer, settings, tilizes, issues);
  transfer.speed = words_per_cycle(timing, mode, transfer.datum_bits > byte_bits);
  transfer.l1_words = static_cast<std::uint32_t>(words_to_fetch(transfer, tilizes));
  check_burst(transfer, issues);
}

L1Use unpack_words(Arch arch, const UnpackTransfer& transfer, std::uint32_t first, std::uint32_t end) {
  L1Use use;
  const std::int64_t exponents = exponent_words(transfer);
  for (std::int64_t word = first; word < std::min(end, transfer.l1_words); ++word) {
    if (word < exponents)
      use.add(in_fifo(transfer, (transfer.exponents_at / word_exponents + word) * word_bytes),
              L1Connection(arch, L1Client::exponents));
    else
      use.add(datum_word_address(transfer, word - exponents), L1Connection(arch, L1Client::unpacker));
  }
  return use;
}

}  // namespace tensim::tensix
