#include "tools/reference/tile_program.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "isa/assembler/assemble.hpp"
#include "tools/reference/config_words.hpp"

namespace tensim::reference {
namespace {

constexpr std::uint32_t bf16 = 5;

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
  list.push(assembled(arch, pack_set_up_text(arch)));
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

std::string pack_set_up_text(Arch arch) {
  const ConfigWords& words = words_of(arch);
  const bool by_faces = arch == Arch::wormhole;
  return fmt::format("SETC16 CfgIndex={}, NewValue={}\nSETADCXX PK=1, X0Val=0, X1Val={}\n", words.pack_mode,
                     by_faces ? 1U << 12U : 4U, by_faces ? face_datums - 1 : 15);
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
  // The Matrix Unit computes SrcB x SrcA.
  lists[0].wait();
  lists[0].config(words.unpacker[1] + unpack_base, l1_unit(left));
  lists[0].config(words.unpacker[0] + unpack_base, l1_unit(right));
  lists[0].push(assembled(arch,
                          "UNPACR.Regular WhichUnpacker=0, MultiContextMode=1, FlipSrc=1, Last=1\n"
                          "UNPACR.Regular WhichUnpacker=1, MultiContextMode=1, FlipSrc=1, Last=1\n"));
  lists[1].push(
      assembled(arch, "SEMWAIT block=STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX\nZEROACC Mode=CLR_ALL\n" +
                          (operation == TileOperation::multiply ? multiply_text(words) : add_text(words)) +
                          "STALLWAIT block=STALL_SYNC, cond=MATH\nSEMPOST sem=MATH_PACK\n"));
  lists[2].wait();
  lists[2].config(words.pack_settings[0] + pack_l1_address, l1_unit(out));
  lists[2].push(assembled(arch, pack_text(arch)));
}

}  // namespace tensim::reference
