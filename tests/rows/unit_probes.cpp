// Scalar, Matrix and Vector Unit, Unpackers, Packers and Mover.
#include <array>

#include "tests/rows/distances.hpp"
#include "tests/rows/probes.hpp"
#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

// ---- Matrix Unit ----

/// On different blocks of Dst.
double matrix_interval(Arch arch, const std::string& instruction) {
  std::string program;
  for (unsigned i = 0; i < 4; ++i)
    program += instruction + " DstRow=" + std::to_string(8 * i) + "\n";
  return last_distance(cycles_with_operands(arch, program));
}

double plain_matrix_interval(Arch arch, const std::string& instruction) {
  return last_distance(cycles_with_operands(arch, repeat(4, instruction)));
}

const std::string both_banks = repeat(2, "SETDVALID FlipSrcA=1, FlipSrcB=1");  // 3 and 4

/// Two in a row on different blocks: the second needs the other bank.
double pointer_flip(Arch arch) {
  return last_distance(cycles_of(arch, both_banks + "MVMUL FlipSrcA=1, FlipSrcB=1\nMVMUL DstRow=8"));
}

/// The instruction gives the bank back in 5; a wait of T1's for it has been latched. It is lifted a cycle after that.
double bank_return(Arch arch, const std::string& instruction) {
  const Ran ran =
      simulate(arch, {both_banks + instruction,
                      "NOP\nNOP\nSTALLWAIT block=STALL_CFG, cond=SRCA_CLR\nSETC16 CfgIndex=40, NewValue=1", ""});
  return static_cast<double>(ran.cycle_of(1, "SETC16")) - 1 - 5;
}

// ---- Vector Unit ----

const std::string mad = "SFPMAD VA=0, VB=1, VC=2, VD=3";

/// SFPLOADMACRO is accepted in cycle 2; what it schedules without delay adds 1 to LReg 0.
double macro_delay(Arch arch) {
  constexpr std::uint32_t template_0_without_delay = 4;
  VectorBench bench(arch);
  for (auto& macro : bench.registers().macros) {
    macro.sequence.fill(template_0_without_delay);
    macro.misc = 0;
    macro.instruction[0] = assemble(arch, "SFPIADD Imm12=1, VC=0, VD=0, Mod1=5");
  }
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 16; ++column)
      bench->dst.set32({}, row, column, 0);
  bench->push(1, assemble(arch, "SFPLOADMACRO MacroIndex=0, VDLo=1, Mod0=4, Imm9=0"), 0);
  unsigned cycle = 0;
  for (; cycle < 40 && bench.first(1) != 1; ++cycle)
    bench->step();
  return cycle - 1.0 - 2.0;
}

// ---- Unpackers, Packers, Mover ----

/// The time for 16 bytes that the model grants an unpacker at `own` words a cycle beside one at `other`.
double per_16_bytes(Arch arch, unsigned own, unsigned other) {
  return 1.0 / tensix::granted_speed(*tensix::unit_timing(arch), own, other);
}

const std::string unpacr = "UNPACR.Regular WhichUnpacker=0";

double start_of_other_unpacr(Arch arch) {
  const Ran ran = simulate(arch, {unpacr, "UNPACR.Regular WhichUnpacker=1", ""});
  return static_cast<double>(ran.cycle_of(1, 0) - ran.cycle_of(0, 0));
}

/// UNPACR 3: two cycles of address, 16 of data.
double bank_handover(Arch arch) {
  const Ran ran = simulate(arch, {unpacr + ", FlipSrc=1", "MOVA2D", ""});
  return static_cast<double>(ran.cycle_of(1, 0)) - (3 + 2 + 16);
}

double pacr_interval(Arch arch) {
  Scenario scenario = one_thread(arch, 0, repeat(4, "PACR"));
  scenario.timing["pack_data_cycles"] = 1;
  return last_distance(simulate(scenario).cycles(0));
}

constexpr const char* near = "ADDDMAREG.Immediate ResultReg=60, RightImm6=1, LeftReg=60";
constexpr const char* far = "ADDDMAREG.Register ResultReg=4, RightReg=7, LeftReg=8";
constexpr const char* setdmareg = "SETDMAREG.Immediate NewValue=7, ResultHalfReg=8";

constexpr std::array probes{
    Probe{"dmanop_latency", [](Arch arch) { return distance(arch, "DMANOP", "NOP"); }},
    Probe{"dmanop_interval", [](Arch arch) { return interval(arch, "DMANOP"); }},
    Probe{"setdmareg_latency", [](Arch arch) { return distance(arch, setdmareg, "NOP"); }},
    Probe{"setdmareg_interval", [](Arch arch) { return interval(arch, setdmareg); }},
    Probe{"dmareg_arith_interval_near", [](Arch arch) { return interval(arch, near); }},
    Probe{"dmareg_arith_interval_far", [](Arch arch) { return interval(arch, far); }},
    Probe{"reg2flop_interval_min", [](Arch arch) { return interval(arch, "REG2FLOP.ADC"); }},
    Probe{"flushdma_interval_min", [](Arch arch) { return interval(arch, "FLUSHDMA"); }},
    Probe{"thcon_mem_interval_min", [](Arch arch) { return distance(arch, "STOREIND.L1", "LOADIND"); }},
    Probe{"storeind_interval_min", [](Arch arch) { return interval(arch, "STOREIND.L1"); }},
    Probe{"storereg_interval_min", [](Arch arch) { return interval(arch, "STOREREG"); }},
    Probe{"loadind_interval_min", [](Arch arch) { return interval(arch, "LOADIND"); }},
    Probe{"loadreg_interval_min", [](Arch arch) { return interval(arch, "LOADREG"); }},
    Probe{"atcas_interval_min", [](Arch arch) { return interval(arch, "ATCAS"); }},
    Probe{"atincgetptr_interval_min", [](Arch arch) { return interval(arch, "ATINCGETPTR"); }},

    Probe{"fpu_mul_group_interval", [](Arch arch) { return matrix_interval(arch, "MVMUL"); }},
    Probe{"fpu_add_group_interval", [](Arch arch) { return matrix_interval(arch, "ELWADD"); }},
    Probe{"fpu_control_interval", [](Arch arch) { return plain_matrix_interval(arch, "SETRWC"); }},
    Probe{"fpu_simple_interval", [](Arch arch) { return plain_matrix_interval(arch, "TRNSPSRCB"); }},
    Probe{"movd2a_interval", [](Arch arch) { return plain_matrix_interval(arch, "MOVD2A"); }},
    Probe{"movb2a_interval", [](Arch arch) { return plain_matrix_interval(arch, "MOVB2A"); }},
    Probe{"movd2b_interval", [](Arch arch) { return plain_matrix_interval(arch, "MOVD2B"); }},
    Probe{"mov_to_dst_interval", [](Arch arch) { return plain_matrix_interval(arch, "MOVA2D"); }},
    // A multiply of several phases is as many instructions.
    Probe{"fpu_fidelity_phase_cost", [](Arch arch) { return matrix_interval(arch, "ELWMUL"); }},
    Probe{"src_bank_pointer_flip", pointer_flip},
    Probe{"src_bank_return_mvmul", [](Arch arch) { return bank_return(arch, "MVMUL FlipSrcA=1, FlipSrcB=1"); }},
    Probe{"src_bank_return_cleardvalid",
          [](Arch arch) { return bank_return(arch, "CLEARDVALID FlipSrcA=1, FlipSrcB=1"); }},

    Probe{"sfpu_simple_latency", [](Arch arch) { return latency(arch, "WAIT_SFPU", "SFPMOV VD=0"); }},
    Probe{"sfpu_simple_interval", [](Arch arch) { return interval(arch, "SFPMOV VC=1, VD=2"); }},
    Probe{"sfpu_mad_interval", [](Arch arch) { return interval(arch, mad); }},
    Probe{"sfplut_latency", [](Arch arch) { return latency(arch, "WAIT_SFPU", "SFPLUT VD=0"); }},
    Probe{"sfplut_interval", [](Arch arch) { return interval(arch, "SFPLUT VD=5"); }},
    Probe{"sfpmul24_latency", [](Arch arch) { return latency(arch, "WAIT_SFPU", "SFPMUL24 VD=0"); }},
    Probe{"sfpmul24_interval", [](Arch arch) { return interval(arch, "SFPMUL24 VA=0, VB=1, VD=3"); }},
    Probe{"sfpconfig_interval", [](Arch arch) { return interval(arch, "SFPCONFIG VD=11"); }},
    Probe{"sfpu_raw_stall", [](Arch arch) { return distance(arch, mad, "SFPMOV VC=3, VD=5") - 1; }},
    Probe{"sfploadmacro_delay0", macro_delay},

    Probe{"unpacr_start_interval", start_of_other_unpacr},
    Probe{"unpacr_thread_hold", [](Arch arch) { return distance(arch, unpacr, "NOP"); }},
    Probe{"unpack_both_x8_per_16b", [](Arch arch) { return per_16_bytes(arch, 8, 8); }},
    Probe{"unpack_both_x2_per_16b", [](Arch arch) { return per_16_bytes(arch, 2, 2); }},
    Probe{"unpack_x4_beside_x2_per_16b", [](Arch arch) { return per_16_bytes(arch, 4, 2); }},
    Probe{"unpack_x2_beside_x4_per_16b", [](Arch arch) { return per_16_bytes(arch, 2, 4); }},
    Probe{"unpack_any_beside_x1_penalty",
          [](Arch arch) { return per_16_bytes(arch, 4, 1) - per_16_bytes(arch, 4, 0); }},
    Probe{"unpacr_nop_latency", [](Arch arch) { return latency(arch, "UNPACK0", "UNPACR_NOP.Nop"); }},
    Probe{"unpacr_bank_handover", bank_handover},
    Probe{"pacr_start_interval", pacr_interval},
    Probe{"xmov_latency", [](Arch arch) { return distance(arch, "XMOV", "NOP"); }},
};

}  // namespace

std::span<const Probe> unit_probes() {
  return probes;
}

}  // namespace tensim::test
