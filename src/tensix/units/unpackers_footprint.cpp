#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

constexpr Resource file_of(unsigned unpacker) {
  return unpacker == 0 ? Resource::src_a : Resource::src_b;
}

/// Transfers go to Src, as they do in the model: that settings can send unpacker 0's to Dst comes with the data path.
void regular(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned unpacker = word >> 23U & 1U;
  const unsigned bank = coprocessor.src.unpack_bank[unpacker];
  const bool multi_context = (word >> 7U & 1U) != 0;
  const unsigned context = multi_context ? word >> 8U & 3U : candidate.thread;
  add_config(footprint, coprocessor, candidate.thread, 0, config_words(coprocessor.arch), false);
  footprint.reads(Resource::src_ownership, unpacker, bank);
  const bool zeroes = (word >> 4U & 1U) != 0;
  if (!zeroes) footprint.reads(Resource::l1, 0, 0, whole_l1);
  footprint.writes(file_of(unpacker), bank, 0, src_rows);
  if ((word >> 6U & 1U) != 0) footprint.writes(Resource::src_ownership, unpacker, bank);
  if (context >= thread_count) return;
  footprint.reads(Resource::adc, context, adc_counter(unpacker, 0, 0), 8);
  constexpr unsigned y = 1;
  constexpr unsigned z = 2;
  const auto moves = [&](unsigned low_bit, unsigned channel, unsigned dimension) {
    if ((word >> low_bit & 3U) != 0)
      footprint.writes(Resource::adc, context, adc_counter(unpacker, channel, dimension));
  };
  moves(17, 0, y);
  moves(15, 0, z);
  moves(21, 1, y);
  moves(19, 1, z);
}

void nop(Footprint& footprint, const Coprocessor& coprocessor, Word word) {
  const unsigned unpacker = word >> 23U & 1U;
  const unsigned bank = coprocessor.src.unpack_bank[unpacker];
  const bool wormhole = coprocessor.arch == Arch::wormhole;
  const bool zeroes = wormhole ? (word & 0x43U) == 1 : (word & 3U) == 1;
  if (zeroes) {
    const bool both = (word >> (wormhole ? 3U : 4U) & 1U) != 0;
    const bool waits = (word >> (wormhole ? 4U : 5U) & 1U) != 0;
    if (waits) footprint.reads(Resource::src_ownership, unpacker, bank);
    for (unsigned each = 0; each < 2; ++each)
      if (both || each == bank) footprint.writes(file_of(unpacker), each, 0, src_rows);
  }
  if (units::unpacr_nop_sets_dvalid(coprocessor.arch, word)) footprint.writes(Resource::src_ownership, unpacker, bank);
}

}  // namespace

/// The forms that flush or count have their effect in the unpacker alone.
Footprint units::unpacker_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  if (isa::opcode_of(word) == "UNPACR_NOP"_op)
    nop(footprint, coprocessor, word);
  else if (is_unpacr_transfer(word))
    regular(footprint, coprocessor, candidate);
  return footprint;
}

}  // namespace tensim::tensix
