#include "scenario/coverage.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "arch/config_registers.hpp"
#include "arch/sizes.hpp"
#include "tile/tile.hpp"

namespace tensim::scenario {
namespace {

using namespace tensim::literals;
using namespace isa::literals;

constexpr tile::Cycle most_cycles = 1000;

void set(tensix::Coprocessor& coprocessor, const ConfigField& field, std::uint32_t value, unsigned words_further) {
  const ConfigField::Place& place = field.on(coprocessor.arch);
  for (auto& bank : coprocessor.config.bank) {
    std::uint32_t& word = bank[static_cast<std::size_t>(place.word) + words_further];
    word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
  }
}

/// Settings of BF16 everywhere, without compression, which nobody uses; banks on both sides of Src; MOPs of NOPs.
void prepare(tensix::Coprocessor& coprocessor) {
  constexpr std::uint32_t bf16 = 5;
  constexpr std::array packer_blocks{0U, 28U, 40U, 68U};  // words after the first
  static_assert(packer_blocks.size() == larger_size("packers"_size));
  const auto packers = static_cast<std::size_t>(size(coprocessor.arch, "packers"_size));
  for (const unsigned words : std::span(packer_blocks).first(packers)) {
    set(coprocessor, "THCON_SEC0_REG1_Disable_zero_compress"_config, 1, words);
    set(coprocessor, "THCON_SEC0_REG1_In_data_format"_config, bf16, words);
    set(coprocessor, "THCON_SEC0_REG1_Out_data_format"_config, bf16, words);
  }
  for (const ConfigField* field :
       {&"ALU_FORMAT_SPEC_REG0_SrcA"_config, &"ALU_FORMAT_SPEC_REG1_SrcB"_config, &"ALU_FORMAT_SPEC_REG2_Dstacc"_config,
        &"THCON_SEC0_REG0_TileDescriptor"_config, &"THCON_SEC1_REG0_TileDescriptor"_config,
        &"THCON_SEC0_REG2_Out_data_format"_config, &"THCON_SEC1_REG2_Out_data_format"_config})
    set(coprocessor, *field, bf16, 0);
  coprocessor.src.hand_to_matrix(tensix::Src::a);
  coprocessor.src.hand_to_matrix(tensix::Src::b);
  coprocessor.streams[0].registers = {{0, 0}};
  coprocessor.unpackers.set_register_bases(0);
  for (tensix::Frontend& frontend : coprocessor.frontends)
    for (unsigned word = 0; word < tensix::MopExpander::config_words; ++word)
      frontend.set_mop_word(word, isa::Word{"NOP"_op} << isa::parameter_bits);
}

}  // namespace

std::optional<tensix::Fault> probe(Arch arch, const isa::Form& form) {
  const auto machine = std::make_unique<tile::Tile>(arch);
  prepare(machine->coprocessor);
  machine->coprocessor.push(0, isa::Word{form.opcode} << isa::parameter_bits | form.select_value, 0);
  machine->run_until(most_cycles);
  const auto& fault = machine->coprocessor.fault;
  // A replay of nothing recorded, or of anything else, is not the form's own fault.
  return fault && isa::opcode_of(fault->entry.word) == form.opcode ? fault : std::nullopt;
}

}  // namespace tensim::scenario
