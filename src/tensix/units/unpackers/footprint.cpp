#include "tensix/footprint.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/unpackers/broadcast.hpp"
#include "tensix/units/unpackers/nop.hpp"
#include "tensix/units/unpackers/settings.hpp"
#include "tensix/units/unpackers/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
namespace fields = unpacker_fields;

constexpr Resource file_of(unsigned unpacker) {
  return unpacker == 0 ? Resource::src_a : Resource::src_b;
}

// ---- configuration ----

/// None of these is among the words that both banks share.
void add_word(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, const ConfigField& field,
              unsigned count = 1) {
  const auto word = static_cast<unsigned>(field.on(coprocessor.arch).word);
  footprint.reads(Resource::config, config_bank_of(coprocessor.config, coprocessor.arch, thread), word, count);
}

void add_thread_word(Footprint& footprint, Arch arch, unsigned thread, const ConfigField& field) {
  footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(field.on(arch).word));
}

/// The unpacker's section, from its tile descriptor to the next section's, and its words among the units'.
void add_settings(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned unpacker) {
  const Arch arch = coprocessor.arch;
  const auto words = static_cast<unsigned>(fields::section_words(arch));
  add_word(footprint, coprocessor, thread,
           unpacker == 0 ? "THCON_SEC0_REG0_TileDescriptor"_config : "THCON_SEC1_REG0_TileDescriptor"_config, words);
  add_word(footprint, coprocessor, thread, *fields::y_stride[unpacker], 2);
  add_word(footprint, coprocessor, thread, *fields::out_base[unpacker]);
  add_word(footprint, coprocessor, thread, *fields::forced_exponent[unpacker]);
  if (unpacker == 0) add_word(footprint, coprocessor, thread, "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"_config, 2);
  add_word(footprint, coprocessor, thread, *fields::is_unsigned[unpacker]);
  add_thread_field(footprint, arch, thread, "CFG_STATE_ID_StateID"_thread_config);
  add_thread_word(footprint, arch, thread, *fields::context_offset[unpacker]);
  add_thread_word(footprint, arch, thread, *fields::src_base[unpacker]);
}

// ---- rows ----

using Rows = std::bitset<Dst::rows>;

/// A footprint has room for so many stretches of rows beside the rest; more become one that covers them.
constexpr unsigned most_stretches = 12;

void add_rows(Footprint& footprint, Resource resource, unsigned owner, const Rows& rows) {
  FixedList<std::pair<unsigned, unsigned>, most_stretches> stretches;
  unsigned first = 0;
  unsigned end = 0;
  const auto next_from = [&](unsigned from) {
    first = from;
    while (first < rows.size() && !rows[first])
      ++first;
    end = first;
    while (end < rows.size() && rows[end])
      ++end;
    return end != first;
  };
  while (stretches.size() < most_stretches && next_from(end))
    (void)stretches.push_back({first, end});  // the condition has seen to the room
  if (next_from(end)) {
    unsigned last = end;
    while (next_from(end))
      last = end;
    footprint.writes(resource, owner, stretches[0].first, last - stretches[0].first);
    return;
  }
  for (const auto& [from, to] : stretches)
    footprint.writes(resource, owner, from, to - from);
}

void mark(Rows& rows, const UnpackTransfer& transfer, unsigned row) {
  if (transfer.target != UnpackTarget::dst) {
    rows.set(row);
  } else if (!transfer.is_32b) {
    rows.set(transfer.addressing.row16(row));
  } else {
    rows.set(transfer.addressing.row32(row));
    rows.set(transfer.addressing.row32(row) + Dst::low_half);
  }
}

/// Rows that the transfer writes. How many datums compressed data has shows when it is read: all rows, then.
Rows written_rows(const UnpackTransfer& transfer) {
  Rows rows;
  if (!transfer.moves) return rows;
  const std::uint64_t positions = transfer.is_compressed
                                      ? std::uint64_t{Dst::rows} * Dst::columns
                                      : std::uint64_t{transfer.datums} * (1U + transfer.upsample_zeros);
  if (positions == 0) return rows;
  const std::uint64_t first = transfer.out_address / Dst::columns;
  const std::uint64_t last = (transfer.out_address + positions - 1) / Dst::columns;
  // More than all of them, and the header rows, say nothing new.
  const std::uint64_t end = std::min<std::uint64_t>(last + 1, first + Dst::rows + SrcRegisters::rows);
  for (std::uint64_t row = first; row < end; ++row)
    if (const unsigned to = target_row(transfer, static_cast<unsigned>(row)); to != no_row) mark(rows, transfer, to);
  if (!transfer.transposes || transfer.target != UnpackTarget::src_a) return rows;
  // Columns become rows, within blocks of 16.
  Rows transposed;
  for (unsigned row = 0; row < SrcRegisters::rows; ++row)
    if (rows[row])
      for (unsigned column = 0; column < SrcRegisters::columns; ++column)
        transposed.set((row & ~15U) | column);
  return transposed;
}

// ---- instructions ----

void add_counters(Footprint& footprint, unsigned thread, unsigned adc, const UnpackInstruction& instruction) {
  constexpr unsigned y = 1;
  constexpr unsigned z = 2;
  for (unsigned context = 0; context < thread_count; ++context) {
    if (context != thread && context != adc) continue;
    footprint.reads(Resource::adc, context, adc_counter(instruction.unpacker, 0, 0), 8);
    for (unsigned channel = 0; channel < 2; ++channel) {
      if (instruction.y_increment[channel] != 0)
        footprint.writes(Resource::adc, context, adc_counter(instruction.unpacker, channel, y));
      if (instruction.z_increment[channel] != 0)
        footprint.writes(Resource::adc, context, adc_counter(instruction.unpacker, channel, z));
    }
  }
}

void regular(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const auto instruction = UnpackInstruction::of(candidate.entry.word);
  const unsigned unpacker = instruction.unpacker;
  const unsigned bank = coprocessor.src.unpack_bank[unpacker];
  UnpackIssues issues;
  const UnpackTransfer transfer = plan_unpack(coprocessor, candidate.thread, candidate.entry.word, issues);
  add_settings(footprint, coprocessor, candidate.thread, unpacker);
  footprint.reads(Resource::src_ownership, unpacker, bank);
  if (instruction.flips_src) footprint.writes(Resource::src_ownership, unpacker, bank);
  const bool reads = transfer.moves && (transfer.is_compressed || !transfer.writes_zeros) && transfer.datums != 0;
  if (reads) footprint.reads(Resource::l1, 0, 0, whole_l1);
  if (asks_for_broadcast(coprocessor.arch, candidate.entry.word) && can_broadcast(transfer))
    footprint.writes(Resource::src_b, bank, first_row(transfer), broadcast_rows);
  else if (transfer.target == UnpackTarget::dst)
    add_rows(footprint, Resource::dst, 0, written_rows(transfer));
  else
    add_rows(footprint, file_of(unpacker), bank, written_rows(transfer));
  const UnpackContext context = unpack_context(coprocessor, candidate.thread, instruction, issues);
  add_counters(footprint, candidate.thread, context.adc, instruction);
}

void nop(Footprint& footprint, const Coprocessor& coprocessor, Word word) {
  const unsigned unpacker = units::unpacker_of(word);
  const unsigned bank = coprocessor.src.unpack_bank[unpacker];
  const UnpackNop nop = UnpackNop::of(coprocessor.arch, word);
  if (nop.clears) {
    footprint.reads(Resource::src_ownership, unpacker,
                    nop.waits_like_unpacr ? bank : coprocessor.src.matrix_bank[unpacker]);
    for (unsigned each = 0; each < 2; ++each)
      if (nop.clears_both || each == bank) footprint.writes(file_of(unpacker), each, 0, src_rows);
  }
  if (nop.sets_dvalid) footprint.writes(Resource::src_ownership, unpacker, bank);
}

}  // namespace

/// The forms that flush or count have their effect in the unpacker alone.
Footprint units::unpacker_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  if (isa::opcode_of(word) == "UNPACR_NOP"_op)
    nop(footprint, coprocessor, word);
  else if (is_unpacr_transfer(word))
    regular(footprint, coprocessor, candidate);
  return footprint;
}

}  // namespace tensim::tensix
