#include "tools/reference/vector_cases.hpp"

#include <random>

#include <fmt/format.h>

#include "tools/reference/config_words.hpp"
#include "tools/reference/tile_program.hpp"

namespace tensim::reference {
namespace {

using Chips = VectorCase::Chips;

class Cases {
 public:
  void add(const std::string& name, const std::string& text, Chips chips = Chips::both) {
    cases_.push_back({name, text, chips, share_});
  }
  /// Of how many cases each of the next is one: they differ in no mode.
  void share(unsigned cases) { share_ = cases; }
  /// An instruction of which only the flags show: they choose between L1 and ones.
  void add_flags(const std::string& name, const std::string& text, Chips chips = Chips::both) {
    add(name + ", flags", "SFPENCC Imm2=3, Mod1=10\n" + text + "\nSFPMOV VC=L10, VD=L0\nSFPENCC Imm2=2, Mod1=10\n",
        chips);
  }
  /// The same where half of the lanes are off.
  void add_masked(const std::string& name, const std::string& text, Chips chips = Chips::both) {
    add(name + ", some lanes",
        "SFPENCC Imm2=3, Mod1=10\nSFPSETCC VC=L1, Mod1=0\n" + text + "\nSFPENCC Imm2=2, Mod1=10\n", chips);
  }
  std::vector<VectorCase> take() { return std::move(cases_); }

 private:
  std::vector<VectorCase> cases_;
  unsigned share_ = 1;
};

constexpr const char* nop = "\nSFPNOP\n";  // Wormhole does not wait for a result

void add_floats(Cases& cases) {
  cases.share(2);
  for (const char* name : {"SFPMAD VA=L0, VB=L1, VC=L2", "SFPMAD VA=L0, VB=L2, VC=L1", "SFPADD VA=L10, VB=L0, VC=L1",
                           "SFPMUL VA=L0, VB=L1, VC=L9"}) {
    const std::string text = std::string(name) + ", VD=L0";
    cases.add(name, text + nop);
    cases.add_masked(name, text + nop);
    for (const int mod : {1, 2, 3})
      if (!(text.starts_with("SFPMUL") && mod > 1))
        cases.add(fmt::format("{}, Mod1={}", name, mod), fmt::format("{}, Mod1={}{}", text, mod, nop),
                  Chips::blackhole);
  }
  cases.share(5);
  // What is left when the rounded product is taken from the product, and a little more or less.
  for (const int off : {0, 1, -1, 5, -9})
    cases.add(fmt::format("SFPMAD, cancelling {}", off),
              fmt::format("SFPMUL VA=L0, VB=L1, VC=L9, VD=L3{0}SFPIADD Imm12={1}, VC=L3, VD=L3, Mod1=5\n"
                          "SFPMOV VC=L3, VD=L3, Mod1=1\nSFPMAD VA=L0, VB=L1, VC=L3, VD=L0{0}",
                          nop, off));
  cases.share(13);
  for (const unsigned imm : {0x3F80U, 0xBF80U, 0x4049U, 0x0000U, 0x8000U, 0x7F80U, 0xFF80U, 0x7FC0U, 0x0001U, 0x0080U,
                             0x7F7FU, 0x3DCDU, 0x0100U}) {
    cases.add(fmt::format("SFPADDI {:#06x}", imm), fmt::format("SFPADDI Imm16={}, VD=L0{}", imm, nop));
    cases.add(fmt::format("SFPMULI {:#06x}", imm), fmt::format("SFPMULI Imm16={}, VD=L0{}", imm, nop));
  }
  cases.share(1);
  cases.add(
      "SFPLUT",
      fmt::format("SFPMOV VC=L0, VD=L3\nSFPMOV VC=L1, VD=L0\nSFPSHFT Imm12=-16, VD=L1, Mod1=1\nSFPLUT VD=L0, Mod0=4{}",
                  nop));
  cases.add("SFPLUTFP32",
            fmt::format("SFPMOV VC=L0, VD=L3\nSFPMOV VC=L2, VD=L4\nSFPNOT VC=L1, VD=L5\nSFPMOV VC=L3, VD=L6\n"
                        "SFPLUTFP32 VD=L0, Mod1=2{}",
                        nop));
  cases.add("SFPARECIP", "SFPARECIP VC=L0, VD=L0", Chips::blackhole);
  for (const int mod : {0, 1})
    cases.add(fmt::format("SFPMUL24 Mod1={}", mod),
              fmt::format("SFPMUL24 VA=L0, VB=L1, VC=L9, VD=L0, Mod1={}{}", mod, nop), Chips::blackhole);
}

void add_conversions(Cases& cases) {
  cases.share(2);
  for (const int mod : {1, 2, 3, 6, 7}) {
    const std::string text = fmt::format("SFPSTOCHRND VC=L0, VD=L0, Mod1={}", mod);
    cases.add(text, text);
    cases.add_masked(text, text);
  }
  cases.share(1);
  cases.add("SFPCAST Mod1=0", "SFPCAST VC=L0, VD=L0");
  cases.add("SFPCAST Mod1=3", "SFPCAST VC=L0, VD=L0, Mod1=3", Chips::blackhole);
  cases.add("SFPMOV of random numbers", "SFPMOV VC=L9, VD=L0, Mod1=8");
  cases.add_masked("SFPMOV of random numbers", "SFPMOV VC=L9, VD=L0, Mod1=8");
  cases.add("SFPSTOCHRND steps the random numbers", "SFPSTOCHRND VC=L0, VD=L0, Mod1=1\nSFPMOV VC=L9, VD=L0, Mod1=8");
}

void add_integers(Cases& cases) {
  cases.share(2);
  for (const char* name : {"SFPAND", "SFPOR", "SFPXOR", "SFPNOT"}) {
    const std::string text = fmt::format("{} VC=L1, VD=L0", name);
    cases.add(text, text);
    cases.add_masked(text, text);
  }
  cases.share(1);
  for (const char* name : {"SFPAND", "SFPOR"})
    cases.add(fmt::format("{} of VB", name), fmt::format("{} VB=L1, VC=L2, VD=L0, Mod1=1", name), Chips::blackhole);
  for (const int mod : {0, 1})
    cases.add(fmt::format("SFPABS Mod1={}", mod), fmt::format("SFPABS VC=L0, VD=L0, Mod1={}", mod));
  for (const int mod : {0, 2, 4}) {
    const std::string text = fmt::format("SFPLZ VC=L0, VD={}, Mod1={}", mod == 2 ? "L3" : "L0", mod);
    if (mod == 2)
      cases.add_flags("SFPLZ Mod1=2", text);
    else
      cases.add(fmt::format("SFPLZ Mod1={}", mod), text);
  }
  cases.share(3);
  for (const int mod : {0, 1, 2, 4, 5, 6, 8, 9, 10}) {
    const std::string text = fmt::format("SFPIADD Imm12={}, VC=L1, VD=L0, Mod1={}", (mod & 1) != 0 ? -1234 : 0, mod);
    cases.add(fmt::format("SFPIADD Mod1={}", mod), text);
    cases.add_flags(fmt::format("SFPIADD Mod1={}", mod), text);
    cases.add_masked(fmt::format("SFPIADD Mod1={}", mod), text);
  }
  cases.share(8);
  for (const int mod : {0, 1, 2, 3, 5, 7})
    for (const int imm : {0, 5, 31, 40, -1, -17, -32, -45}) {
      if ((mod & 1) == 0 && imm != 0) continue;
      cases.add(fmt::format("SFPSHFT Mod1={}, {}", mod, imm),
                fmt::format("SFPSHFT Imm12={}, VC=L1, VD=L0, Mod1={}", imm, mod),
                mod > 1 ? Chips::blackhole : Chips::both);
    }
  cases.share(1);
  cases.add("SFPSHFT by a few", "SFPSHFT Imm12=-26, VD=L1, Mod1=1\nSFPSHFT VC=L1, VD=L0");
  for (const int mod : {3, 4, 5})
    cases.add(fmt::format("SFPSHFT2 Mod1={}", mod),
              fmt::format("SFPSHFT2 Imm12={}, VC=L1, VD=L0, Mod1={}{}", mod == 5 ? 2 : 0, mod, nop),
              mod == 4 ? Chips::blackhole : Chips::both);
  cases.add_masked("SFPSHFT2 Mod1=3", fmt::format("SFPSHFT2 VC=L1, VD=L0, Mod1=3{}", nop));
}

void add_fields(Cases& cases) {
  cases.share(7);
  for (const int imm : {0, 1, 10, 127, -1, -20, -128})
    for (const int mod : {0, 1})
      cases.add(fmt::format("SFPDIVP2 Mod1={}, {}", mod, imm),
                fmt::format("SFPDIVP2 Imm12Top={}, Imm8={}, VC=L0, VD=L0, Mod1={}", imm < 0 ? 15 : 0, imm & 0xFF, mod));
  cases.share(1);
  for (const int mod : {0, 1})
    cases.add(fmt::format("SFPEXMAN Mod1={}", mod), fmt::format("SFPEXMAN VC=L0, VD=L0, Mod1={}", mod));
  cases.share(2);
  for (const int mod : {0, 1, 2, 10}) {
    const std::string text = fmt::format("SFPEXEXP VC=L0, VD=L0, Mod1={}", mod);
    cases.add(text, text);
    cases.add_flags(text, text);
  }
  cases.share(1);
  for (const int mod : {0, 1, 2})
    cases.add(fmt::format("SFPSETEXP Mod1={}", mod),
              fmt::format("SFPSETEXP Imm8={}, VC=L1, VD=L0, Mod1={}", mod == 1 ? 0x93 : 0, mod));
  cases.add("SFPSETMAN Mod1=0", "SFPSETMAN VC=L1, VD=L0");
  cases.add("SFPSETMAN Mod1=1", "SFPSETMAN Imm12=0, VC=L1, VD=L0, Mod1=1");
  for (const int imm : {0, 1})
    cases.add(fmt::format("SFPSETSGN Mod1=1, {}", imm), fmt::format("SFPSETSGN Imm1={}, VC=L1, VD=L0, Mod1=1", imm));
  cases.add("SFPSETSGN Mod1=0", "SFPSETSGN VC=L1, VD=L0");
}

void add_flags(Cases& cases) {
  for (const int mod : {0, 2, 4, 6})
    cases.add_flags(fmt::format("SFPSETCC Mod1={}", mod), fmt::format("SFPSETCC VC=L0, Mod1={}", mod));
  for (const char* name : {"SFPLE", "SFPGT"}) {
    cases.add_flags(fmt::format("{} Mod1=1", name), fmt::format("{} VC=L1, VD=L0, Mod1=1", name), Chips::blackhole);
    cases.add(fmt::format("{} Mod1=8", name), fmt::format("{} VC=L1, VD=L0, Mod1=8", name), Chips::blackhole);
    cases.add_masked(fmt::format("{} Mod1=8", name), fmt::format("{} VC=L2, VD=L0, Mod1=8", name), Chips::blackhole);
  }
  cases.add("if and else",
            "SFPENCC Imm2=3, Mod1=10\nSFPPUSHC\nSFPSETCC VC=L0, Mod1=0\nSFPMOV VC=L1, VD=L3\nSFPPUSHC\n"
            "SFPSETCC VC=L1, Mod1=0\nSFPNOT VC=L0, VD=L3\nSFPCOMPC\nSFPMOV VC=L2, VD=L3, Mod1=1\nSFPPOPC\nSFPCOMPC\n"
            "SFPMOV VC=L15, VD=L3\nSFPPOPC\nSFPMOV VC=L3, VD=L0\nSFPENCC Imm2=2, Mod1=10\n");
  cases.add("flags off and on",
            "SFPENCC Imm2=1, Mod1=10\nSFPNOT VC=L0, VD=L0\nSFPENCC\nSFPMOV VC=L0, VD=L0, Mod1=1\n"
            "SFPENCC Imm2=2, Mod1=10\n");
  cases.add("SFPMOV Mod1=2",
            "SFPENCC Imm2=3, Mod1=10\nSFPSETCC VC=L1, Mod1=0\nSFPMOV VC=L2, VD=L0, Mod1=2\n"
            "SFPENCC Imm2=2, Mod1=10\n");
  cases.add("SFPCOMPC without a stack",
            "SFPENCC Imm2=3, Mod1=10\nSFPSETCC VC=L1, Mod1=2\nSFPCOMPC\n"
            "SFPMOV VC=L2, VD=L0\nSFPENCC Imm2=2, Mod1=10\n");
}

void add_moves(Cases& cases) {
  for (const char* mod : {"0", "1"})
    cases.add(fmt::format("SFPMOV Mod1={}", mod), fmt::format("SFPMOV VC=L1, VD=L0, Mod1={}", mod));
  for (const int lreg : {8, 9, 10, 15})
    cases.add(fmt::format("LReg {}", lreg), fmt::format("SFPMOV VC=L{}, VD=L0", lreg));
  cases.add("SFPTRANSP", "SFPMOV VC=L0, VD=L4\nSFPNOT VC=L1, VD=L6\nSFPTRANSP\nSFPXOR VC=L5, VD=L0\n");
  cases.add_masked("SFPTRANSP", "SFPTRANSP\nSFPXOR VC=L7, VD=L0\n");
  cases.share(12);
  // With EXCHANGE_SRCB_SRCC and ENABLE_DEST_INDEX (LaneConfig bits 8 and 2), and without.
  for (const int config : {0, 4, 0x100, 0x104})
    for (const int mod : {0, 1, 2, 3, 9})
      for (const int shown : {0, 1, 4, 5}) {
        if ((config & 4) == 0 && shown > 1) continue;
        cases.add(fmt::format("SFPSWAP Mod1={}, configuration {:#x}, L{}", mod, config, shown),
                  fmt::format(
                      "SFPMOV VC=L2, VD=L4\nSFPMOV VC=L15, VD=L5\nSFPCONFIG Imm16={}, VD=15, Mod1=1\nSFPNOP\n"
                      "SFPSWAP VC=L1, VD=L0, Mod1={}{}SFPCONFIG Imm16=0, VD=15, Mod1=1\nSFPNOP\nSFPMOV VC=L{}, VD=L0\n",
                      config, mod, nop, shown));
      }
  cases.share(1);
  for (const int target : {11, 12, 13, 14})
    cases.add(
        fmt::format("SFPCONFIG LReg {}", target),
        fmt::format("SFPMOV VC=L0, VD=L3\nSFPLOADI VD=L0, Mod0=2, Imm16=0xABCD\nSFPCONFIG VD={}\nSFPXOR VC=L{}, VD=L3\n"
                    "SFPMOV VC=L3, VD=L0\n",
                    target, target));
  cases.add("SFPCONFIG LReg 11 by default", "SFPCONFIG VD=11, Mod1=1\nSFPMOV VC=L11, VD=L0\n");
  cases.share(6);
  for (const int mod : {0, 1, 2, 4, 8, 10})
    for (const unsigned imm : {0x0000U, 0x8000U, 0x7FFFU, 0x3C00U, 0xFC01U, 0x03FFU})
      cases.add(fmt::format("SFPLOADI Mod0={}, {:#06x}", mod, imm),
                fmt::format("SFPLOADI VD=L0, Mod0={}, Imm16={}", mod, imm));
}

/// Stores and loads of other formats, at a place of Dst that holds L1, or L0, in 32 bits.
void add_formats(Cases& cases) {
  constexpr int wide_row = 256;
  constexpr int short_row = 512;  // the upper halves of it
  cases.share(2);
  for (const int mod : {0, 2, 3, 4, 6, 7, 9, 12, 14, 15}) {
    const bool wide = mod == 3 || mod == 4 || mod == 7 || mod == 9 || mod == 12;
    cases.add(fmt::format("SFPSTORE Mod0={}", mod),
              fmt::format("SFPSTORE VD=L1, Mod0=4, Imm10={0}\nSFPSTORE VD=L0, Mod0={1}, Imm10={2}\n"
                          "SFPLOAD VD=L0, Mod0=4, Imm10={0}\n",
                          wide_row, mod, wide ? wide_row : short_row));
    cases.add_masked(fmt::format("SFPSTORE Mod0={}", mod),
                     fmt::format("SFPSTORE VD=L0, Mod0={0}, Imm10={1}\n SFPENCC Imm2=2, Mod1=10\n"
                                 "SFPLOAD VD=L0, Mod0=4, Imm10={2}\n",
                                 mod, (wide ? wide_row : short_row) + 2, wide_row + 2));
  }
  cases.share(1);
  for (const int mod : {0, 2, 3, 4, 6, 12, 14, 15}) {
    const bool wide = mod == 3 || mod == 4 || mod == 12;
    cases.add(fmt::format("SFPLOAD Mod0={}", mod),
              fmt::format("SFPSTORE VD=L0, Mod0=4, Imm10={}\nSFPLOAD VD=L1, Mod0={}, Imm10={}\nSFPMOV VC=L1, VD=L0\n",
                          wide_row, mod, wide ? wide_row : short_row));
  }
}

std::vector<VectorCase> make_cases() {
  Cases cases;
  add_floats(cases);
  add_conversions(cases);
  add_integers(cases);
  add_fields(cases);
  add_flags(cases);
  add_moves(cases);
  add_formats(cases);
  return cases.take();
}

constexpr std::array<std::uint32_t, 32> special_words{
    0x0000'0000, 0x8000'0000, 0x0000'0001, 0x8000'0001, 0x007F'FFFF, 0x807F'FFFF, 0x0080'0000, 0x8080'0000,
    0x0080'0001, 0x00FF'FFFF, 0x7F7F'FFFF, 0xFF7F'FFFF, 0x7F80'0000, 0xFF80'0000, 0x7F80'0001, 0xFF80'0001,
    0x7FC0'0000, 0xFFC0'0000, 0x7FFF'FFFF, 0xFFFF'FFFF, 0x3F80'0000, 0xBF80'0000, 0x3F7F'FFFF, 0x3F80'0001,
    0x3F00'0000, 0x4000'0000, 0x4040'0000, 0x4080'0000, 0x4B80'0000, 0x4F00'0000, 0x7E80'0000, 0x3EFF'FFFF};

std::uint32_t random_word(std::mt19937& random) {
  const auto bits = static_cast<std::uint32_t>(random());
  const auto kind = static_cast<std::uint32_t>(random());
  switch (kind >> 29U) {
    case 0: return special_words[bits % special_words.size()];
    case 1: return bits & 0x8000'03FFU;                                                // a small integer and a sign
    case 2: return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 22);  // in two's complement
    case 3:
    case 4:
    case 5: return (bits & 0x807F'FFFFU) | (107U + kind % 40U) << 23U;  // a number of moderate size
    default: return bits;
  }
}

}  // namespace

std::span<const VectorCase> vector_cases() {
  static const std::vector<VectorCase> cases = make_cases();
  return cases;
}

bool is_on(const VectorCase& one, Arch arch) {
  return one.chips == Chips::both || (one.chips == Chips::wormhole) == (arch == Arch::wormhole);
}

std::vector<std::uint32_t> vector_inputs(std::uint32_t seed, unsigned tiles) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> words(std::size_t{tiles} * vector_tile_words);
  for (std::uint32_t& word : words)
    word = random_word(random);
  return words;
}

AccessLists vector_case_set_up(Arch arch) {
  constexpr std::uint32_t seed = 0x1234'5678;
  constexpr std::uint32_t seed_word_wormhole = 164;
  constexpr std::uint32_t seed_word_blackhole = 186;
  AccessLists lists = vector_set_up(arch);
  lists[1].config(arch == Arch::wormhole ? seed_word_wormhole : seed_word_blackhole, seed);
  std::string text = "SFPENCC Imm2=2, Mod1=10\n";
  for (unsigned lreg = 0; lreg < 8; ++lreg)
    text += fmt::format("SFPMOV VC=L15, VD=L{}\n", lreg);
  for (unsigned place = 256; place < 264; place += 2)
    text += fmt::format("SFPSTORE VD=L0, Mod0=4, Imm10={}\n", place);
  lists[1].push(assembled(arch, text));
  return lists;
}

std::uint64_t hash_of_words(std::span<const std::uint32_t> words) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a, word by word
  for (const std::uint32_t word : words)
    hash = (hash ^ word) * 0x0000'0100'0000'01B3;
  return hash;
}

}  // namespace tensim::reference
