// Address counters of the unpackers and the packer: per context X, Y, Z and W for two channels of three sets. A thread
// usually works with the context of its own number, but an instruction can name another. The Miscellaneous Unit
// executes the instructions here; UNPACR, PACR and REG2FLOP also move these counters. Pages: ADCs.md, SETADC*.md,
// INCADC*.md, ADDRCR*.md, which Blackhole shares with Wormhole.
#pragma once

#include <array>
#include <cstdint>

#include "isa/form.hpp"
#include "tensix/registers/counter.hpp"
#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

struct AdcChannel {
  Counter<size_of_both("adc_x_bits"_size)> x;
  Counter<size_of_both("adc_y_bits"_size)> y;
  Counter<size_of_both("adc_z_bits"_size)> z;
  Counter<size_of_both("adc_w_bits"_size)> w;

  friend constexpr bool operator==(const AdcChannel&, const AdcChannel&) = default;
};

struct AdcSet {
  std::array<AdcChannel, size_of_both("adc_channels"_size)> channel;

  friend constexpr bool operator==(const AdcSet&, const AdcSet&) = default;
};

struct AdcContext {
  std::array<AdcSet, size_of_both("unpackers"_size)> unpacker;
  AdcSet packer;  // Wormhole's four packers share it

  friend constexpr bool operator==(const AdcContext&, const AdcContext&) = default;
};

struct Adcs {
  std::array<AdcContext, size_of_both("adc_contexts"_size)> context;

  friend constexpr bool operator==(const Adcs&, const Adcs&) = default;
};

void setadc(Adcs& adcs, unsigned thread, isa::Word word);
void setadcxy(Adcs& adcs, unsigned thread, isa::Word word);
void incadcxy(Adcs& adcs, unsigned thread, isa::Word word);
void addrcrxy(Adcs& adcs, unsigned thread, isa::Word word);
void setadczw(Adcs& adcs, unsigned thread, isa::Word word);
void incadczw(Adcs& adcs, unsigned thread, isa::Word word);
void addrcrzw(Adcs& adcs, unsigned thread, isa::Word word);
void setadcxx(Adcs& adcs, unsigned thread, isa::Word word);

/// Whichever of the eight `word` is; false if it is none, and then nothing changed.
bool apply_adc_instruction(Adcs& adcs, unsigned thread, isa::Word word);

}  // namespace tensim::tensix
