#include "tensix/footprint.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

/// A write of any value to STATE_RESET_EN clears the bank, but not by RMWCIB.
void add_write(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, const ConfigStore& write) {
  const auto reset = static_cast<unsigned>("STATE_RESET_EN"_config.on(coprocessor.arch).word);
  const bool resets = !write.is_rmwcib && reset >= write.first && reset < unsigned{write.first} + write.count;
  if (resets)
    add_config(footprint, coprocessor, thread, 0, config_global_base(coprocessor.arch), true);
  else
    add_config(footprint, coprocessor, thread, write.first, write.count, true);
}

}  // namespace

/// An index that the chip does not have reads and writes no configuration.
Footprint units::configuration_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  const Word word = candidate.entry.word;
  const Arch arch = coprocessor.arch;
  const unsigned thread = candidate.thread;
  switch (isa::opcode_of(word)) {
    case "SETC16"_op:
      if (const auto write = setc16(arch, thread, word)) footprint.writes(Resource::thread_config, thread, write->word);
      break;
    case "WRCFG"_op:
      add_gprs(footprint, thread, word);
      if (const auto write = wrcfg(coprocessor.config, arch, thread, coprocessor.gprs, word))
        add_write(footprint, coprocessor, thread, *write);
      break;
    case "RDCFG"_op:
      if (rdcfg(coprocessor.config, arch, thread, word)) {
        add_config(footprint, coprocessor, thread, rdcfg_word(word), 1, false);
        add_gprs(footprint, thread, word);
      }
      break;
    case "CFGSHIFTMASK"_op:
      if (const auto write = cfgshiftmask(coprocessor.config, thread, word)) {
        footprint.reads(Resource::config, 0, cfgshiftmask_scratch_word(thread, word));
        add_config(footprint, coprocessor, thread, write->first, 1, false);
        add_write(footprint, coprocessor, thread, *write);
      }
      break;
    case "STREAMWRCFG"_op: {
      const unsigned select = field_of(Arch::blackhole, "STREAMWRCFG", "", "StreamSelect").get(word);
      const unsigned target = field_of(Arch::blackhole, "STREAMWRCFG", "", "CfgIndex").get(word);
      add_thread_field(footprint, arch, thread, "STREAM_ID_SYNC_SECn_BankSel"_thread_sections, select);
      if (const auto write = config_word_store(arch, config_bank_of(coprocessor.config, arch, thread), target, 0))
        add_write(footprint, coprocessor, thread, *write);
      break;
    }
    default:  // RMWCIB0 to RMWCIB3
      if (const auto write = rmwcib(coprocessor.config, arch, thread, word)) {
        add_config(footprint, coprocessor, thread, write->first, 1, false);
        add_write(footprint, coprocessor, thread, *write);
      }
  }
  return footprint;
}

}  // namespace tensim::tensix
