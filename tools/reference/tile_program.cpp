#include "tools/reference/tile_program.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "isa/assembler/assemble.hpp"
#include "tools/reference/config_words.hpp"

namespace tensim::reference {
namespace {

constexpr std::uint32_t code(DataFormat format) {
  return static_cast<std::uint32_t>(format);
}

constexpr std::uint32_t datum_bits(DataFormat format) {
  switch (format) {
    case DataFormat::fp32:
    case DataFormat::tf32:
    case DataFormat::int32: return 32;
    case DataFormat::fp16:
    case DataFormat::bf16:
    case DataFormat::int16: return 16;
    case DataFormat::bfp8:
    case DataFormat::bfp8a:
    case DataFormat::fp8:
    case DataFormat::int8: return 8;
    case DataFormat::bfp4:
    case DataFormat::bfp4a: return 4;
    case DataFormat::bfp2:
    case DataFormat::bfp2a: return 2;
  }
  return 0;
}

constexpr bool has_exponents(DataFormat format) {
  return datum_bits(format) <= 8 && format != DataFormat::fp8 && format != DataFormat::int8;
}

constexpr std::uint32_t exponent_bytes(DataFormat format) {
  return has_exponents(format) ? tile_datums / 16 : 0;
}

/// The unpacker of the left tile.
constexpr unsigned left_unpacker(TileOperation operation) {
  return operation == TileOperation::multiply ? 1 : 0;
}

void set_up_unpacker(AccessList& list, std::uint32_t base, DataFormat from, DataFormat to) {
  constexpr std::uint32_t uncompressed = 1U << 4U;
  list.config(base, code(from) | uncompressed | face_datums << 16U);
  list.config(base + 1, 1U | 4U << 16U);                     // rows, faces
  list.config(base + unpack_settings, code(to) | 2U << 4U);  // format in Src, throttle
  list.config(base + unpack_settings + 1, 0x000F000FU);      // nothing is compressed, in any context
}

void set_up_unpackers(AccessList& list, Arch arch, TileOperation operation, const TileFormats& formats) {
  const ConfigWords& words = words_of(arch);
  const unsigned left = left_unpacker(operation);
  set_up_unpacker(list, words.unpacker[left], formats.left, formats.src_left);
  set_up_unpacker(list, words.unpacker[1 - left], formats.right, formats.src_right);
  // SrcA's first four rows of addresses do not exist: address 64 is its row 0.
  list.config(words.unpacker[0] + unpack_dest, 64U | 64U << 16U);
  list.config(words.unpacker[0] + unpack_x_dim, face_datums | face_datums << 16U);
  list.push(assembled(arch, fmt::format("SETC16 CfgIndex={}, NewValue=4\n"
                                        "SETADCXX U0=1, U1=1, X0Val=0, X1Val={}\n"
                                        "SETADCXY U0=1, U1=1, Y0=1, Y1=1\n"
                                        "SETADCZW U0=1, U1=1, Z0=1, W0=1, Z1=1, W1=1\n",
                                        words.srca_set, tile_datums - 1)));
}

/// Steps of the SrcA and SrcB counters, modulo 64: within a product of two faces, to the next pair of faces, to the
/// next face of the result, to the next row of them.
struct Step {
  unsigned a;
  unsigned b;
};
constexpr std::array<Step, 4> multiply_steps{{{0, 8}, {32, 8}, {48, 40}, {16, 8}}};
constexpr Step datum_step{8, 8};

std::string mode_text(const ConfigWords& words, unsigned mode, Step step) {
  return fmt::format("SETC16 CfgIndex={}, NewValue={}\n", words.matrix_modes + mode * words.matrix_mode_step,
                     step.a | step.b << 8U);
}

void set_up_matrix(AccessList& list, Arch arch, TileOperation operation, const TileFormats& formats) {
  const bool left_is_a = left_unpacker(operation) == 0;
  const DataFormat a = left_is_a ? formats.src_left : formats.src_right;
  const DataFormat b = left_is_a ? formats.src_right : formats.src_left;
  constexpr std::uint32_t fp32_enabled = 1U << 29U;
  constexpr std::uint32_t int8_math = 1U << 31U;
  const std::uint32_t mode =
      (formats.integers ? int8_math : 0) | (formats.dst_is_32_bits && !formats.integers ? fp32_enabled : 0);
  list.config(words_of(arch).alu, code(a) << 17U | code(b) << 21U | code(formats.packed_from) << 25U | mode);
  list.push(assembled(arch,
                      "SEMINIT max=1, value=0, sem=MATH_PACK\n"
                      "SETRWC SrcA=1, SrcB=1, Dst=1, Fidelity=1\n"));
}

void set_up_packer(AccessList& list, Arch arch, const TileFormats& formats) {
  const ConfigWords& words = words_of(arch);
  // Strides are in bytes of what Dst is taken for.
  const std::uint32_t datum_bytes = datum_bits(formats.packed_from) / 8;
  const std::uint32_t row_bytes = 16 * datum_bytes;
  list.config(words.pack_strides, datum_bytes | row_bytes << words.y_stride_bit);
  list.config(words.pack_strides + 1, 16 * row_bytes | 64 * row_bytes << words.y_stride_bit);
  list.config(words.pack_reads, formats.dst_is_32_bits ? 1 : 0);
  list.config(words.edge_mask, 0xFFFF);
  for (unsigned packer = 0; packer < words.packers; ++packer) {
    constexpr std::uint32_t rows_per_plane = 16U << 8U;
    list.config(words.pack_counters + packer, rows_per_plane);
    list.config(words.pack_settings[packer], exponent_bytes(formats.out) / 16 << 16U);
    list.config(words.pack_settings[packer] + pack_formats,
                1U | code(formats.out) << 4U | code(formats.packed_from) << 8U);  // 1: uncompressed
  }
  list.push(assembled(arch, pack_set_up_text(arch)));
}

constexpr std::string_view flip = ", FlipSrcA=1, FlipSrcB=1";

/// Makes the last instruction of a pass step the fidelity phase, or clear it.
std::string last_of_pass(const ConfigWords& words, unsigned mode, const std::string& instruction, bool is_last) {
  constexpr std::uint32_t next_phase = 1U << 13U;
  constexpr std::uint32_t first_phase = 1U << 15U;
  return fmt::format("SETC16 CfgIndex={0}, NewValue={1}\n{2}{3}\nSETC16 CfgIndex={0}, NewValue=0\n",
                     words.matrix_dst_modes + mode, is_last ? first_phase : next_phase, instruction,
                     is_last ? flip : "");
}

std::string multiply_pass(const ConfigWords& words, bool is_last) {
  std::string text;
  for (unsigned product = 0; product < 16; ++product) {
    const unsigned face = product / 4;
    const bool lower_half = product % 2 != 0;
    const unsigned mode = !lower_half ? 0 : product % 4 == 1 ? 1 : product % 8 == 3 ? 2 : 3;
    const std::string instruction = fmt::format("MVMUL DstRow={}, AddrMod={}", 16 * face + (lower_half ? 8 : 0), mode);
    text += product == 15 ? last_of_pass(words, mode, instruction, is_last) : instruction + "\n";
  }
  return text;
}

std::string datum_pass(const ConfigWords& words, std::string_view name, bool is_last) {
  std::string text;
  for (unsigned row = 0; row < 64; row += 8) {
    const std::string instruction = fmt::format("{} DstRow={}", name, row);
    text += row == 56 ? last_of_pass(words, 0, instruction, is_last) : instruction + "\n";
  }
  return text;
}

std::string math_text(Arch arch, TileOperation operation, unsigned phases) {
  const ConfigWords& words = words_of(arch);
  std::string text = "SEMWAIT block=STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX\nZEROACC Mode=CLR_ALL\n";
  if (operation == TileOperation::multiply)
    for (unsigned mode = 0; mode < multiply_steps.size(); ++mode)
      text += mode_text(words, mode, multiply_steps[mode]);
  else
    text += mode_text(words, 0, datum_step);
  for (unsigned phase = 1; phase <= phases; ++phase) {
    const bool is_last = phase == phases;
    switch (operation) {
      case TileOperation::multiply: text += multiply_pass(words, is_last); break;
      case TileOperation::add: text += datum_pass(words, "ELWADD", is_last); break;
      case TileOperation::subtract: text += datum_pass(words, "ELWSUB", is_last); break;
      case TileOperation::multiply_datums: text += datum_pass(words, "ELWMUL", is_last); break;
    }
  }
  return text + "STALLWAIT block=STALL_SYNC, cond=MATH\nSEMPOST sem=MATH_PACK\n";
}

}  // namespace

std::vector<isa::Word> assembled(Arch arch, std::string_view text) {
  const isa::Assembly assembly = isa::assemble(arch, text, "tile program");
  for (const isa::Diagnostic& diagnostic : assembly.diagnostics)
    std::fputs((isa::to_text(diagnostic) + "\n").c_str(), stderr);
  if (!assembly.ok()) std::abort();
  std::vector<isa::Word> words;
  words.reserve(assembly.words.size());
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

std::uint32_t bytes_of_tile(DataFormat format) {
  return exponent_bytes(format) + tile_datums * datum_bits(format) / 8;
}

AccessLists tile_set_up(Arch arch, TileOperation operation, const TileFormats& formats) {
  AccessLists lists;
  set_up_unpackers(lists[0], arch, operation, formats);
  set_up_matrix(lists[1], arch, operation, formats);
  set_up_packer(lists[2], arch, formats);
  return lists;
}

void add_tile(AccessLists& lists, Arch arch, TileOperation operation, std::uint32_t left, std::uint32_t right,
              std::uint32_t out, unsigned phases) {
  const ConfigWords& words = words_of(arch);
  const unsigned left_number = left_unpacker(operation);
  lists[0].wait();
  lists[0].config(words.unpacker[left_number] + unpack_base, l1_unit(left));
  lists[0].config(words.unpacker[1 - left_number] + unpack_base, l1_unit(right));
  lists[0].push(assembled(arch,
                          "UNPACR.Regular WhichUnpacker=0, MultiContextMode=1, FlipSrc=1, Last=1\n"
                          "UNPACR.Regular WhichUnpacker=1, MultiContextMode=1, FlipSrc=1, Last=1\n"));
  lists[1].push(assembled(arch, math_text(arch, operation, phases)));
  lists[2].wait();
  lists[2].config(words.pack_settings[0] + pack_l1_address, l1_unit(out));
  lists[2].push(assembled(arch, pack_text(arch)));
}

}  // namespace tensim::reference
