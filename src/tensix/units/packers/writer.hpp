// A packer's output on its way to L1, in words of 16 bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "number/l1_accumulate.hpp"
#include "tensix/memory.hpp"
#include "tensix/units/packers/steps.hpp"
#include "tensix/units/packers/unit.hpp"

namespace tensim::tensix {

namespace pack_detail {

template <class Datum, class Accumulate>
void accumulate_word(const std::uint8_t* l1, std::uint8_t* word, Accumulate accumulate) {
  std::array<Datum, Packer::word_bytes / sizeof(Datum)> old;
  std::array<Datum, Packer::word_bytes / sizeof(Datum)> datums;
  std::memcpy(old.data(), l1, sizeof old);
  std::memcpy(datums.data(), word, sizeof datums);
  for (std::size_t i = 0; i < old.size(); ++i)
    datums[i] = accumulate(old[i], datums[i]);
  std::memcpy(word, datums.data(), sizeof datums);
}

inline void accumulate(number::DataFormat format, const std::uint8_t* l1, std::uint8_t* word) {
  switch (format) {
    case number::DataFormat::fp32: return accumulate_word<std::uint32_t>(l1, word, number::l1_accumulate_fp32);
    case number::DataFormat::bf16: return accumulate_word<std::uint16_t>(l1, word, number::l1_accumulate_bf16);
    case number::DataFormat::fp16: return accumulate_word<std::uint16_t>(l1, word, number::l1_accumulate_fp16);
    default: return accumulate_word<std::uint32_t>(l1, word, number::l1_accumulate_int32);
  }
}

}  // namespace pack_detail

/// Bytes of one stream, gathered so that L1 sees few writes. What lies beyond L1 is dropped.
class PackWriter {
 public:
  PackWriter(Memory& memory, Packer::Stream& stream, const PackJob& job, bool accumulates)
      : memory_(memory), stream_(stream), job_(job), accumulates_(accumulates), fill_(stream.fill) {
    std::memcpy(bytes_.data(), stream.bytes.data(), stream.fill);
  }

  std::uint32_t words() const { return words_; }
  bool beyond_l1() const { return beyond_l1_; }

  void append(const void* bytes, std::uint32_t count) {
    if (fill_ + count > bytes_.size()) write_words();
    std::memcpy(bytes_.data() + fill_, bytes, count);
    fill_ += count;
  }

  void finish() {
    constexpr std::uint32_t word = Packer::word_bytes;
    if (job_.closes) {
      const std::uint32_t padded = (fill_ + word - 1) / word * word;
      std::fill(bytes_.begin() + fill_, bytes_.begin() + padded, std::uint8_t{0});
      fill_ = padded;
    }
    write_words();
    std::memcpy(stream_.bytes.data(), bytes_.data(), fill_);
    stream_.fill = static_cast<std::uint8_t>(fill_);
  }

 private:
  static constexpr std::uint32_t capacity = 1024 + Packer::word_bytes;
  static constexpr std::uint32_t address_mask = pack_address_end - 1;

  void write_words() {
    const std::uint32_t whole = fill_ / Packer::word_bytes * Packer::word_bytes;
    words_ += whole / Packer::word_bytes;
    if (accumulates_) add_up(whole);
    if (memory_.holds(stream_.address, whole)) {
      if (whole != 0) memory_.write(stream_.address, bytes_.data(), whole);
    } else {
      beyond_l1_ = true;
      write_inside(whole);
    }
    stream_.address = (stream_.address + whole) & address_mask;
    std::memmove(bytes_.data(), bytes_.data() + whole, fill_ - whole);
    fill_ -= whole;
  }

  template <class Visit>
  void for_each_word_inside(std::uint32_t whole, Visit visit) {
    for (std::uint32_t at = 0; at < whole; at += Packer::word_bytes) {
      const std::uint32_t address = (stream_.address + at) & address_mask;
      if (memory_.holds(address, Packer::word_bytes)) visit(address, bytes_.data() + at);
    }
  }
  void add_up(std::uint32_t whole) {
    for_each_word_inside(whole, [this](std::uint32_t address, std::uint8_t* word) {
      pack_detail::accumulate(job_.out, memory_.l1.data() + address, word);
    });
  }
  void write_inside(std::uint32_t whole) {
    for_each_word_inside(whole, [this](std::uint32_t address, const std::uint8_t* word) {
      memory_.write(address, word, Packer::word_bytes);
    });
  }

  Memory& memory_;
  Packer::Stream& stream_;
  const PackJob& job_;
  bool accumulates_;
  bool beyond_l1_ = false;
  std::uint32_t words_ = 0;
  std::uint32_t fill_;
  std::array<std::uint8_t, capacity> bytes_;
};

}  // namespace tensim::tensix
