#include "tensix/footprint.hpp"

#include <algorithm>
#include <bitset>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/registers/config_view.hpp"
#include "tensix/units/matrix/clear.hpp"
#include "tensix/units/matrix/formats.hpp"
#include "tensix/units/matrix/operands.hpp"
#include "tensix/units/matrix/unit.hpp"
#include "tensix/units/matrix/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

/// The state, the instruction and what has been found so far.
struct Finder {
  const Coprocessor& coprocessor;
  const Candidate& candidate;
  Footprint footprint;

  Word word() const { return candidate.entry.word; }
  unsigned thread() const { return candidate.thread; }
  bool has(const isa::Field& field) const { return field.get(word()) != 0; }
  const Rwc& rwc() const { return coprocessor.rwcs.thread[candidate.thread]; }

  /// Rows of the bank that the Matrix Unit is on; those beyond its end are its first ones.
  void src(Src which, const RowRange& rows, bool read, bool write) {
    const Resource resource = which == Src::a ? Resource::src_a : Resource::src_b;
    const unsigned bank = coprocessor.src.matrix_bank[static_cast<std::size_t>(which)];
    const unsigned before_end = std::min<unsigned>(rows.count, src_rows - rows.first % src_rows);
    const auto add = [&](unsigned first, unsigned count) {
      if (read) footprint.reads(resource, bank, first, count);
      if (write) footprint.writes(resource, bank, first, count);
    };
    add(rows.first % src_rows, before_end);
    add(0, rows.count - before_end);
  }
  void counts_src(Src which) { footprint.reads(Resource::rwc, thread(), which == Src::a ? rwc_src_a : rwc_src_b); }
  void reads_src(Src which, const RowRange& rows) {
    counts_src(which);
    src(which, rows, true, false);
  }
  void writes_src(Src which, const RowRange& rows) {
    counts_src(which);
    src(which, rows, false, true);
  }

  /// Held at the gate until the Matrix Unit owns its bank.
  void waits_for(Src which) {
    const auto file = static_cast<unsigned>(which);
    footprint.reads(Resource::src_ownership, file, coprocessor.src.matrix_bank[file]);
  }

  /// Where the rows lie in Dst's bits, and what the place depends on.
  void dst(const RowRange& rows, bool wide, bool read, bool write) {
    footprint.reads(Resource::rwc, thread(), rwc_dst);
    add_thread_field(footprint, coprocessor.arch, thread(), "DEST_TARGET_REG_CFG_MATH_Offset"_thread_config);
    config("DEST_REGW_BASE_Base"_config);
    dst_bits(rows, wide, read, write);
  }
  void dst_bits(const RowRange& rows, bool wide, bool read, bool write) {
    config("DEST_ACCESS_CFG_remap_addrs"_config);
    const DstAddressing addressing =
        DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves);
    std::bitset<dst_rows> used;
    for (unsigned i = 0; i < rows.count; ++i) {
      const unsigned at = wide ? addressing.row32(rows.row(i)) : addressing.row16(rows.row(i));
      used.set(at);
      if (wide) used.set(at + Dst::low_half);
    }
    dst_bits(used, read, write);
  }
  void dst_bits(const std::bitset<dst_rows>& used, bool read, bool write) {
    for (unsigned first = 0; first < dst_rows; ++first) {
      if (!used[first]) continue;
      unsigned end = first;
      while (end < dst_rows && used[end])
        ++end;
      if (read) footprint.reads(Resource::dst, 0, first, end - first);
      if (write) footprint.writes(Resource::dst, 0, first, end - first);
      first = end;
    }
  }

  /// A field of the thread's bank of Config, or of its ThreadConfig, if the chip has it.
  void config(const ConfigField& field) {
    const ConfigField::Place& place = field.on(coprocessor.arch);
    if (place.exists()) add_config(footprint, coprocessor, thread(), static_cast<unsigned>(place.word), 1, false);
  }
  void thread_config(const ConfigField& field) {
    const ConfigField::Place& place = field.on(coprocessor.arch);
    if (place.exists()) footprint.reads(Resource::thread_config, thread(), static_cast<unsigned>(place.word));
  }
  /// Three words of Config say what the operands are.
  void formats() {
    config("ALU_FORMAT_SPEC_REG_SrcA_override"_config);
    config("ALU_FORMAT_SPEC_REG0_SrcA"_config);
    config("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config);
    thread_config("FP16A_FORCE_Enable"_thread_config);
    thread_config("DISABLE_IMPLIED_SRCA_FMT_Base"_thread_config);
  }
  bool get(const ConfigField& field) const {
    return ConfigView(coprocessor.config, coprocessor.arch, thread()).get(field) != 0;
  }
  /// Dst is 32 bits wide to arithmetic and to what moves out of it.
  bool wide() const {
    const ConfigView view(coprocessor.config, coprocessor.arch, thread());
    if (view.get_thread("FP16A_FORCE_Enable"_thread_config) != 0) return false;
    return get("ALU_ACC_CTRL_Fp32_enabled"_config) || get("ALU_ACC_CTRL_INT8_math_enabled"_config);
  }

  void gives_back() {
    for (unsigned file = 0; file < 2; ++file)
      if (matrix_words::flips(word(), static_cast<Src>(file)))
        footprint.writes(Resource::src_ownership, file, coprocessor.src.matrix_bank[file]);
  }
  /// Banks given back, which the configuration may forbid.
  void flips() {
    gives_back();
    if ((word() & matrix_words::flip_bits) != 0)
      add_thread_field(footprint, coprocessor.arch, thread(), "CLR_DVALID_SrcA_Disable"_thread_config);
  }
};

void arithmetic(Finder& find, bool reads_dst) {
  const MatrixOperands operands = matrix_operands(find.coprocessor, find.candidate);
  find.waits_for(Src::a);
  find.waits_for(Src::b);
  find.reads_src(Src::a, operands.src_a);
  find.reads_src(Src::b, operands.src_b);
  find.footprint.reads(Resource::rwc, find.thread(), rwc_fidelity);
  find.formats();
  find.thread_config("DISABLE_IMPLIED_SRCB_FMT_Base"_thread_config);
  find.thread_config("FIDELITY_BASE_Phase"_thread_config);
  find.dst(operands.dst, find.wide(), reads_dst, true);
  find.flips();
}

void zeroacc(Finder& find) {
  const Zeroacc fields = Zeroacc::of(find.coprocessor.arch, find.word());
  const ZeroaccRows rows = zeroacc_rows(find.coprocessor, find.candidate, fields);
  switch (fields.mode) {
    case Zeroacc::Mode::one_row:
      find.config("ALU_ACC_CTRL_Fp32_enabled"_config);
      find.dst(RowRange{static_cast<std::uint16_t>(rows.first), 1}, rows.wide, false, true);
      break;
    case Zeroacc::Mode::sixteen_rows:
      find.dst_bits(RowRange{static_cast<std::uint16_t>(rows.first), static_cast<std::uint8_t>(rows.count)}, rows.wide,
                    false, true);
      if (!numbers_blocks_in_half(find.coprocessor.arch)) break;
      find.footprint.reads(Resource::rwc, find.thread(), rwc_dst);
      find.thread_config("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config);
      break;
    default: find.footprint.writes(Resource::dst, 0, rows.first, rows.count);
  }
}

void zerosrc(Finder& find) {
  const auto banks = zerosrc_banks(find.coprocessor, find.word());
  for (unsigned file = 0; file < 2; ++file)
    for (unsigned bank = 0; bank < 2; ++bank)
      if (banks[file][bank]) find.footprint.writes(file == 0 ? Resource::src_a : Resource::src_b, bank, 0, src_rows);
}

/// MOVA2D, MOVB2D: TF32 and the low half go to 32 bits; the low half keeps the upper one.
void move_to_dst(Finder& find, Src from, const RowRange& src, const RowRange& dst) {
  const bool low_half = find.has(field_of("MOVA2D", "", "UseDst32bLo"));
  const bool tf32 = move_formats(find.coprocessor, find.candidate, from).is_tf32;
  find.formats();
  find.reads_src(from, src);
  find.dst(dst, tf32 || low_half, low_half && !tf32, true);
}

void move_from_dst(Finder& find, Src to, const RowRange& src, const RowRange& dst) {
  find.formats();
  find.dst(dst, find.wide(), true, false);
  find.writes_src(to, src);
}

void move(Finder& find) {
  const MatrixOperands operands = matrix_operands(find.coprocessor, find.candidate);
  switch (isa::opcode_of(find.word())) {
    case "MOVA2D"_op: find.waits_for(Src::a); [[fallthrough]];
    case "MOVDBGA2D"_op: return move_to_dst(find, Src::a, operands.src_a, operands.dst);
    case "MOVB2D"_op: find.waits_for(Src::b); [[fallthrough]];
    case "MOVDBGB2D"_op: return move_to_dst(find, Src::b, operands.src_b, operands.dst);
    case "MOVD2A"_op: return move_from_dst(find, Src::a, operands.src_a, operands.dst);
    case "MOVD2B"_op: return move_from_dst(find, Src::b, operands.src_b, operands.dst);
    default:  // MOVB2A: of its two banks it waits for SrcB's alone
      find.waits_for(Src::b);
      find.config("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config);
      find.reads_src(Src::b, operands.src_b);
      find.writes_src(Src::a, operands.src_a);
  }
}

/// Moves within a file of Src.
void rearrange(Finder& find) {
  const MatrixOperands operands = matrix_operands(find.coprocessor, find.candidate);
  if (isa::opcode_of(find.word()) == "SHIFTXA"_op) {
    find.waits_for(Src::a);
    find.src(Src::a, operands.src_a, true, false);
    find.src(Src::a, {0, operands.src_a.count}, false, true);
    return;
  }
  find.waits_for(Src::b);
  if (isa::opcode_of(find.word()) == "SHIFTXB"_op) find.counts_src(Src::b);
  find.src(Src::b, operands.src_b, true, true);
}

void setrwc_counters(Finder& find) {
  const auto set = [&](bool really, bool relative, RwcCounter counter) {
    if (!really) return;
    if (relative) find.footprint.reads(Resource::rwc, find.thread(), counter);
    find.footprint.writes(Resource::rwc, find.thread(), counter);
  };
  const bool steps_dst = find.has(field_of("SETRWC", "", "DstCtoCr"));
  set(find.has(field_of("SETRWC", "", "SrcA")), find.has(field_of("SETRWC", "", "SrcACr")), rwc_src_a);
  set(find.has(field_of("SETRWC", "", "SrcB")), find.has(field_of("SETRWC", "", "SrcBCr")), rwc_src_b);
  set(find.has(field_of("SETRWC", "", "Dst")) || steps_dst, find.has(field_of("SETRWC", "", "DstCr")) || steps_dst,
      rwc_dst);
  set(find.has(field_of("SETRWC", "", "Fidelity")), false, rwc_fidelity);
}

void cleardvalid(Finder& find) {
  if (find.has(matrix_words::reset_all)) {
    for (unsigned file = 0; file < 2; ++file)
      find.footprint.writes(Resource::src_ownership, file, 0, 2);
    return;
  }
  find.gives_back();
}

void add_operands(Finder& find) {
  switch (isa::opcode_of(find.word())) {
    case "ELWADD"_op:
    case "ELWSUB"_op: arithmetic(find, find.has(field_of("ELWADD", "", "AddDst"))); break;
    case "MOVA2D"_op:
    case "MOVDBGA2D"_op:
    case "MOVB2D"_op:
    case "MOVDBGB2D"_op:
    case "MOVD2A"_op:
    case "MOVD2B"_op:
    case "MOVB2A"_op: move(find); break;
    case "TRNSPSRCB"_op:
    case "SHIFTXA"_op:
    case "SHIFTXB"_op: rearrange(find); break;
    case "ZEROSRC"_op: zerosrc(find); break;
    case "ZEROACC"_op: zeroacc(find); break;
    case "SETRWC"_op:
      setrwc_counters(find);
      find.flips();
      break;
    case "INCRWC"_op: find.footprint.updates(Resource::rwc, find.thread(), rwc_dst, 3); break;
    case "CLEARDVALID"_op: cleardvalid(find); break;
    case "CLREXPHIST"_op:  // the packers' histograms, and a cache: none of these resources
    case "GATESRCRST"_op: break;
    default: arithmetic(find, true);
  }
}

}  // namespace

Footprint units::matrix_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Finder find{coprocessor, candidate, {}};
  add_operands(find);
  if (const auto index = matrix_addr_mod(coprocessor.arch, candidate.entry.word))
    add_addr_mod(find.footprint, coprocessor, candidate.thread, *index, true);
  return find.footprint;
}

}  // namespace tensim::tensix
