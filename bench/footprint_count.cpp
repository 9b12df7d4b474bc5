// Host instructions of saying what an instruction reads and writes, once for each kind: what a race check costs at the gate.
// For callgrind:
//   valgrind --tool=callgrind --toggle-collect='tensim_counted*' build/bench/tensim_count_footprints "MVMUL DstRow=8" wormhole
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "isa/assembler/assemble.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace {

using namespace tensim;
using namespace tensim::literals;
using tensix::Coprocessor;

constexpr unsigned repetitions = 1000;
constexpr unsigned thread = 1;

void set(Coprocessor& coprocessor, const ConfigField& field, std::uint32_t value) {
  const ConfigField::Place& place = field.on(coprocessor.arch);
  if (!place.exists()) return;
  std::uint32_t& word = coprocessor.config.bank[0][static_cast<std::size_t>(place.word)];
  word = (word & ~place.bits()) | (value & place.mask()) << place.shift;
}

/// Tiles of 1024 BF16 to Src and out of Dst, a face of 256 at a time.
void set_up(Coprocessor& coprocessor) {
  constexpr std::uint32_t bf16 = 5;
  constexpr std::uint32_t uncompressed = 1U << 4U;
  set(coprocessor, "ALU_FORMAT_SPEC_REG0_SrcA"_config, bf16);
  set(coprocessor, "ALU_FORMAT_SPEC_REG1_SrcB"_config, bf16);
  set(coprocessor, "ALU_FORMAT_SPEC_REG2_Dstacc"_config, bf16);
  set(coprocessor, "THCON_SEC0_REG0_TileDescriptor"_config, bf16 | uncompressed | 256U << 16U);
  set(coprocessor, "THCON_SEC0_REG2_Out_data_format"_config, bf16);
  set(coprocessor, "THCON_SEC0_REG3_Base_address"_config, 0x1000);
  set(coprocessor, "THCON_SEC0_REG1_In_data_format"_config, bf16);
  set(coprocessor, "THCON_SEC0_REG1_Out_data_format"_config, bf16);
  set(coprocessor, "THCON_SEC0_REG1_Disable_zero_compress"_config, 1);
  set(coprocessor, "THCON_SEC0_REG1_L1_Dest_addr"_config, 0x2000);
  set(coprocessor, "THCON_SEC0_REG9_Pack_0_2_limit_address"_config, 0x1FFFF);
  coprocessor.adcs.context[thread].unpacker[0].channel[1].x.set(255);
  coprocessor.adcs.context[thread].packer.channel[1].x.set(15);
  coprocessor.src_registers.format = {{{bf16, bf16}, {bf16, bf16}}};
}

}  // namespace

extern "C" __attribute__((noinline)) void tensim_counted_footprint(const Coprocessor& coprocessor, isa::Word word,
                                                                   std::vector<tensix::Access>& accesses) {
  const tensix::Candidate candidate{tensix::Entry::pushed(word, 0), thread};
  const auto footprint_of = coprocessor.operation(word).footprint;
  for (unsigned i = 0; i < repetitions; ++i) {
    accesses.clear();
    tensix::Footprint footprint(accesses);
    footprint_of(coprocessor, candidate, footprint);
  }
}

int main(int argc, char** argv) {
  const Arch arch = argc > 2 && std::strcmp(argv[2], "wormhole") == 0 ? Arch::wormhole : Arch::blackhole;
  const isa::Assembly assembly = isa::assemble(arch, argc > 1 ? argv[1] : "MVMUL DstRow=8", "bench");
  if (!assembly.ok()) return 1;
  std::vector<std::uint8_t> l1(0x100000);
  Coprocessor coprocessor(arch);
  set_up(coprocessor);
  coprocessor.memory.l1 = l1;
  std::vector<tensix::Access> accesses;
  accesses.reserve(4096);
  tensim_counted_footprint(coprocessor, assembly.words.front().word, accesses);
  std::printf("%u footprints in one go, of %zu accesses each\n", repetitions, accesses.size());
  return 0;
}
