#include "tensix/units/vector.hpp"

#include <utility>
#include <vector>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;
using insight::Stall;

bool is_multiply_add(std::uint8_t opcode) {
  switch (opcode) {
    case "SFPMAD"_op:
    case "SFPADD"_op:
    case "SFPMUL"_op:
    case "SFPADDI"_op:
    case "SFPMULI"_op:
    case "SFPLUT"_op:
    case "SFPLUTFP32"_op:
    case "SFPMUL24"_op: return true;
    default: return false;
  }
}

/// SFPSWAP on both chips, and on Blackhole SFPSHFT2 modes 2 to 4, let only SFPNOP pass in the next cycle.
bool bars_next_cycle(Arch arch, Word word) {
  const std::uint8_t opcode = isa::opcode_of(word);
  if (opcode == "SFPSWAP"_op) return true;
  const unsigned mode = word & 15U;
  return arch == Arch::blackhole && opcode == "SFPSHFT2"_op && mode >= 2 && mode <= 4;
}

/// The register a two-cycle instruction writes.
std::uint8_t result_of(Word word) {
  const unsigned low = isa::opcode_of(word) == "SFPLUT"_op ? 20 : 4;
  return static_cast<std::uint8_t>(word >> low & 15U);
}

/// Whether the instruction reads `lreg`, as far as Blackhole's interlock looks: at the register fields of the form.
bool reads(Arch arch, Word word, std::uint8_t lreg) {
  const isa::Form& form = *isa::forms_of(arch, isa::opcode_of(word)).front();
  const bool store = isa::opcode_of(word) == "SFPSTORE"_op;
  for (const isa::Field& field : form.fields) {
    const bool source = field.name == "VA" || field.name == "VB" || field.name == "VC" || (store && field.name == "VD");
    if (source && field.get(word) == lreg) return true;
  }
  return false;
}

Held check(const Coprocessor& coprocessor, const Candidate& candidate) {
  const VectorUnit& vector = coprocessor.vector;
  const Word word = candidate.entry.word;
  const bool nop = isa::opcode_of(word) == "SFPNOP"_op;
  if (coprocessor.now < vector.only_nop_until && !nop) return {Stall::vector_dependency, vector.only_nop_until};
  const bool interlocked = size(coprocessor.arch, "vector_auto_stall"_size) != 0;
  if (interlocked && !nop && coprocessor.now < vector.result_from && reads(coprocessor.arch, word, vector.result_lreg))
    return {Stall::vector_dependency, vector.result_from};
  return passes;
}

void execute(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const Cycle latency = coprocessor.operation(word).latency;
  if (is_multiply_add(isa::opcode_of(word))) {
    coprocessor.vector.result_from = coprocessor.now + latency;
    coprocessor.vector.result_lreg = result_of(word);
  }
  if (bars_next_cycle(coprocessor.arch, word)) coprocessor.vector.only_nop_until = coprocessor.now + 2;
  Record record;
  record.where = Occupancy::vector;
  coprocessor.start(candidate, record, latency);
}

/// Every SFP* instruction of the table: what it computes comes with the data path, how long it takes is known.
std::vector<OperationRow> build_rows() {
  std::vector<OperationRow> rows;
  std::array<bool, 256> seen{};
  for (const isa::Form& form : isa::unit_table(isa::Unit::vector).forms) {
    if (std::exchange(seen[form.opcode], true)) continue;
    std::size_t latency = "sfpu_simple_latency"_cycles;
    if (is_multiply_add(form.opcode)) latency = "sfpu_mad_latency"_cycles;
    if (form.opcode == "SFPSWAP"_op) latency = "sfpswap_latency"_cycles;
    rows.push_back({.opcode = form.opcode,
                    .port = Port::vector,
                    .occupancy = Occupancy::vector,
                    .latency_row = latency,
                    .execute = execute,
                    .check = check});
  }
  return rows;
}

}  // namespace

std::span<const OperationRow> units::vector_operations() {
  static const std::vector<OperationRow> rows = build_rows();
  return rows;
}

}  // namespace tensim::tensix
