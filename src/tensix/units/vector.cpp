#include "tensix/units/vector.hpp"

#include <utility>
#include <vector>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/footprint.hpp"

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

/// SFPSHFT2 modes 2 to 4: lanes are shuffled, which takes two cycles.
bool shuffles(Word word) {
  const unsigned mode = word & 15U;
  return isa::opcode_of(word) == "SFPSHFT2"_op && mode >= 2 && mode <= 4;
}

/// SFPSWAP on both chips, and on Blackhole the shuffles, let only SFPNOP pass in the next cycle.
bool bars_next_cycle(Arch arch, Word word) {
  return isa::opcode_of(word) == "SFPSWAP"_op || (arch == Arch::blackhole && shuffles(word));
}

/// The register a two-cycle instruction writes.
std::uint8_t result_of(Word word) {
  const unsigned low = isa::opcode_of(word) == "SFPLUT"_op ? 20 : 4;
  return static_cast<std::uint8_t>(word >> low & 15U);
}

/// Mod1 of SFPMAD and its like on Blackhole: the register is the one that LReg 7 names, and the interlock reckons with
/// all of them.
bool is_indirect(Word word, unsigned bit) {
  switch (isa::opcode_of(word)) {
    case "SFPMAD"_op:
    case "SFPADD"_op:
    case "SFPMUL"_op:
    case "SFPADDI"_op:
    case "SFPMULI"_op: return (word >> bit & 1U) != 0;
    default: return false;
  }
}
constexpr unsigned indirect_va = 2;
constexpr unsigned indirect_vd = 3;

/// Which register fields Blackhole's interlock takes for sources: not always what the instruction reads (SFPMAD.md).
struct SeenSources {
  bool va_vb = true;
  bool vc = true;
  bool vd = false;
};

SeenSources seen_sources(Word word) {
  const unsigned mode = word & 15U;
  switch (isa::opcode_of(word)) {
    case "SFPSTORE"_op:
    case "SFPADDI"_op:
    case "SFPMULI"_op: return {.vd = true};
    case "SFPAND"_op:
    case "SFPOR"_op: return {.va_vb = false, .vd = true};
    case "SFPSWAP"_op: return {.va_vb = false, .vc = mode == 0, .vd = mode == 0};
    case "SFPSHFT2"_op: return {.va_vb = false, .vc = mode == 5, .vd = mode == 5 || mode == 6};
    default: return {};
  }
}

bool reads(Arch arch, Word word, std::uint8_t lreg) {
  if (is_indirect(word, indirect_va)) return true;
  const SeenSources seen = seen_sources(word);
  const isa::Form& form = *isa::forms_of(arch, isa::opcode_of(word)).front();
  for (const isa::Field& field : form.fields) {
    const bool source = (seen.va_vb && (field.name == "VA" || field.name == "VB")) || (seen.vc && field.name == "VC") ||
                        (seen.vd && field.name == "VD");
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
  if (interlocked && !nop && coprocessor.now < vector.result_from &&
      (vector.result_anywhere || reads(coprocessor.arch, word, vector.result_lreg)))
    return {Stall::vector_dependency, vector.result_from};
  return passes;
}

void execute(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const auto shuffle_latency = static_cast<Cycle>(cycles(coprocessor.arch, "sfpshft2_cross_latency"_cycles));
  const Cycle latency = shuffles(word) ? shuffle_latency : coprocessor.operation(word).latency;
  if (is_multiply_add(isa::opcode_of(word))) {
    coprocessor.vector.result_from = coprocessor.now + latency;
    coprocessor.vector.result_lreg = result_of(word);
    coprocessor.vector.result_anywhere = is_indirect(word, indirect_vd);
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
                    .check = check,
                    .footprint = units::vector_footprint});
  }
  return rows;
}

}  // namespace

std::span<const OperationRow> units::vector_operations() {
  static const std::vector<OperationRow> rows = build_rows();
  return rows;
}

}  // namespace tensim::tensix
