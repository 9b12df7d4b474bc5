#include "debug/registers.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "riscv/csr.hpp"
#include "riscv/disassemble.hpp"
#include "tile/status.hpp"

namespace tensim::debug {
namespace {

using riscv::Csr;
using riscv::CsrKind;
using tile::CoreId;
using tile::Tile;

constexpr unsigned integer_count = 32;
constexpr unsigned first_float = pc_register + 1;
constexpr unsigned float_count = 32;
constexpr unsigned first_csr = first_float + float_count;

bool has_floats(Arch arch) {
  return riscv::extensions(arch, B).contains(riscv::Extension::f);
}

CsrKind kind_on(const Csr& csr, CoreId core) {
  return kind_of(csr, is_trisc(core));
}

/// Those that B or the T cores have.
std::vector<const Csr*> modelled_csrs(Arch arch) {
  std::vector<const Csr*> modelled;
  for (const Csr& csr : riscv::csrs(arch))
    if (kind_on(csr, CoreId::brisc) != CsrKind::not_modelled || kind_on(csr, CoreId::trisc0) != CsrKind::not_modelled)
      modelled.push_back(&csr);
  return modelled;
}

const Csr* csr_of(Arch arch, unsigned number) {
  if (!has_floats(arch) || number < first_csr) return nullptr;
  const std::vector<const Csr*> modelled = modelled_csrs(arch);
  return number - first_csr < modelled.size() ? modelled[number - first_csr] : nullptr;
}

std::optional<std::uint32_t> read_csr(const Tile& tile, CoreId id, const Csr& csr) {
  constexpr std::uint16_t tt_cfg_qstatus = 0xBC0;
  const riscv::Core& core = tile.core(id);
  const CsrKind kind = kind_on(csr, id);
  if (kind == CsrKind::not_modelled) return std::nullopt;
  if (kind == CsrKind::coprocessor)
    return csr.number == tt_cfg_qstatus ? queue_status(tile.coprocessor, id) : busy_status(tile.coprocessor, id);
  return core.csrs.read(csr, kind, core.clock, core.retired);
}

std::string register_xml(std::string_view name, std::string_view type) {
  return fmt::format("    <reg name=\"{}\" bitsize=\"32\" type=\"{}\"/>\n", name, type);
}

std::string feature_xml(std::string_view name, const std::string& registers) {
  return fmt::format("  <feature name=\"org.gnu.gdb.riscv.{}\">\n{}  </feature>\n", name, registers);
}

}  // namespace

unsigned register_count(Arch arch) {
  return has_floats(arch) ? first_csr + static_cast<unsigned>(modelled_csrs(arch).size()) : first_float;
}

std::optional<std::uint32_t> read_register(const Tile& tile, CoreId id, unsigned number) {
  const riscv::Core& core = tile.core(id);
  if (number < integer_count) return core.x[number];
  if (number == pc_register) return core.pc;
  if (number < first_csr && has_floats(tile.arch)) return core.f[number - first_float];
  const Csr* csr = csr_of(tile.arch, number);
  return csr == nullptr ? std::nullopt : read_csr(tile, id, *csr);
}

bool write_register(Tile& tile, CoreId id, unsigned number, std::uint32_t value) {
  riscv::Core& core = tile.core(id);
  core.spin.start_over();  // what it knows of the loop it is in no longer holds
  if (number == 0) return true;
  if (number < integer_count) {
    core.x[number] = value;
    return true;
  }
  if (number == pc_register) {
    core.pc = value;
    return true;
  }
  if (number < first_csr && has_floats(tile.arch)) {
    core.f[number - first_float] = value;
    return true;
  }
  const Csr* csr = csr_of(tile.arch, number);
  if (csr == nullptr || kind_on(*csr, id) != CsrKind::storage) return false;
  core.csrs.write(*csr, CsrKind::storage, value, core.clock, core.retired);
  return true;
}

/// Without an OS ABI: gdb would take Linux, which does not step but sets breakpoints where it believes the next instruction
/// to be, and takes .ttinsn for compressed ones.
std::string target_description(Arch arch) {
  std::string integers;
  for (unsigned i = 0; i < integer_count; ++i)
    integers += register_xml(riscv::integer_register_name(i), "int");
  integers += register_xml("pc", "code_ptr");
  std::string features = feature_xml("cpu", integers);
  if (has_floats(arch)) {
    std::string floats;
    for (unsigned i = 0; i < float_count; ++i)
      floats += register_xml(riscv::float_register_name(i), "ieee_single");
    std::string csrs;
    for (const Csr* csr : modelled_csrs(arch))
      csrs += register_xml(csr->name, "int");
    features += feature_xml("fpu", floats) + feature_xml("csr", csrs);
  }
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
         "  <architecture>riscv:rv32</architecture>\n  <osabi>none</osabi>\n" +
         features + "</target>\n";
}

}  // namespace tensim::debug
