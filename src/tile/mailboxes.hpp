// Mailboxes: a FIFO of four words from each of B, T0, T1, T2 to each of them, themselves included. All that one core has
// sent and nobody has read is four words at most, too. Page: BabyRISCV/Mailboxes.md.
#pragma once

#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

class Mailboxes {
 public:
  static constexpr unsigned ends = 4;  // B, T0, T1, T2: the first four CoreIds
  static constexpr unsigned depth = size_of_both("mailbox_entries"_size);
  static constexpr unsigned most_sent = size_of_both("mailbox_entries_per_writer"_size);
  static_assert(std::size_t{ends} * ends == size_of_both("mailboxes"_size));

  bool is_empty(CoreId from, CoreId to) const { return box(from, to).empty(); }
  /// Room for another word of this writer: the four of all its mailboxes are the tighter bound.
  bool takes_from(CoreId from) const { return sent_[number(from)] < most_sent; }
  void push(CoreId from, CoreId to, std::uint32_t value) {
    box(from, to).push(value);
    ++sent_[number(from)];
  }
  std::uint32_t pop(CoreId from, CoreId to) {
    --sent_[number(from)];
    return box(from, to).pop();
  }
  /// Soft reset of the writer empties its mailboxes.
  void discard_from(CoreId from) {
    boxes_[number(from)] = {};
    sent_[number(from)] = 0;
  }

 private:
  using Box = tensix::Fifo<std::uint32_t, depth>;
  static constexpr unsigned number(CoreId core) { return static_cast<unsigned>(core); }
  const Box& box(CoreId from, CoreId to) const { return boxes_[number(from)][number(to)]; }
  Box& box(CoreId from, CoreId to) { return boxes_[number(from)][number(to)]; }

  std::array<std::array<Box, ends>, ends> boxes_{};  // by writer, then reader
  std::array<std::uint8_t, ends> sent_{};            // words of each writer that nobody has read
};

}  // namespace tensim::tile
