#include "tensix/footprint.hpp"

#include "tensix/coprocessor.hpp"

namespace tensim::tensix {

void Footprint::add(Resource resource, unsigned owner, unsigned first, unsigned count, bool write) {
  if (count == 0) return;
  is_complete_ &= accesses_.push_back({resource, static_cast<std::uint8_t>(owner), write, first, count});
}

namespace {

bool contains(GprSet set, unsigned half) {
  return ((half % 2 == 0 ? set.low : set.high) >> (half / 2) & 1U) != 0;
}

void add_halves(Footprint& footprint, unsigned thread, GprSet set, bool write) {
  constexpr unsigned halves = 2 * gprs_per_thread;
  for (unsigned half = 0; half < halves; ++half) {
    if (!contains(set, half)) continue;
    const unsigned first = half;
    while (half + 1 < halves && contains(set, half + 1))
      ++half;
    if (write)
      footprint.writes(Resource::gpr, thread, first, half + 1 - first);
    else
      footprint.reads(Resource::gpr, thread, first, half + 1 - first);
  }
}

}  // namespace

void add_gprs(Footprint& footprint, unsigned thread, Word word) {
  const GprUse use = gpr_use(word);
  add_halves(footprint, thread, use.reads, false);
  add_halves(footprint, thread, use.writes, true);
}

void add_thread_field(Footprint& footprint, Arch arch, unsigned thread, const ConfigField& field) {
  const ConfigField::Place& place = field.on(arch);
  if (place.exists()) footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(place.word));
}

void add_thread_field(Footprint& footprint, Arch arch, unsigned thread, const ConfigSections& field, unsigned section) {
  const ConfigSections::Words& words = field.on(arch);
  if (words.has(section)) footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(words.word(section)));
}

void add_addr_mod(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned index,
                  bool update_fidelity) {
  const Arch arch = coprocessor.arch;
  const unsigned section = addr_mod_section(coprocessor.rwcs, coprocessor.config, arch, thread, index);
  add_thread_field(footprint, arch, thread, "ADDR_MOD_SET_Base"_thread_config);
  add_thread_field(footprint, arch, thread, "ADDR_MOD_AB_SECn_SrcAIncr"_thread_sections, section);
  add_thread_field(footprint, arch, thread, "ADDR_MOD_DST_SECn_DestIncr"_thread_sections, section);
  add_thread_field(footprint, arch, thread, "ADDR_MOD_BIAS_SECn_BiasIncr"_thread_sections, section);
  footprint.updates(Resource::rwc, thread, rwc_dst, 3);
  if (update_fidelity) footprint.updates(Resource::rwc, thread, rwc_fidelity);
  footprint.updates(Resource::rwc, thread, rwc_extra_addr_mod_bit);
}

void add_config(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned first, unsigned count,
                bool write) {
  const Arch arch = coprocessor.arch;
  add_thread_field(footprint, arch, thread, "CFG_STATE_ID_StateID"_thread_config);
  const unsigned own_bank = config_bank_of(coprocessor.config, arch, thread);
  const unsigned global = config_global_base(arch);
  for (unsigned bank = 0; bank < config_bank_count; ++bank) {
    const unsigned from = bank == own_bank || first >= global ? first : global;
    const unsigned end = first + count;
    if (from >= end) continue;
    if (write)
      footprint.writes(Resource::config, bank, from, end - from);
    else
      footprint.reads(Resource::config, bank, from, end - from);
  }
}

}  // namespace tensim::tensix
