#include "tensix/footprint.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/registers/config_view.hpp"
#include "tensix/row_set.hpp"
#include "tensix/units/matrix/clear.hpp"
#include "tensix/units/matrix/formats.hpp"
#include "tensix/units/matrix/operands.hpp"
#include "tensix/units/matrix/unit.hpp"
#include "tensix/units/matrix/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

// ---- what is read of the configuration ----

Settings where_in_dst(Arch arch) {
  return Settings(arch).add("DEST_REGW_BASE_Base"_config).add_thread("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config);
}
Settings arrangement_of_dst(Arch arch) {
  return Settings(arch).add("DEST_ACCESS_CFG_remap_addrs"_config).add("DEST_ACCESS_CFG_swizzle_32b"_config);
}
Settings of_arithmetic(Arch arch) {
  return Settings(arch)
      .add("DEST_REGW_BASE_Base"_config)
      .add("DEST_ACCESS_CFG_remap_addrs"_config)
      .add("DEST_ACCESS_CFG_swizzle_32b"_config)
      .add("ALU_ACC_CTRL_Zero_Flag_disabled_dst"_config)
      .add("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config)
      .add("ALU_ROUNDING_MODE_Fpu_srnd_en"_config)
      .add("ALU_ACC_CTRL_INT8_math_enabled"_config)
      .add("ALU_ACC_CTRL_Fp32_enabled"_config)
      .add_thread("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config)
      .add_thread("FIDELITY_BASE_Phase"_thread_config)
      .add_thread("FP16A_FORCE_Enable"_thread_config);
}
Settings of_moves(Arch arch) {
  return Settings(arch)
      .add("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config)
      .add("ALU_ACC_CTRL_INT8_math_enabled"_config)
      .add("ALU_ACC_CTRL_Fp32_enabled"_config)
      .add_thread("FP16A_FORCE_Enable"_thread_config);
}
/// Where the format does not come with the data.
Settings format_of_src_a(Arch arch) {
  return Settings(arch)
      .add("ALU_FORMAT_SPEC_REG_SrcA_override"_config)
      .add("ALU_FORMAT_SPEC_REG_SrcA_val"_config)
      .add("ALU_FORMAT_SPEC_REG0_SrcA"_config);
}
Settings format_of_src_b(Arch arch) {
  return Settings(arch)
      .add("ALU_FORMAT_SPEC_REG_SrcB_override"_config)
      .add("ALU_FORMAT_SPEC_REG_SrcB_val"_config)
      .add("ALU_FORMAT_SPEC_REG1_SrcB"_config);
}
Settings denormals_of_src(Arch arch) {
  return Settings(arch).add("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config);
}
Settings width_of_cleared_row(Arch arch) {
  return Settings(arch).add("ALU_ACC_CTRL_Fp32_enabled"_config).add("ALU_ACC_CTRL_INT8_math_enabled"_config);
}
Settings numbering_of_blocks(Arch arch) {
  return Settings(arch)
      .add("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode"_config)
      .add_thread("DEST_TARGET_REG_CFG_MATH_Offset"_thread_config);
}

struct MatrixSettings {
  Settings where_in_dst;
  Settings arrangement_of_dst;
  Settings of_arithmetic;
  Settings of_moves;
  std::array<Settings, 2> format_of_src;
  Settings denormals_of_src;
  Settings width_of_cleared_row;
  Settings numbering_of_blocks;
};

const MatrixSettings& settings_of(Arch arch) {
  static const std::array by_arch = for_each_arch([](Arch each) {
    return MatrixSettings{where_in_dst(each),
                          arrangement_of_dst(each),
                          of_arithmetic(each),
                          of_moves(each),
                          {format_of_src_a(each), format_of_src_b(each)},
                          denormals_of_src(each),
                          width_of_cleared_row(each),
                          numbering_of_blocks(each)};
  });
  return by_arch[static_cast<std::size_t>(arch)];
}

// ---- what is read and written ----

/// The state, the instruction and what has been found so far.
struct Finder {
  const Coprocessor& coprocessor;
  const Candidate& candidate;
  Footprint& footprint;
  const MatrixSettings& settings = settings_of(coprocessor.arch);
  const unsigned bank = config_bank_of(coprocessor.config, coprocessor.arch, candidate.thread);

  Word word() const { return candidate.entry.word; }
  unsigned thread() const { return candidate.thread; }
  bool has(const isa::Field& field) const { return field.get(word()) != 0; }
  unsigned bank_of(Src which) const { return coprocessor.src.matrix_bank[static_cast<std::size_t>(which)]; }
  void reads(const Settings& which) { footprint.reads(which, bank, thread()); }

  /// Rows of the bank that the Matrix Unit is on; those beyond its end are its first ones.
  void src(Src which, const RowRange& rows, bool write) {
    const Resource resource = which == Src::a ? Resource::src_a : Resource::src_b;
    const unsigned before_end = std::min<unsigned>(rows.count, src_rows - rows.first % src_rows);
    footprint.add(resource, bank_of(which), rows.first % src_rows, before_end, write);
    footprint.add(resource, bank_of(which), 0, rows.count - before_end, write);
  }
  void counts_src(Src which) { footprint.reads(Resource::rwc, thread(), which == Src::a ? rwc_src_a : rwc_src_b); }
  void reads_src(Src which, const RowRange& rows) {
    counts_src(which);
    src(which, rows, false);
  }
  void writes_src(Src which, const RowRange& rows) {
    counts_src(which);
    src(which, rows, true);
  }

  /// Held at the gate until the Matrix Unit owns its bank.
  void waits_for(Src which) { footprint.reads(Resource::src_ownership, static_cast<unsigned>(which), bank_of(which)); }

  /// Rows of Dst's bits.
  void dst_bits(const RowRange& rows, bool wide, bool read, bool write) {
    const DstAddressing addressing =
        DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves);
    RowSet used;
    for (unsigned i = 0; i < rows.count; ++i)
      used.add(addressing, rows.row(i), wide);
    used.for_each_run([&](unsigned first, unsigned count) {
      if (read) footprint.reads(Resource::dst, 0, first, count);
      if (write) footprint.writes(Resource::dst, 0, first, count);
    });
  }
  /// The same, and what the place depends on.
  void dst(const RowRange& rows, bool wide, bool read, bool write) {
    footprint.reads(Resource::rwc, thread(), rwc_dst);
    reads(settings.where_in_dst);
    reads(settings.arrangement_of_dst);
    dst_bits(rows, wide, read, write);
  }

  /// What the operands are, if neither comes with the data nor is forced.
  void format(Src which, Src implied_by) {
    const auto file = static_cast<unsigned>(which);
    if (has_implied_formats(coprocessor.arch)) {
      const ConfigField& disable = which == Src::a ? "DISABLE_IMPLIED_SRCA_FMT_Base"_thread_config
                                                   : "DISABLE_IMPLIED_SRCB_FMT_Base"_thread_config;
      add_thread_field(footprint, coprocessor.arch, thread(), disable);
      if (thread_field(coprocessor.config, coprocessor.arch, thread(), disable) == 0)
        return footprint.reads(Resource::src_format, static_cast<unsigned>(implied_by), bank_of(implied_by));
    }
    reads(settings.format_of_src[file]);
  }
  bool get(const ConfigField& field) const {
    return ConfigView(coprocessor.config, coprocessor.arch, thread()).get(field) != 0;
  }
  bool forces_fp16() const {
    return thread_field(coprocessor.config, coprocessor.arch, thread(), "FP16A_FORCE_Enable"_thread_config) != 0;
  }
  bool is_int8() const { return get("ALU_ACC_CTRL_INT8_math_enabled"_config); }
  /// Dst is 32 bits wide to arithmetic and to what moves out of it.
  bool wide() const { return !forces_fp16() && (get("ALU_ACC_CTRL_Fp32_enabled"_config) || is_int8()); }

  void gives_back() {
    for (unsigned file = 0; file < 2; ++file)
      if (matrix_words::flips(word(), static_cast<Src>(file)))
        footprint.writes(Resource::src_ownership, file, coprocessor.src.matrix_bank[file]);
  }
  /// Banks given back, which the configuration may forbid.
  void flips() {
    if ((word() & matrix_words::flip_bits) == 0) return;
    gives_back();
    add_thread_field(footprint, coprocessor.arch, thread(), "CLR_DVALID_SrcA_Disable"_thread_config);
    constexpr const ConfigField& a = "CLR_DVALID_SrcA_Disable"_thread_config;
    constexpr const ConfigField& b = "CLR_DVALID_SrcB_Disable"_thread_config;
    static_assert(a.wormhole.word == b.wormhole.word && a.blackhole.word == b.blackhole.word, "one word says both");
  }
  /// Rows that a later SHIFTXA may take.
  void sets_src_a_row() { footprint.writes(Resource::matrix, 0, matrix_src_a_row); }
};

void arithmetic(Finder& find, bool reads_dst) {
  const MatrixOperands operands = matrix_operands(find.coprocessor, find.candidate);
  find.waits_for(Src::a);
  find.waits_for(Src::b);
  find.reads(find.settings.of_arithmetic);
  find.src(Src::a, operands.src_a, false);
  find.src(Src::b, operands.src_b, false);
  if (!find.forces_fp16() && !find.is_int8()) {
    find.format(Src::a, Src::a);
    find.format(Src::b, Src::b);
  }
  if (find.get("ALU_ROUNDING_MODE_Fpu_srnd_en"_config)) find.footprint.updates(Resource::matrix, 0, matrix_random);
  find.dst_bits(operands.dst, find.wide(), reads_dst, true);
  find.sets_src_a_row();
  find.flips();
}

void zeroacc(Finder& find) {
  const Zeroacc fields = Zeroacc::of(find.coprocessor.arch, find.word());
  const ZeroaccRows rows = zeroacc_rows(find.coprocessor, find.candidate, fields);
  switch (fields.mode) {
    case Zeroacc::Mode::one_row:
      find.reads(find.settings.width_of_cleared_row);
      return find.dst(RowRange{static_cast<std::uint16_t>(rows.first), 1}, rows.wide, false, true);
    case Zeroacc::Mode::sixteen_rows:
      find.reads(find.settings.arrangement_of_dst);
      if (numbers_blocks_in_half(find.coprocessor.arch)) {
        find.footprint.reads(Resource::rwc, find.thread(), rwc_dst);
        find.reads(find.settings.numbering_of_blocks);
      }
      return find.dst_bits(RowRange{static_cast<std::uint16_t>(rows.first), static_cast<std::uint8_t>(rows.count)},
                           rows.wide, false, true);
    default: find.footprint.writes(Resource::dst, 0, rows.first, rows.count);
  }
}

void zerosrc(Finder& find) {
  const auto banks = zerosrc_banks(find.coprocessor, find.word());
  for (unsigned file = 0; file < 2; ++file)
    for (unsigned bank = 0; bank < 2; ++bank)
      if (banks[file][bank]) find.footprint.writes(file == 0 ? Resource::src_a : Resource::src_b, bank, 0, src_rows);
}

/// BLOCK_DEST_MOV of LaneConfig keeps columns from being moved; then the rest of the row stays.
void blocked_columns(Finder& find) {
  find.footprint.reads(Resource::lane_flags, 0, lane_config);
}

/// MOVA2D, MOVB2D: TF32 and the low half go to 32 bits; the low half keeps the upper one.
void move_to_dst(Finder& find, Src from, const RowRange& src, const RowRange& dst) {
  const bool low_half = find.has(field_of("MOVA2D", "", "UseDst32bLo"));
  const bool tf32 = move_formats(find.coprocessor, find.candidate, from).is_tf32;
  find.reads(find.settings.of_moves);
  find.format(Src::a, from);
  find.reads_src(from, src);
  blocked_columns(find);
  find.dst(dst, tf32 || low_half, low_half && !tf32, true);
}

void move_from_dst(Finder& find, Src to, const RowRange& src, const RowRange& dst) {
  find.reads(find.settings.of_moves);
  find.format(Src::a, to);
  blocked_columns(find);
  find.dst(dst, find.wide(), true, false);
  find.writes_src(to, src);
}

void move(Finder& find) {
  const MatrixOperands operands = matrix_operands(find.coprocessor, find.candidate);
  switch (isa::opcode_of(find.word())) {
    case "MOVA2D"_op:
      find.waits_for(Src::a);
      find.sets_src_a_row();
      [[fallthrough]];
    case "MOVDBGA2D"_op: return move_to_dst(find, Src::a, operands.src_a, operands.dst);
    case "MOVB2D"_op:
      find.waits_for(Src::b);
      find.counts_src(Src::a);
      find.sets_src_a_row();
      [[fallthrough]];
    case "MOVDBGB2D"_op: return move_to_dst(find, Src::b, operands.src_b, operands.dst);
    case "MOVD2A"_op: find.sets_src_a_row(); return move_from_dst(find, Src::a, operands.src_a, operands.dst);
    case "MOVD2B"_op:
      find.counts_src(Src::a);
      find.sets_src_a_row();
      return move_from_dst(find, Src::b, operands.src_b, operands.dst);
    default:  // MOVB2A: of its two banks it waits for SrcB's alone
      find.waits_for(Src::b);
      find.sets_src_a_row();
      find.reads(find.settings.denormals_of_src);
      blocked_columns(find);
      find.reads_src(Src::b, operands.src_b);
      find.writes_src(Src::a, operands.src_a);
  }
}

/// Moves within a file of Src.
void rearrange(Finder& find) {
  const MatrixOperands operands = matrix_operands(find.coprocessor, find.candidate);
  if (isa::opcode_of(find.word()) == "SHIFTXA"_op) {
    find.waits_for(Src::a);
    find.footprint.reads(Resource::matrix, 0, matrix_src_a_row);
    find.src(Src::a, operands.src_a, false);
    find.src(Src::a, {0, operands.src_a.count}, true);
    return;
  }
  find.waits_for(Src::b);
  if (isa::opcode_of(find.word()) == "SHIFTXB"_op) find.counts_src(Src::b);
  find.src(Src::b, operands.src_b, false);
  find.src(Src::b, operands.src_b, true);
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
    case "CLREXPHIST"_op:
      for (unsigned packer = 0; packer < Packers::count; ++packer)
        find.footprint.writes(Resource::packer, packer, packer_exponents);
      break;
    case "GATESRCRST"_op: break;  // a cache that is not modelled
    default: arithmetic(find, true);
  }
}

}  // namespace

void units::matrix_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  Finder find{coprocessor, candidate, footprint};
  add_operands(find);
  if (const auto index = matrix_addr_mod(coprocessor.arch, candidate.entry.word))
    add_addr_mod(footprint, coprocessor, candidate.thread, *index, true);
}

}  // namespace tensim::tensix
