// Host instructions of one MVMUL, ELWMUL, ELWADD or accumulating ELWADD (elwacc) through the coprocessor: push, frontend, gate, arithmetic, completion.
// One instruction a cycle, over eight blocks of Dst, so that none waits for another. For callgrind:
//   valgrind --tool=callgrind --toggle-collect='tensim_counted*' build/bench/tensim_count_matrix_unit mvmul 32
#include <cstdio>
#include <cstring>
#include <memory>

#include "isa/assembler/assemble.hpp"
#include "number/layout.hpp"
#include "tensix/coprocessor.hpp"

namespace {

using namespace tensim;
using tensix::Coprocessor;

constexpr unsigned repetitions = 1000;
constexpr unsigned blocks = 8;
constexpr unsigned thread = 1;

void fill_sources(Coprocessor& coprocessor) {
  std::uint32_t bits = 1;
  for (auto& file : coprocessor.src_registers.banks)
    for (auto& row : file[0])
      for (std::uint32_t& datum : row) {
        bits = bits * 1664525U + 1013904223U;
        datum = number::src_from_bf16(0x3f00U + ((bits >> 16U) & 0x80ffU));
      }
  coprocessor.src.matrix_owns[0][0] = coprocessor.src.matrix_owns[1][0] = true;
}

/// Both operands BF16; Blackhole by the format of the bank.
void set_formats(Coprocessor& coprocessor, bool dst_32b) {
  constexpr std::uint32_t bf16 = 5;
  for (auto& bank : coprocessor.config.bank)
    bank[1] = bf16 << 17U | bf16 << 21U | (dst_32b ? 1U : 0U) << 29U;
  coprocessor.src_registers.format = {{{bf16, bf16}, {bf16, bf16}}};
}

/// Address modifier 0 steps both Src counters, as programs have it.
void set_steps(Coprocessor& coprocessor) {
  constexpr std::uint16_t steps = 16U | 8U << 8U;                        // SrcAIncr, SrcBIncr
  const std::size_t word = coprocessor.arch == Arch::wormhole ? 7 : 12;  // ADDR_MOD_AB_SEC0
  coprocessor.config.thread[thread][word] = steps;
}

std::array<isa::Word, blocks> words_of(Arch arch, const char* instruction) {
  std::array<isa::Word, blocks> words{};
  for (unsigned i = 0; i < blocks; ++i) {
    const std::string line = std::string(instruction) + " DstRow=" + std::to_string(i * 8);
    const isa::Assembly assembly = isa::assemble(arch, line, "bench");
    if (assembly.ok()) words[i] = assembly.words.front().word;
  }
  return words;
}

}  // namespace

extern "C" __attribute__((noinline)) void tensim_counted_unit(Coprocessor& coprocessor,
                                                              const std::array<isa::Word, blocks>& words) {
  for (unsigned i = 0; i < repetitions; ++i) {
    coprocessor.push(thread, words[i % blocks], 0);
    coprocessor.step();
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "mvmul";
  const bool dst_32b = argc > 2 && std::strcmp(argv[2], "32") == 0;
  const Arch arch = argc > 3 && std::strcmp(argv[3], "wormhole") == 0 ? Arch::wormhole : Arch::blackhole;
  const char* instruction = std::strcmp(what, "mvmul") == 0    ? "MVMUL"
                            : std::strcmp(what, "elwmul") == 0 ? "ELWMUL"
                            : std::strcmp(what, "elwadd") == 0 ? "ELWADD"
                                                               : "ELWADD AddDst=1,";
  const auto coprocessor = std::make_unique<Coprocessor>(arch);
  fill_sources(*coprocessor);
  set_formats(*coprocessor, dst_32b);
  set_steps(*coprocessor);
  const auto words = words_of(arch, instruction);
  tensim_counted_unit(*coprocessor, words);
  std::printf("%u times %s, Dst of %d bits, %s, %llu cycles\n", repetitions, what, dst_32b ? 32 : 16,
              arch == Arch::wormhole ? "Wormhole" : "Blackhole", static_cast<unsigned long long>(coprocessor->now));
  return 0;
}
