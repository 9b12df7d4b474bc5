// A packer's data: rows of Dst through the conversions, and what comes out of them to L1 in words of 16 bytes.
// Pages: Packers/README.md (the order of the steps), EdgeMasking.md, ExponentHistogram.md, Downsampling.md.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "number/bfp_block.hpp"
#include "number/convert_rows.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/packers/steps.hpp"
#include "tensix/units/packers/unit.hpp"
#include "tensix/units/packers/writer.hpp"

namespace tensim::tensix {
namespace {

using number::DataFormat;
using number::HeldRow;

constexpr std::uint32_t columns = Dst::columns;
constexpr Dst::Row zero_row{};

static_assert(std::endian::native == std::endian::little, "datums go to L1 as the host's numbers");

// ---- a job under way ----

class Run {
 public:
  Run(Coprocessor& coprocessor, Packer& packer)
      : dst_(coprocessor.dst),
        memory_(coprocessor.memory),
        packer_(packer),
        job_(packer.job),
        facts_(number::facts(job_.out)),
        data_(coprocessor.memory, packer.data, job_, job_.accumulates),
        exponents_(coprocessor.memory, packer.exponents, job_, false),
        row_starts_(coprocessor.memory, packer.row_starts, job_, false),
        downsample_(job_.downsample_mask) {}

  // ---- what compression passes on ----

  void put(std::uint32_t datum) { emit_kept(&datum, 1); }
  void put_counts(const std::array<std::uint8_t, 16>& counts) {
    data_.append(counts.data(), static_cast<std::uint32_t>(counts.size()));
  }
  void put_row_start(std::uint16_t kept) { row_starts_.append(&kept, sizeof kept); }

  std::uint32_t planes() const { return planes_; }  // that it ended
  bool beyond_l1() const { return data_.beyond_l1() || exponents_.beyond_l1() || row_starts_.beyond_l1(); }

  void all() {
    if (job_.compresses && packer_.compression.is_at_start()) packer_.compression.all_zero_rows = 0;
    for (unsigned interface = 0; interface < 4; ++interface)
      if (job_.source != PackJob::Source::nothing && (job_.interfaces >> interface & 1U) != 0) pack_run(interface);
    if (job_.padding == PackJob::Padding::total) pad(packer_.datums);
    if (job_.compresses && job_.ends_row) packer_.compression.end_row(*this);
    if (job_.closes) close();
    data_.finish();
    exponents_.finish();
    row_starts_.finish();
    count_words();
  }

 private:
  /// TDMA-RISC.md. That a size counts all words of the tile is assumed; a flush forgets them.
  void count_words() {
    packer_.tile_words =
        static_cast<std::uint16_t>(packer_.tile_words + data_.words() + exponents_.words() + row_starts_.words());
    if (!job_.closes) return;
    const std::uint16_t words = std::exchange(packer_.tile_words, std::uint16_t{0});
    if (!job_.ends_tile) return;
    packer_.last_tile_words = words;
    packer_.last_thread = job_.thread;
    std::uint16_t& all = packer_.all_tile_words[job_.thread];
    all = static_cast<std::uint16_t>(all + words + (job_.counts_header ? 1 : 0));
  }

  void pack_run(unsigned interface) {
    emitted_ = 0;
    switch (job_.source) {
      case PackJob::Source::dst: pack_from(job_.first + interface * job_.row_step * columns); break;
      case PackJob::Source::l1: pack_from_l1(); break;
      default: pack_zeros(job_.count);
    }
    if (job_.padding == PackJob::Padding::each_row) pad(emitted_);
  }

  /// Zeros behind `count` datums, up to the next 16.
  void pad(std::uint32_t count) {
    const HeldRow zeros{};
    emit(zeros.data(), (columns - count % columns) % columns);
  }

  /// `count` datums from one on, row by row.
  void pack_from(std::uint32_t first) {
    for (std::uint32_t left = job_.count; left != 0;) {
      const std::uint32_t column = first % columns;
      const std::uint32_t taken = std::min(columns - column, left);
      pack_row(first / columns % Dst::rows, column, taken);
      first += taken;
      left -= taken;
    }
  }

  void pack_row(std::uint32_t row, std::uint32_t column, std::uint32_t taken) {
    HeldRow held = fetch(row);
    mask_edges(held, column, taken);
    held = number::pack_row_relu(job_.plan, held);
    count_exponents(held, column, taken);
    held = number::pack_row_late(job_.plan, number::pack_row_threshold(job_.plan, held));
    downsample(held, column, taken);
  }

  const Dst::Row& bits(unsigned row) const { return dst_.is_undefined[row] ? zero_row : dst_.bits[row]; }

  HeldRow fetch(std::uint32_t row) {
    const unsigned upper = job_.read_32b ? job_.addressing.row32(row) : job_.addressing.row16(row);
    const Dst::Row* const low = job_.read_32b ? &bits(upper + Dst::low_half) : nullptr;
    if (job_.early_noise) [[unlikely]]
      return number::pack_row_early(job_.plan, job_.read_32b, bits(upper), low, packer_.noise);
    return number::pack_row_early(job_.plan, job_.read_32b, bits(upper), low);
  }

  /// Sign and magnitude of BFP come from L1, its exponent is zero (InputAddressGenerator.md). Beyond L1 there are zeros.
  std::uint32_t held_from_l1(std::uint32_t address) const {
    std::uint32_t bits = 0;
    if (!memory_.holds(address, job_.l1_datum_bytes)) return 0;
    std::memcpy(&bits, memory_.l1.data() + address, job_.l1_datum_bytes);
    switch (job_.l1_format) {
      case DataFormat::bf16: return bits << 16U;
      case DataFormat::fp8: return bits << 8U;
      case DataFormat::bfp8: return (bits & 0x80U) << 24U | (bits & 0x7FU) << 16U;
      case DataFormat::bfp8a: return (bits & 0x80U) << 8U | (bits & 0x7FU) << 3U;
      default: return bits;
    }
  }

  void pack_from_l1() {
    std::uint32_t address = job_.first;
    for (std::uint32_t left = job_.count; left != 0;) {
      const std::uint32_t taken = std::min(columns, left);
      HeldRow held{};
      for (std::uint32_t i = 0; i < taken; ++i, address += job_.l1_datum_bytes)
        held[i] = held_from_l1(address);
      downsample(number::pack_row_late(job_.plan, number::pack_row_threshold(job_.plan, held)), 0, taken);
      left -= taken;
    }
  }

  void mask_edges(HeldRow& held, std::uint32_t column, std::uint32_t taken) {
    Packer::Position& position = packer_.position;
    for (std::uint32_t end = column + taken; column < end;) {
      const std::uint16_t pass = job_.edges.columns(position.y, position.z);
      const std::uint32_t here = std::min(columns - position.x, end - column);
      if (pass != EdgeMasks::all_columns)
        for (std::uint32_t i = column; i < column + here; ++i)
          if ((pass >> i & 1U) == 0) held[i] = job_.edges.replacement;
      column += here;
      position.x += here;
      if (position.x == columns) next_row(position);
    }
  }

  void next_row(Packer::Position& position) {
    position.x = 0;
    std::uint32_t& inner = job_.yz_transposed ? position.z : position.y;
    std::uint32_t& outer = job_.yz_transposed ? position.y : position.z;
    if (++inner != job_.reads_per_plane) return;
    inner = 0;
    ++outer;
    ++planes_;
  }

  /// Where a held number has its exponent. INT16 counts by its low eight bits; of INT8 the page says nothing.
  struct ExponentBits {
    unsigned shift;
    std::uint32_t mask;
  };
  ExponentBits exponent_bits() const {
    switch (job_.plan.held) {
      case number::Held::fp32:
      case number::Held::int32: return {23, 0xFF};
      case number::Held::fp16: return {10, 0x1F};
      default: return {0, 0xFF};
    }
  }

  void count_exponents(const HeldRow& held, std::uint32_t column, std::uint32_t taken) {
    const ExponentBits bits = exponent_bits();
    HeldRow exponents;
    for (std::size_t i = 0; i < held.size(); ++i)
      exponents[i] = held[i] >> bits.shift & bits.mask;
    std::uint32_t largest = packer_.max_exponent;
    if (taken == columns)
      for (const std::uint32_t exponent : exponents)
        largest = std::max(largest, exponent);
    else
      for (std::uint32_t i = column; i < column + taken; ++i)
        largest = std::max(largest, exponents[i]);
    packer_.max_exponent = static_cast<std::uint8_t>(largest);
    if (!job_.counts_exponents) return;
    for (std::uint32_t i = column; i < column + taken; ++i) {
      std::uint8_t& bin = packer_.histogram[exponents[i] % Packer::histogram_bins];
      if (bin != 0xFF) ++bin;
    }
  }

  void downsample(const HeldRow& late, std::uint32_t column, std::uint32_t taken) {
    if (job_.downsample_mask == 0xFFFF) return emit(late.data() + column, taken);
    HeldRow kept;
    std::uint32_t count = 0;
    for (std::uint32_t i = column; i < column + taken; ++i) {
      if ((downsample_ & 1U) != 0) kept[count++] = late[i];
      downsample_ = static_cast<std::uint16_t>(downsample_ << 15U | downsample_ >> 1U);
    }
    emit(kept.data(), count);
  }

  /// Zeros stay zeros in every format, and pass every step but the edge masks, which only Dst's datums meet.
  void pack_zeros(std::uint32_t count) {
    const HeldRow zeros{};
    for (std::uint32_t taken = 0; count != 0; count -= taken) {
      taken = std::min(count, columns);
      downsample(zeros, 0, taken);
    }
  }

  template <class Datum>
  void emit_narrow(const std::uint32_t* late, std::uint32_t count) {
    std::array<Datum, columns> datums;
    if (count == columns)  // a loop that the host's compiler can unroll
      for (std::uint32_t i = 0; i < columns; ++i)
        datums[i] = static_cast<Datum>(late[i]);
    else
      for (std::uint32_t i = 0; i < count; ++i)
        datums[i] = static_cast<Datum>(late[i]);
    data_.append(datums.data(), count * static_cast<std::uint32_t>(sizeof(Datum)));
  }

  void emit(const std::uint32_t* late, std::uint32_t count) {
    emitted_ += count;
    packer_.datums = static_cast<std::uint8_t>((packer_.datums + count) % columns);
    if (!job_.compresses) return emit_kept(late, count);
    for (std::uint32_t i = 0; i < count; ++i)
      packer_.compression.add(late[i], *this);
  }

  void emit_kept(const std::uint32_t* late, std::uint32_t count) {
    if (facts_.shared_exponent) return emit_to_block(late, count);
    if (facts_.datum_bits == 32) return data_.append(late, count * 4);
    if (facts_.datum_bits == 16) return emit_narrow<std::uint16_t>(late, count);
    emit_narrow<std::uint8_t>(late, count);
  }

  void emit_to_block(const std::uint32_t* late, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      packer_.block[packer_.block_fill++] = static_cast<std::uint16_t>(late[i]);
      if (packer_.block_fill == Packer::block_datums) emit_block();
    }
  }

  void emit_block() {
    packer_.block_fill = 0;
    const number::BfpBlock block =
        number::pack_bfp_block(packer_.block, job_.out, job_.late_noise ? &packer_.noise : nullptr);
    exponents_.append(&block.exponent, 1);
    std::array<std::uint8_t, Packer::block_datums> bytes{};
    const unsigned per_byte = 8 / facts_.datum_bits;
    for (unsigned i = 0; i < Packer::block_datums; ++i) {
      const unsigned place = i % per_byte * facts_.datum_bits;
      bytes[i / per_byte] = static_cast<std::uint8_t>(bytes[i / per_byte] | block.datums[i] << place);
    }
    data_.append(bytes.data(), Packer::block_datums / per_byte);
  }

  /// The rest of a block is taken for zeros (assumed). The next PACR begins a tile.
  void close() {
    if (job_.compresses)
      packer_.compression.end_tile(*this);
    else
      packer_.compression = {};
    if (packer_.block_fill != 0 && facts_.shared_exponent) {
      std::fill(packer_.block.begin() + packer_.block_fill, packer_.block.end(), std::uint16_t{0});
      emit_block();
    }
    packer_.block_fill = 0;
    packer_.datums = 0;
    packer_.position = {};
  }

  const Dst& dst_;
  const Memory& memory_;
  Packer& packer_;
  const PackJob& job_;
  const number::FormatFacts& facts_;
  PackWriter data_;
  PackWriter exponents_;
  PackWriter row_starts_;
  std::uint16_t downsample_;
  std::uint32_t emitted_ = 0;  // of the run under way
  std::uint32_t planes_ = 0;
};

}  // namespace

namespace {

/// assembly.yaml, CtxtCtrl: the next context after a tile, or after so many planes.
void step_context(Packers& packers, const PackJob& job, std::uint32_t planes) {
  if (!job.steps_context) return;
  if (job.planes_per_context == 0) {
    if (job.ends_tile) packers.next_context();
    return;
  }
  for (; planes != 0; --planes)
    if (++packers.context_planes >= job.planes_per_context) packers.next_context();
}

}  // namespace

void run_pack_job(Coprocessor& coprocessor, unsigned packer) {
  Packer& worker = coprocessor.packers.packer[packer];
  const PackStreams from{worker.data.address, worker.exponents.address, worker.row_starts.address};
  Run run(coprocessor, worker);
  run.all();
  if (worker.job.compresses && coprocessor.orders_are_noted()) note_pack_output(coprocessor, packer, from);
  const PackJob& job = coprocessor.packers.packer[packer].job;
  step_context(coprocessor.packers, job, run.planes());
  if (job.compresses && run.beyond_l1())
    coprocessor.data_issue({.entry = job.entry, .thread = job.thread}, DataIssue::l1_range);
}

}  // namespace tensim::tensix
