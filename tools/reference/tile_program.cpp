#include "tools/reference/tile_program.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "isa/assembler/assemble.hpp"

namespace tensim::reference {
namespace {

constexpr std::uint32_t bf16 = 5;
constexpr std::uint32_t face_datums = 256;
constexpr std::uint32_t l1_unit_bytes = 16;

/// Words of backend and thread configuration. All numbers are from ttsim's data/{wh,bh}/tensix_regs.json.
struct ConfigWords {
  std::uint32_t alu;               // ALU_FORMAT_SPEC_REG..., ALU_ACC_CTRL
  std::uint32_t pack_strides;      // PCK0_ADDR_CTRL_XY_REG_0, then ZW
  unsigned y_stride_bit;           // its Ystride, and Wstride in the next word
  std::uint32_t edge_mask;         // PCK_EDGE_OFFSET_SEC0
  std::uint32_t pack_counters;     // PACK_COUNTERS_SEC0 ...
  unsigned packers;                // ... one per packer
  std::uint32_t pack_settings[4];  // THCON_SECn_REG1 and REG8: sizes, L1 address, formats
  std::uint32_t unpacker[2];       // THCON_SECn_REG0: tile descriptor; REG1 is 4 words further, and so on
  std::uint32_t srca_set;          // thread configuration: SRCA_SET
  std::uint32_t matrix_modes;      // ADDR_MOD_AB_SEC0
  std::uint32_t matrix_mode_step;
  std::uint32_t pack_mode;  // ADDR_MOD_PACK_SEC0
};

constexpr ConfigWords wormhole_words{1, 8, 12, 20, 24, 4, {56, 84, 96, 124}, {52, 92}, 3, 7, 2, 31};
constexpr ConfigWords blackhole_words{1, 12, 16, 24, 28, 1, {68, 0, 0, 0}, {64, 112}, 5, 12, 1, 37};

constexpr const ConfigWords& words_of(Arch arch) {
  return arch == Arch::wormhole ? wormhole_words : blackhole_words;
}

// Offsets from the tile descriptor of an unpacker, in words.
constexpr std::uint32_t unpack_settings = 8;  // REG2
constexpr std::uint32_t unpack_base = 12;     // REG3
constexpr std::uint32_t unpack_dest = 20;     // REG5
constexpr std::uint32_t unpack_x_dim = 22;    // REG5
// Offsets from a packer's settings.
constexpr std::uint32_t pack_l1_address = 1;
constexpr std::uint32_t pack_formats = 2;

void set_up_unpackers(AccessList& list, Arch arch) {
  const ConfigWords& words = words_of(arch);
  for (const std::uint32_t base : words.unpacker) {
    constexpr std::uint32_t uncompressed = 1U << 4U;
    list.config(base, bf16 | uncompressed | face_datums << 16U);
    list.config(base + 1, 1U | 4U << 16U);                 // rows, faces
    list.config(base + unpack_settings, bf16 | 2U << 4U);  // format in Src, throttle
    list.config(base + unpack_settings + 1, 0x000F000FU);  // nothing is compressed, in any context
  }
  // SrcA's first four rows of addresses do not exist: address 64 is its row 0.
  list.config(words.unpacker[0] + unpack_dest, 64U | 64U << 16U);
  list.config(words.unpacker[0] + unpack_x_dim, face_datums | face_datums << 16U);
  list.push(assembled(arch, fmt::format(R"(
    SETC16 CfgIndex={}, NewValue=4
    SETADCXX U0=1, U1=1, X0Val=0, X1Val={}
    SETADCXY U0=1, U1=1, X0Val=0, Y0Val=0, Y1Val=0, Y0=1, Y1=1
    SETADCZW U0=1, U1=1, Z0=1, W0=1, Z1=1, W1=1
  )",
                                        words.srca_set, tile_datums - 1)));
}

/// Steps of the SrcA and SrcB counters, modulo 64: within a product of two faces, to the next pair of faces, to the next
/// face of the result, to the next row of them.
struct Step {
  unsigned a;
  unsigned b;
};
constexpr std::array<Step, 4> multiply_steps{{{0, 8}, {32, 8}, {48, 40}, {16, 8}}};
constexpr Step add_step{8, 8};

std::string mode_text(const ConfigWords& words, unsigned mode, Step step) {
  return fmt::format("SETC16 CfgIndex={}, NewValue={}\n", words.matrix_modes + mode * words.matrix_mode_step,
                     step.a | step.b << 8U);
}

void set_up_matrix(AccessList& list, Arch arch) {
  list.config(words_of(arch).alu, bf16 << 17U | bf16 << 21U | bf16 << 25U);  // SrcA, SrcB, Dst for the packer
  list.push(assembled(arch,
                      "SEMINIT max=1, value=0, sem=MATH_PACK\n"
                      "SETRWC SrcA=1, SrcB=1, Dst=1, Fidelity=1\n"));
}

void set_up_packer(AccessList& list, Arch arch) {
  const ConfigWords& words = words_of(arch);
  constexpr std::uint32_t row_bytes = 32;
  list.config(words.pack_strides, 2U | row_bytes << words.y_stride_bit);
  list.config(words.pack_strides + 1, 16 * row_bytes | 64 * row_bytes << words.y_stride_bit);
  list.config(words.edge_mask, 0xFFFF);
  for (unsigned packer = 0; packer < words.packers; ++packer) {
    constexpr std::uint32_t rows_per_plane = 16U << 8U;
    list.config(words.pack_counters + packer, rows_per_plane);
    list.config(words.pack_settings[packer], 0);
    list.config(words.pack_settings[packer] + pack_formats, 1U | bf16 << 4U | bf16 << 8U);  // uncompressed, out, in
  }
  // A PACR takes four rows on Blackhole, a face on Wormhole: then Y is 4 further, or Z is 1 further.
  const bool by_faces = arch == Arch::wormhole;
  list.push(assembled(arch, fmt::format(R"(
    SETC16 CfgIndex={}, NewValue={}
    SETADCXX PK=1, X0Val=0, X1Val={}
  )",
                                        words.pack_mode, by_faces ? 1U << 12U : 4U, by_faces ? face_datums - 1 : 15)));
}

std::string multiply_text(const ConfigWords& words) {
  std::string text;
  for (unsigned mode = 0; mode < multiply_steps.size(); ++mode)
    text += mode_text(words, mode, multiply_steps[mode]);
  for (unsigned product = 0; product < 16; ++product) {
    const unsigned face = product / 4;
    const bool lower_half = product % 2 != 0;
    const unsigned mode = !lower_half ? 0 : product % 4 == 1 ? 1 : product % 8 == 3 ? 2 : 3;
    text += fmt::format("MVMUL DstRow={}, AddrMod={}{}\n", 16 * face + (lower_half ? 8 : 0), mode,
                        product == 15 ? ", FlipSrcA=1, FlipSrcB=1" : "");
  }
  return text;
}

std::string add_text(const ConfigWords& words) {
  std::string text = mode_text(words, 0, add_step);
  for (unsigned row = 0; row < 64; row += 8)
    text += fmt::format("ELWADD DstRow={}{}\n", row, row == 56 ? ", FlipSrcA=1, FlipSrcB=1" : "");
  return text;
}

std::string pack_text(Arch arch) {
  const unsigned count = arch == Arch::wormhole ? 4 : 16;
  std::string text =
      "SEMWAIT block=STALL_TDMA, sem=MATH_PACK, cond=STALL_ON_ZERO\n"
      "SETADCXY PK=1, Y0=1, Y1=1\n"
      "SETADCZW PK=1, Z0=1, W0=1, Z1=1, W1=1\n";
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("PACR {}AddrMod=0, Last={}\n", arch == Arch::wormhole ? "PackerMask=1, " : "",
                        i + 1 == count ? 1 : 0);
  return text + "STALLWAIT block=STALL_SYNC, cond=PACK\nSEMGET sem=MATH_PACK\n";
}

}  // namespace

std::vector<isa::Word> assembled(Arch arch, std::string_view text) {
  const isa::Assembly assembly = isa::assemble(arch, text, "tile program");
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
    std::fputs((isa::to_text(diagnostic) + "\n").c_str(), stderr);
  if (!assembly.ok()) std::abort();
  std::vector<isa::Word> words;
  for (const isa::AssembledWord& word : assembly.words)
    words.push_back(word.word);
  return words;
}

AccessLists tile_set_up(Arch arch) {
  AccessLists lists;
  set_up_unpackers(lists[0], arch);
  set_up_matrix(lists[1], arch);
  set_up_packer(lists[2], arch);
  return lists;
}

void add_tile(AccessLists& lists, Arch arch, TileOperation operation, std::uint32_t left, std::uint32_t right,
              std::uint32_t out) {
  const ConfigWords& words = words_of(arch);
  // Addresses are in units of 16 bytes, and the hardware adds a unit for the header that a tile once had.
  const auto unit = [](std::uint32_t address) { return address / l1_unit_bytes - 1; };
  // The Matrix Unit computes SrcB x SrcA.
  lists[0].wait();
  lists[0].config(words.unpacker[1] + unpack_base, unit(left));
  lists[0].config(words.unpacker[0] + unpack_base, unit(right));
  lists[0].push(assembled(arch,
                          "UNPACR.Regular WhichUnpacker=0, MultiContextMode=1, FlipSrc=1, Last=1\n"
                          "UNPACR.Regular WhichUnpacker=1, MultiContextMode=1, FlipSrc=1, Last=1\n"));
  lists[1].push(
      assembled(arch, "SEMWAIT block=STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX\nZEROACC Mode=CLR_ALL\n" +
                          (operation == TileOperation::multiply ? multiply_text(words) : add_text(words)) +
                          "STALLWAIT block=STALL_SYNC, cond=MATH\nSEMPOST sem=MATH_PACK\n"));
  lists[2].wait();
  lists[2].config(words.pack_settings[0] + pack_l1_address, unit(out));
  lists[2].push(assembled(arch, pack_text(arch)));
}

}  // namespace tensim::reference
