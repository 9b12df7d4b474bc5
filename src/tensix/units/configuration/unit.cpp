#include "tensix/units/configuration/unit.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

/// Blackhole's unit has stages, which an instruction passes one a cycle; Wormhole's has cycles in which it takes nothing.
constexpr bool is_pipelined(Arch arch) {
  return on(arch, false, true);
}

constexpr isa::Field stream_select = field_of(Arch::blackhole, "STREAMWRCFG", "", "StreamSelect");
constexpr isa::Field stream_index = field_of(Arch::blackhole, "STREAMWRCFG", "", "RegIndex");
constexpr isa::Field stream_target = field_of(Arch::blackhole, "STREAMWRCFG", "", "CfgIndex");

/// Blackhole's pipeline: the stage each instruction enters at, as an index (0 is stage -4, 4 is stage 0).
constexpr unsigned stage_minus_4 = 0;
constexpr unsigned stage_minus_1 = 3;
constexpr unsigned stage_0 = 4;

constexpr unsigned entry_stage(Word word) {
  switch (isa::opcode_of(word)) {
    case "STREAMWRCFG"_op: return stage_minus_4;
    case "WRCFG"_op: return stage_minus_1;
    default: return stage_0;
  }
}

/// Whether `stage` is taken in cycle `cycle`.
bool is_taken(const ConfigurationUnit& unit, unsigned stage, Cycle cycle) {
  const Cycle ahead = cycle - unit.stages_from;
  return cycle >= unit.stages_from && ahead < 8 && (unit.stage_busy[stage] >> ahead & 1U) != 0;
}

void take(ConfigurationUnit& unit, Cycle now, unsigned stage, Cycle cycle) {
  for (std::uint8_t& busy : unit.stage_busy) {
    const Cycle passed = now - unit.stages_from;
    busy = passed < 8 ? static_cast<std::uint8_t>(busy >> passed) : std::uint8_t{0};
  }
  unit.stages_from = now;
  unit.stage_busy[stage] |= static_cast<std::uint8_t>(1U << (cycle - now));
}

/// Not if the entry stage is taken, nor any lower one except -4 (a hardware bug), by whichever thread.
Held check_stages(const Coprocessor& coprocessor, Word word) {
  const unsigned entry = entry_stage(word);
  for (unsigned stage = stage_minus_4; stage <= entry; ++stage) {
    if (stage == stage_minus_4 && entry != stage_minus_4) continue;
    if (is_taken(coprocessor.configuration, stage, coprocessor.now)) return {Stall::config_order, coprocessor.now + 1};
  }
  return passes;
}

Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  if (is_pipelined(coprocessor.arch)) return check_stages(coprocessor, candidate.entry.word);
  // Wormhole: RMWCIB and RDCFG, not WRCFG, wait for the cycle after an RDCFG or WRCFG of any thread.
  const bool slow = isa::opcode_of(candidate.entry.word) != "WRCFG"_op;
  if (slow && coprocessor.configuration.barred_in == coprocessor.now) return {Stall::config_order, coprocessor.now + 1};
  return passes;
}

/// Enters the pipeline: one stage a cycle up to stage 0.
void enter(Coprocessor& coprocessor, const Candidate& candidate) {
  coprocessor.configuration.used_in = coprocessor.now;
  if (!is_pipelined(coprocessor.arch)) return;
  const unsigned entry = entry_stage(candidate.entry.word);
  for (unsigned stage = entry; stage <= stage_0; ++stage)
    take(coprocessor.configuration, coprocessor.now, stage, coprocessor.now + (stage - entry));
}

Record config_record(const ConfigStore& write) {
  Record record;
  record.effect = Effect::config_write;
  record.bank = write.banks;
  record.destination = write.first;
  record.value_count = write.count;
  record.values = write.value;
  return record;
}

void begin(Coprocessor& coprocessor, const Candidate& candidate, Record record) {
  enter(coprocessor, candidate);
  record.where = Occupancy::configuration;
  coprocessor.start(candidate, record, coprocessor.operation(candidate.entry.word).latency);
}

unsigned bank_of(const Coprocessor& coprocessor, const Candidate& candidate) {
  return config_bank_of(coprocessor.config, coprocessor.arch, candidate.thread);
}

void do_setc16(Coprocessor& coprocessor, const Candidate& candidate) {
  if (const auto write = setc16(coprocessor.arch, candidate.thread, candidate.entry.word))
    coprocessor.write_thread_config(*write);
}

void do_rmwcib(Coprocessor& coprocessor, const Candidate& candidate) {
  enter(coprocessor, candidate);
  const auto write = rmwcib(coprocessor.config, coprocessor.arch, candidate.thread, candidate.entry.word);
  if (!write) return;
  coprocessor.reads_config(candidate, bank_of(coprocessor, candidate), write->first);
  coprocessor.write_config(*write);
}

void do_wrcfg(Coprocessor& coprocessor, const Candidate& candidate) {
  coprocessor.configuration.barred_in = coprocessor.now + 1;
  coprocessor.reads_gprs(candidate, gpr_use(candidate.entry.word).reads);
  const auto write =
      wrcfg(coprocessor.config, coprocessor.arch, candidate.thread, coprocessor.gprs, candidate.entry.word);
  begin(coprocessor, candidate, write ? config_record(*write) : Record{});
}

void do_rdcfg(Coprocessor& coprocessor, const Candidate& candidate) {
  if (const Cycle hold = coprocessor.timing->rdcfg_thread_hold; hold > 1)
    coprocessor.close_gate(candidate.thread, Stall::gate_closed, hold);
  if (has(coprocessor.arch, "simultaneous_rdcfg_drops"_size)) {
    // Of several in one cycle the lowest thread's is executed, the others are lost, though they passed (ruling 14).
    const bool lost = coprocessor.configuration.barred_in == coprocessor.now + 1;
    coprocessor.configuration.barred_in = coprocessor.now + 1;
    if (lost) return coprocessor.report(Report::Category::rdcfg_dropped, candidate);
  }
  Record record;
  if (const auto read = rdcfg(coprocessor.config, coprocessor.arch, candidate.thread, candidate.entry.word)) {
    coprocessor.reads_config(candidate, bank_of(coprocessor, candidate), rdcfg_word(candidate.entry.word));
    record.effect = Effect::gpr_write;
    record.destination = read->reg;
    record.values[0] = read->value;
  }
  begin(coprocessor, candidate, record);
}

void do_cfgshiftmask(Coprocessor& coprocessor, const Candidate& candidate) {
  const auto write = cfgshiftmask(coprocessor.config, candidate.thread, candidate.entry.word);
  if (write) {
    coprocessor.reads_config(candidate, bank_of(coprocessor, candidate), write->first);
    coprocessor.reads_config(candidate, 0, cfgshiftmask_scratch_word(candidate.thread, candidate.entry.word));
  }
  begin(coprocessor, candidate, write ? config_record(*write) : Record{});
  // Two cycles in stage 0, and in the first it also bars stage -1 (ruling 16).
  take(coprocessor.configuration, coprocessor.now, stage_0, coprocessor.now + 1);
  take(coprocessor.configuration, coprocessor.now, stage_minus_1, coprocessor.now);
}

/// It reads the register in its first cycle (*assumed*).
void do_streamwrcfg(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned stream = thread_field(coprocessor.config, coprocessor.arch, candidate.thread,
                                       "STREAM_ID_SYNC_SECn_BankSel"_thread_sections, stream_select.get(word));
  const auto value = stream_register(coprocessor.arch, coprocessor.streams, stream, stream_index.get(word));
  if (!value) return coprocessor.data_issue(candidate, DataIssue::stream_register);
  const auto write =
      config_word_store(coprocessor.arch, bank_of(coprocessor, candidate), stream_target.get(word), *value);
  begin(coprocessor, candidate, write ? config_record(*write) : Record{});
}

constexpr OperationRow row(std::uint8_t opcode, Operation::Execute execute, std::size_t latency_row,
                           Turn turn = Turn::sample) {
  return {.opcode = opcode,
          .port = Port::configuration,
          .occupancy = Occupancy::configuration,
          .latency_row = latency_row,
          .execute = execute,
          .check = check,
          .turn = turn,
          .footprint = units::configuration_footprint};
}

constexpr std::array rows{
    OperationRow{.opcode = "SETC16"_op,
                 .port = Port::thread_config,
                 .occupancy = Occupancy::configuration,
                 .execute = do_setc16,
                 .turn = Turn::change,
                 .footprint = units::configuration_footprint},
    row("WRCFG"_op, do_wrcfg, "wrcfg_latency"_cycles),
    row("RDCFG"_op, do_rdcfg, "rdcfg_latency_min"_cycles),
    row("RMWCIB0"_op, do_rmwcib, OperationRow::one_cycle, Turn::change),
    row("RMWCIB1"_op, do_rmwcib, OperationRow::one_cycle, Turn::change),
    row("RMWCIB2"_op, do_rmwcib, OperationRow::one_cycle, Turn::change),
    row("RMWCIB3"_op, do_rmwcib, OperationRow::one_cycle, Turn::change),
    row("STREAMWRCFG"_op, do_streamwrcfg, "streamwrcfg_latency_min"_cycles),
    row("CFGSHIFTMASK"_op, do_cfgshiftmask, "cfgshiftmask_latency"_cycles),
};

}  // namespace

void units::land_config_write(Coprocessor& coprocessor, const Record& record) {
  ConfigStore write;
  write.banks = record.bank;
  write.first = record.destination;
  write.count = record.value_count;
  write.value = record.values;
  coprocessor.write_config(write, record.last);
}

bool units::takes_core_request(const Coprocessor& coprocessor) {
  // It enters at stage 0, as RMWCIB does.
  if (is_pipelined(coprocessor.arch))
    return check_stages(coprocessor, Word{"RMWCIB0"_op} << isa::parameter_bits).passes();
  // One of the group per cycle, and not in the cycle after RDCFG or WRCFG. SETC16 is not of the group.
  return coprocessor.configuration.barred_in != coprocessor.now && coprocessor.configuration.used_in != coprocessor.now;
}

bool units::shares_rdcfg(const Coprocessor& coprocessor, unsigned thread, unsigned winner) {
  if (!has(coprocessor.arch, "simultaneous_rdcfg_drops"_size)) return false;
  const auto is_rdcfg = [&](unsigned which) {
    return isa::opcode_of(coprocessor.frontends[which].candidate().word) == "RDCFG"_op;
  };
  return is_rdcfg(thread) && is_rdcfg(winner);
}

std::span<const OperationRow> units::configuration_operations() {
  return rows;
}

}  // namespace tensim::tensix
