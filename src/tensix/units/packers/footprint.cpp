#include "tensix/footprint.hpp"

#include <bitset>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/packers/config.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/packers/steps.hpp"
#include "tensix/units/packers/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

/// Words from one field's to another's.
struct ConfigRange {
  const ConfigField* first;
  const ConfigField* last;
};

/// What every PACR looks at, whatever its packer.
constexpr std::array common_ranges{
    ConfigRange{&"ALU_FORMAT_SPEC_REG_Dstacc_val"_config, &"STACC_RELU_ReluThreshold"_config},
    ConfigRange{&"INT_DESCALE_Enable"_config, &"INT_DESCALE_Enable"_config},
    ConfigRange{&"PCK0_ADDR_CTRL_XY_REG_0_Xstride"_config, &"PCK_EDGE_OFFSET_SEC3_mask"_config},
    ConfigRange{&"TILE_FACE_SET_MAPPING_0_face_set_mapping_0"_config,
                &"TILE_FACE_SET_MAPPING_3_face_set_mapping_0"_config},
    ConfigRange{&"INT_DESCALE_VALUES_SEC0_Value"_config, &"INT_DESCALE_VALUES_SEC0_Value"_config},
    ConfigRange{&"DEST_ACCESS_CFG_swizzle_32b"_config, &"DEST_ACCESS_CFG_swizzle_32b"_config},
    // Whether the others' addresses are relative, and whether all compress: packer 0's settings.
    ConfigRange{&"THCON_SEC0_REG1_Row_start_section_size"_config, &"THCON_SEC0_REG1_Exp_threshold"_config},
};

/// A packer's own.
constexpr std::array<std::array<ConfigRange, 4>, Packers::count> own_ranges{{
    {{{&"PACK_COUNTERS_SEC0_pack_per_xy_plane"_config, &"PACK_COUNTERS_SEC0_pack_per_xy_plane"_config},
      {&"THCON_SEC0_REG1_Row_start_section_size"_config, &"THCON_SEC0_REG1_Exp_threshold"_config},
      {&"THCON_SEC0_REG9_Pack_0_2_limit_address"_config, &"THCON_SEC0_REG9_Pack_0_2_fifo_size"_config},
      {&"DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config, &"DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config}}},
    {{{&"PACK_COUNTERS_SEC1_pack_per_xy_plane"_config, &"PACK_COUNTERS_SEC1_pack_per_xy_plane"_config},
      {&"THCON_SEC0_REG8_Row_start_section_size"_config, &"THCON_SEC0_REG8_Exp_threshold"_config},
      {&"THCON_SEC0_REG9_Pack_1_3_limit_address"_config, &"THCON_SEC0_REG9_Pack_1_3_fifo_size"_config},
      {&"DEST_TARGET_REG_CFG_PACK_SEC1_Offset"_config, &"DEST_TARGET_REG_CFG_PACK_SEC1_Offset"_config}}},
    {{{&"PACK_COUNTERS_SEC2_pack_per_xy_plane"_config, &"PACK_COUNTERS_SEC2_pack_per_xy_plane"_config},
      {&"THCON_SEC1_REG1_Row_start_section_size"_config, &"THCON_SEC1_REG1_Exp_threshold"_config},
      {&"THCON_SEC1_REG9_Pack_0_2_limit_address"_config, &"THCON_SEC1_REG9_Pack_0_2_fifo_size"_config},
      {&"DEST_TARGET_REG_CFG_PACK_SEC2_Offset"_config, &"DEST_TARGET_REG_CFG_PACK_SEC2_Offset"_config}}},
    {{{&"PACK_COUNTERS_SEC3_pack_per_xy_plane"_config, &"PACK_COUNTERS_SEC3_pack_per_xy_plane"_config},
      {&"THCON_SEC1_REG8_Row_start_section_size"_config, &"THCON_SEC1_REG8_Exp_threshold"_config},
      {&"THCON_SEC1_REG9_Pack_1_3_limit_address"_config, &"THCON_SEC1_REG9_Pack_1_3_fifo_size"_config},
      {&"DEST_TARGET_REG_CFG_PACK_SEC3_Offset"_config, &"DEST_TARGET_REG_CFG_PACK_SEC3_Offset"_config}}},
}};

/// Runs of set bits, as reads. A footprint has room for a few: beyond them one read covers the rest.
template <std::size_t Size, class Add>
void for_each_run(const std::bitset<Size>& set, unsigned most, Add add) {
  std::size_t end = Size;
  while (end != 0 && !set[end - 1])
    --end;
  for (std::size_t at = 0; at < end; --most) {
    while (!set[at])
      ++at;
    std::size_t past = at;
    while (past < end && set[past])
      ++past;
    if (most == 1) past = end;
    add(static_cast<unsigned>(at), static_cast<unsigned>(past - at));
    at = past;
  }
}

using ConfigSet = std::bitset<max_config_words>;
using RowSet = std::bitset<Dst::rows>;

void add_range(ConfigSet& words, Arch arch, const ConfigRange& range) {
  if (!range.first->on(arch).exists()) return;
  for (auto word = range.first->on(arch).word; word <= range.last->on(arch).word; ++word)
    words.set(static_cast<std::size_t>(word));
}

/// Of the thread's bank; words that both banks share are listed for both.
void add_words(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, ConfigSet words) {
  constexpr unsigned most_runs = 9;
  constexpr unsigned most_shared_runs = 3;
  const unsigned bank = config_bank_of(coprocessor.config, coprocessor.arch, thread);
  for_each_run(words, most_runs,
               [&](unsigned first, unsigned count) { footprint.reads(Resource::config, bank, first, count); });
  const unsigned global = config_global_base(coprocessor.arch);
  for_each_run(words >> global << global, most_shared_runs,
               [&](unsigned first, unsigned count) { footprint.reads(Resource::config, 1 - bank, first, count); });
}

/// The rows of 16 bits that a job reads.
void add_rows(RowSet& rows, const PackJob& job) {
  if (job.source != PackJob::Source::dst || job.count == 0) return;
  for (unsigned interface = 0; interface < 4; ++interface) {
    if ((job.interfaces >> interface & 1U) == 0) continue;
    const std::uint32_t first = job.first + interface * job.row_step * Dst::columns;
    const std::uint32_t last = std::min(first + job.count - 1, first + Dst::rows * Dst::columns);
    for (std::uint32_t row = first / Dst::columns; row <= last / Dst::columns; ++row) {
      const std::uint32_t logical = row % Dst::rows;
      const unsigned at = job.read_32b ? job.addressing.row32(logical) : job.addressing.row16(logical);
      rows.set(at);
      if (job.read_32b) rows.set(at + Dst::low_half);
    }
  }
}

/// All eight counters address; Y and Z of both channels move where the address modifier says so.
void add_counters(Footprint& footprint, unsigned context, std::uint32_t mod) {
  constexpr unsigned packer = 2;
  constexpr unsigned y = 1;
  constexpr unsigned z = 2;
  footprint.reads(Resource::adc, context, adc_counter(packer, 0, 0), 8);
  const auto moves = [&](std::uint32_t bits, unsigned channel, unsigned dimension) {
    if ((mod & bits) != 0) footprint.writes(Resource::adc, context, adc_counter(packer, channel, dimension));
  };
  moves(0x3FU, 0, y);
  moves(0x3000U, 0, z);
  moves(0xFC0U, 1, y);
  moves(0xC000U, 1, z);
}

void add_thread_word(Footprint& footprint, Arch arch, unsigned thread, const ConfigField& field, unsigned plus = 0) {
  footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(field.on(arch).word) + plus);
}

void pacr(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const Arch arch = coprocessor.arch;
  const PacrWord word{candidate.entry.word, arch};
  ConfigSet words;
  RowSet rows;
  unsigned contexts = 0;
  bool writes = false;
  for (const ConfigRange& range : common_ranges)
    add_range(words, arch, range);
  for (unsigned packer = 0; packer < Packers::count; ++packer) {
    if ((word.packers() >> packer & 1U) == 0) continue;
    for (const ConfigRange& range : own_ranges[units::pack_settings(coprocessor, candidate, packer)])
      add_range(words, arch, range);
    const PackJob job = plan_pack_job(coprocessor, candidate, packer).job;
    add_rows(rows, job);
    writes = writes || output_of(coprocessor.packers.packer[packer], job).words() != 0;
    contexts |= 1U << units::pack_counters(coprocessor, candidate, packer);
  }
  add_words(footprint, coprocessor, candidate.thread, words);
  constexpr unsigned most_row_runs = 7;
  for_each_run(rows, most_row_runs,
               [&](unsigned first, unsigned count) { footprint.reads(Resource::dst, 0, first, count); });
  add_thread_word(footprint, arch, candidate.thread, "CFG_STATE_ID_StateID"_thread_config);
  add_thread_word(footprint, arch, candidate.thread, "ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, word.addr_mod());
  for (unsigned thread = 0; thread < thread_count; ++thread)
    add_thread_word(footprint, arch, thread, "ENABLE_ACC_STATS_Enable"_thread_config);
  for (unsigned context = 0; context < thread_count; ++context)
    if ((contexts >> context & 1U) != 0) add_counters(footprint, context, units::pack_addr_mod(coprocessor, candidate));
  if (writes) footprint.writes(Resource::l1, 0, 0, whole_l1);
}

}  // namespace

/// PACR_SETREG writes registers outside.
Footprint units::packer_footprint(const Coprocessor& coprocessor, const Candidate& candidate) {
  Footprint footprint;
  if (isa::opcode_of(candidate.entry.word) == "PACR"_op) pacr(footprint, coprocessor, candidate);
  return footprint;
}

}  // namespace tensim::tensix
