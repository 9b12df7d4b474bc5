// Host instructions of one instruction of the Vector Unit through the coprocessor: push, frontend, gate, lanes, completion.
// One instruction a cycle, over several registers or rows, so that none waits for another. For callgrind:
//   valgrind --tool=callgrind --toggle-collect='tensim_counted*' build/bench/tensim_count_vector sfpmad
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include "isa/assembler/assemble.hpp"
#include "tensix/coprocessor.hpp"

namespace {

using namespace tensim;
using tensix::Coprocessor;

constexpr unsigned repetitions = 1000;
constexpr unsigned variants = 4;
constexpr unsigned thread = 1;

struct Counted {
  const char* name;
  const char* text;  // {} is a number from 0 to 3
  unsigned step;
};
constexpr std::array counted{
    Counted{"sfpmad", "SFPMAD VA=4, VB=5, VC=6, VD=", 1},
    Counted{"sfpmad_zero", "SFPMAD VA=9, VB=5, VC=6, VD=", 1},           // no product
    Counted{"sfpmad_long", "SFPMAD VA=4, VB=10, VC=4, Mod1=1, VD=", 1},  // sums of zero: the long way
    Counted{"sfpadd", "SFPADD VA=10, VB=5, VC=6, VD=", 1},
    Counted{"sfpload32", "SFPLOAD Mod0=3, VD=0, Imm10=", 4},
    Counted{"sfpload16", "SFPLOAD Mod0=2, VD=0, Imm10=", 4},
    Counted{"sfpstore32", "SFPSTORE Mod0=3, VD=4, Imm10=", 4},
    Counted{"sfpstore16", "SFPSTORE Mod0=2, VD=4, Imm10=", 4},
    Counted{"sfpmov", "SFPMOV VC=4, VD=", 1},
    Counted{"sfpiadd", "SFPIADD VC=4, Mod1=4, VD=", 1},
    Counted{"sfpswap", "SFPSWAP VC=4, Mod1=1, VD=", 1},
    Counted{"sfpstochrnd", "SFPSTOCHRND VC=4, Mod1=1, VD=", 1},
    Counted{"sfplutfp32", "SFPLUTFP32 Mod1=2, VD=", 1},
    Counted{"sfpsetcc", "SFPSETCC Mod1=0, VC=", 1},
    Counted{"sfpnop", "SFPNOP", 0},
};

/// Numbers of moderate size, as kernels have them.
void fill_registers(Coprocessor& coprocessor) {
  std::uint32_t bits = 1;
  for (unsigned lreg = 0; lreg < tensix::general_lregs; ++lreg)
    for (std::uint32_t& x : coprocessor.vector.registers.lreg[lreg].lane) {
      bits = bits * 1664525U + 1013904223U;
      x = (bits & 0x80FF'FFFFU) + 0x3F00'0000U;
    }
}

std::array<isa::Word, variants> words_of(Arch arch, const Counted& what) {
  std::array<isa::Word, variants> words{};
  for (unsigned i = 0; i < variants; ++i) {
    const std::string line = std::string(what.text) + (what.step == 0 ? "" : std::to_string(i * what.step));
    const isa::Assembly assembly = isa::assemble(arch, line, "bench");
    if (assembly.ok()) words[i] = assembly.words.front().word;
  }
  return words;
}

}  // namespace

extern "C" __attribute__((noinline)) void tensim_counted_vector(Coprocessor& coprocessor,
                                                                const std::array<isa::Word, variants>& words) {
  for (unsigned i = 0; i < repetitions; ++i) {
    coprocessor.push(thread, words[i % variants], 0);
    coprocessor.step();
  }
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "sfpmad";
  const Arch arch = argc > 2 && std::strcmp(argv[2], "wormhole") == 0 ? Arch::wormhole : Arch::blackhole;
  for (const Counted& what : counted) {
    if (std::strcmp(what.name, name) != 0) continue;
    const auto coprocessor = std::make_unique<Coprocessor>(arch);
    fill_registers(*coprocessor);
    tensim_counted_vector(*coprocessor, words_of(arch, what));
    std::printf("%u times %s, %s, %llu cycles\n", repetitions, name, arch == Arch::wormhole ? "Wormhole" : "Blackhole",
                static_cast<unsigned long long>(coprocessor->now));
    return 0;
  }
  std::fprintf(stderr, "no such instruction here: %s\n", name);
  return 1;
}
