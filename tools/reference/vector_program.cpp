#include "tools/reference/vector_program.hpp"

#include <fmt/format.h>

#include "tools/reference/config_words.hpp"
#include "tools/reference/tile_program.hpp"

namespace tensim::reference {
namespace {

constexpr std::uint32_t fp32 = 0;  // as a format of the unpacker and the packer: all 32 bits, as they are
constexpr std::uint32_t tile_rows = 64;
constexpr std::uint32_t row_datums = 16;

/// Where an unpacker that writes to Dst starts: as in SrcA, the first four rows of addresses do not exist.
constexpr std::uint32_t dest_address(std::uint32_t row) {
  return (row + 4) * row_datums;
}

void set_up_unpacker(AccessList& list, Arch arch) {
  const ConfigWords& words = words_of(arch);
  const std::uint32_t base = words.unpacker[0];
  constexpr std::uint32_t uncompressed = 1U << 4U;
  constexpr std::uint32_t to_dst = 0xFU << 4U;  // Unpack_if_sel_cntx0 and so on
  list.config(base, fp32 | uncompressed | face_datums << 16U);
  list.config(base + 1, 1U | 4U << 16U);
  list.config(base + unpack_settings, fp32 | 2U << 4U);
  list.config(base + unpack_settings + 1, 0x000F000FU | to_dst);
  list.config(base + unpack_x_dim, face_datums | face_datums << 16U);
  list.push(assembled(arch, fmt::format(R"(
    SETC16 CfgIndex={}, NewValue=0
    SETADCXX U0=1, X0Val=0, X1Val={}
    SETADCXY U0=1, Y0=1, Y1=1
    SETADCZW U0=1, Z0=1, W0=1, Z1=1, W1=1
  )",
                                        words.srca_set, vector_tile_words - 1)));
}

void set_up_packer(AccessList& list, Arch arch) {
  const ConfigWords& words = words_of(arch);
  constexpr std::uint32_t row_bytes = 64;
  list.config(words.pack_strides, 4U | row_bytes << words.y_stride_bit);
  list.config(words.pack_strides + 1, 16 * row_bytes | 64 * row_bytes << words.y_stride_bit);
  list.config(words.pack_reads, 1);  // Read_32b_data
  list.config(words.edge_mask, 0xFFFF);
  for (unsigned packer = 0; packer < words.packers; ++packer) {
    constexpr std::uint32_t rows_per_plane = 16U << 8U;
    list.config(words.pack_counters + packer, rows_per_plane);
    list.config(words.pack_settings[packer], 0);
    list.config(words.pack_settings[packer] + pack_formats, 1U | fp32 << 4U | fp32 << 8U);
  }
  list.push(assembled(arch, pack_set_up_text(arch)));
}

std::string math_text(std::string_view operation) {
  std::string text = "SEMWAIT block=STALL_SFPU|STALL_SYNC, sem=UNPACK_TO_DEST, cond=STALL_ON_ZERO\n";
  for (std::uint32_t place = 0; place < tile_rows; place += 2)  // four rows of it, even or odd columns
    text += fmt::format(
        "SFPLOAD VD=L0, Mod0=4, Imm10={}\nSFPLOAD VD=L1, Mod0=4, Imm10={}\n{}\nSFPSTORE VD=L0, Mod0=4, Imm10={}\n",
        place, place + tile_rows, operation, place);
  // The next tiles may come when these are packed.
  return text +
         "STALLWAIT block=STALL_SYNC, cond=SFPU1\nSEMPOST sem=MATH_PACK\n"
         "SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX\nSEMGET sem=UNPACK_TO_DEST\n";
}

}  // namespace

AccessLists vector_set_up(Arch arch) {
  AccessLists lists;
  set_up_unpacker(lists[0], arch);
  lists[1].config(words_of(arch).alu, fp32);
  lists[1].push(assembled(arch,
                          "SEMINIT max=1, value=0, sem=MATH_PACK\nSEMINIT max=1, value=0, sem=UNPACK_TO_DEST\n"
                          "SETRWC SrcA=1, SrcB=1, Dst=1, Fidelity=1\n"));
  set_up_packer(lists[2], arch);
  return lists;
}

void add_vectors(AccessLists& lists, Arch arch, std::string_view operation, std::uint32_t left, std::uint32_t right,
                 std::uint32_t out) {
  const ConfigWords& words = words_of(arch);
  lists[0].push(assembled(arch, "SEMWAIT block=STALL_UNPACK|STALL_SYNC, sem=UNPACK_TO_DEST, cond=STALL_ON_MAX\n"));
  for (const auto& [address, row] : {std::pair{left, 0U}, std::pair{right, tile_rows}}) {
    lists[0].wait();
    lists[0].config(words.unpacker[0] + unpack_base, l1_unit(address));
    lists[0].config(words.unpacker[0] + unpack_dest, dest_address(row));
    lists[0].push(assembled(arch, "UNPACR.Regular WhichUnpacker=0, MultiContextMode=1, Last=1\n"));
  }
  lists[0].push(assembled(arch, "STALLWAIT block=STALL_SYNC, cond=UNPACK0\nSEMPOST sem=UNPACK_TO_DEST\n"));
  lists[1].push(assembled(arch, math_text(operation)));
  lists[2].wait();
  lists[2].config(words.pack_settings[0] + pack_l1_address, l1_unit(out));
  lists[2].push(assembled(arch, pack_text(arch)));
}

}  // namespace tensim::reference
