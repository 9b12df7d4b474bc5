#include "tensix/footprint.hpp"

#include "arch/config_registers.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/scalar/unit.hpp"
#include "tensix/units/scalar/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using namespace scalar_words;

void add_flop(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  if (flop_goes_to_config(word)) {
    const auto first = static_cast<unsigned>(size(coprocessor.arch, "config_thcon_base_word"_size));
    const std::uint32_t index = flop_index.get(word);
    if (first + index >= config_global_base(coprocessor.arch)) return;
    const bool is_wide = flop_size.get(word) == 0;
    add_config(footprint, coprocessor, thread, first + (is_wide ? index - index % gpr_group : index),
               is_wide ? gpr_group : 1, true);
    return;
  }
  const unsigned context = adc_override.get(word) != 0 ? adc_thread.get(word) : thread;
  const unsigned set = adc_set.get(word);
  if (context >= thread_count || set > 2) return;
  footprint.writes(Resource::adc, context, adc_counter(set, adc_channel.get(word), adc_dimension.get(word)));
}

void add_src_store(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  const unsigned file = store_to_src_b.get(word);
  const auto mode = "SRCA_SET_SetOvrdWithAddr"_thread_config.on(coprocessor.arch).word;
  if (file == 0) footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(mode));
  footprint.reads(Resource::src_ownership, file, coprocessor.src.unpack_bank[file]);
  if (const auto row = units::storeind_src_row(coprocessor, thread, word).row)
    footprint.writes(file == 0 ? Resource::src_a : Resource::src_b, coprocessor.src.unpack_bank[file], *row);
}

}  // namespace

/// STOREREG, LOADREG and STOREIND to MMIO reach registers that are none of these resources.
Footprint units::scalar_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  add_gprs(footprint, candidate.thread, word);
  switch (isa::opcode_of(word)) {
    case "REG2FLOP"_op: add_flop(footprint, coprocessor, candidate.thread, word); break;
    case "LOADIND"_op: footprint.reads(Resource::l1, 0, 0, whole_l1); break;
    case "STOREIND"_op:
      if (store_target(word) == StoreTarget::l1) footprint.writes(Resource::l1, 0, 0, whole_l1);
      if (store_target(word) == StoreTarget::src) add_src_store(footprint, coprocessor, candidate.thread, word);
      break;
    case "ATSWAP"_op: footprint.writes(Resource::l1, 0, 0, whole_l1); break;
    case "ATINCGETPTR"_op:
      footprint.reads(Resource::l1, 0, 0, whole_l1);
      if (no_increment.get(word) == 0) footprint.writes(Resource::l1, 0, 0, whole_l1);
      break;
    case "ATINCGET"_op:
    case "ATCAS"_op: footprint.updates(Resource::l1, 0, 0, whole_l1); break;
    default: break;
  }
  return footprint;
}

}  // namespace tensim::tensix
