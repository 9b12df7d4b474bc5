// Dst full of random bits, packed by a reference and by our own tile: how many words of L1 differ, for each conversion,
// selection of packers or interfaces, and option that the reference takes.
// Usage: tensim-pack-diff LIBRARY [wormhole|blackhole] [ROUNDS] [SEED]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "reference/compare.hpp"
#include "reference/model_tile.hpp"
#include "reference/reference_tile.hpp"
#include "tools/reference/config_words.hpp"
#include "tools/reference/tile_program.hpp"
#include "tools/reference/vector_program.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;
using enum DataFormat;

constexpr std::uint32_t base = GuestLayout::free_base;
constexpr std::uint32_t dst_words = 512 * 16;
constexpr std::uint32_t out = base + 4 * dst_words;
constexpr std::uint32_t out_bytes = 5 * 16384;

enum class Chips : std::uint8_t { both, wormhole, blackhole };

/// How much of Dst a PACR takes, and what follows it.
struct Selection {
  const char* name;
  Chips chips;
  unsigned mask;   // packers or interfaces
  unsigned x_end;  // last datum of a row, or of Wormhole's run
  unsigned rows;   // of Dst, to the next PACR
  unsigned pacrs;  // in a tile
  bool strided = false;
};

constexpr std::array selections{
    Selection{"packer 0, 256 datums", Chips::wormhole, 1, 255, 16, 32},
    Selection{"packer 0, 16 datums", Chips::wormhole, 1, 15, 1, 256},
    Selection{"two packers", Chips::wormhole, 3, 255, 16, 4},
    Selection{"four packers", Chips::wormhole, 15, 63, 4, 4},
    Selection{"four interfaces", Chips::blackhole, 0, 15, 4, 128},
    Selection{"one interface", Chips::blackhole, 1, 15, 1, 128},
    Selection{"one interface, half rows", Chips::blackhole, 1, 7, 1, 128},
    Selection{"two interfaces", Chips::blackhole, 3, 15, 2, 128},
    Selection{"interfaces 0 and 2", Chips::blackhole, 5, 15, 4, 128},
    Selection{"interfaces 1 and 3", Chips::blackhole, 10, 15, 4, 128},
    Selection{"strided, two", Chips::blackhole, 3, 15, 1, 16, true},
    Selection{"strided, four", Chips::blackhole, 0, 15, 1, 16, true},
};

struct Conversion {
  DataFormat from;
  DataFormat to;
  bool read_32b = false;
  bool round_10b = false;
  bool four_bit_exponent = false;  // of FP8
  bool is_unsigned = false;
  Chips chips = Chips::both;
};

constexpr std::array conversions{
    Conversion{bf16, bf16},
    Conversion{fp16, fp16},
    Conversion{fp32, fp32, true},
    Conversion{fp16, fp32},
    Conversion{fp16, bf16},
    Conversion{fp16, fp8, false, false, true, false, Chips::blackhole},
    Conversion{fp16, fp8, false, true, true, false, Chips::blackhole},
    Conversion{bfp8a, bfp8},
    Conversion{bf16, fp32},
    Conversion{bf16, bfp8},
    Conversion{bf16, bfp4},
    Conversion{bf16, bfp2},
    Conversion{bfp8, fp32},
    Conversion{bfp8, bf16},
    Conversion{bfp8, bfp8},
    Conversion{bfp8, bfp4},
    Conversion{int16, int16},
    Conversion{fp32, fp16, true},
    Conversion{fp32, bfp8, true},
    Conversion{fp32, bfp4, true},
    Conversion{fp32, bfp2, true},
    Conversion{fp16, fp16, true, true, false, false, Chips::blackhole},
    Conversion{fp16, fp8, true, true, true, false, Chips::blackhole},
    Conversion{bf16, bf16, true},
    Conversion{bfp8, bfp8, true},
    Conversion{bfp8, bfp4, true},
    Conversion{int32, int32, true},
    Conversion{int16, int16, true},
    Conversion{int8, int8, true},
    Conversion{int8, int8, true, false, false, true},
};

struct Option {
  const char* name;
  unsigned relu = 0;
  std::uint32_t threshold = 0;
  bool accumulates = false;
  bool masks = false;  // rows by turns: all columns, or the first alone
  std::uint32_t dst_offset = 0;
};

constexpr std::array options{
    Option{""},
    Option{", Dst offset 512", 0, 0, false, false, 512},
    Option{", edge masks", 0, 0, false, true},
    Option{", ReLU", 1},
    Option{", ReLU above", 2, 0x3F00},
    Option{", ReLU below", 3, 0x3F00},
    Option{", accumulating", 0, 0, true},
};

bool is_on(Chips chips, Arch arch) {
  return chips == Chips::both || (chips == Chips::wormhole) == (arch == Arch::wormhole);
}

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

constexpr std::uint32_t code(DataFormat format) {
  return static_cast<std::uint32_t>(format);
}

constexpr std::uint32_t datum_bytes(DataFormat format) {
  return (code(format) & 3U) == 0 ? 4 : (code(format) & 3U) == 1 ? 2 : 1;
}

bool has_exponents(DataFormat format) {
  return (code(format) & 2U) != 0 && format != fp8 && format != int8;
}

std::uint32_t exponent_words(DataFormat format) {
  constexpr std::uint32_t room = 16384 / 16 / 16;
  return has_exponents(format) ? room : 0;
}

/// A third any bits, a third with exponents close together, a third with few bits.
std::vector<std::uint32_t> random_words(std::mt19937& random) {
  std::vector<std::uint32_t> words(dst_words);
  for (std::uint32_t i = 0; i < dst_words; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const unsigned kind = i / 16 % 3;
    const std::uint32_t close = (bits & 0x83FF83FFU) | 0x3C003C00U;
    words[i] = kind == 0 ? bits : kind == 1 ? close : bits & static_cast<std::uint32_t>(random() & random());
  }
  return words;
}

/// The reference's Dst, by its own unpacker: 32-bit rows, eight times 64.
void fill(ReferenceTile& reference, const std::vector<std::uint32_t>& words) {
  if (const auto error = reference.write_words(base, words)) fail(error->text);
  const ConfigWords& config = words_of(reference.arch());
  AccessLists lists;
  for (std::uint32_t part = 0; part < 8; ++part) {
    lists[0].wait();
    lists[0].config(config.unpacker[0] + unpack_base, l1_unit(base + part * 4096));
    lists[0].config(config.unpacker[0] + unpack_dest, (part * 64 + 4) * 16);
    lists[0].push(assembled(reference.arch(), "UNPACR.Regular WhichUnpacker=0, MultiContextMode=1, Last=1\n"));
  }
  if (const auto error = reference.run(lists)) fail("fill: " + error->text);
}

void set_up(AccessList& list, Arch arch, const Conversion& conversion, const Selection& selection,
            const Option& option) {
  const ConfigWords& words = words_of(arch);
  const std::uint32_t bytes = datum_bytes(conversion.from);
  const std::uint32_t row = 16 * bytes;
  list.config(words.alu, code(conversion.from) << 25U);
  list.config(words.alu + 1, option.relu << 2U | option.threshold << 6U);
  list.config(words.pack_strides, bytes | row << words.y_stride_bit);
  list.config(words.pack_strides + 1, 16 * row | 64 * row << words.y_stride_bit);
  list.config(words.pack_reads,
              (conversion.read_32b ? 1U : 0U) | (conversion.is_unsigned ? 2U : 0U) | (conversion.round_10b ? 8U : 0U));
  list.config(words.edge_mask, 0xFFFF);
  list.config(words.edge_mask + 1, 1);
  list.config(words.edge_mask - 4, option.masks ? 0x11041104U : 0U);  // TILE_ROW_SET_MAPPING_0
  for (unsigned packer = 0; packer < words.packers; ++packer) {
    const std::uint32_t settings = words.pack_settings[packer];
    list.config(words.pack_counters + packer, 16U << 8U);
    list.config(settings, exponent_words(conversion.to) << 16U);
    list.config(settings + 1, l1_unit(out + packer * out_bytes / 4));
    list.config(settings + pack_formats, 1U | code(conversion.to) << 4U | code(conversion.from) << 8U);
    const std::uint32_t four_bits = conversion.four_bit_exponent ? 1U << 23U : 0U;
    const std::uint32_t accumulates = 1U << (arch == Arch::wormhole ? 21U : 19U);
    list.config(settings + 3, four_bits | (option.accumulates ? accumulates : 0U));
    const std::uint32_t dst_offset = arch == Arch::wormhole ? 152 : 180;
    list.config(dst_offset + packer, option.dst_offset + packer * 64);
  }
  if (arch == Arch::blackhole) list.config(220, selection.strided ? 3 : 0);  // DEST_ACCESS_CFG
  const bool by_faces = selection.rows == 16;
  list.push(assembled(arch, fmt::format("SETC16 CfgIndex={}, NewValue={}\nSETADCXX PK=1, X0Val=0, X1Val={}\n",
                                        words.pack_mode, by_faces ? 1U << 12U : selection.rows, selection.x_end)));
}

AccessLists program(Arch arch, const Conversion& conversion, const Selection& selection, const Option& option) {
  AccessLists lists;
  AccessList& list = lists[2];
  list.wait();
  set_up(list, arch, conversion, selection, option);
  std::string text = "SETADCXY PK=1, Y0=1, Y1=1\nSETADCZW PK=1, Z0=1, W0=1, Z1=1, W1=1\n";
  for (unsigned i = 0; i < selection.pacrs; ++i)
    text += fmt::format("PACR {}={}, Last={}{}\n", arch == Arch::wormhole ? "PackerMask" : "ReadIntfSel",
                        selection.mask, i + 1 == selection.pacrs ? 1 : 0, selection.strided ? ", DstAccessMode=1" : "");
  list.push(assembled(arch, text));
  return lists;
}

class PackComparison {
 public:
  PackComparison(ReferenceTile& reference, ModelTile& model) : reference_(reference), model_(model) {}

  /// DEST_ACCESS_CFG moves no row in the reference: where ours permutes them, rows are put where it will look.
  void copy_dst(bool permuted, bool read_32b) {
    std::vector<DstRow> rows(tensix::Dst::rows);
    if (const auto error = reference_.read_dst(0, rows)) fail(error->text);
    tensix::Dst& dst = model_.tile().coprocessor.dst;
    dst.is_undefined = {};
    const tensix::DstAddressing plain;
    const tensix::DstAddressing ours{.remap = permuted, .swizzle = permuted};
    for (unsigned row = 0; row < tensix::Dst::rows; ++row) {
      if (!read_32b) {
        dst.bits[ours.row16(row)] = rows[row];
        continue;
      }
      dst.bits[ours.row32(row)] = rows[plain.row32(row)];
      dst.bits[ours.row32(row) + tensix::Dst::low_half] = rows[plain.row32(row) + tensix::Dst::low_half];
    }
  }

  /// Nothing if the reference does not take it.
  std::optional<std::string> run(const AccessLists& lists, std::mt19937& random) {
    std::vector<std::uint32_t> before(out_bytes / 4);
    std::ranges::generate(before, [&] { return (static_cast<std::uint32_t>(random()) & 0x83FF83FFU) | 0x3C003C00U; });
    (void)reference_.write_words(out, before);
    (void)model_.write_words(out, before);
    if (const auto error = reference_.run(lists)) return "reference: " + error->text;
    if (const auto error = model_.run(lists)) return "ours: " + error->text;
    std::vector<std::uint8_t> theirs(out_bytes);
    std::vector<std::uint8_t> ours(out_bytes);
    (void)reference_.read(out, theirs);
    (void)model_.read(out, ours);
    const Differences found = differences(ours, theirs, {});
    if (found.count == 0) return std::nullopt;
    return fmt::format("{} words differ, the first at byte {}: {:#010x} here, {:#010x} in the reference", found.count,
                       found.first, found.ours, found.theirs);
  }

 private:
  ReferenceTile& reference_;
  ModelTile& model_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage: tensim-pack-diff LIBRARY [wormhole|blackhole] [ROUNDS] [SEED]");
  const auto arch = parse_arch(argc > 2 ? argv[2] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  const unsigned rounds = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 1;
  std::mt19937 random(argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)) : 1);
  auto opened = ReferenceTile::open({.library = argv[1], .arch = *arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& reference = std::get<ReferenceTile>(opened);
  for (const Conversion& conversion : conversions) {
    if (!is_on(conversion.chips, *arch)) continue;
    for (const Option& option : options) {
      std::uint64_t datums = 0;
      std::string verdicts;
      for (const Selection& selection : selections) {
        if (!is_on(selection.chips, *arch)) continue;
        if (const auto error = reference.reopen()) fail(error->text);
        if (const auto error = reference.run(vector_set_up(*arch))) fail(error->text);
        ModelTile model(*arch);
        PackComparison comparison(reference, model);
        for (unsigned round = 0; round < rounds; ++round) {
          fill(reference, random_words(random));
          comparison.copy_dst(selection.strided, conversion.read_32b);
          if (const auto verdict = comparison.run(program(*arch, conversion, selection, option), random)) {
            verdicts += fmt::format("\n    {}: {}", selection.name, *verdict);
            break;
          }
          const auto times = static_cast<unsigned>(
              std::popcount(*arch == Arch::blackhole && selection.mask == 0 ? 15U : selection.mask));
          datums += std::uint64_t{selection.pacrs} * (selection.x_end + 1) * times;
        }
      }
      fmt::print("{} to {}, Dst {} bits{}{}{}: {} datums the same{}\n", code(conversion.from), code(conversion.to),
                 conversion.read_32b ? 32 : 16, conversion.round_10b ? ", Round_10b_mant" : "",
                 conversion.is_unsigned ? ", unsigned" : "", option.name, datums, verdicts);
    }
  }
  return 0;
}
