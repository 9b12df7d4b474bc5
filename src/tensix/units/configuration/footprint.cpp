#include "tensix/footprint.hpp"

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

/// The store goes to the bank that the thread has chosen.
void add_store(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, const ConfigStore& store,
               std::uint32_t mask = Access::whole) {
  add_bank_choice(footprint, coprocessor.arch, thread);
  add_config_store(footprint, coprocessor.arch, store, mask);
  if (store.count != 1 || store.banks == ConfigStore::both_banks) return;
  const unsigned bank = store.banks == ConfigStore::bank1 ? 1 : 0;
  if (const auto now = config_word(coprocessor.config, coprocessor.arch, bank, store.first))
    footprint.changes_only(*now ^ store.value[0]);
}

void setc16(Footprint& footprint, Arch arch, unsigned thread, Word word) {
  const auto write = tensix::setc16(arch, thread, word);
  if (!write) return;
  footprint.writes(Resource::thread_config, thread, write->word);
  const auto is_word = [&](const ConfigField& field) { return field.on(arch).word == write->word; };
  if (!is_word("UNPACK_MISC_CFG_CfgContextCntReset_0"_thread_config) &&
      !is_word("UNPACK_MISC_CFG_CfgContextCntReset_1"_thread_config))
    return;
  for (unsigned unpacker = 0; unpacker < 2; ++unpacker)
    footprint.writes(Resource::unpacker, unpacker, unpacker_context(thread));
}

/// What is not in its mask stays as it is, and is not looked at, unless the word seeds generators.
void rmwcib(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  const auto write = tensix::rmwcib(coprocessor.config, coprocessor.arch, thread, word);
  if (!write) return;
  if (write->first == static_cast<unsigned>("PRNG_SEED_Seed_Val"_config.on(coprocessor.arch).word))
    add_config(footprint, coprocessor, thread, write->first, 1, false);
  add_store(footprint, coprocessor, thread, *write, rmwcib_mask(word));
}

void streamwrcfg(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, Word word) {
  constexpr isa::Field select = field_of(Arch::blackhole, "STREAMWRCFG", "", "StreamSelect");
  constexpr isa::Field index = field_of(Arch::blackhole, "STREAMWRCFG", "", "RegIndex");
  constexpr isa::Field target = field_of(Arch::blackhole, "STREAMWRCFG", "", "CfgIndex");
  constexpr ConfigSections chosen = "STREAM_ID_SYNC_SECn_BankSel"_thread_sections;
  const Arch arch = coprocessor.arch;
  add_thread_field(footprint, arch, thread, chosen, select.get(word));
  const unsigned stream = thread_field(coprocessor.config, arch, thread, chosen, select.get(word));
  footprint.reads(Resource::stream, stream, index.get(word));
  const unsigned bank = config_bank_of(coprocessor.config, arch, thread);
  if (const auto write = config_word_store(arch, bank, target.get(word), 0))
    add_store(footprint, coprocessor, thread, *write);
}

}  // namespace

/// An index that the chip does not have reads and writes no configuration.
void units::configuration_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  const Word word = candidate.entry.word;
  const Arch arch = coprocessor.arch;
  const unsigned thread = candidate.thread;
  switch (isa::opcode_of(word)) {
    case "SETC16"_op: return setc16(footprint, arch, thread, word);
    case "WRCFG"_op:
      add_gprs(footprint, thread, word);
      if (const auto write = wrcfg(coprocessor.config, arch, thread, coprocessor.gprs, word))
        add_store(footprint, coprocessor, thread, *write);
      return;
    case "RDCFG"_op:
      if (!rdcfg(coprocessor.config, arch, thread, word)) return;
      add_config(footprint, coprocessor, thread, rdcfg_word(word), 1, false);
      return add_gprs(footprint, thread, word);
    case "CFGSHIFTMASK"_op:
      if (const auto write = cfgshiftmask(coprocessor.config, thread, word)) {
        footprint.reads(Resource::config, 0, cfgshiftmask_scratch_word(thread, word));
        add_config(footprint, coprocessor, thread, write->first, 1, false);
        add_config_store(footprint, arch, *write);
      }
      return;
    case "STREAMWRCFG"_op: return streamwrcfg(footprint, coprocessor, thread, word);
    default: return rmwcib(footprint, coprocessor, thread, word);  // RMWCIB0 to RMWCIB3
  }
}

}  // namespace tensim::tensix
