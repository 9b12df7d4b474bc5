// At the gate all but the rows of Src: which bank they are in shows when the instruction is done, since one before it in
// the pipe may hand a bank over. Then event::BankFilled has them.
#include "tensix/footprint.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/row_set.hpp"
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

// ---- configuration: the fields that the plan reads (plan.cpp, speed.cpp) ----

/// Of the unpacker's section, whatever the context.
constexpr std::array section_fields{
    &"THCON_SEC0_REG10_Unpack_limit_address_en"_config,
    &"THCON_SEC0_REG8_unpack_tile_offset"_config,
    &"THCON_SEC0_REG2_Haloize_mode"_config,
    &"THCON_SEC0_REG2_Out_data_format"_config,
    &"THCON_SEC0_REG1_Unp_LF8_4b_exp"_config,
    &"THCON_SEC0_REG2_Force_shared_exp"_config,
    &"THCON_SEC0_REG2_Unpack_limit_address"_config,
    &"THCON_SEC0_REG2_Unpack_fifo_size"_config,
    &"THCON_SEC0_REG2_Tileize_mode"_config,
    &"THCON_SEC0_REG2_Upsample_rate"_config,
    &"THCON_SEC0_REG2_Upsample_and_interleave"_config,
    &"THCON_SEC0_REG2_Throttle_mode"_config,
    &"THCON_SEC0_REG1_ovrd_default_throttle_mode"_config,
    &"THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd"_config,
};
constexpr std::array pairs{
    &fields::out_base, &fields::y_stride,        &fields::z_stride,
    &fields::w_stride, &fields::forced_exponent, &fields::is_unsigned,
};
/// Bits of the tile descriptor's words (read_descriptor() in plan.cpp).
constexpr std::array<std::uint32_t, 4> descriptor_bits{0xFFFF073F, 0x00FF00FF, 0xFFFF00FF, 0xFF00FFFF};

constexpr unsigned contexts = 8;

struct SettingsMaker {
  Settings settings;
  std::size_t section;
  unsigned unpacker;

  SettingsMaker(Arch arch, unsigned which)
      : settings(arch), section(which == 0 ? 0 : fields::section_words(arch)), unpacker(which) {}

  void of_section(const ConfigField& field) { settings.add(field, section); }
  template <std::size_t Contexts>
  void of_section(const fields::PerContext<Contexts>& field, unsigned context) {
    of_section(*field[context % Contexts]);
  }

  void always() {
    for (const ConfigField* field : section_fields)
      of_section(*field);
    for (const fields::Pair* pair : pairs)
      settings.add(*(*pair)[unpacker]);
    for (unsigned word = 0; word < descriptor_bits.size(); ++word)
      settings.add_bits("THCON_SEC0_REG0_TileDescriptor"_config, descriptor_bits[word], section + word);
    for (unsigned context = 0; context < 3; ++context)
      of_section(fields::shift_amount, context);  // tilizing takes them for something else
    settings.add_thread(*fields::src_base[unpacker]);
    settings.add_thread("SRCA_SET_SetOvrdWithAddr"_thread_config);
  }
  void of_context(unsigned context) {
    of_section(fields::base, context);
    of_section(fields::offset, context);
    of_section(fields::shift_amount, context);
  }
  Settings without_contexts() {
    always();
    of_context(0);
    of_section("THCON_SEC0_REG2_Unpack_If_Sel"_config);
    return settings;
  }
  Settings with_context(unsigned context, bool reads_l1) {
    always();
    if (reads_l1)
      of_context(context);
    else
      of_section(fields::shift_amount, context);
    settings.add_thread(*fields::context_offset[unpacker]);
    of_section("THCON_SEC0_REG2_Context_count"_config);
    of_section("THCON_SEC0_REG2_Ovrd_data_format"_config);
    of_section(fields::is_uncompressed, context);
    of_section(fields::in_format, context);
    of_section(fields::out_format, context);
    if (unpacker != 0) return settings;
    of_section(fields::to_dst, context);
    of_section(fields::x_dim, context);
    of_section(fields::destination, context);
    settings.add(*fields::adds_destination[0]);
    settings.add((context & 2U) == 0 ? "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"_config
                                     : "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start"_config);
    return settings;
  }
};

struct UnpackSettings {
  Settings without_contexts;
  std::vector<Settings> with_context;
  std::vector<Settings> of_zeros;  // the same, of what writes zeros: from where it would have read does not matter
  Settings of_context_step;
  Settings of_nop;
};

UnpackSettings settings_of(Arch arch, unsigned unpacker) {
  UnpackSettings made{SettingsMaker(arch, unpacker).without_contexts(), {}, {}, Settings(arch), Settings(arch)};
  for (unsigned context = 0; context < contexts; ++context) {
    made.with_context.push_back(SettingsMaker(arch, unpacker).with_context(context, true));
    made.of_zeros.push_back(SettingsMaker(arch, unpacker).with_context(context, false));
  }
  const std::size_t section = unpacker == 0 ? 0 : fields::section_words(arch);
  made.of_context_step.add("THCON_SEC0_REG2_Context_count"_config, section);
  made.of_nop.add("THCON_SEC0_REG2_Out_data_format"_config, section);
  return made;
}

const UnpackSettings& unpack_settings_of(Arch arch, unsigned unpacker) {
  static const std::array by_arch =
      for_each_arch([](Arch each) { return std::array{settings_of(each, 0), settings_of(each, 1)}; });
  return by_arch[static_cast<std::size_t>(arch)][unpacker];
}

const Settings& dst_settings_of(Arch arch) {
  static const std::array by_arch = for_each_arch([](Arch each) {
    return Settings(each).add("DEST_ACCESS_CFG_remap_addrs"_config).add("DEST_ACCESS_CFG_swizzle_32b"_config);
  });
  return by_arch[static_cast<std::size_t>(arch)];
}

// ---- L1 ----

/// Stretches of L1 that follow each other are one. Positions are in parts of a byte.
class Stretches {
 public:
  Stretches(Footprint& footprint, const Coprocessor& coprocessor, std::int64_t parts)
      : footprint_(footprint), coprocessor_(coprocessor), parts_(parts) {}

  void add(std::int64_t at, std::int64_t size) {
    if (at == end_ && end_ != first_) {
      end_ += size;
      return;
    }
    finish();
    first_ = at;
    end_ = at + size;
  }
  void finish() {
    if (end_ == first_ || end_ <= 0) return;
    const std::int64_t from = std::max<std::int64_t>(first_, 0) / parts_;
    add_l1(footprint_, coprocessor_, from, (end_ + parts_ - 1) / parts_ - from, false);
    first_ = end_ = 0;
  }

 private:
  Footprint& footprint_;
  const Coprocessor& coprocessor_;
  std::int64_t parts_;
  std::int64_t first_ = 0;
  std::int64_t end_ = 0;
};

constexpr std::int64_t bits_of_byte = 8;
constexpr std::int64_t datums_of_exponent = 16;

bool never_wraps(const UnpackTransfer& transfer, std::int64_t end, std::int64_t unit) {
  return transfer.wrap_by == 0 || end <= transfer.wrap_above * unit;
}

void add_datums(Stretches& stretches, const UnpackTransfer& transfer) {
  const std::int64_t row_bits = std::int64_t{transfer.datum_bits} * transfer.row_datums;
  const std::int64_t all = std::int64_t{transfer.datum_bits} * transfer.datums;
  if (transfer.row_stride_bits == row_bits && never_wraps(transfer, transfer.datums_at + all, bits_of_byte))
    return stretches.add(transfer.datums_at, all);
  UnpackPosition at(transfer);
  while (at.count() < transfer.datums) {
    const auto row = std::min<std::uint32_t>(transfer.row_datums, transfer.datums - at.count());
    stretches.add(at.datums_at(), std::int64_t{transfer.datum_bits} * row);
    at.advance_datums(row);
  }
}

void add_exponents(Stretches& stretches, const UnpackTransfer& transfer) {
  if (never_wraps(transfer, transfer.exponents_at + transfer.datums, datums_of_exponent))
    return stretches.add(transfer.exponents_at, transfer.datums);
  UnpackPosition at(transfer);
  constexpr std::int64_t word = 256;
  for (std::uint32_t left = transfer.datums; left != 0;) {
    const std::int64_t in_word = word - ((at.exponents_at() % word) + word) % word;
    const auto taken = static_cast<std::uint32_t>(std::min<std::int64_t>(in_word, left));
    stretches.add(at.exponents_at(), taken);
    at.advance_exponents(taken);
    left -= taken;
  }
}

/// Each datum gives one output at least.
std::uint32_t most_compressed_datums(const UnpackTransfer& transfer) {
  const std::uint64_t outputs = std::uint64_t{transfer.drop} + transfer.most_outputs;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(transfer.datums, outputs));
}

void add_compressed(Stretches& datums, Stretches& exponents, Stretches& deltas, const UnpackTransfer& transfer) {
  constexpr unsigned delta_bits = 4;
  UnpackPosition at(transfer);
  for (std::uint32_t left = most_compressed_datums(transfer); left != 0; --left) {
    datums.add(at.datums_at(), transfer.datum_bits);
    if (transfer.reads_exponents) exponents.add(at.exponents_at(), 1);
    deltas.add(at.deltas_at(), delta_bits);
    at.advance_datums(1);
    at.advance_exponents(1);
    at.advance_delta();
  }
}

void add_fetched(Footprint& footprint, const Coprocessor& coprocessor, const UnpackTransfer& transfer) {
  add_l1(footprint, coprocessor, transfer.row_starts_at, transfer.row_start_bytes, false);
  if (!transfer.moves || transfer.writes_zeros || transfer.datums == 0 || transfer.most_outputs == 0) return;
  Stretches datums(footprint, coprocessor, bits_of_byte);
  Stretches exponents(footprint, coprocessor, datums_of_exponent);
  Stretches deltas(footprint, coprocessor, bits_of_byte);
  if (transfer.is_compressed) {
    add_compressed(datums, exponents, deltas, transfer);
  } else {
    add_datums(datums, transfer);
    if (transfer.reads_exponents) add_exponents(exponents, transfer);
  }
  datums.finish();
  exponents.finish();
  deltas.finish();
}

// ---- rows ----

/// Output rows of 16 datums that the transfer reaches. How many datums compressed data has shows when it is read: all
/// rows, then.
struct OutputRows {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
OutputRows output_rows(const UnpackTransfer& transfer) {
  if (!transfer.moves) return {};
  const std::uint64_t positions = transfer.is_compressed
                                      ? std::uint64_t{Dst::rows} * Dst::columns
                                      : std::uint64_t{transfer.datums} * (1U + transfer.upsample_zeros);
  if (positions == 0) return {};
  const std::uint64_t first = transfer.out_address / Dst::columns;
  const std::uint64_t last = (transfer.out_address + positions - 1) / Dst::columns;
  // More than all of them, and the header rows, say nothing new.
  return {first, std::min<std::uint64_t>(last + 1, first + Dst::rows + SrcRegisters::rows)};
}

RowSet written_rows(const UnpackTransfer& transfer) {
  RowSet rows;
  const OutputRows output = output_rows(transfer);
  // Columns become rows, within blocks of 16.
  const bool transposes = transfer.transposes && transfer.target == UnpackTarget::src_a;
  for (std::uint64_t row = output.first; row < output.end; ++row) {
    const unsigned to = target_row(transfer, static_cast<unsigned>(row));
    if (to == no_row) continue;
    if (transfer.target == UnpackTarget::dst) {
      rows.add(transfer.addressing, to, transfer.is_32b);
    } else if (!transposes) {
      rows.add(to);
    } else if (!rows.has(to & ~15U)) {
      for (unsigned column = 0; column < SrcRegisters::columns; ++column)
        rows.add((to & ~15U) | column);
    }
  }
  return rows;
}

void add_dst_rows(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread,
                  const UnpackTransfer& transfer) {
  footprint.reads(dst_settings_of(coprocessor.arch), config_bank_of(coprocessor.config, coprocessor.arch, thread),
                  thread);
  written_rows(transfer).for_each_run(
      [&](unsigned first, unsigned count) { footprint.writes(Resource::dst, 0, first, count); });
}

void add_src_rows(Footprint& footprint, const Coprocessor& coprocessor, unsigned unpacker, unsigned bank,
                  const Unpackers::Job& job) {
  const Resource file = file_of(unpacker);
  if (asks_for_broadcast(coprocessor.arch, job.entry.word) && can_broadcast(job.transfer))
    return footprint.writes(file, bank, first_row(job.transfer), broadcast_rows);
  written_rows(job.transfer).for_each_run([&](unsigned first, unsigned count) {
    footprint.writes(file, bank, first, count);
  });
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

/// The row at which the next transfer begins.
void add_next_row(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread,
                  const UnpackInstruction& instruction) {
  const UnpackerSettings settings(coprocessor.config, coprocessor.arch, thread, instruction.unpacker);
  footprint.reads(Resource::unpacker, instruction.unpacker, unpacker_row(thread));
  if (instruction.flips_src || settings.section("THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd"_config) != 0)
    footprint.writes(Resource::unpacker, instruction.unpacker, unpacker_row(thread));
}

void regular(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const auto instruction = UnpackInstruction::of(candidate.entry.word);
  const unsigned unpacker = instruction.unpacker;
  const unsigned thread = candidate.thread;
  UnpackIssues issues;
  const UnpackTransfer transfer = plan_unpack(coprocessor, thread, candidate.entry.word, issues);
  const UnpackContext context = unpack_context(coprocessor, thread, instruction, issues);
  const UnpackSettings& settings = unpack_settings_of(coprocessor.arch, unpacker);
  const bool is_of_zeros = instruction.writes_zeros && !transfer.is_compressed;
  const auto& with_context = is_of_zeros ? settings.of_zeros : settings.with_context;
  footprint.reads(instruction.multi_context ? with_context[context.number] : settings.without_contexts,
                  config_bank_of(coprocessor.config, coprocessor.arch, thread), thread);
  if (instruction.multi_context && instruction.uses_context_counter)
    footprint.updates(Resource::unpacker, unpacker, unpacker_context(thread));
  const unsigned bank = coprocessor.src.unpack_bank[unpacker];
  footprint.reads(Resource::src_ownership, unpacker, bank);
  if (instruction.flips_src) footprint.writes(Resource::src_ownership, unpacker, bank);
  add_fetched(footprint, coprocessor, transfer);
  if (transfer.target == UnpackTarget::dst) add_dst_rows(footprint, coprocessor, thread, transfer);
  add_counters(footprint, thread, context.adc, instruction);
  add_next_row(footprint, coprocessor, thread, instruction);
}

void context_step(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const unsigned unpacker = units::unpacker_of(candidate.entry.word);
  footprint.reads(unpack_settings_of(coprocessor.arch, unpacker).of_context_step,
                  config_bank_of(coprocessor.config, coprocessor.arch, candidate.thread), candidate.thread);
  footprint.updates(Resource::unpacker, unpacker, unpacker_context(candidate.thread));
}

void nop(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned unpacker = units::unpacker_of(word);
  const unsigned bank = coprocessor.src.unpack_bank[unpacker];
  const UnpackNop nop = UnpackNop::of(coprocessor.arch, word);
  if (nop.clears)
    footprint.reads(Resource::src_ownership, unpacker,
                    nop.waits_like_unpacr ? bank : coprocessor.src.matrix_bank[unpacker]);
  if (nop.sets_dvalid) {
    footprint.reads(unpack_settings_of(coprocessor.arch, unpacker).of_nop,
                    config_bank_of(coprocessor.config, coprocessor.arch, candidate.thread), candidate.thread);
    add_thread_field(footprint, coprocessor.arch, candidate.thread, *fields::src_base[unpacker]);
    footprint.writes(Resource::src_ownership, unpacker, bank);
    footprint.writes(Resource::unpacker, unpacker, unpacker_row(candidate.thread));
  }
  if (!nop.writes_register) return;
  footprint.reads(Resource::tdma, 0, tdma_clk_gate_en);
  if (UnpackRegisterWrite{word, coprocessor.arch}.accumulates())
    footprint.updates(Resource::unpacker, unpacker, unpacker_sum);
}

/// Until the bank that it writes has come back. UNPACR_NOP does so if it clears. It may look at the bank that the Matrix Unit is
/// on instead of its own: banks go round, so when that one is back, its own is, too.
bool waits_for_bank(Arch arch, Word word) {
  return isa::opcode_of(word) != "UNPACR_NOP"_op || UnpackNop::of(arch, word).clears;
}

}  // namespace

void units::unpacker_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  const Word word = candidate.entry.word;
  if (isa::opcode_of(word) == "UNPACR_NOP"_op)
    nop(footprint, coprocessor, candidate);
  else if (is_unpacr_transfer(word))
    regular(footprint, coprocessor, candidate);
  else if (is_unpacr_context_step(word))
    context_step(footprint, coprocessor, candidate);
}

void units::note_bank_filled(const Coprocessor& coprocessor, const Record& record) {
  const unsigned unpacker = record.destination;
  const Unpackers::Job& job = coprocessor.unpackers.pipes[unpacker].job[0];
  const bool writes_rows = job.work == Unpackers::Work::transfer && job.transfer.target != UnpackTarget::dst;
  const bool clears = job.work == Unpackers::Work::clear;
  if (!writes_rows && !clears && !job.hands_over) return;
  const std::uint8_t bank = coprocessor.src.unpack_bank[unpacker];
  if (coprocessor.orders_are_noted()) {
    Footprint footprint(coprocessor.journal->accesses());
    for (unsigned each = 0; each < 2; ++each)
      if (clears && (job.clears_both || each == bank)) footprint.writes(file_of(unpacker), each, 0, src_rows);
    if (writes_rows && coprocessor.memory.is_attached()) add_src_rows(footprint, coprocessor, unpacker, bank, job);
    // Without L1 nothing is planned: it would have been some of them.
    if (writes_rows && !coprocessor.memory.is_attached()) footprint.writes(file_of(unpacker), bank, 0, src_rows);
    if (job.hands_over) footprint.writes(Resource::src_format, unpacker, bank);
  }
  coprocessor.journal->add_with_accesses(time::key(record.last, time::Phase::step, time::coprocessor_agent),
                                         event::BankFilled{.unpacker = static_cast<std::uint8_t>(unpacker),
                                                           .thread = record.thread,
                                                           .bank = bank,
                                                           .hands_over = job.hands_over,
                                                           .waited = waits_for_bank(coprocessor.arch, record.word),
                                                           .accepted = record.accepted});
}

void units::note_register_write(const Coprocessor& coprocessor, unsigned unpacker, std::uint32_t address) {
  const Unpackers::Job& job = coprocessor.unpackers.pipes[unpacker].job[0];
  Footprint footprint(coprocessor.journal->accesses());
  add_tile_register(footprint, coprocessor, address, true);
  coprocessor.journal->add_with_accesses(coprocessor.key_of_now(),
                                         event::Touched{.by = event::Touched::By::unpacker,
                                                        .thread = static_cast<std::uint8_t>(job.thread),
                                                        .unit = static_cast<std::uint8_t>(unpacker),
                                                        .accepted = coprocessor.in_flight[job.record].accepted});
}

}  // namespace tensim::tensix
