// Random programs of the Matrix Unit on a reference and on our coprocessor: how many datums of Dst differ, for each
// instruction and format that the reference takes. The reference unpacks its operands; ours are put into Src as the
// unpackers' rules have them. Dst is compared after every 200 instructions, or as many as --every says; with --every 1
// nothing is overwritten before it is seen. What instructions write to Src is then moved to Dst and compared there.
// Usage: tensim-matrix-diff LIBRARY [wormhole|blackhole] [DATUMS] [SEED] [--every N] [--only NAME]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "number/convert_rows.hpp"
#include "reference/reference_tile.hpp"
#include "tensix/coprocessor.hpp"
#include "tools/reference/config_words.hpp"
#include "tools/reference/tile_program.hpp"

namespace {

using namespace tensim;
using namespace tensim::reference;
using enum DataFormat;

struct FormatCase {
  const char* name;
  TileFormats formats;  // left is SrcA
  bool keeps_denormals = false;
};

constexpr TileFormats formats_of(DataFormat l1_a, DataFormat a, DataFormat l1_b, DataFormat b, bool wide) {
  return {l1_a, l1_b, a, b, bf16, bf16, wide, a == int8};
}

constexpr std::array format_cases{
    FormatCase{"bf16, Dst 16", formats_of(bf16, bf16, bf16, bf16, false)},
    FormatCase{"bf16, Dst 32", formats_of(bf16, bf16, bf16, bf16, true)},
    FormatCase{"bf16, Dst 16, denormals", formats_of(bf16, bf16, bf16, bf16, false), true},
    FormatCase{"fp16, Dst 16", formats_of(fp16, fp16, fp16, fp16, false)},
    FormatCase{"fp16, Dst 32", formats_of(fp16, fp16, fp16, fp16, true)},
    FormatCase{"tf32, Dst 16", formats_of(fp32, tf32, fp32, tf32, false)},
    FormatCase{"tf32, Dst 32", formats_of(fp32, tf32, fp32, tf32, true)},
    FormatCase{"tf32 and bf16, Dst 32", formats_of(fp32, tf32, bf16, bf16, true)},
    FormatCase{"bf16 and tf32, Dst 16", formats_of(bf16, bf16, fp32, tf32, false)},
    FormatCase{"int8, Dst 32", formats_of(int8, int8, int8, int8, true)},
};

using Random = std::mt19937;
unsigned below(Random& random, unsigned end) {
  return static_cast<unsigned>(random()) % end;
}

/// One instruction of a program: text with random operands, and how many datums it writes.
struct InstructionCase {
  const char* name;
  unsigned datums;
  unsigned src_a_step;  // of the counters; 0: the instruction names its rows itself
  bool steps_phase;     // the fidelity phase too
  bool ones_in_src_b;   // the reference wants GMPOOL's scales to be one
  std::string (*text)(Random&, const FormatCase&);
  std::string (*shows)(Random&) = nullptr;  // of what writes Src: moves some of it to Dst
};

std::string addr_mod(Random& random) {
  return fmt::format("AddrMod={}", below(random, 4));
}

std::string element_text(Random& random, const char* name) {
  return fmt::format("{} BroadcastSrcBRow={}, BroadcastSrcBCol0={}, DstRow={}, {}\n", name, below(random, 2),
                     below(random, 2), 8 * below(random, 64), addr_mod(random));
}
std::string added_text(Random& random, const char* name) {
  return element_text(random, fmt::format("{} AddDst={},", name, below(random, 2)).c_str());
}

std::string move_a_text(Random& random, bool low_half) {
  return fmt::format("MOVA2D Move8Rows=1, SrcRow={}, DstRow={}, UseDst32bLo={}\n", 8 * below(random, 8),
                     8 * below(random, 64), low_half ? 1 : 0);
}
std::string move_b_text(Random& random, bool low_half) {
  const bool spread = below(random, 2) != 0;
  const unsigned rows = spread ? 8 : 4;
  return fmt::format("MOVB2D {}=1, BroadcastCol0={}, SrcRow={}, DstRow={}, UseDst32bLo={}\n",
                     spread ? "Broadcast1RowTo8" : "Move4Rows", below(random, 2), rows * below(random, 64 / rows),
                     rows * below(random, 512 / rows), low_half ? 1 : 0);
}
bool may_use_low_half(const FormatCase& format, DataFormat moved, Random& random) {
  return moved == bf16 && format.formats.dst_is_32_bits && below(random, 2) != 0;
}

std::string show_a_text(Random& random) {
  return move_a_text(random, false);
}
std::string show_b_text(Random& random) {
  return move_b_text(random, false);
}

const std::array instruction_cases{
    InstructionCase{"MVMUL", 128, 16, true, false,
                    [](Random& random, const FormatCase&) {
                      return fmt::format("MVMUL DstRow={}, {}\n", 8 * below(random, 64), addr_mod(random));
                    }},
    InstructionCase{"GAPOOL", 64, 16, true, false,
                    [](Random& random, const FormatCase&) {
                      return fmt::format("GAPOOL InstrMod19Low=1, DstRow={}, {}\n", 4 * below(random, 128),
                                         addr_mod(random));
                    }},
    InstructionCase{"ELWMUL", 128, 8, true, false,
                    [](Random& random, const FormatCase&) { return element_text(random, "ELWMUL"); }},
    InstructionCase{"ELWADD", 128, 8, false, false,
                    [](Random& random, const FormatCase&) { return added_text(random, "ELWADD"); }},
    InstructionCase{"ELWSUB", 128, 8, false, false,
                    [](Random& random, const FormatCase&) { return added_text(random, "ELWSUB"); }},
    InstructionCase{"GMPOOL", 16, 16, false, true,
                    [](Random& random, const FormatCase&) {
                      return fmt::format("GMPOOL InstrMod19Low=1, DstRow={}, {}\n", 4 * below(random, 128),
                                         addr_mod(random));
                    }},
    InstructionCase{"MOVA2D", 128, 0, false, false,
                    [](Random& random, const FormatCase& format) {
                      return move_a_text(random, may_use_low_half(format, format.formats.src_left, random));
                    }},
    InstructionCase{"MOVB2D", 64, 0, false, false,
                    [](Random& random, const FormatCase& format) {
                      return move_b_text(random, may_use_low_half(format, format.formats.src_left, random));
                    }},
    InstructionCase{"MOVD2A", 64, 0, false, false,
                    [](Random& random, const FormatCase&) {
                      return fmt::format("MOVD2A Move4Rows=1, SrcRow={}, DstRow={}\n", 4 * below(random, 16),
                                         4 * below(random, 128));
                    },
                    show_a_text},
    InstructionCase{"MOVD2B", 64, 0, false, false,
                    [](Random& random, const FormatCase& format) {
                      return fmt::format("MOVD2B Move4Rows={}, SrcRow={}, DstRow={}, UseDst32bLo={}\n",
                                         below(random, 2), 4 * below(random, 16), 4 * below(random, 128),
                                         may_use_low_half(format, format.formats.src_left, random) ? 1 : 0);
                    },
                    show_b_text},
    InstructionCase{"MOVB2A", 64, 0, false, false,
                    [](Random& random, const FormatCase&) {
                      return fmt::format("MOVB2A Move4Rows=1, SrcARow={}, SrcBRow={}\n", 4 * below(random, 16),
                                         4 * below(random, 16));
                    },
                    show_a_text},
    InstructionCase{"TRNSPSRCB", 64, 0, false, false,
                    [](Random&, const FormatCase&) { return std::string("TRNSPSRCB\n"); }, show_b_text},
};

/// Now and then something of Dst becomes undefined, in the ways that the reference takes.
std::string clear_text(Random& random, Arch arch, const TileFormats& formats) {
  const bool wide = formats.dst_is_32_bits;
  // Its undefined rows are shown as zeros, also the lower halves of rows that were written in 32 bits since.
  const bool shows_less = wide && arch == Arch::wormhole;
  // TF32 is moved to 32 bits even so: what is cleared in 16 would be written in 32.
  if (arch == Arch::wormhole && !wide && formats.src_left == tf32) return "";
  switch (shows_less ? 4 + below(random, 56) : below(random, 60)) {
    case 0: return "ZEROACC Mode=CLR_ALL\n";
    case 1: return fmt::format("ZEROACC Mode=CLR_HALF, Imm10={}\n", below(random, 2));
    case 2:
    case 3:
      return fmt::format("ZEROACC Mode=CLR_16, UseDst32b={}, Imm10={}\n", wide ? 1 : 0, below(random, wide ? 32 : 64));
    case 4:
    case 5:
      if (formats.integers) return "";
      return fmt::format("ZEROACC Mode=CLR_SPECIFIC, Imm10={}\n", below(random, 512));
    default: return "";
  }
}

std::string mode_text(Arch arch, const InstructionCase& instruction) {
  const ConfigWords& words = words_of(arch);
  constexpr std::array<unsigned, 4> b_steps{0, 8, 8, 24};
  const std::array<unsigned, 4> a_steps{0, instruction.src_a_step, 0, instruction.src_a_step};
  std::string text = "SETRWC SrcA=1, SrcB=1, Dst=1, Fidelity=1\n";
  for (unsigned mode = 0; mode < 4; ++mode) {
    text += fmt::format("SETC16 CfgIndex={}, NewValue={}\n", words.matrix_modes + mode * words.matrix_mode_step,
                        a_steps[mode] | b_steps[mode] << 8U);
    const unsigned phase = instruction.steps_phase && mode >= 2 ? 1U << 13U : 0U;
    text += fmt::format("SETC16 CfgIndex={}, NewValue={}\n", words.matrix_dst_modes + mode, phase);
  }
  return text;
}

/// All of SrcA and SrcB to where they can be compared: SrcB by way of SrcA, because the reference's MOVB2D drops bits.
std::string show_src_text(Random& random) {
  constexpr unsigned rows = tensix::SrcRegisters::rows;
  const unsigned to = 2 * rows * below(random, 4);
  std::string text;
  for (unsigned row = 0; row < rows; row += 8)
    text += fmt::format("MOVA2D Move8Rows=1, SrcRow={}, DstRow={}\n", row, to + row);
  for (unsigned row = 0; row < rows; row += 4)
    text += fmt::format("MOVB2A Move4Rows=1, SrcARow={}, SrcBRow={}\n", row, row);
  for (unsigned row = 0; row < rows; row += 8)
    text += fmt::format("MOVA2D Move8Rows=1, SrcRow={}, DstRow={}\n", row, to + rows + row);
  return text;
}

/// `count` instructions. Counters and address modifiers are set up before the first ones, and go on from there.
std::vector<isa::Word> program(Random& random, Arch arch, const InstructionCase& instruction, const FormatCase& format,
                               unsigned count, bool is_first) {
  std::string text = is_first ? mode_text(arch, instruction) : "";
  // Moves to Src do not wait for their bank: these do.
  if (!format.formats.integers) text += "MOVA2D Move8Rows=1, DstRow=0\nMOVB2D Move4Rows=1, DstRow=8\n";
  for (unsigned i = 0; i < count; ++i) {
    text += clear_text(random, arch, format.formats) + instruction.text(random, format);
    if (instruction.shows != nullptr) text += count == 1 ? show_src_text(random) : instruction.shows(random);
  }
  return assembled(arch, text + "CLEARDVALID FlipSrcA=1, FlipSrcB=1\n");
}

/// Numbers that are neither tiny nor huge, or any bits.
std::uint32_t random_word(Random& random, DataFormat format, bool all_bits) {
  const auto bits = static_cast<std::uint32_t>(random());
  if (all_bits) return bits;
  switch (format) {
    case fp32: return (bits & 0x807FFFFFU) | (120U + (bits >> 23U & 15U)) << 23U;
    case bf16: return (bits & 0x87FF87FFU) | 0x3C003C00U;
    case fp16: return (bits & 0x9FFF9FFFU) | 0x20002000U;
    default: return bits;
  }
}

std::vector<std::uint32_t> random_tile(Random& random, DataFormat format, bool all_bits, bool ones) {
  std::vector<std::uint32_t> words(bytes_of_tile(format) / 4);
  for (std::uint32_t& word : words)
    word = ones ? (format == fp32 ? 0x3F800000U : 0x3F803F80U) : random_word(random, format, all_bits);
  return words;
}

/// Ours: a coprocessor whose Src banks are filled by hand.
class Model {
 public:
  Model(Arch arch, const FormatCase& format) : coprocessor_(std::make_unique<tensix::Coprocessor>(arch)) {
    const TileFormats& formats = format.formats;
    const std::uint32_t modes = formats.integers ? 1U << 31U : formats.dst_is_32_bits ? 1U << 29U : 0U;
    for (auto& bank : coprocessor_->config.bank) {
      bank[1] = static_cast<std::uint32_t>(formats.src_left) << 17U |
                static_cast<std::uint32_t>(formats.src_right) << 21U | modes;
      bank[2] = format.keeps_denormals ? 1 : 0;
    }
  }

  void supply(tensix::Src file, std::span<const std::uint32_t> words, DataFormat l1, DataFormat src) {
    const auto index = static_cast<std::size_t>(file);
    const unsigned bank = coprocessor_->src.unpack_bank[index];
    const auto plan = number::plan_unpack({.in = static_cast<number::DataFormat>(l1),
                                           .out = static_cast<number::DataFormat>(src),
                                           .arch = coprocessor_->arch});
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
    const std::size_t row_bytes = words.size_bytes() / tensix::SrcRegisters::rows;
    for (unsigned row = 0; row < tensix::SrcRegisters::rows; ++row)
      coprocessor_->src_registers.bank(file, bank)[row] = number::unpack_row(*plan, bytes + row * row_bytes, 0);
    coprocessor_->src_registers.format[index][bank] = static_cast<std::uint8_t>(src);
    coprocessor_->src.hand_to_matrix(file);
    coprocessor_->state_changed_from_outside();
  }

  /// What went wrong, or nothing.
  std::string run(std::span<const isa::Word> words) {
    constexpr unsigned thread = 1;
    constexpr unsigned patience = 100;
    for (const isa::Word word : words) {
      for (unsigned i = 0; i < patience && !coprocessor_->can_push(thread); ++i)
        coprocessor_->step();
      coprocessor_->push(thread, word, 0);
      coprocessor_->step();
    }
    for (unsigned i = 0; i < patience * 10 && !coprocessor_->is_idle(); ++i)
      coprocessor_->step();
    if (coprocessor_->fault) return fmt::format("fault: {}", tensix::text_of(coprocessor_->fault->issue));
    return coprocessor_->is_idle() ? "" : "does not end";
  }

  const tensix::Dst& dst() const { return coprocessor_->dst; }

 private:
  std::unique_ptr<tensix::Coprocessor> coprocessor_;
};

struct Comparison {
  std::uint64_t datums = 0;
  std::uint64_t different = 0;
  std::uint64_t not_zero = 0;  // of Dst, at the end: nothing is compared where nothing happens
  std::string first;
  std::string error;
};

std::optional<Error> run_reference(ReferenceTile& tile, const std::vector<std::uint32_t>& left,
                                   const std::vector<std::uint32_t>& right, std::span<const isa::Word> words) {
  constexpr std::uint32_t at_left = GuestLayout::free_base;
  constexpr std::uint32_t at_right = at_left + 0x2000;
  if (auto error = tile.write_words(at_left, left)) return error;
  if (auto error = tile.write_words(at_right, right)) return error;
  const ConfigWords& config = words_of(tile.arch());
  AccessLists lists;
  lists[0].config(config.unpacker[0] + unpack_base, l1_unit(at_left));
  lists[0].config(config.unpacker[1] + unpack_base, l1_unit(at_right));
  lists[0].push(assembled(tile.arch(),
                          "UNPACR.Regular WhichUnpacker=0, MultiContextMode=1, FlipSrc=1, Last=1\n"
                          "UNPACR.Regular WhichUnpacker=1, MultiContextMode=1, FlipSrc=1, Last=1\n"));
  lists[1].push(words);
  return tile.run(lists);
}

/// What a reference shows of ours: Wormhole's shows zeros where a row is undefined, by its upper half in 32 bits.
std::uint16_t shown(const tensix::Dst& dst, Arch arch, bool wide, unsigned row, unsigned column) {
  const bool is_lower_half = wide && (row & tensix::Dst::low_half) != 0;
  const bool hidden = arch == Arch::wormhole && dst.is_undefined[row] && !is_lower_half;
  return hidden ? std::uint16_t{0} : dst.bits[row][column];
}

void compare(Comparison& found, const tensix::Dst& dst, std::span<const reference::DstRow> theirs, Arch arch,
             bool wide) {
  found.not_zero = 0;
  for (unsigned row = 0; row < tensix::Dst::rows; ++row)
    for (unsigned column = 0; column < tensix::Dst::columns; ++column) {
      const std::uint16_t ours = shown(dst, arch, wide, row, column);
      if (theirs[row][column] != 0) ++found.not_zero;
      if (ours == theirs[row][column]) continue;
      if (found.different++ == 0)
        found.first = fmt::format("row {} column {}: {:#06x} here, {:#06x} in the reference", row, column, ours,
                                  theirs[row][column]);
    }
}

struct Options {
  std::string library;
  Arch arch = Arch::blackhole;
  std::uint64_t datums = 100'000;
  std::uint32_t seed = 1;
  unsigned every = 200;
  std::string only;  // one instruction
};

[[noreturn]] void fail(const std::string& text) {
  std::fputs((text + "\n").c_str(), stderr);
  std::exit(1);
}

Options options_of(std::span<char*> arguments) {
  Options options;
  std::vector<std::string> plain;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string text = arguments[i];
    if (text == "--every" && i + 1 < arguments.size())
      options.every = static_cast<unsigned>(std::max(std::strtoul(arguments[++i], nullptr, 10), 1UL));
    else if (text == "--only" && i + 1 < arguments.size())
      options.only = arguments[++i];
    else
      plain.push_back(text);
  }
  if (plain.empty())
    fail("usage: tensim-matrix-diff LIBRARY [wormhole|blackhole] [DATUMS] [SEED] [--every N] [--only NAME]");
  options.library = plain[0];
  const auto arch = parse_arch(plain.size() > 1 ? plain[1] : "blackhole");
  if (!arch) fail("expected wormhole or blackhole");
  options.arch = *arch;
  if (plain.size() > 2) options.datums = std::strtoull(plain[2].c_str(), nullptr, 10);
  if (plain.size() > 3) options.seed = static_cast<std::uint32_t>(std::strtoul(plain[3].c_str(), nullptr, 10));
  return options;
}

Comparison run_case(ReferenceTile& reference, Random& random, const InstructionCase& instruction,
                    const FormatCase& format, const Options& options) {
  Comparison found;
  const auto fails = [&](const std::optional<Error>& error) {
    if (error) found.error = "reference: " + error->text;
    return error.has_value();
  };
  const Arch arch = reference.arch();
  AccessLists set_up = tile_set_up(arch, TileOperation::add, format.formats);
  set_up[1].config(2, format.keeps_denormals ? 1 : 0);
  if (fails(reference.reopen()) || fails(reference.run(set_up))) return found;
  Model model(arch, format);
  for (unsigned round = 0; found.datums < options.datums; ++round) {
    const bool all_bits = round % 2 != 0;
    const auto left = random_tile(random, format.formats.left, all_bits, false);
    const auto right = random_tile(random, format.formats.right, all_bits, instruction.ones_in_src_b);
    const auto words = program(random, arch, instruction, format, options.every, round == 0);
    if (fails(run_reference(reference, left, right, words))) return found;
    model.supply(tensix::Src::a, left, format.formats.left, format.formats.src_left);
    model.supply(tensix::Src::b, right, format.formats.right, format.formats.src_right);
    if (const std::string error = model.run(words); !error.empty()) {
      found.error = "ours: " + error;
      return found;
    }
    std::vector<reference::DstRow> theirs(tensix::Dst::rows);
    if (fails(reference.read_dst(0, theirs))) return found;
    compare(found, model.dst(), theirs, arch, format.formats.dst_is_32_bits);
    found.datums += std::uint64_t{options.every} * instruction.datums;
    if (found.different != 0) return found;  // what follows is built upon it
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of({argv, static_cast<std::size_t>(argc)});
  Random random(options.seed);
  auto opened = ReferenceTile::open({.library = options.library, .arch = options.arch});
  if (const auto* error = std::get_if<Error>(&opened)) fail(error->text);
  auto& reference = std::get<ReferenceTile>(opened);
  for (const FormatCase& format : format_cases)
    for (const InstructionCase& instruction : instruction_cases) {
      if (!options.only.empty() && options.only != instruction.name) continue;
      const Comparison found = run_case(reference, random, instruction, format, options);
      fmt::print("{:<24} {:<10} {:>8} datums, {}\n", format.name, instruction.name, found.datums,
                 !found.error.empty()   ? found.error
                 : found.different == 0 ? fmt::format("the same; {} of Dst are not zero", found.not_zero)
                                        : fmt::format("{} differ; {}", found.different, found.first));
      std::fflush(stdout);
    }
  return 0;
}
