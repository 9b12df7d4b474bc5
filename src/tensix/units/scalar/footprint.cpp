// What is known when the instruction passes its gate: GPRs, configuration, registers that the word names. The GPRs that name
// an address are read a cycle later: then add_scalar_request() says what of L1, of registers and of Src the request reaches.
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

/// SETDMAREG's special form copies state of the packers (units::packer_state()).
void add_packer_state(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  constexpr isa::Field which_packers = field_of("SETDMAREG", "Special", "WhichPackers");
  constexpr isa::Field input_source = field_of("SETDMAREG", "Special", "InputSource");
  const unsigned source = input_source.get(word);
  const unsigned which = which_packers.get(word);
  const auto all = [&](PackerState state) {
    for (unsigned packer = 0; packer < Packers::count; ++packer)
      footprint.reads(Resource::packer, packer, state);
  };
  switch (source) {
    case 0: return all(packer_sizes);
    case 1: return all(packer_stream);
    case 2:
    case 3:
    case 4:
    case 5: {
      const unsigned packer = source - 2;
      footprint.reads(Resource::packer, packer, packer_stream);
      footprint.reads(Resource::packer, packer, packer_sizes);
      return add_tile_header(footprint, coprocessor, thread, packer);
    }
    case 6:
    case 7: return footprint.reads(Resource::packer, which % Packers::count, packer_exponents);
    case 8:
      all(packer_stream);
      for (unsigned packer = 0; packer < Packers::count; ++packer)
        if ((which >> packer & 1U) != 0) footprint.writes(Resource::packer, packer, packer_sizes);
      return;
    case 9: return footprint.reads(Resource::packer, 0, packer_exponents);
    default: return;
  }
}

void add_swapped(Footprint& footprint, const Coprocessor& coprocessor, std::uint32_t address, Word word) {
  constexpr unsigned part = 2;  // bytes that a bit of the mask stands for
  for (unsigned bits = swap_mask.get(word), at = 0; bits != 0; bits >>= 1U, at += part)
    if ((bits & 1U) != 0) add_l1(footprint, coprocessor, address + at, part, true);
}

}  // namespace

void units::scalar_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  const Word word = candidate.entry.word;
  add_gprs(footprint, candidate.thread, word);
  const std::uint32_t named = ScalarUnit::mmio_base + register_address.get(word) * 4;
  switch (isa::opcode_of(word)) {
    case "REG2FLOP"_op: return add_flop(footprint, coprocessor, candidate.thread, word);
    case "STOREREG"_op: return add_tile_register(footprint, coprocessor, named, true);
    case "LOADREG"_op: return add_tile_register(footprint, coprocessor, named, false);
    case "SETDMAREG"_op:
      if (!form_bits("SETDMAREG", "Immediate").match(word))
        add_packer_state(footprint, coprocessor, candidate.thread, word);
      return;
    default: return;
  }
}

/// ATSWAP writes halves of words; ATINCGETPTR looks at both pointers.
void units::add_scalar_request(const Coprocessor& coprocessor, Word word, std::uint32_t address, std::uint32_t bytes,
                               Footprint& footprint) {
  const auto l1 = [&](std::uint32_t at, std::uint32_t count, bool write) {
    add_l1(footprint, coprocessor, at, count, write);
  };
  switch (isa::opcode_of(word)) {
    case "LOADIND"_op: return l1(address, bytes, false);
    case "STOREIND"_op: return l1(address, bytes, true);
    case "ATSWAP"_op: return add_swapped(footprint, coprocessor, address, word);
    case "ATINCGETPTR"_op: {
      constexpr unsigned pointers = 2;
      const std::uint32_t at = word_in_block.get(word);
      l1(address, 4 * pointers, false);
      if (at >= pointers) l1(address + 4 * at, 4, false);
      if (no_increment.get(word) == 0) l1(address + 4 * at, 4, true);
      return;
    }
    default:  // ATINCGET, ATCAS
      l1(address, 4, false);
      l1(address, 4, true);
  }
}

void units::add_src_store(const Coprocessor& coprocessor, unsigned thread, Word word, Footprint& footprint) {
  const unsigned file = store_to_src_b.get(word);
  const unsigned bank = coprocessor.src.unpack_bank[file];
  const auto mode = "SRCA_SET_SetOvrdWithAddr"_thread_config.on(coprocessor.arch).word;
  if (file == 0) footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(mode));
  footprint.reads(Resource::unpacker, file, unpacker_row(thread));
  footprint.reads(Resource::src_ownership, file, bank);
  if (const auto row = storeind_src_row(coprocessor, thread, word).row)
    footprint.writes(file == 0 ? Resource::src_a : Resource::src_b, bank, *row);
}

}  // namespace tensim::tensix
