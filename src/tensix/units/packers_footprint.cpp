#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {

using namespace isa::literals;

/// Which rows, and where in L1, is configuration that nobody interprets yet. PACR_SETREG writes registers outside.
Footprint units::packer_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  if (isa::opcode_of(word) != "PACR"_op) return footprint;
  add_config(footprint, coprocessor, candidate.thread, 0, config_words(coprocessor.arch), false);
  footprint.reads(Resource::thread_config, candidate.thread, 0, thread_config_words(coprocessor.arch));
  const bool overrides = coprocessor.arch == Arch::blackhole && (word >> 7U & 1U) != 0;
  const unsigned context = overrides ? word >> 13U & 3U : candidate.thread;
  constexpr unsigned packer = 2;
  if (context < thread_count) footprint.updates(Resource::adc, context, adc_counter(packer, 0, 0), 8);
  const bool zeroes = (word >> 12U & 1U) != 0;
  if (!zeroes) footprint.reads(Resource::dst, 0, 0, dst_rows);
  footprint.writes(Resource::l1, 0, 0, whole_l1);
  return footprint;
}

}  // namespace tensim::tensix
