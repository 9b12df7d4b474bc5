// Access lists for whole tiles: unpack two from L1, multiply or add them, pack the result. They show which
// configuration a data path test needs, in which formats, and run on a reference and on our tile alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "number/format.hpp"
#include "reference/access_list.hpp"

namespace tensim::reference {

inline constexpr unsigned tile_datums = 32 * 32;

using number::DataFormat;

struct TileFormats {
  DataFormat left = DataFormat::bf16;  // in L1
  DataFormat right = DataFormat::bf16;
  DataFormat src_left = DataFormat::bf16;  // in SrcA or SrcB
  DataFormat src_right = DataFormat::bf16;
  DataFormat packed_from = DataFormat::bf16;  // what the packer takes Dst for
  DataFormat out = DataFormat::bf16;          // in L1
  bool dst_is_32_bits = false;
  bool integers = false;  // the Matrix Unit's INT8 mode; needs 32 bits of Dst

  static TileFormats all(DataFormat format) { return {format, format, format, format, format, format}; }
};

/// A tile in L1: the exponents of block formats first, one for 16 datums.
std::uint32_t bytes_of_tile(DataFormat format);

enum class TileOperation : std::uint8_t {
  multiply,  // the product of matrices: MVMUL
  add,       // and the rest datum by datum: ELWADD
  subtract,
  multiply_datums,
};

/// Configures unpackers, Matrix Unit and packer; resets counters and semaphores. To be run once, before all else. The
/// left tile goes to SrcB for a product of matrices, to SrcA otherwise.
AccessLists tile_set_up(Arch arch, TileOperation operation, const TileFormats& formats = {});

/// Adds a tile to the lists. Addresses are multiples of 16. A tile is four faces of 16x16, one behind the other.
/// Products are made in 1 to 4 fidelity phases.
void add_tile(AccessLists& lists, Arch arch, TileOperation operation, std::uint32_t left, std::uint32_t right,
              std::uint32_t out, unsigned phases = 1);

/// A tile from Dst row 0 on to L1, when MATH_PACK says that it is there. A PACR takes four rows on Blackhole, a face on
/// Wormhole; after it Y is 4 further, or Z is 1 further.
std::string pack_text(Arch arch);
std::string pack_set_up_text(Arch arch);

/// The words of some assembly. It must be free of errors: it is ours.
std::vector<isa::Word> assembled(Arch arch, std::string_view text);

}  // namespace tensim::reference
