#include "tests/silicon/rates.hpp"

#include <array>
#include <map>

#include "arch/config_registers.hpp"
#include "isa/assembler/assemble.hpp"

namespace tensim::silicon {
namespace {

using tensix::Coprocessor;
using tensix::Cycle;

/// One instruction, or a pair, as silicon.md describes the probe. The figure is per copy of it.
const std::map<std::string, std::string>& bodies() {
  static const std::map<std::string, std::string> all{
      {"NOP", "ttnop"},
      {"tt_nop", "ttnop"},
      {"DMANOP", "ttdmanop"},
      {"SFPNOP", "sfpnop"},
      {"tt_sfpnop", "sfpnop"},
      {"SFPMOV", "sfpmov L1, L0, 0"},
      {"SFPADD", "sfpadd L3, L0, L1, L2, 0"},
      {"SFPMUL", "sfpmul L3, L0, L1, L2, 0"},
      {"SFPMAD", "sfpmad L3, L0, L1, L2, 0"},
      {"SFPABS", "sfpabs L1, L0, 0"},
      {"SETDMAREG", "ttsetdmareg 0, 7, 0, 120"},
      {"tt_setdmareg", "ttsetdmareg 0, 7, 0, 120"},
      {"ADDDMAREG", "ttadddmareg 1, 60, 1, 60"},
      {"tt_adddmareg", "ttadddmareg 1, 60, 1, 60"},
      {"MULDMAREG", "ttmuldmareg 1, 61, 1, 60"},
      {"SHIFTDMAREG", "ttshiftdmareg 1, 0, 61, 1, 60"},
      {"CMPDMAREG", "ttcmpdmareg 1, 0, 62, 1, 60"},
      {"RDCFG", "ttrdcfg 60, 0"},
      {"RMWCIB0", "ttrmwcib0 0, 0, 0"},
      {"SETRWC", "ttsetrwc 0, 0, 0, 0, 0, 0"},
      {"INCRWC", "ttincrwc 0, 0, 0, 0"},
      {"MVMUL", "ttmvmul 0, 0, 0, 0"},
      {"ELWADD", "ttelwadd 0, 0, 0, 0, 0"},
      {"ELWMUL", "ttelwmul 0, 0, 0, 0, 0"},
      {"C12", "STALLWAIT block=STALL_THREAD, cond=CFGEXU"},
      {"RDCFG_STALL", "ttrdcfg 60, 0\nSTALLWAIT block=STALL_THREAD, cond=TRISC_CFG"},
      {"SETDMA_STALL", "ttsetdmareg 0, 7, 0, 120\nSTALLWAIT block=STALL_THREAD, cond=TRISC_CFG"},
      {"RDCFG_CFGSTALL", "ttrdcfg 60, 0\nSTALLWAIT block=STALL_THREAD, cond=CFGEXU"},
      {"RMWCIB_CFGSTALL", "ttrmwcib0 0, 0, 0\nSTALLWAIT block=STALL_THREAD, cond=CFGEXU"},
      {"SETDMA_CFGSTALL", "ttsetdmareg 0, 7, 0, 120\nSTALLWAIT block=STALL_THREAD, cond=CFGEXU"},
      {"RDCFG_DEP", "ttrdcfg 60, 0\nttadddmareg 1, 63, 0, 60"},
      {"RDCFG_INDEP", "ttrdcfg 60, 0\nttadddmareg 1, 63, 0, 59"},
  };
  return all;
}

struct Probe {
  std::vector<isa::Word> body;
  std::array<bool, 3> active{};
  unsigned on = 1;
  bool walks_dst = false;  // T1's ADDR_MOD_0 as a matmul leaves it
};

std::optional<Probe> probe_of(const Row& row) {
  Probe probe;
  probe.walks_dst = walks_dst(row.probe);
  probe.body = tensix_body(row.arch, instruction_of(row.probe));
  if (probe.body.empty()) return std::nullopt;
  for (unsigned thread = 0; thread < 3; ++thread)
    probe.active[thread] = (threads_of(row) >> thread & 1U) != 0;
  if (!row.measured_on.empty()) probe.on = static_cast<unsigned>(row.measured_on[1] - '0');
  return probe;
}

/// Cycles per copy of the body on the measured thread, well inside a long run.
double slope(Arch arch, const Probe& probe) {
  constexpr unsigned from = 256;
  constexpr unsigned to = 1280;
  Coprocessor coprocessor(arch);
  coprocessor.src.hand_to_matrix(tensix::Src::a);
  coprocessor.src.hand_to_matrix(tensix::Src::b);
  if (probe.walks_dst) let_t1_walk_dst(coprocessor);
  std::array<unsigned, 3> fed{};
  Cycle begin = 0;
  const auto issued = [&](unsigned thread) { return coprocessor.accounts[thread][event::Stall::issued]; };
  while (true) {
    coprocessor.step();
    for (unsigned thread = 0; thread < 3; ++thread)
      if (probe.active[thread] && coprocessor.can_push(thread))
        coprocessor.push(thread, probe.body[fed[thread]++ % probe.body.size()], 0);
    if (begin == 0 && issued(probe.on) >= from * probe.body.size()) begin = coprocessor.now;
    if (issued(probe.on) >= to * probe.body.size()) break;
  }
  return static_cast<double>(coprocessor.now - begin) / (to - from);
}

/// T1 waits for the Configuration Unit to be empty while T0 and T2 keep it busy, until they have done their pairs; the
/// figure is the slope of the total over the number of pairs (ruling 15).
double cross_thread_slope(Arch arch, bool hammered, unsigned on) {
  const auto assembled = [&](std::string_view text) {
    std::vector<isa::Word> words;
    for (const isa::AssembledWord& word : isa::assemble(arch, text, "probe").words)
      words.push_back(word.word);
    return words;
  };
  const std::array<std::vector<isa::Word>, 2> bodies{assembled("ttrmwcib0 0, 0, 0\nttnop"),
                                                     assembled("STALLWAIT block=STALL_THREAD, cond=CFGEXU\nttnop")};
  const auto total = [&](unsigned pairs) {
    Coprocessor coprocessor(arch);
    std::array<unsigned, 3> fed{};
    while (true) {
      coprocessor.step();
      for (unsigned thread = 0; thread < 3; ++thread)
        if ((hammered || thread == 1) && fed[thread] < 2 * pairs && coprocessor.can_push(thread))
          coprocessor.push(thread, bodies[thread == 1 ? 1 : 0][fed[thread]++ % 2], 0);
      if (coprocessor.accounts[on][event::Stall::issued] == 2 * pairs) return static_cast<double>(coprocessor.now);
    }
  };
  constexpr unsigned unit = 64 * 32;
  return (total(4 * unit) - total(unit)) / (3 * unit);
}

}  // namespace

std::vector<isa::Word> tensix_body(Arch arch, const std::string& probe) {
  std::vector<isa::Word> words;
  if (const auto body = bodies().find(probe); body != bodies().end())
    for (const isa::AssembledWord& word : isa::assemble(arch, body->second, "probe").words)
      words.push_back(word.word);
  return words;
}

std::string instruction_of(const std::string& probe) {
  return probe.substr(0, std::min(probe.find(" ["), probe.find(" src=")));
}

bool walks_dst(const std::string& probe) {
  return probe.find("dirty") != std::string::npos || probe.find("fast") != std::string::npos;
}

void let_t1_walk_dst(Coprocessor& coprocessor) {
  const Arch arch = coprocessor.arch;
  const auto ab = static_cast<std::size_t>("ADDR_MOD_AB_SECn_SrcBIncr"_thread_sections.on(arch).first);
  const auto dst = static_cast<std::size_t>("ADDR_MOD_DST_SECn_DestIncr"_thread_sections.on(arch).first);
  coprocessor.config.thread[1][ab] = 8U << 8U;
  coprocessor.config.thread[1][dst] = 8;
}

unsigned threads_of(const Row& row) {
  const std::string& threads = row.active.empty() ? row.conditions : row.active;
  if (threads.find("T1 only") != std::string::npos) return 0b010;
  unsigned mask = 0;
  for (unsigned thread = 0; thread < 3; ++thread)
    if (threads.find('T' + std::to_string(thread)) != std::string::npos) mask |= 1U << thread;
  return mask;
}

std::optional<double> measure_rate(const Row& row) {
  if (row.probe == "C12_XTHREAD") {
    const bool hammered = row.conditions.starts_with("T0,T1,T2");
    const unsigned on = static_cast<unsigned>(row.conditions.back() - '0');
    return cross_thread_slope(row.arch, hammered, on);
  }
  const auto probe = probe_of(row);
  if (!probe) return std::nullopt;
  return slope(row.arch, *probe);
}

}  // namespace tensim::silicon
