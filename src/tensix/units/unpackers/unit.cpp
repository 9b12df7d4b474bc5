#include "tensix/units/unpackers/unit.hpp"

#include <algorithm>
#include <optional>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/unpackers/broadcast.hpp"
#include "tensix/units/unpackers/nop.hpp"
#include "tensix/units/unpackers/settings.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  const Unpackers& unpackers = coprocessor.unpackers;
  if (coprocessor.now < unpackers.address_phase_until) return {Stall::unit_busy, unpackers.address_phase_until};
  if (unpackers.pipes[units::unpacker_of(candidate.entry.word)].jobs == 2) return {Stall::unit_busy};
  return passes;
}

/// Puts an instruction behind what the unpacker has; from `data_from` on it can begin.
void start_job(Coprocessor& coprocessor, const Candidate& candidate, Unpackers::Job& job) {
  const unsigned unpacker = units::unpacker_of(candidate.entry.word);
  Record record;
  record.where = unpacker == 0 ? Occupancy::unpacker0 : Occupancy::unpacker1;
  record.effect = Effect::unpack_done;
  record.destination = static_cast<std::uint16_t>(unpacker);
  job.record = coprocessor.start(candidate, record, never);
  job.entry = candidate.entry;
  job.thread = candidate.thread;
  Unpackers::Pipe& pipe = coprocessor.unpackers.pipes[unpacker];
  // With nothing to move, nothing before it and no bank to wait for, it is done with its last cycle before the data
  // would come.
  const bool has_data = job.work == Unpackers::Work::transfer || job.work == Unpackers::Work::register_write;
  const bool is_done = pipe.jobs == 0 && !has_data && job.may_begin(coprocessor.src, unpacker);
  pipe.job[pipe.jobs++] = job;
  if (!is_done) return;
  pipe.moving = true;
  coprocessor.in_flight.set_last(job.record, job.data_from - 1);
}

// ---- UNPACR ----

/// UNPACR moves the counters of its thread and of the context it names.
void step_counters(Coprocessor& coprocessor, unsigned thread, unsigned adc, const UnpackInstruction& instruction) {
  for (unsigned context = 0; context < thread_count; ++context) {
    if (context != thread && context != adc) continue;
    AdcSet& set = coprocessor.adcs.context[context].unpacker[instruction.unpacker];
    for (unsigned channel = 0; channel < 2; ++channel) {
      set.channel[channel].y.step(instruction.y_increment[channel]);
      set.channel[channel].z.step(instruction.z_increment[channel]);
    }
  }
}

void step_context(Coprocessor& coprocessor, unsigned thread, unsigned unpacker, unsigned context) {
  const UnpackerSettings settings(coprocessor.config, coprocessor.arch, thread, unpacker);
  const unsigned count = 1U << settings.section("THCON_SEC0_REG2_Context_count"_config);
  const unsigned next = (context + 1) & 7U;
  coprocessor.unpackers.context_counter[unpacker][thread] = static_cast<std::uint8_t>(next >= count ? 0 : next);
}

void step_src_row(Coprocessor& coprocessor, unsigned thread, const UnpackInstruction& instruction) {
  const unsigned unpacker = instruction.unpacker;
  if (instruction.flips_src) {
    units::reset_src_row(coprocessor, unpacker, thread);
    return;
  }
  const UnpackerSettings settings(coprocessor.config, coprocessor.arch, thread, unpacker);
  if (settings.section("THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd"_config) == 0) return;
  const unsigned base = settings.thread(unpacker_fields::src_base) << 4U;
  Unpackers& unpackers = coprocessor.unpackers;
  unpackers.set_src_row(unpacker, thread, unpackers.src_row[unpacker][thread] + 16U + base);
}

void plan_transfer(Coprocessor& coprocessor, const Candidate& candidate, Unpackers::Job& job) {
  UnpackIssues issues;
  job.transfer = plan_unpack(coprocessor, candidate.thread, candidate.entry.word, issues);
  if (asks_for_broadcast(coprocessor.arch, candidate.entry.word) && !can_broadcast(job.transfer))
    issues.add(DataIssue::unpack_srcb_bcast);
  for (const DataIssue issue : issues)
    coprocessor.data_issue(candidate, issue);
  job.src_format = job.transfer.out_format;
  job.words_left = std::max(job.transfer.l1_words, 1U);
}

void regular(Coprocessor& coprocessor, const Candidate& candidate, Unpackers::Job& job) {
  const auto instruction = UnpackInstruction::of(candidate.entry.word);
  job.work = Unpackers::Work::transfer;
  job.waits_for_bank = true;
  job.hands_over = instruction.flips_src;
  if (coprocessor.memory.is_attached())
    plan_transfer(coprocessor, candidate, job);
  else
    job.data_cycles = coprocessor.timing->unpack_data_cycles;
  UnpackIssues known;  // to the plan
  const UnpackContext context = unpack_context(coprocessor, candidate.thread, instruction, known);
  if (instruction.multi_context && instruction.uses_context_counter)
    step_context(coprocessor, candidate.thread, instruction.unpacker, context.number);
  step_counters(coprocessor, candidate.thread, context.adc, instruction);
  step_src_row(coprocessor, candidate.thread, instruction);
}

void unpacr(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  Unpackers::Job job;
  if (units::is_unpacr_transfer(word))
    regular(coprocessor, candidate, job);
  else if (units::is_unpacr_context_step(word))
    step_context(coprocessor, candidate.thread, units::unpacker_of(word),
                 coprocessor.unpackers.context_counter[units::unpacker_of(word)][candidate.thread]);
  const UnitTiming& timing = *coprocessor.timing;
  const Cycle address = job.transfer.is_compressed ? timing.unpack_compressed_address : timing.unpack_address;
  coprocessor.unpackers.address_phase_until = coprocessor.now + address;
  coprocessor.close_gate(candidate.thread, Stall::address_phase, address);
  job.data_from = coprocessor.now + address;
  start_job(coprocessor, candidate, job);
}

// ---- UNPACR_NOP ----

UnpackRegisterWrite register_write_of(Arch arch, Word word) {
  return {word, arch};
}

/// Without an L1 there are no registers, either.
Unpackers::Work work_of(const Coprocessor& coprocessor, const UnpackNop& nop) {
  if (nop.clears) return Unpackers::Work::clear;
  const bool writes = nop.writes_register && coprocessor.memory.is_attached();
  return writes ? Unpackers::Work::register_write : Unpackers::Work::none;
}

DataIssue issue_of(const Coprocessor& coprocessor, const Candidate& candidate, const UnpackNop& nop) {
  if (work_of(coprocessor, nop) != Unpackers::Work::register_write) return nop.issue;
  const auto write = register_write_of(coprocessor.arch, candidate.entry.word);
  const auto address = coprocessor.unpackers.register_bases.address(write.address_select(), write.address_middle());
  if (!address) return DataIssue::unpack_nop_setreg;
  return *address < ScalarUnit::first_mmio_address ? DataIssue::scalar_mmio_address : nop.issue;
}

void unpacr_nop(Coprocessor& coprocessor, const Candidate& candidate) {
  const UnpackNop nop = UnpackNop::of(coprocessor.arch, candidate.entry.word);
  const DataIssue issue = issue_of(coprocessor, candidate, nop);
  if (issue != DataIssue::none) coprocessor.data_issue(candidate, issue);
  const unsigned unpacker = units::unpacker_of(candidate.entry.word);
  const UnpackerSettings settings(coprocessor.config, coprocessor.arch, candidate.thread, unpacker);
  Unpackers::Job job;
  job.data_from = coprocessor.now + 1;
  job.work = work_of(coprocessor, nop);
  job.waits_for_bank = nop.clears;
  job.awaits_matrix_bank = !nop.waits_like_unpacr;
  job.hands_over = nop.sets_dvalid;
  job.clears_both = nop.clears_both;
  job.clear_value = nop.clear_value;
  job.src_format = static_cast<std::uint8_t>(settings.section("THCON_SEC0_REG2_Out_data_format"_config));
  if (nop.sets_dvalid) units::reset_src_row(coprocessor, unpacker, candidate.thread);
  start_job(coprocessor, candidate, job);
}

// ---- the data phase ----

/// How fast each unpacker fetches from cycle `from` on: they slow each other down.
void share_l1(Coprocessor& coprocessor, Cycle from) {
  auto& pipes = coprocessor.unpackers.pipes;
  L1Traffic& traffic = coprocessor.l1_traffic;
  const auto fetches = [&](const Unpackers::Pipe& pipe) {
    return [&, arch = coprocessor.arch](std::uint32_t step) { return pipe.fetches(arch, step); };
  };
  for (Unpackers::Pipe& pipe : pipes) {
    if (!pipe.is_fetching()) continue;
    traffic.advance(pipe.progress, from, fetches(pipe));
    pipe.job[0].words_left -= std::min(pipe.speed * pipe.progress.step, pipe.job[0].words_left);
  }
  for (unsigned unpacker = 0; unpacker < pipes.size(); ++unpacker) {
    Unpackers::Pipe& pipe = pipes[unpacker];
    if (!pipe.is_fetching()) continue;
    const Unpackers::Pipe& other = pipes[1 - unpacker];
    const Unpackers::Job& job = pipe.job[0];
    const unsigned others = other.is_fetching() ? other.job[0].transfer.speed : 0U;
    pipe.speed = static_cast<std::uint8_t>(granted_speed(*coprocessor.timing, job.transfer.speed, others));
    pipe.progress = {.at = from, .step = 0, .steps = (job.words_left + pipe.speed - 1) / pipe.speed};
    coprocessor.in_flight.set_last(job.record, traffic.begin(pipe.progress, fetches(pipe)));
  }
}

void clear_src(Coprocessor& coprocessor, unsigned unpacker, const Unpackers::Job& job) {
  SrcRegisters::Row row;
  row.fill(job.clear_value);
  for (unsigned bank = 0; bank < 2; ++bank)
    if (job.clears_both || bank == coprocessor.src.unpack_bank[unpacker])
      coprocessor.src_registers.bank(unpacker == 0 ? Src::a : Src::b, bank).fill(row);
}

/// What a UNPACR_NOP writes, if anything; a sum grows with it.
std::optional<std::uint32_t> register_value(std::uint32_t& sum, const UnpackRegisterWrite& write) {
  if (!write.accumulates()) return write.value();
  sum = write.value() == 0 ? 0 : (sum + write.value()) & 0x1FFFFU;
  return write.value() == 0 ? std::nullopt : std::optional(sum);
}

/// The job ends when the register has taken the write, which is there with this cycle at the earliest.
[[gnu::noinline]] void begin_register_write(Coprocessor& coprocessor, unsigned unpacker, const Unpackers::Job& job) {
  Unpackers& unpackers = coprocessor.unpackers;
  const auto write = register_write_of(coprocessor.arch, job.entry.word);
  const auto address = unpackers.register_bases.address(write.address_select(), write.address_middle());
  const auto value = register_value(unpackers.register_sum[unpacker], write);
  const bool is_reached = address && *address >= ScalarUnit::first_mmio_address;
  if (!value || !is_reached) return coprocessor.in_flight.set_last(job.record, coprocessor.now);
  if (coprocessor.orders_are_noted()) units::note_register_write(coprocessor, unpacker, *address);
  Record effect = coprocessor.in_flight[job.record];
  effect.address = *address;
  effect.values[0] = *value;
  coprocessor.in_flight.set_effect(job.record, effect);
  coprocessor.scalar.mmio.push({coprocessor.now, job.record});
}

void move_data(Coprocessor& coprocessor, unsigned unpacker, const Unpackers::Job& job) {
  const Src file = unpacker == 0 ? Src::a : Src::b;
  SrcRegisters::Bank& bank = coprocessor.src_registers.bank(file, coprocessor.src.unpack_bank[unpacker]);
  const UnpackDone done = move_unpack(job.transfer, coprocessor.memory, bank, coprocessor.dst);
  if (asks_for_broadcast(coprocessor.arch, job.entry.word) && can_broadcast(job.transfer)) {
    const auto row = bank.begin() + first_row(job.transfer);
    std::fill(row + 1, row + broadcast_rows, *row);
  }
  const Candidate candidate{.entry = job.entry, .thread = job.thread};
  if (done.beyond_l1) coprocessor.data_issue(candidate, DataIssue::l1_range);
  if (done.beyond_rows) coprocessor.data_issue(candidate, DataIssue::unpack_rows);
  if (done.large_exponent) coprocessor.data_issue(candidate, DataIssue::unpack_exponent);
}

/// The bank that the job hands over at its end.
Releases releases_of(Arch arch, Word word) {
  const bool hands_over = isa::opcode_of(word) == "UNPACR"_op
                              ? units::is_unpacr_transfer(word) && UnpackInstruction::of(word).flips_src
                              : UnpackNop::of(arch, word).sets_dvalid;
  return {.src_to_matrix = static_cast<std::uint8_t>(hands_over ? 1U << units::unpacker_of(word) : 0U)};
}

constexpr std::array rows{
    OperationRow{.opcode = "UNPACR"_op,
                 .port = Port::unpackers,
                 .occupancy = Occupancy::unpacker0,
                 .execute = unpacr,
                 .check = check,
                 .footprint = units::unpacker_footprint,
                 .releases = releases_of},
    OperationRow{.opcode = "UNPACR_NOP"_op,
                 .port = Port::unpackers,
                 .occupancy = Occupancy::unpacker0,
                 .execute = unpacr_nop,
                 .check = check,
                 .footprint = units::unpacker_footprint,
                 .releases = releases_of},
};

}  // namespace

unsigned granted_speed(const UnitTiming& timing, unsigned own, unsigned other) {
  return own == 1 || other <= 1 ? own : std::max(own / std::max(timing.unpackers_share, 1U), 1U);
}

/// Lets the oldest job of each unpacker begin its data phase when its address is there and, for a transfer, the unpackers
/// own the bank.
bool units::advance_unpackers(Coprocessor& coprocessor) {
  bool changed = false;
  for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
    Unpackers::Pipe& pipe = coprocessor.unpackers.pipes[unpacker];
    if (pipe.jobs == 0 || pipe.moving) continue;
    const Unpackers::Job& job = pipe.job[0];
    if (coprocessor.now < job.data_from || !job.may_begin(coprocessor.src, unpacker)) continue;
    pipe.moving = true;
    pipe.speed = 0;
    pipe.progress = {.at = coprocessor.now};
    // A job without data that stood behind another takes its turn of a cycle.
    if (job.work == Unpackers::Work::register_write)
      begin_register_write(coprocessor, unpacker, job);
    else
      coprocessor.in_flight.set_last(job.record, coprocessor.now + std::max<Cycle>(job.data_cycles, 1) - 1);
    changed = true;
  }
  if (changed) share_l1(coprocessor, coprocessor.now);
  return changed;
}

void units::finish_unpack(Coprocessor& coprocessor, unsigned unpacker) {
  Unpackers::Pipe& pipe = coprocessor.unpackers.pipes[unpacker];
  Unpackers::Job& job = pipe.job[0];
  if (job.work == Unpackers::Work::clear) clear_src(coprocessor, unpacker, job);
  if (job.work == Unpackers::Work::transfer && coprocessor.memory.is_attached()) move_data(coprocessor, unpacker, job);
  if (job.hands_over) {
    coprocessor.src_registers.format[unpacker][coprocessor.src.unpack_bank[unpacker]] = job.src_format;
    coprocessor.src.hand_to_matrix(unpacker == 0 ? Src::a : Src::b);
  }
  if (--pipe.jobs != 0) job = pipe.job[1];
  pipe.moving = false;
  if (coprocessor.unpackers.pipes[1 - unpacker].is_fetching()) share_l1(coprocessor, coprocessor.now);
}

Cycle units::next_unpacker_event(const Coprocessor& coprocessor) {
  Cycle event = never;
  for (const Unpackers::Pipe& pipe : coprocessor.unpackers.pipes)
    if (pipe.jobs != 0 && !pipe.moving && pipe.job[0].data_from >= coprocessor.now)
      event = std::min(event, pipe.job[0].data_from);
  return event;
}

void units::reset_src_row(Coprocessor& coprocessor, unsigned unpacker, unsigned thread) {
  const UnpackerSettings settings(coprocessor.config, coprocessor.arch, thread, unpacker);
  coprocessor.unpackers.set_src_row(unpacker, thread, settings.thread(unpacker_fields::src_base) << 4U);
}

std::span<const OperationRow> units::unpacker_operations() {
  return rows;
}

}  // namespace tensim::tensix
