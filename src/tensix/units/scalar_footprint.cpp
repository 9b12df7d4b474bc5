#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

constexpr isa::Field channel_field = field_of("REG2FLOP", "ADC", "Channel");
constexpr isa::Field set_field = field_of("REG2FLOP", "ADC", "ADCSel");
constexpr isa::Field dimension_field = field_of("REG2FLOP", "ADC", "XYZW");
constexpr isa::Field override_field = field_of("REG2FLOP", "ADC", "OverrideThread");
constexpr isa::Field thread_field_of_word = field_of("REG2FLOP", "ADC", "ThreadSel");

void add_flop(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  const bool to_config = (word >> 21U & 1U) == 0;
  if (to_config) {
    // Where the THCON_ words begin is not in the tables: any word below the global ones.
    add_config(footprint, coprocessor, thread, 0, config_global_base(coprocessor.arch), true);
    return;
  }
  const unsigned context = override_field.get(word) != 0 ? thread_field_of_word.get(word) : thread;
  const unsigned set = set_field.get(word);
  if (context >= thread_count || set > 2) return;
  footprint.writes(Resource::adc, context, adc_counter(set, channel_field.get(word), dimension_field.get(word)));
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
      if ((word >> 23U & 1U) != 0) {
        footprint.writes(Resource::l1, 0, 0, whole_l1);
      } else if ((word >> 22U & 1U) == 0) {  // the row is in a GPR: any of the unpackers' bank
        const unsigned file = word >> 21U & 1U;
        footprint.writes(file == 0 ? Resource::src_a : Resource::src_b, coprocessor.src.unpack_bank[file], 0, src_rows);
      }
      break;
    case "ATSWAP"_op: footprint.writes(Resource::l1, 0, 0, whole_l1); break;
    case "ATINCGET"_op:
    case "ATINCGETPTR"_op:
    case "ATCAS"_op: footprint.updates(Resource::l1, 0, 0, whole_l1); break;
    default: break;
  }
  return footprint;
}

}  // namespace tensim::tensix
