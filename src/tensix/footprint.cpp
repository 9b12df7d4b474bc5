#include "tensix/footprint.hpp"

#include <algorithm>

#include "arch/address_map.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/registers/addr_mod.hpp"

namespace tensim::tensix {

using namespace tensim::literals;

// ---- settings ----

void Settings::add(Resource resource, std::size_t word, std::uint32_t mask) {
  const auto first = static_cast<std::uint32_t>(word);
  for (Access& known : accesses_)
    if (known.resource == resource && known.first == first) {
      known.mask |= mask;
      return;
    }
  const Access access{.resource = resource, .first = first, .mask = mask};
  if (resource == Resource::thread_config) return accesses_.push_back(access);
  const bool is_shared = first >= config_global_base(arch_);
  const std::size_t at = is_shared ? of_config_ : of_bank_;
  accesses_.insert(accesses_.begin() + static_cast<std::ptrdiff_t>(at), access);
  ++of_config_;
  if (!is_shared) ++of_bank_;
}

Settings& Settings::add(const ConfigField& field, std::size_t plus) {
  return add_bits(field, field.on(arch_).bits(), plus);
}

Settings& Settings::add_bits(const ConfigField& field, std::uint32_t mask, std::size_t plus) {
  const ConfigField::Place& place = field.on(arch_);
  if (!place.exists()) return *this;
  add(Resource::config, static_cast<std::size_t>(place.word) + plus, mask);
  return add_thread("CFG_STATE_ID_StateID"_thread_config);
}

Settings& Settings::add_thread(const ConfigField& field) {
  const ConfigField::Place& place = field.on(arch_);
  if (place.exists()) add(Resource::thread_config, static_cast<std::size_t>(place.word), Access::whole);
  return *this;
}

void Footprint::reads(const Settings& settings, unsigned bank, unsigned thread) {
  const std::size_t from = to_.size();
  to_.insert(to_.end(), settings.accesses_.begin(), settings.accesses_.end());
  Access* const added = to_.data() + from;
  if (bank != 0)
    for (std::size_t i = 0; i < settings.of_bank_; ++i)
      added[i].owner = static_cast<std::uint8_t>(bank);
  for (std::size_t i = settings.of_config_; i < settings.accesses_.size(); ++i)
    added[i].owner = static_cast<std::uint8_t>(thread);
}

// ---- registers of threads ----

namespace {

/// The bits of a half that stand at twice their number, from bits 0 to 31.
constexpr std::uint64_t spread(std::uint64_t bits) {
  bits &= 0xFFFF'FFFFU;
  bits = (bits | bits << 16U) & 0x0000'FFFF'0000'FFFFU;
  bits = (bits | bits << 8U) & 0x00FF'00FF'00FF'00FFU;
  bits = (bits | bits << 4U) & 0x0F0F'0F0F'0F0F'0F0FU;
  bits = (bits | bits << 2U) & 0x3333'3333'3333'3333U;
  return (bits | bits << 1U) & 0x5555'5555'5555'5555U;
}

void add_halves(Footprint& footprint, unsigned thread, GprSet set, bool write) {
  if (set.empty()) return;
  constexpr unsigned part = 32;  // registers whose halves are 64
  static_assert(gprs_per_thread == std::size_t{2} * part);
  for (unsigned from = 0; from < gprs_per_thread; from += part) {
    std::uint64_t bits = spread(set.low >> from) | spread(set.high >> from) << 1U;
    for (unsigned at = 2 * from; bits != 0;) {
      const auto zeros = static_cast<unsigned>(std::countr_zero(bits));
      bits >>= zeros;
      const auto ones = static_cast<unsigned>(std::countr_one(bits));
      footprint.add(Resource::gpr, thread, at + zeros, ones, write);
      at += zeros + ones;
      bits = ones == 2 * part ? 0 : bits >> ones;
    }
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
  const unsigned section = preset_of(coprocessor.rwcs.thread[thread], coprocessor.config, arch, thread, index);
  if (has_addr_mod_base(arch)) add_thread_field(footprint, arch, thread, "ADDR_MOD_SET_Base"_thread_config);
  for (const ConfigSections* field :
       {&addr_mod_fields::src_a_incr, &addr_mod_fields::dest_incr, &addr_mod_fields::bias_incr})
    footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(field->on(arch).word(section)));
  footprint.reads(Resource::rwc, thread, rwc_dst, 5);
  if (addr_mod(coprocessor.config, arch, thread, section).does_nothing()) return;
  if (update_fidelity) return footprint.writes(Resource::rwc, thread, rwc_dst, 5);
  footprint.writes(Resource::rwc, thread, rwc_dst, 3);
  footprint.writes(Resource::rwc, thread, rwc_extra_addr_mod_bit);
}

// ---- configuration ----

namespace {

/// Words that both banks share are bank 0's.
void add_words(Footprint& footprint, Arch arch, unsigned bank, unsigned first, unsigned count, bool write,
               std::uint32_t mask) {
  const unsigned global = config_global_base(arch);
  const unsigned end = first + count;
  const unsigned own = first >= global ? 0 : std::min(end, global) - first;
  footprint.add(Resource::config, bank, first, own, write, mask);
  footprint.add(Resource::config, 0, first + own, count - own, write, mask);
}

void add_seeded_generators(Footprint& footprint, Arch arch) {
  footprint.writes(Resource::lane_flags, 0, lane_random);
  footprint.writes(Resource::matrix, 0, matrix_random);
  for (unsigned packer = 0; packer < static_cast<unsigned>(size(arch, "packers"_size)); ++packer)
    footprint.writes(Resource::packer, packer, packer_random);
}

}  // namespace

void add_bank_choice(Footprint& footprint, Arch arch, unsigned thread) {
  add_thread_field(footprint, arch, thread, "CFG_STATE_ID_StateID"_thread_config);
}

void add_config(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned first, unsigned count,
                bool write, std::uint32_t mask) {
  add_bank_choice(footprint, coprocessor.arch, thread);
  const unsigned bank = config_bank_of(coprocessor.config, coprocessor.arch, thread);
  add_words(footprint, coprocessor.arch, bank, first, count, write, mask);
}

/// A write of any value to STATE_RESET_EN clears the bank, but not by RMWCIB; the word itself is one of the cleared.
void add_config_store(Footprint& footprint, Arch arch, const ConfigStore& store, std::uint32_t mask) {
  const auto names = [&](const ConfigField& field) {
    const auto word = static_cast<unsigned>(field.on(arch).word);
    return word >= store.first && word < unsigned{store.first} + store.count;
  };
  const bool resets = !store.is_rmwcib && names("STATE_RESET_EN"_config);
  for (unsigned bank = 0; bank < config_bank_count; ++bank) {
    if ((store.banks >> bank & 1U) == 0) continue;
    if (store.first >= config_global_base(arch) && bank != 0 && store.banks != ConfigStore::bank1) continue;
    if (resets)
      footprint.add(Resource::config, bank, 0, config_global_base(arch), true);
    else
      add_words(footprint, arch, bank, store.first, store.count, true, mask);
  }
  if (names("PRNG_SEED_Seed_Val"_config)) add_seeded_generators(footprint, arch);
}

// ---- the rest of the tile ----

namespace {

void add_config_register(Footprint& footprint, Arch arch, std::uint32_t offset, bool write) {
  if (write) {
    if (const auto store = riscv_config_store(arch, offset & ~3U, 0)) add_config_store(footprint, arch, *store);
    return;
  }
  const auto location = locate_config(arch, offset);
  if (!location) return;
  switch (location->space) {
    case ConfigLocation::Space::config:
    case ConfigLocation::Space::dual_write:
      return add_words(footprint, arch, location->index, location->word, 1, false, Access::whole);
    case ConfigLocation::Space::thread_config:
      return footprint.reads(Resource::thread_config, location->index, location->word);
    case ConfigLocation::Space::padding: return;
  }
}

void add_stream_register(Footprint& footprint, Arch arch, std::uint32_t offset, bool write) {
  const auto bytes = static_cast<std::uint32_t>(size(arch, "overlay_stream_bytes"_size));
  const unsigned stream = offset / bytes;
  const unsigned index = offset % bytes / 4;
  footprint.add(Resource::stream, stream, index, 1, write);
  const StreamRegisterRow* row = stream_register_row(arch, index);
  if (!write || row == nullptr || row->store == StreamRegisterRow::Store::plain) return;
  // Its store goes to the space that is left, too.
  for (const StreamRegisterRow& other : stream_register_rows)
    if (other.value == &StreamCounts::space_available && other.store == StreamRegisterRow::Store::plain)
      footprint.writes(Resource::stream, stream, other.on(arch));
}

}  // namespace

/// Mailboxes, buffers and what is the cores' own are none of the resources.
void add_tile_register(Footprint& footprint, const Coprocessor& coprocessor, std::uint32_t address, bool write) {
  const Arch arch = coprocessor.arch;
  const Region* region = find_region(arch, CoreBit::B, address);
  if (region == nullptr) return;
  const std::uint32_t offset = address - region->base;
  switch (region->kind) {
    case Region::Kind::config: return add_config_register(footprint, arch, offset, write);
    case Region::Kind::gprs_all: {
      const unsigned thread = offset / 4 / gprs_per_thread;
      if (thread < thread_count) footprint.add(Resource::gpr, thread, offset / 4 % gprs_per_thread * 2, 2, write);
      return;
    }
    case Region::Kind::tdma_risc: return footprint.add(Resource::tdma, 0, offset / 4, 1, write);
    case Region::Kind::noc_overlay: return add_stream_register(footprint, arch, offset, write);
    default: return;
  }
}

void add_l1(Footprint& footprint, const Coprocessor& coprocessor, std::int64_t first, std::int64_t bytes, bool write) {
  const std::int64_t end = std::min(first + bytes, static_cast<std::int64_t>(coprocessor.memory.l1.size()));
  first = std::max<std::int64_t>(first, 0);
  if (first < end)
    footprint.add(Resource::l1, 0, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first), write);
}

}  // namespace tensim::tensix
