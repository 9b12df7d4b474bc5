// A packer's compression: each datum that is kept gets a count of the zeros behind it, which are not. The first and the
// last datum of a row are always kept. Page: Packers/Compression.md, which gives the format and leaves open which zeros
// are dropped: here all that the counts have room for.
#pragma once

#include <array>
#include <cstdint>

namespace tensim::tensix {

/// What a packer keeps of the tile between PACRs.
struct PackCompression {
  static constexpr unsigned group = 32;  // datums, then their counts: four bits each, 16 bytes
  static constexpr unsigned most_zeros = 15;
  static constexpr unsigned flags = 32;

  std::uint32_t datum = 0;  // the last one kept, whose count may grow
  std::uint8_t zeros = 0;   // behind it
  bool in_row = false;
  bool row_is_zero = true;
  std::uint8_t rows = 0;                  // ended so far, up to `flags`
  std::uint16_t kept = 0;                 // and passed on: what row starts count
  std::uint32_t all_zero_rows = 0;        // AllZeroFlags: a bit for each row that has nothing but zeros
  std::array<std::uint8_t, 16> counts{};  // of the group under way

  /// `sink.put(datum)` for every datum that is kept, `sink.put_counts(counts)` behind 32 of them, `sink.put_row_start` with
  /// how many there have been before the first row and behind each row.
  template <class Sink>
  void add(std::uint32_t next, Sink& sink) {
    if (next != 0) row_is_zero = false;
    if (!in_row) {
      if (rows == 0 && kept == 0) sink.put_row_start(0);
      in_row = true;
      row_is_zero = next == 0;
    } else if (next == 0 && zeros < most_zeros) {
      ++zeros;
      return;
    } else {
      keep(sink);
    }
    datum = next;
    zeros = 0;
  }

  template <class Sink>
  void end_row(Sink& sink) {
    if (!in_row) return;
    const bool dropped_the_last = zeros != 0;
    if (dropped_the_last) --zeros;
    keep(sink);
    if (dropped_the_last) {
      datum = zeros = 0;
      keep(sink);
    }
    in_row = false;
    sink.put_row_start(kept);
    if (rows == flags) return;
    if (row_is_zero) all_zero_rows |= 1U << rows;
    ++rows;
  }

  /// Fills up the last group. `all_zero_rows` stays for whoever asks.
  template <class Sink>
  void end_tile(Sink& sink) {
    end_row(sink);
    if (kept % group != 0) {
      for (unsigned i = kept % group; i < group; ++i)
        sink.put(0);
      sink.put_counts(counts);
    }
    counts = {};
    kept = 0;
    rows = 0;
  }
  /// Before a tile's first datum.
  bool is_at_start() const { return !in_row && kept == 0 && rows == 0; }

 private:
  template <class Sink>
  void keep(Sink& sink) {
    const unsigned place = kept % group;
    counts[place / 2] = static_cast<std::uint8_t>(counts[place / 2] | zeros << (place % 2 * 4));
    sink.put(datum);
    ++kept;
    if (kept % group != 0) return;
    sink.put_counts(counts);
    counts = {};
  }
};

}  // namespace tensim::tensix
