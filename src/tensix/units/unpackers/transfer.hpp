// One transfer of an unpacker, as its address phase leaves it: what to read from L1, how to convert it, where to write
// it. Page: UNPACR_Regular.md (functional model); what Blackhole does otherwise is said where it matters.
//
// Planning looks at configuration and counters when the instruction is accepted; moving happens at the end of the
// transfer and looks at nothing but the plan.
#pragma once

#include <array>
#include <cstdint>

#include "number/unpack.hpp"
#include "tensix/data_issue.hpp"
#include "tensix/l1_traffic.hpp"
#include "tensix/registers/dst.hpp"
#include "tensix/registers/src_registers.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct UnitTiming;
struct Memory;
class UnpackerSettings;

enum class UnpackTarget : std::uint8_t { src_a, src_b, dst };

/// What an UNPACR's word says.
struct UnpackInstruction {
  unsigned unpacker;
  unsigned context_number;
  unsigned context_adc;
  bool multi_context;
  bool flips_src;
  bool extra;  // Wormhole rareb_en, Blackhole srcb_bcast
  bool writes_zeros;
  bool uses_context_counter;
  bool row_search;
  // By channel.
  std::array<std::uint8_t, 2> y_increment;
  std::array<std::uint8_t, 2> z_increment;

  static UnpackInstruction of(Word word);
};

struct UnpackTransfer {
  static constexpr std::uint32_t unlimited = ~0U;

  // ---- reading ----
  // Addresses of datums and deltas are in bits, those of exponents in sixteenths of a byte: every datum has its own.
  std::int64_t datums_at = 0;
  std::int64_t deltas_at = 0;
  std::int64_t exponents_at = 0;
  // Above `wrap_above` bytes an address falls by `wrap_by`.
  std::int64_t wrap_above = 0;
  std::int64_t wrap_by = 0;
  std::uint32_t datums = 0;         // to read
  std::uint32_t row_starts_at = 0;  // of compressed data: from the first to the last that the plan looked at
  std::uint32_t row_start_bytes = 0;
  std::uint32_t row_stride_bits = 0;       // from one row of `row_datums` to the next
  std::uint32_t drop = 0;                  // decompressed datums not wanted
  std::uint32_t most_outputs = unlimited;  // of decompressed datums
  std::uint8_t datum_bits = 0;
  std::uint8_t row_datums = 16;
  std::uint8_t forced_exponent = 0;
  bool reads_exponents = false;
  bool is_compressed = false;
  bool writes_zeros = false;
  // ---- converting ----
  number::UnpackPlan plan{.rule = number::UnpackRule::bf16, .to_dst = false};
  std::uint8_t out_format = 0;  // its code
  bool moves = false;           // false: the formats mean nothing
  // ---- writing ----
  UnpackTarget target = UnpackTarget::src_a;
  std::uint32_t out_address = 0;  // in datums
  std::uint8_t upsample_zeros = 0;
  bool interleaves = false;  // positions for zeros are left as they are
  std::uint8_t column_shift = 0;
  bool transposes = false;
  bool is_32b = false;          // of Dst
  std::uint8_t src_row = 0;     // added to rows of Src
  std::uint16_t row_count = 0;  // rows that the target has from there on
  bool wraps_rows = false;      // beyond them, from the first again; otherwise nothing is written
  DstAddressing addressing{};
  // ---- time ----
  std::uint8_t speed = 1;      // L1 words of 16 bytes a cycle, if nothing is in the way
  std::uint32_t l1_words = 0;  // to fetch
};

/// Where a transfer stands in L1, datum by datum.
class UnpackPosition {
 public:
  explicit UnpackPosition(const UnpackTransfer& transfer)
      : transfer_(transfer),
        datums_at_(transfer.datums_at),
        deltas_at_(transfer.deltas_at),
        exponents_at_(transfer.exponents_at) {}

  std::int64_t datums_at() const { return datums_at_; }
  std::int64_t deltas_at() const { return deltas_at_; }
  std::int64_t exponents_at() const { return exponents_at_; }
  std::uint32_t count() const { return count_; }

  /// Not beyond the end of a row.
  void advance_datums(unsigned datums) {
    datums_at_ += std::int64_t{transfer_.datum_bits} * datums;
    count_ += datums;
    if (count_ % transfer_.row_datums != 0) return;
    datums_at_ += std::int64_t{transfer_.row_stride_bits} - std::int64_t{transfer_.datum_bits} * transfer_.row_datums;
    datums_at_ = wrap(datums_at_, 8);
  }

  /// Not beyond those of 256 datums, which are a word of L1.
  void advance_exponents(unsigned datums) {
    if (!transfer_.reads_exponents) return;
    exponents_at_ += datums;
    if (exponents_at_ % 256 == 0) exponents_at_ = wrap(exponents_at_, 16);
  }

  /// Behind 32 deltas, 32 datums are skipped, and the other way round.
  void advance_delta() {
    deltas_at_ += 4;
    if (deltas_at_ % 128 != 0) return;
    datums_at_ += 128;
    deltas_at_ = wrap(deltas_at_ + 32 * std::int64_t{transfer_.datum_bits}, 8);
  }

 private:
  std::int64_t wrap(std::int64_t address, std::int64_t unit) const {
    return address > transfer_.wrap_above * unit ? address - transfer_.wrap_by * unit : address;
  }

  const UnpackTransfer& transfer_;
  std::int64_t datums_at_;
  std::int64_t deltas_at_;
  std::int64_t exponents_at_;
  std::uint32_t count_ = 0;
};

/// Things the documentation leaves undefined, or that are not modelled, that the plan of a transfer met.
class UnpackIssues {
 public:
  void add(DataIssue issue) {
    if (count_ < issues_.size()) issues_[count_++] = issue;
  }
  const DataIssue* begin() const { return issues_.data(); }
  const DataIssue* end() const { return issues_.data() + count_; }
  bool empty() const { return count_ == 0; }

 private:
  std::array<DataIssue, 12> issues_{};
  std::size_t count_ = 0;
};

/// Of a regular UNPACR that `thread` issues now. Needs L1 only for compressed data.
UnpackTransfer plan_unpack(const Coprocessor& coprocessor, unsigned thread, Word word, UnpackIssues& issues);

/// The last part of it: how fast the data can come, and how much of it there is.
void choose_unpack_speed(UnpackTransfer& transfer, const UnpackerSettings& settings, const UnitTiming& timing,
                         bool tilizes, UnpackIssues& issues);

/// What fetching words `first` to `end` (not included) of them uses: exponents come first, then datums (assumed).
L1Use unpack_words(Arch arch, const UnpackTransfer& transfer, std::uint32_t first, std::uint32_t end);

/// Which address counters and which context an UNPACR of `thread` uses.
struct UnpackContext {
  unsigned number = 0;
  unsigned adc = 0;
};
UnpackContext unpack_context(const Coprocessor& coprocessor, unsigned thread, const UnpackInstruction& instruction,
                             UnpackIssues& issues);

/// The row of the target that output row `row` (16 datums each) goes to; `no_row` if it is not written.
inline constexpr unsigned no_row = ~0U;
unsigned target_row(const UnpackTransfer& transfer, unsigned row);

struct UnpackDone {
  bool beyond_l1 = false;
  bool beyond_rows = false;
  bool large_exponent = false;
};

/// Moves the data. `bank` is the bank of Src; Dst if the transfer goes there.
UnpackDone move_unpack(const UnpackTransfer& transfer, const Memory& memory, SrcRegisters::Bank& bank, Dst& dst);
/// The same, one datum at a time throughout: what the fast one is tested against.
UnpackDone move_unpack_by_datum(const UnpackTransfer& transfer, const Memory& memory, SrcRegisters::Bank& bank,
                                Dst& dst);

}  // namespace tensim::tensix
