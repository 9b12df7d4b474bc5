#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace config_fields_literals;

/// The state, the instruction and what has been found so far.
struct Finder {
  const Coprocessor& coprocessor;
  const Candidate& candidate;
  Footprint footprint;

  Word word() const { return candidate.entry.word; }
  unsigned thread() const { return candidate.thread; }
  bool bit(unsigned position) const { return (word() >> position & 1U) != 0; }
  const Rwc& rwc() const { return coprocessor.rwcs.thread[candidate.thread]; }

  /// `count` rows, aligned to it, around counter plus `offset` of the bank the Matrix Unit is on.
  void src(Src which, unsigned offset, unsigned count, bool read, bool write) {
    const auto file = static_cast<unsigned>(which);
    const unsigned counter = which == Src::a ? rwc().src_a.value : rwc().src_b.value;
    const unsigned row = (counter + offset) % src_rows / count * count;
    const Resource resource = which == Src::a ? Resource::src_a : Resource::src_b;
    footprint.reads(Resource::rwc, thread(), which == Src::a ? rwc_src_a : rwc_src_b);
    if (read) footprint.reads(resource, coprocessor.src.matrix_bank[file], row, count);
    if (write) footprint.writes(resource, coprocessor.src.matrix_bank[file], row, count);
  }
  void reads_src(Src which, unsigned offset, unsigned count) { src(which, offset, count, true, false); }
  void writes_src(Src which, unsigned offset, unsigned count) { src(which, offset, count, false, true); }

  /// Held at the gate until the Matrix Unit owns its bank.
  void waits_for(Src which) {
    const auto file = static_cast<unsigned>(which);
    footprint.reads(Resource::src_ownership, file, coprocessor.src.matrix_bank[file]);
  }

  /// `count` rows of Dst, aligned to it.
  void dst(unsigned count, bool read, bool write) {
    footprint.reads(Resource::rwc, thread(), rwc_dst);
    add_thread_field(footprint, coprocessor.arch, thread(), "DEST_TARGET_REG_CFG_MATH_Offset"_thread_field);
    const unsigned row = units::matrix_dst_row(coprocessor, candidate) / count * count;
    if (read) footprint.reads(Resource::dst, 0, row, count);
    if (write) footprint.writes(Resource::dst, 0, row, count);
  }

  /// Banks given back, by bits 22 and 23.
  void flips() {
    for (unsigned file = 0; file < 2; ++file)
      if (bit(22 + file)) footprint.writes(Resource::src_ownership, file, coprocessor.src.matrix_bank[file]);
    if (bit(22) || bit(23))
      add_thread_field(footprint, coprocessor.arch, thread(), "CLR_DVALID_SrcA_Disable"_thread_field);
  }
};

/// Rows of SrcA, SrcB and Dst. What the legacy convolutions and poolings use is not documented: blocks as MVMUL's.
void arithmetic(Finder& find, unsigned a_rows, unsigned b_rows, unsigned dst_count, bool reads_dst) {
  find.waits_for(Src::a);
  find.waits_for(Src::b);
  find.reads_src(Src::a, 0, a_rows);
  find.reads_src(Src::b, 0, b_rows);
  find.footprint.reads(Resource::rwc, find.thread(), rwc_fidelity);
  find.dst(dst_count, reads_dst, true);
  find.flips();
}

void zeroacc(Finder& find) {
  const bool wide = find.bit(find.coprocessor.arch == Arch::wormhole ? 21 : 18);
  const Word word = find.word();
  switch (word >> 19U & 3U) {
    case 0: find.dst(1, false, true); break;
    case 1:
      if (wide)  // rows of 32 bits lie apart
        find.footprint.writes(Resource::dst, 0, 0, dst_rows);
      else
        find.footprint.writes(Resource::dst, 0, (word & 0x3FU) * 16, 16);
      break;
    case 2:
      if (wide)
        find.footprint.writes(Resource::dst, 0, 0, dst_rows);
      else
        find.footprint.writes(Resource::dst, 0, (word & 1U) * (dst_rows / 2), dst_rows / 2);
      break;
    default: find.footprint.writes(Resource::dst, 0, 0, dst_rows);
  }
}

void zerosrc(Finder& find) {
  const SrcBanks& src = find.coprocessor.src;
  for (unsigned file = 0; file < 2; ++file) {
    if (!find.bit(file)) continue;
    const bool both = find.bit(2);
    const unsigned bank = find.bit(3) ? src.matrix_bank[file] : src.unpack_bank[file];
    for (unsigned each = 0; each < 2; ++each)
      if (both || each == bank) find.footprint.writes(file == 0 ? Resource::src_a : Resource::src_b, each, 0, src_rows);
  }
}

void move(Finder& find) {
  const Word word = find.word();
  const bool wormhole = find.coprocessor.arch == Arch::wormhole;
  const unsigned src_row = word >> 17U & 0x3FU;
  switch (isa::opcode_of(word)) {
    case "MOVA2D"_op: find.waits_for(Src::a); [[fallthrough]];
    case "MOVDBGA2D"_op: {
      const unsigned rows = find.bit(13) ? 8 : 1;
      find.reads_src(Src::a, src_row, rows);
      find.dst(rows, false, true);
      break;
    }
    case "MOVB2D"_op: {
      find.waits_for(Src::b);
      const bool four = find.bit(wormhole ? 14 : 13);
      const bool spread = find.bit(wormhole ? 13 : 12);
      find.reads_src(Src::b, src_row, four && !spread ? 4 : 1);
      find.dst(spread ? 8 : four ? 4 : 1, false, true);
      break;
    }
    case "MOVD2A"_op:
    case "MOVD2B"_op: {
      const unsigned rows = find.bit(13) ? 4 : 1;
      find.dst(rows, true, false);
      find.writes_src(isa::opcode_of(word) == "MOVD2A"_op ? Src::a : Src::b, src_row, rows);
      break;
    }
    default: {  // MOVB2A
      const unsigned rows = find.bit(13) ? 4 : 1;
      find.reads_src(Src::b, word & 0x3FU, rows);
      find.writes_src(Src::a, src_row, rows);
    }
  }
}

void setrwc_counters(Finder& find) {
  const auto set = [&](bool really, bool relative, RwcCounter counter) {
    if (!really) return;
    if (relative) find.footprint.reads(Resource::rwc, find.thread(), counter);
    find.footprint.writes(Resource::rwc, find.thread(), counter);
  };
  set(find.bit(0), find.bit(18), rwc_src_a);
  set(find.bit(1), find.bit(19), rwc_src_b);
  set(find.bit(2) || find.bit(21), find.bit(20) || find.bit(21), rwc_dst);
  set(find.bit(3), false, rwc_fidelity);
}

void cleardvalid(Finder& find) {
  if (find.bit(0)) {
    for (unsigned file = 0; file < 2; ++file)
      find.footprint.writes(Resource::src_ownership, file, 0, 2);
    return;
  }
  for (unsigned file = 0; file < 2; ++file)
    if (find.bit(22 + file))
      find.footprint.writes(Resource::src_ownership, file, find.coprocessor.src.matrix_bank[file]);
}

void add_operands(Finder& find) {
  switch (isa::opcode_of(find.word())) {
    case "MVMUL"_op: arithmetic(find, 16, find.bit(19) ? 1 : 8, 8, true); break;
    case "ELWMUL"_op: arithmetic(find, 8, find.bit(20) ? 1 : 8, 8, true); break;
    case "ELWADD"_op:
    case "ELWSUB"_op: arithmetic(find, 8, find.bit(20) ? 1 : 8, 8, find.bit(21)); break;
    case "GAPOOL"_op: arithmetic(find, 16, 4, 4, true); break;
    case "MOVA2D"_op:
    case "MOVDBGA2D"_op:
    case "MOVB2D"_op:
    case "MOVD2A"_op:
    case "MOVD2B"_op:
    case "MOVB2A"_op: move(find); break;
    case "TRNSPSRCB"_op:
      find.waits_for(Src::b);
      find.footprint.updates(Resource::src_b, find.coprocessor.src.matrix_bank[1], 16, 16);
      break;
    case "SHIFTXA"_op:
      find.waits_for(Src::a);
      find.src(Src::a, 0, 16, true, true);
      break;
    case "SHIFTXB"_op:
      find.waits_for(Src::b);
      find.src(Src::b, find.word() & 0x3FU, 1, true, true);
      break;
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
    default: arithmetic(find, 16, 8, 8, true);
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
