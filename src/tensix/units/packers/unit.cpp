#include "tensix/units/packers/unit.hpp"

#include <bit>
#include <cmath>

#include "arch/timing.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"
#include "tensix/units/packers/config.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/packers/steps.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using event::Stall;

constexpr Occupancy occupancy_of(unsigned packer) {
  return static_cast<Occupancy>(static_cast<unsigned>(Occupancy::packer0) + packer);
}

unsigned named_packers(const Coprocessor& coprocessor, const Candidate& candidate) {
  const unsigned named = occupancies(coprocessor.arch, candidate.entry.word, Occupancy::packer0);
  return named >> static_cast<unsigned>(Occupancy::packer0);
}

/// Every packer that the instruction names has to be free (assumed).
Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  Cycle free_from = 0;
  for (unsigned named = named_packers(coprocessor, candidate); named != 0; named &= named - 1)
    free_from =
        std::max(free_from, coprocessor.packers.packer[static_cast<unsigned>(std::countr_zero(named))].free_from);
  return coprocessor.now < free_from ? Held{Stall::unit_busy, free_from} : passes;
}

/// The record of it.
unsigned occupy(Coprocessor& coprocessor, const Candidate& candidate, unsigned packer, Cycle data, Record record = {}) {
  record.where = occupancy_of(packer);
  coprocessor.packers.packer[packer].free_from = coprocessor.now + data;
  return coprocessor.start(candidate, record, data);
}

/// Without L1 a packer keeps all of them for as long as the parameters say.
void occupy_without_data(Coprocessor& coprocessor, const Candidate& candidate) {
  const Cycle data = coprocessor.timing->pack_data_cycles;
  for (unsigned named = named_packers(coprocessor, candidate); named != 0; named &= named - 1)
    occupy(coprocessor, candidate, static_cast<unsigned>(std::countr_zero(named)), data);
  for (Packer& packer : coprocessor.packers.packer)
    packer.free_from = coprocessor.now + data;
}

/// From L1 as fast as to it (L1.md).
double read_cycles_of(const UnitTiming& timing, const PackJob& job) {
  const auto in_parts = [&](std::uint32_t size) { return (job.count + size - 1) / size; };
  switch (job.source) {
    case PackJob::Source::dst: return timing.pack_read_row * in_parts(Dst::columns);
    case PackJob::Source::l1: return timing.pack_write * in_parts(Packer::word_bytes / job.l1_datum_bytes);
    default: return 0;
  }
}

/// Reading Dst and writing L1 overlap: the slower of the two decides.
Cycle cycles_of(const UnitTiming& timing, const Packer& packer, const PackJob& job) {
  const double write = (job.accumulates ? timing.pack_accumulate : timing.pack_write) * output_of(packer, job).words();
  const double read = read_cycles_of(timing, job);
  return static_cast<Cycle>(std::ceil(std::max({write, read, 1.0})));
}

void take_addresses(Packer& packer, const PackRequest& request) {
  const bool closes = request.job.closes;
  if (packer.data.needs_address) packer.data.address = request.data_address;
  const bool below_16_bits = number::facts(request.job.out).datum_bits < 16;
  if (below_16_bits && packer.exponents.needs_address) packer.exponents.address = request.exponent_address;
  packer.data.needs_address = closes;
  packer.exponents.needs_address = closes || (packer.exponents.needs_address && !below_16_bits);
  const bool compresses = request.job.compresses;
  if (compresses && packer.row_starts.needs_address) packer.row_starts.address = request.row_start_address;
  packer.row_starts.needs_address = closes || (packer.row_starts.needs_address && !compresses);
}

void report_range(Coprocessor& coprocessor, const Candidate& candidate, const Packer& packer, const PackJob& job) {
  const PackOutput output = output_of(packer, job);
  const auto fits = [&](const Packer::Stream& stream, std::uint32_t words) {
    return coprocessor.memory.holds(stream.address, std::uint64_t{words} * Packer::word_bytes);
  };
  const bool reads_inside = job.source != PackJob::Source::l1 ||
                            coprocessor.memory.holds(job.first, std::uint64_t{job.count} * job.l1_datum_bytes);
  // What compression leaves shows at the end.
  if (reads_inside && job.compresses) return;
  if (!reads_inside || !fits(packer.data, output.data_words) || !fits(packer.exponents, output.exponent_words))
    coprocessor.data_issue(candidate, DataIssue::l1_range);
}

/// ADDR_MOD_PACK: what the next PACR finds in the counters.
template <class CounterY, class CounterZ>
void advance(CounterY& y, CounterZ& z, std::uint32_t mod) {
  constexpr std::uint32_t cr = 1U << 4U;
  constexpr std::uint32_t y_clear = 1U << 5U;
  if ((mod & y_clear) != 0)
    y.set(0);
  else if ((mod & cr) != 0)
    y.step_cr(mod & 0xFU);
  else
    y.step(mod & 0xFU);
  if ((mod >> 13U & 1U) != 0)
    z.set(0);
  else
    z.step(mod >> 12U & 1U);
}

void advance_counters(Coprocessor& coprocessor, const Candidate& candidate, unsigned contexts) {
  const std::uint32_t mod = units::pack_addr_mod(coprocessor, candidate);
  for (unsigned left = contexts; left != 0; left &= left - 1) {
    AdcSet& adc = coprocessor.adcs.context[static_cast<unsigned>(std::countr_zero(left))].packer;
    advance(adc.channel[0].y, adc.channel[0].z, mod);
    // Channel 1's fields: Y six bits above Channel 0's, Z two.
    advance(adc.channel[1].y, adc.channel[1].z, (mod >> 6U & 0x3FU) | (mod >> 2U & 0x3000U));
  }
}

/// How long the job that the packer has will take.
Cycle begin_job(Coprocessor& coprocessor, const Candidate& candidate, unsigned number) {
  Packer& packer = coprocessor.packers.packer[number];
  const Cycle steps = cycles_of(*coprocessor.timing, packer, packer.job);
  packer.progress = {.at = coprocessor.now, .step = 0, .steps = static_cast<std::uint32_t>(steps)};
  packer.job.is_waiting = true;
  packer.job.last = coprocessor.l1_traffic.begin(
      packer.progress, [&](std::uint32_t step) { return pack_words(*coprocessor.timing, packer, number, step); });
  Record record;
  record.effect = Effect::pack_done;
  record.destination = static_cast<std::uint16_t>(number);
  const Cycle data = packer.job.last - coprocessor.now + 1;
  packer.job.record = occupy(coprocessor, candidate, number, data, record);
  return data;
}

void start_job(Coprocessor& coprocessor, const Candidate& candidate, unsigned number) {
  Packer& packer = coprocessor.packers.packer[number];
  const PackRequest request = plan_pack_job(coprocessor, candidate, number);
  if (request.issue != DataIssue::none) coprocessor.data_issue(candidate, request.issue);
  if (coprocessor.fault) return;
  packer.job = request.job;
  take_addresses(packer, request);
  report_range(coprocessor, candidate, packer, packer.job);
  begin_job(coprocessor, candidate, number);
}

void pacr(Coprocessor& coprocessor, const Candidate& candidate) {
  if (!coprocessor.memory.is_attached()) return occupy_without_data(coprocessor, candidate);
  if (PacrWord{candidate.entry.word, coprocessor.arch}.only_resets_context()) {
    coprocessor.packers.reset_context();
    occupy(coprocessor, candidate, 0, 1);
    return;
  }
  unsigned contexts = 0;
  for (unsigned named = named_packers(coprocessor, candidate); named != 0; named &= named - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(named));
    start_job(coprocessor, candidate, number);
    if (coprocessor.fault) return;
    contexts |= 1U << units::pack_counters(coprocessor, candidate, number);
  }
  advance_counters(coprocessor, candidate, contexts);
}

// ---- PACR_SETREG ----

PacrSetregWord setreg_of(const Coprocessor& coprocessor, const Candidate& candidate) {
  return {candidate.entry.word, coprocessor.arch};
}

/// One at a time is on its way to its register.
Held check_setreg(const Coprocessor& coprocessor, const Candidate& candidate) {
  const auto& requests = coprocessor.scalar.mmio;
  for (unsigned i = 0; i < requests.size(); ++i)
    if (isa::opcode_of(coprocessor.in_flight[requests[i].record].word) == "PACR_SETREG"_op) return {Stall::unit_busy};
  return check(coprocessor, candidate);
}

/// Wormhole: the value, and above it the value times a factor.
std::optional<std::uint32_t> setreg_value(const Coprocessor& coprocessor, const Candidate& candidate) {
  const PacrSetregWord setreg = setreg_of(coprocessor, candidate);
  const Packers& packers = coprocessor.packers;
  if (setreg.may_preset_data()) return packers.register_data;
  const PackerConfig config(ConfigView(coprocessor.config, coprocessor.arch, candidate.thread), 0);
  const unsigned scaler = config.own("THCON_SEC0_REG1_Out_data_format"_config) & 3U;
  if (setreg.value() != 0 && (packers.known_scalers >> scaler & 1U) == 0) return std::nullopt;
  const std::uint32_t above = setreg.value() * packers.register_scaler[scaler] & 0x1FFFFU;
  return setreg.value() + (above << 12U);
}

/// What waits in a packer goes to L1, with the settings it came with; the next PACR finds new addresses, as after a PACR
/// that flushes (assumed).
Cycle flush(Coprocessor& coprocessor, const Candidate& candidate, unsigned number) {
  Packer& packer = coprocessor.packers.packer[number];
  PackJob& job = packer.job;
  job.source = PackJob::Source::nothing;
  job.padding = PackJob::Padding::none;
  job.steps_context = false;
  job.closes = job.ends_row = true;
  job.ends_tile = false;
  job.thread = static_cast<std::uint8_t>(candidate.thread);
  job.entry = candidate.entry;
  packer.data.needs_address = packer.exponents.needs_address = packer.row_starts.needs_address = true;
  report_range(coprocessor, candidate, packer, job);
  return begin_job(coprocessor, candidate, number);
}

/// The write is there when the buffers are in L1. It takes its turn among the requests to registers.
void write_register(Coprocessor& coprocessor, const Candidate& candidate, Cycle data) {
  const PacrSetregWord setreg = setreg_of(coprocessor, candidate);
  const auto address = coprocessor.packers.register_bases.address(setreg.address_select(), setreg.address_middle());
  const auto value = setreg_value(coprocessor, candidate);
  if (!address || !value) return coprocessor.data_issue(candidate, DataIssue::pack_register_write);
  constexpr std::uint32_t end = 0xFFB80000;  // nothing happens from there on
  if (*address < ScalarUnit::first_mmio_address)
    return coprocessor.data_issue(candidate, DataIssue::scalar_mmio_address);
  if (*address >= end) return;
  Record record;
  record.where = Occupancy::packer0;
  record.address = *address;
  record.values[0] = *value;
  coprocessor.scalar.mmio.push({coprocessor.now + data - 1, coprocessor.start(candidate, record, never)});
}

void pacr_setreg(Coprocessor& coprocessor, const Candidate& candidate) {
  if (!coprocessor.memory.is_attached()) return occupy_without_data(coprocessor, candidate);
  const PacrSetregWord setreg = setreg_of(coprocessor, candidate);
  if (setreg.presets_data()) {
    const unsigned shift = 16 * setreg.data_half();
    std::uint32_t& data = coprocessor.packers.register_data;
    data = (data & ~(0xFFFFU << shift)) | setreg.data() << shift;
  }
  Cycle longest = 1;
  for (unsigned named = named_packers(coprocessor, candidate); named != 0; named &= named - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(named));
    if (setreg.flushes())
      longest = std::max(longest, flush(coprocessor, candidate, number));
    else
      occupy(coprocessor, candidate, number, 1);
  }
  if (setreg.writes()) write_register(coprocessor, candidate, longest);
}

constexpr std::array rows{
    OperationRow{.opcode = "PACR"_op,
                 .port = Port::packers,
                 .occupancy = Occupancy::packer0,
                 .execute = pacr,
                 .check = check,
                 .footprint = units::packer_footprint},
    OperationRow{.opcode = "PACR_SETREG"_op,
                 .port = Port::packers,
                 .occupancy = Occupancy::packer0,
                 .execute = pacr_setreg,
                 .check = check_setreg,
                 .footprint = units::packer_footprint},
};

}  // namespace

std::uint32_t units::pack_addr_mod(const Coprocessor& coprocessor, const Candidate& candidate) {
  const auto first = static_cast<std::size_t>("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config.on(coprocessor.arch).word);
  const PacrWord pacr{candidate.entry.word, coprocessor.arch};
  return coprocessor.config.thread[candidate.thread][first + pacr.addr_mod()];
}

void units::finish_pack(Coprocessor& coprocessor, unsigned packer) {
  PackJob& job = coprocessor.packers.packer[packer].job;
  job.is_waiting = false;
  if (coprocessor.memory.is_attached()) run_pack_job(coprocessor, packer);
}

Cycle units::next_packer_event(const Coprocessor& coprocessor) {
  Cycle event = never;
  for (const Packer& packer : coprocessor.packers.packer)
    if (packer.job.is_waiting) event = std::min(event, packer.job.last);
  return event;
}

std::span<const OperationRow> units::packer_operations() {
  return rows;
}

}  // namespace tensim::tensix
