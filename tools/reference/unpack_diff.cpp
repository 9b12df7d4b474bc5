// Random bits through the unpackers of a reference and of our own tile: L1 to SrcA, SrcB and Dst, in every format and
// mode the reference takes. What lies in Src is seen through MOVA2D and MOVB2D on the reference's side, and in the
// registers themselves on ours.
// Usage: tensim-unpack-diff LIBRARY [wormhole|blackhole] [TILES] [SEED]
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include <fmt/format.h>

#include "arch/config_registers.hpp"
#include "number/move.hpp"
#include "reference/model_tile.hpp"
#include "reference/reference_tile.hpp"
#include "tools/reference/config_words.hpp"
#include "tools/reference/tile_program.hpp"

namespace {

using namespace tensim;
using namespace tensim::literals;
using namespace tensim::reference;
using enum reference::DataFormat;

enum class To : std::uint8_t { src_a, src_b, dst };

struct Formats {
  const char* name;
  reference::DataFormat in;
  reference::DataFormat out;
  bool to_dst = false;
  bool is_unsigned = false;
  bool short_exponent = false;  // FP8 of four bits: Blackhole
};

constexpr std::array formats{
    Formats{"bf16", bf16, bf16},
    Formats{"fp16", fp16, fp16},
    Formats{"fp32 as tf32", fp32, tf32},
    Formats{"fp32 as bf16", fp32, bf16},
    Formats{"fp32 as fp16", fp32, fp16},
    Formats{"bfp8", bfp8, bfp8},
    Formats{"bfp4", bfp4, bfp4},
    Formats{"bfp2", bfp2, bfp2},
    Formats{"int8", int8, int8},
    Formats{"int8 unsigned", int8, int8, false, true},
    Formats{"int16", int16, int16},
    Formats{"fp8 e5m2", fp8, fp8},
    Formats{"fp8 e4m3", fp8, fp8, false, false, true},
    Formats{"fp32 to Dst", fp32, fp32, true},
    Formats{"fp32 as tf32 to Dst", fp32, tf32, true},
    Formats{"int32 to Dst", int32, int32, true},
};

enum class Mode : std::uint8_t { tile, part, transposed, tilized };
constexpr std::array modes{std::pair{Mode::tile, "a tile"}, std::pair{Mode::part, "parts of tiles"},
                           std::pair{Mode::transposed, "transposed"}, std::pair{Mode::tilized, "tilized"}};

struct Case {
  Formats formats;
  To to;
  Mode mode;
};

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

constexpr std::uint32_t base = GuestLayout::free_base;
constexpr std::uint32_t place_bytes = 0x8000;
constexpr std::uint32_t tilized_row_bytes = 256;
constexpr unsigned tile_rows = tile_datums / 16;

constexpr bool has_five_bit_exponent(reference::DataFormat format) {
  return format == fp16 || format == fp8 || format == int8;
}

/// Values of fields, word by word.
class Settings {
 public:
  explicit Settings(Arch arch) : arch_(arch) {}
  void set(const ConfigField& field, std::uint32_t value) {
    const ConfigField::Place& place = field.on(arch_);
    if (place.exists()) words_[static_cast<std::uint32_t>(place.word)] |= value << place.shift;
  }
  void add(AccessList& list) const {
    for (const auto& [word, value] : words_)
      list.config(word, value);
  }

 private:
  Arch arch_;
  std::map<std::uint32_t, std::uint32_t> words_;
};

/// Fields of THCON_SEC0 have theirs in THCON_SEC1.
template <class Field>
const ConfigField& of(unsigned unpacker, const Field& first, const Field& second) {
  return unpacker == 0 ? first : second;
}

AccessLists set_up(Arch arch, const Case& test) {
  const Formats& format = test.formats;
  const unsigned unpacker = test.to == To::src_b ? 1 : 0;
  const ConfigWords& words = words_of(arch);
  AccessLists lists;
  Settings unpack(arch);
  const std::uint32_t in = static_cast<std::uint32_t>(format.in);
  const std::uint32_t out = static_cast<std::uint32_t>(format.out);
  unpack.set(of(unpacker, "THCON_SEC0_REG0_TileDescriptor"_config, "THCON_SEC1_REG0_TileDescriptor"_config),
             in | 1U << 4U | face_datums << 16U);
  unpack.set(of(unpacker, "THCON_SEC0_REG2_Out_data_format"_config, "THCON_SEC1_REG2_Out_data_format"_config), out);
  unpack.set(of(unpacker, "THCON_SEC0_REG2_Disable_zero_compress_cntx0"_config,
                "THCON_SEC1_REG2_Disable_zero_compress_cntx0"_config),
             1);
  unpack.set(of(unpacker, "THCON_SEC0_REG1_Unp_LF8_4b_exp"_config, "THCON_SEC1_REG1_Unp_LF8_4b_exp"_config),
             format.short_exponent ? 1 : 0);
  if (test.to == To::dst) unpack.set("THCON_SEC0_REG2_Unpack_if_sel_cntx0"_config, 1);
  if (test.mode == Mode::transposed) unpack.set("THCON_SEC0_REG2_Haloize_mode"_config, 1);
  if (test.mode == Mode::tilized) {
    unpack.set("THCON_SEC0_REG2_Tileize_mode"_config, 1);
    unpack.set("THCON_SEC0_REG2_Shift_amount_cntx0"_config, tilized_row_bytes / 16 & 15U);
    unpack.set("THCON_SEC0_REG2_Shift_amount_cntx1"_config, tilized_row_bytes / 256 & 15U);
  }
  unpack.set("THCON_SEC0_REG5_Dest_cntx0_address"_config, 64);
  unpack.set("THCON_SEC0_REG5_Tile_x_dim_cntx0"_config, face_datums);
  unpack.add(lists[0]);
  lists[0].config(words.unpacker[unpacker] + 1, 1U | 4U << 16U);
  lists[0].push(
      assembled(arch, fmt::format("SETC16 CfgIndex={}, NewValue={}\n", words.srca_set, test.to == To::dst ? 0 : 4)));
  Settings alu(arch);
  const reference::DataFormat moved = format.out == tf32 ? tf32 : has_five_bit_exponent(format.out) ? fp16 : bf16;
  alu.set("ALU_FORMAT_SPEC_REG0_SrcA"_config, static_cast<std::uint32_t>(moved));
  alu.set("ALU_FORMAT_SPEC_REG1_SrcB"_config, static_cast<std::uint32_t>(moved));
  alu.set("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"_config, format.is_unsigned ? 1 : 0);
  alu.set("ALU_FORMAT_SPEC_REG0_SrcBUnsigned"_config, format.is_unsigned ? 1 : 0);
  alu.set("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config, 1);
  alu.add(lists[1]);
  std::string text = "SETRWC SrcA=1, SrcB=1, Dst=1, Fidelity=1\n";
  if (arch == Arch::blackhole) text += "SETC16 CfgIndex=2, NewValue=1\nSETC16 CfgIndex=3, NewValue=1\n";
  lists[1].push(assembled(arch, text));
  return lists;
}

/// Where a transfer starts and ends, in faces and datums.
struct Part {
  unsigned face = 0;
  unsigned first = 0;
  unsigned last = tile_datums - 1;
};

AccessLists transfer(Arch arch, const Case& test, const Part& part) {
  const ConfigWords& words = words_of(arch);
  const unsigned unpacker = test.to == To::src_b ? 1 : 0;
  AccessLists lists;
  lists[0].config(words.unpacker[unpacker] + unpack_base, l1_unit(base));
  lists[0].push(
      assembled(arch, fmt::format("SETADCXX U{0}=1, X0Val={1}, X1Val={2}\n"
                                  "SETADCXY U{0}=1, Y0=1, Y1=1\n"
                                  "SETADCZW U{0}=1, Z0=1, Z0Val={3}, W0=1, Z1=1, W1=1\n"
                                  "UNPACR.Regular WhichUnpacker={0}, MultiContextMode=1, FlipSrc={4}, Last=1\n",
                                  unpacker, part.first, part.last, part.face, test.to == To::dst ? 0 : 1)));
  if (test.to == To::dst) return lists;
  std::string moves;
  for (unsigned row = 0; row < tile_rows; row += test.to == To::src_a ? 8 : 4)
    moves += test.to == To::src_a ? fmt::format("MOVA2D SrcRow={0}, DstRow={0}, Move8Rows=1\n", row)
                                  : fmt::format("MOVB2D SrcRow={0}, DstRow={0}, Move4Rows=1\n", row);
  moves += test.to == To::src_a ? "CLEARDVALID FlipSrcA=1\n" : "CLEARDVALID FlipSrcB=1\n";
  lists[1].push(assembled(arch, moves));
  return lists;
}

using Rows = std::array<std::array<std::uint32_t, 16>, tile_rows>;

template <class Tile>
Rows read_rows(Tile& tile, bool is_32b) {
  Rows rows{};
  std::array<DstRow, tile_rows * 2> bits{};
  if (const auto error = tile.read_dst(0, bits)) fail(error->text);
  for (unsigned row = 0; row < tile_rows; ++row)
    for (unsigned column = 0; column < 16; ++column) {
      const unsigned upper = tensix::DstAddressing{}.row32(row);
      rows[row][column] =
          is_32b ? std::uint32_t{bits[upper][column]} << 16U | bits[upper + 8][column] : bits[row][column];
    }
  return rows;
}

Rows ours_of(ModelTile& model, const Case& test, unsigned bank) {
  if (test.to == To::dst) return read_rows(model, true);
  Rows rows{};
  const auto& src =
      model.tile().coprocessor.src_registers.bank(test.to == To::src_a ? tensix::Src::a : tensix::Src::b, bank);
  const auto style = has_five_bit_exponent(test.formats.out) ? number::SrcStyle::fp16 : number::SrcStyle::bf16;
  for (unsigned row = 0; row < tile_rows; ++row)
    for (unsigned column = 0; column < 16; ++column)
      rows[row][column] = test.formats.out == tf32 ? number::dst32_from_src_tf32(src[row][column])
                                                   : number::dst16_from_src(src[row][column], style);
  return rows;
}

Part random_part(std::mt19937& random, const Case& test) {
  Part part;
  if (test.mode == Mode::part) {
    part.face = random() % 4;
    part.first = random() % 64 * 8;
    part.last = std::min<unsigned>(part.first + random() % 512, tile_datums - 1);
  }
  return part;
}

std::string compare(ReferenceTile& reference, const Case& test, unsigned tiles, std::mt19937& random) {
  const Arch arch = reference.arch();
  if (const auto error = reference.reopen()) fail(error->text);
  ModelTile model(arch);
  if (const auto error = reference.run(set_up(arch, test))) return "reference: " + error->text;
  if (const auto error = model.run(set_up(arch, test))) return "ours: " + error->text;
  const bool is_32b = test.to == To::dst || test.formats.out == tf32;
  std::uint64_t datums = 0;
  std::uint64_t differing = 0;
  std::uint64_t not_zero = 0;  // a comparison of zeros would say nothing
  std::string first;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    std::vector<std::uint32_t> inputs(place_bytes / 4);
    for (std::uint32_t& word : inputs)
      word = static_cast<std::uint32_t>(random());
    const Part part = random_part(random, test);
    const AccessLists lists = transfer(arch, test, part);
    for (const auto& error : {reference.write_words(base, inputs), reference.run(lists)})
      if (error) return "reference: " + error->text;
    for (const auto& error : {model.write_words(base, inputs), model.run(lists)})
      if (error) return "ours: " + error->text;
    if (!model.tile().coprocessor.reports.empty() &&
        model.tile().coprocessor.reports.back().category == tensix::Report::Category::undefined_data)
      return fmt::format("ours: {}", text_of(model.tile().coprocessor.reports.back().issue));
    const Rows theirs = read_rows(reference, is_32b);
    const Rows ours = ours_of(model, test, tile % 2);
    for (unsigned i = 0; i < tile_datums; ++i) {
      const std::uint32_t our = ours[i / 16][i % 16];
      const std::uint32_t their = theirs[i / 16][i % 16];
      ++datums;
      if (their != 0) ++not_zero;
      if (our == their) continue;
      if (differing++ == 0)
        first = fmt::format(", the first in tile {} row {} column {}: {:#x} here, {:#x} there", tile, i / 16, i % 16,
                            our, their);
    }
  }
  return fmt::format("{} datums, {} not zero, {} differ{}", datums, not_zero, differing, first);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: tensim-unpack-diff LIBRARY [wormhole|blackhole] [TILES] [SEED]");
  const auto arch = parse_arch(argc > 2 ? argv[2] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  const unsigned tiles = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 100;
  std::mt19937 random(argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)) : 1);
  auto opened = ReferenceTile::open({.library = argv[1], .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& reference = std::get<ReferenceTile>(opened);
  for (const Formats& format : formats)
    for (const To to : {To::src_a, To::src_b, To::dst})
      for (const auto& [mode, mode_name] : modes) {
        if (format.to_dst != (to == To::dst)) continue;
        if (format.short_exponent && *arch == Arch::wormhole) continue;
        if (mode == Mode::transposed && to != To::src_a) continue;
        if (mode == Mode::tilized && to == To::src_b) continue;
        const Case test{format, to, mode};
        const char* name = to == To::src_a ? "SrcA" : to == To::src_b ? "SrcB" : "Dst";
        fmt::print("{:<20} {:<5} {:<15} {}\n", format.name, name, mode_name, compare(reference, test, tiles, random));
        std::fflush(stdout);
      }
  return 0;
}
