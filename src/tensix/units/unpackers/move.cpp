// The data phase of UNPACR: datums from L1, converted, to Src or Dst. Whole rows where rows are whole, the page's loop
// over datums for everything else.
#include <bit>

#include "number/convert_rows.hpp"
#include "tensix/memory.hpp"
#include "tensix/units/unpackers/transfer.hpp"

namespace tensim::tensix {
namespace {

constexpr unsigned columns = SrcRegisters::columns;
constexpr unsigned header_rows = 4;

/// Where the transfer stands in L1.
class Reader {
 public:
  Reader(const UnpackTransfer& transfer, const Memory& memory)
      : transfer_(transfer), memory_(memory), position_(transfer) {}

  struct Datum {
    std::uint32_t value = 0;  // converted
    unsigned zeros_after = 0;
    bool is_there = true;  // in L1
  };

  std::uint32_t count() const { return position_.count(); }

  /// The next 16 datums lie in whole bytes of L1 and share what exponent they have.
  bool has_whole_row() const {
    if (position_.datums_at() % 8 != 0) return false;
    if (transfer_.reads_exponents && (position_.exponents_at() % 16 != 0 || !holds(position_.exponents_at() / 16, 1)))
      return false;
    return holds(position_.datums_at() / 8, std::uint64_t{transfer_.datum_bits} * columns / 8);
  }

  number::SrcRow row() {
    std::uint8_t exponent = transfer_.forced_exponent;
    if (transfer_.reads_exponents) exponent = memory_.l1[static_cast<std::size_t>(position_.exponents_at() / 16)];
    const std::uint8_t* from = memory_.l1.data() + position_.datums_at() / 8;
    number::SrcRow row{};
    if (!transfer_.writes_zeros) row = number::unpack_row(transfer_.plan, from, exponent);
    position_.advance_datums(columns);
    position_.advance_exponents(columns);
    return row;
  }

  Datum datum() {
    Datum datum;
    const std::uint32_t bits = read(position_.datums_at(), transfer_.datum_bits, datum.is_there);
    position_.advance_datums(1);
    std::uint32_t exponent = transfer_.forced_exponent;
    if (transfer_.reads_exponents) exponent = read((position_.exponents_at() >> 4) * 8, 8, datum.is_there);
    position_.advance_exponents(1);
    if (transfer_.is_compressed) datum.zeros_after = delta(datum.is_there);
    if (transfer_.writes_zeros) return {};
    if (has_short_exponent() && is_beyond_short(bits, exponent)) large_exponent_ = true;
    datum.value = number::unpack_datum(transfer_.plan, bits, exponent);
    return datum;
  }

  /// BFP8a, BFP4a, BFP2a: shared exponents of five bits.
  bool has_short_exponent() const {
    const number::UnpackRule rule = transfer_.plan.rule;
    return rule == number::UnpackRule::bfp8a || rule == number::UnpackRule::bfp4a || rule == number::UnpackRule::bfp2a;
  }
  bool large_exponent() const { return large_exponent_; }

 private:
  bool holds(std::int64_t address, std::uint64_t bytes) const {
    return address >= 0 && memory_.holds(static_cast<std::uint64_t>(address), bytes);
  }

  /// Up to 32 bits from a place in L1 that may start within a byte.
  std::uint32_t read(std::int64_t at, unsigned bits, bool& is_there) const {
    const std::int64_t first = at / 8;
    const auto within = static_cast<unsigned>(at % 8);
    const unsigned bytes = (within + bits + 7) / 8;
    if (at < 0 || !holds(first, bytes)) {
      is_there = false;
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
      value |= std::uint64_t{memory_.l1[static_cast<std::size_t>(first) + i]} << (i * 8U);
    return static_cast<std::uint32_t>(value >> within & ((std::uint64_t{1} << bits) - 1U));
  }

  /// Whether the datum's own exponent, which is smaller the smaller its magnitude, needs more than five bits.
  bool is_beyond_short(std::uint32_t datum, std::uint32_t exponent) const {
    const auto magnitude = static_cast<std::uint8_t>(datum << (9U - transfer_.datum_bits));
    if (magnitude == 0) return false;
    const std::uint32_t own = exponent - static_cast<unsigned>(std::countl_zero(magnitude));
    return (own & 0xE0U) != 0;
  }

  unsigned delta(bool& is_there) {
    const unsigned zeros = read(position_.deltas_at(), 4, is_there);
    position_.advance_delta();
    return zeros;
  }

  const UnpackTransfer& transfer_;
  const Memory& memory_;
  UnpackPosition position_;
  bool large_exponent_ = false;
};

/// Where it stands in Src or Dst.
class Writer {
 public:
  Writer(const UnpackTransfer& transfer, SrcRegisters::Bank& bank, Dst& dst)
      : transfer_(transfer), bank_(bank), dst_(dst), at_(transfer.out_address) {}

  bool takes_whole_rows() const {
    return at_ % columns == 0 && transfer_.upsample_zeros == 0 && transfer_.column_shift == 0;
  }
  bool beyond_rows() const { return beyond_rows_; }

  void put_row(const number::SrcRow& row) {
    const unsigned to = next_row();
    at_ += columns;
    if (to == no_row) return;
    if (transfer_.target == UnpackTarget::dst) return put_dst_row(to, row);
    if (!transfer_.transposes || transfer_.target == UnpackTarget::src_b) {
      bank_[to] = row;
      return;
    }
    for (unsigned column = 0; column < columns; ++column)
      bank_[(to & ~15U) | column][to & 15U] = row[column];
  }

  /// What cannot be read leaves its place as it is.
  void skip() { at_ += 1U + transfer_.upsample_zeros; }

  /// A datum, and the zeros that upsampling puts behind it.
  void put(std::uint32_t value) {
    put_one(value);
    for (unsigned i = 0; i < transfer_.upsample_zeros; ++i) {
      if (transfer_.interleaves)
        ++at_;
      else
        put_one(0);
    }
  }

 private:
  unsigned next_row() {
    const unsigned row = at_ / columns;
    const unsigned to = target_row(transfer_, row);
    if (to == no_row && row >= header_rows) beyond_rows_ = true;
    return to;
  }

  void put_dst_row(unsigned to, const number::SrcRow& row) {
    if (!transfer_.is_32b) {
      const unsigned at = transfer_.addressing.row16(to);
      for (unsigned column = 0; column < columns; ++column)
        dst_.bits[at][column] = static_cast<std::uint16_t>(row[column]);
      dst_.is_undefined[at] = false;
      return;
    }
    const unsigned upper = transfer_.addressing.row32(to);
    for (unsigned column = 0; column < columns; ++column) {
      dst_.bits[upper][column] = static_cast<std::uint16_t>(row[column] >> 16U);
      dst_.bits[upper + Dst::low_half][column] = static_cast<std::uint16_t>(row[column]);
    }
    dst_.is_undefined[upper] = dst_.is_undefined[upper + Dst::low_half] = false;
  }

  void put_one(std::uint32_t value) {
    unsigned column = at_ % columns;
    const bool is_src_a = transfer_.target == UnpackTarget::src_a;
    if (is_src_a && column < transfer_.column_shift) {
      ++at_;
      return;
    }
    unsigned row = next_row();
    ++at_;
    if (row == no_row) return;
    if (transfer_.target == UnpackTarget::dst) {
      if (transfer_.is_32b)
        dst_.set32(transfer_.addressing, row, column, value);
      else
        dst_.set16(transfer_.addressing, row, column, static_cast<std::uint16_t>(value));
      return;
    }
    if (is_src_a) column -= transfer_.column_shift;
    if (is_src_a && transfer_.transposes) {
      const unsigned low = row & 15U;
      row = (row & ~15U) | column;
      column = low;
    }
    bank_[row][column] = value;
  }

  const UnpackTransfer& transfer_;
  SrcRegisters::Bank& bank_;
  Dst& dst_;
  std::uint32_t at_;
  bool beyond_rows_ = false;
};

/// A datum and the zeros that decompression puts behind it; false if no more are wanted.
bool move_datum(Reader& reader, Writer& writer, std::uint32_t& drop, std::uint32_t& outputs_left, bool& beyond_l1) {
  const Reader::Datum datum = reader.datum();
  if (!datum.is_there) beyond_l1 = true;
  std::uint32_t value = datum.value;
  for (unsigned i = 0; i <= datum.zeros_after; ++i, value = 0) {
    if (drop != 0) {
      --drop;
      continue;
    }
    if (datum.is_there)
      writer.put(value);
    else
      writer.skip();
    if (--outputs_left == 0) return false;
  }
  return true;
}

UnpackDone move(const UnpackTransfer& transfer, const Memory& memory, SrcRegisters::Bank& bank, Dst& dst,
                bool by_rows) {
  UnpackDone done;
  if (!transfer.moves || transfer.most_outputs == 0) return done;
  Reader reader(transfer, memory);
  Writer writer(transfer, bank, dst);
  by_rows = by_rows && !transfer.is_compressed && writer.takes_whole_rows() && !reader.has_short_exponent();
  std::uint32_t drop = transfer.drop;
  std::uint32_t outputs_left = transfer.most_outputs;
  while (reader.count() < transfer.datums) {
    if (by_rows && reader.count() % columns == 0 && transfer.datums - reader.count() >= columns &&
        reader.has_whole_row()) {
      writer.put_row(reader.row());
    } else if (!move_datum(reader, writer, drop, outputs_left, done.beyond_l1)) {
      break;
    }
  }
  done.beyond_rows = writer.beyond_rows();
  done.large_exponent = reader.large_exponent();
  return done;
}

}  // namespace

UnpackDone move_unpack(const UnpackTransfer& transfer, const Memory& memory, SrcRegisters::Bank& bank, Dst& dst) {
  return move(transfer, memory, bank, dst, true);
}

UnpackDone move_unpack_by_datum(const UnpackTransfer& transfer, const Memory& memory, SrcRegisters::Bank& bank,
                                Dst& dst) {
  return move(transfer, memory, bank, dst, false);
}

}  // namespace tensim::tensix
