#include "tensix/footprint.hpp"

#include <bit>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/row_set.hpp"
#include "tensix/units/packers/config.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/packers/steps.hpp"
#include "tensix/units/packers/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;
using namespace tensim::literals;

// ---- settings: those that the plan reads (plan.cpp) ----

/// Whatever the packer.
constexpr std::array common_fields{
    &"PCK0_ADDR_BASE_REG_0_Base"_config,
    &"PCK0_ADDR_CTRL_XY_REG_0_Xstride"_config,
    &"PCK0_ADDR_CTRL_XY_REG_0_Ystride"_config,
    &"PCK0_ADDR_CTRL_ZW_REG_0_Zstride"_config,
    &"PCK0_ADDR_CTRL_ZW_REG_0_Wstride"_config,
    &"PCK0_ADDR_BASE_REG_1_Base"_config,
    &"PCK0_ADDR_CTRL_XY_REG_1_Ystride"_config,
    &"PCK0_ADDR_CTRL_ZW_REG_1_Zstride"_config,
    &"PCK0_ADDR_CTRL_ZW_REG_1_Wstride"_config,
    &"ALU_FORMAT_SPEC_REG_Dstacc_override"_config,
    &"ALU_FORMAT_SPEC_REG_Dstacc_val"_config,
    &"ALU_FORMAT_SPEC_REG2_Dstacc"_config,
    &"ALU_ROUNDING_MODE_Gasket_srnd_en"_config,
    &"ALU_ROUNDING_MODE_Packer_srnd_en"_config,
    &"PCK_DEST_RD_CTRL_Read_32b_data"_config,
    &"PCK_DEST_RD_CTRL_Round_10b_mant"_config,
    &"PCK_DEST_RD_CTRL_Read_int8"_config,
    &"PCK_DEST_RD_CTRL_Read_unsigned"_config,
    &"INT_DESCALE_Enable"_config,
    &"INT_DESCALE_Mode"_config,
    &"INT_DESCALE_VALUES_SEC0_Value"_config,
    &"STACC_RELU_ApplyRelu"_config,
    &"STACC_RELU_ReluThreshold"_config,
    &"DEST_ACCESS_CFG_remap_addrs"_config,
    &"DEST_ACCESS_CFG_swizzle_32b"_config,
};
/// Of its own block.
constexpr std::array own_fields{
    &"THCON_SEC0_REG1_In_data_format"_config,
    &"THCON_SEC0_REG1_Out_data_format"_config,
    &"THCON_SEC0_REG1_L1_Dest_addr"_config,
    &"THCON_SEC0_REG1_L1_source_addr"_config,
    &"THCON_SEC0_REG1_Sub_l1_tile_header_size"_config,
    &"THCON_SEC0_REG1_Add_tile_header_size"_config,
    &"THCON_SEC0_REG1_Add_l1_dest_addr_offset"_config,
    &"THCON_SEC0_REG1_Addr_cnt_context"_config,
    &"THCON_SEC0_REG1_Row_start_section_size"_config,
    &"THCON_SEC0_REG1_Exp_section_size"_config,
    &"THCON_SEC0_REG1_Exp_threshold_en"_config,
    &"THCON_SEC0_REG1_Exp_threshold"_config,
    &"THCON_SEC0_REG1_Pac_LF8_4b_exp"_config,
    &"THCON_SEC0_REG1_Disable_zero_compress"_config,
    &"THCON_SEC0_REG1_Downsample_mask"_config,
    &"THCON_SEC0_REG1_Pack_L1_Acc"_config,
    &"THCON_SEC0_REG1_Source_interface_selection"_config,
    &"THCON_SEC0_REG1_Enable_out_fifo"_config,
    &"THCON_SEC0_REG1_Dis_shared_exp_assembler"_config,
    &"THCON_SEC0_REG1_Force_pack_per_max_xy_plane"_config,
    &"THCON_SEC0_REG1_Read_mode"_config,
    &"THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel"_config,
    &"THCON_SEC0_REG1_pack_start_intf_pos"_config,
};
/// A word for each packer.
constexpr std::array numbered_fields{
    &"DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config,     &"DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset"_config,
    &"PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt"_config, &"PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config,
    &"PACK_COUNTERS_SEC0_pack_yz_transposed"_config,
};

struct PackSettings {
  Settings all;    // of any PACR
  Settings edges;  // of one that reads Dst, but for the map of faces
  std::array<Settings, 4> face_map;
  Settings header;  // what SETDMAREG makes a tile header of
};

void add_compression(Settings& settings, Arch arch, unsigned block) {
  settings.add("THCON_SEC0_REG1_Disable_zero_compress"_config, block);
  if (!has_several_packers(arch)) return;
  settings.add("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd"_config);
  settings.add("THCON_SEC0_REG1_All_pack_disable_zero_compress"_config);
}

Settings settings_of_any(Arch arch, const PackerConfig& config) {
  Settings settings(arch);
  for (const ConfigField* field : common_fields)
    settings.add(*field);
  for (const ConfigField* field : own_fields)
    settings.add(*field, config.block_offset());
  for (const ConfigField* field : numbered_fields)
    settings.add(*field, config.packer());
  settings.add("THCON_SEC0_REG9_Pack_0_2_limit_address"_config, config.fifo_offset());
  settings.add("THCON_SEC0_REG9_Pack_0_2_fifo_size"_config, config.fifo_offset());
  add_compression(settings, arch, config.block_offset());
  if (!has_several_packers(arch) || config.packer() == 0) return settings;
  // Whether their addresses are relative to packer 0's.
  settings.add("THCON_SEC0_REG1_L1_Dest_addr"_config);
  settings.add("THCON_SEC0_REG1_Sub_l1_tile_header_size"_config);
  return settings;
}

Settings settings_of_edges(Arch arch, unsigned packer) {
  Settings settings(arch);
  const auto of_packer = [&](const ConfigField& field) {
    const ConfigField::Place& place = field.on(arch);
    settings.add_bits(field, place.bits() & 3U << (2 * packer) << place.shift);
  };
  for (unsigned i = 0; i < 4; ++i) {
    settings.add_bits("PCK_EDGE_OFFSET_SEC0_mask"_config, EdgeMasks::all_columns, i);
    settings.add_bits("TILE_ROW_SET_MAPPING_0_row_set_mapping_0"_config, Access::whole, i);
  }
  settings.add("PCK_EDGE_TILE_FACE_SET_SELECT_enable"_config);
  of_packer("PCK_EDGE_TILE_ROW_SET_SELECT_select"_config);
  of_packer("PCK_EDGE_TILE_FACE_SET_SELECT_select"_config);
  return settings.add("PCK_EDGE_MODE_mode"_config);
}

PackSettings settings_of(Arch arch, unsigned packer) {
  const BackendConfig nothing{};
  const PackerConfig config(ConfigView(nothing, arch, 0), packer);
  const auto face_map = [&](unsigned which) {
    return Settings(arch).add_bits("TILE_FACE_SET_MAPPING_0_face_set_mapping_0"_config, Access::whole, which);
  };
  Settings header(arch);
  header.add("THCON_SEC0_REG1_Out_data_format"_config, config.block_offset());
  add_compression(header, arch, config.block_offset());
  return {settings_of_any(arch, config),
          settings_of_edges(arch, packer),
          {face_map(0), face_map(1), face_map(2), face_map(3)},
          header};
}

const PackSettings& pack_settings_of(Arch arch, unsigned packer) {
  static const std::array by_arch = for_each_arch([](Arch each) {
    return std::array{settings_of(each, 0), settings_of(each, 1), settings_of(each, 2), settings_of(each, 3)};
  });
  static_assert(Packers::count == 4);
  return by_arch[static_cast<std::size_t>(arch)][packer];
}

// ---- PACR ----

/// The rows of 16 bits that a job reads.
void add_rows(Footprint& footprint, const PackJob& job) {
  if (job.source != PackJob::Source::dst || job.count == 0) return;
  RowSet rows;
  for (unsigned interface = 0; interface < 4; ++interface) {
    if ((job.interfaces >> interface & 1U) == 0) continue;
    const std::uint32_t first = job.first + interface * job.row_step * Dst::columns;
    const std::uint32_t last = std::min(first + job.count - 1, first + Dst::rows * Dst::columns);
    for (std::uint32_t row = first / Dst::columns; row <= last / Dst::columns; ++row)
      rows.add(job.addressing, row % Dst::rows, job.read_32b);
  }
  rows.for_each_run([&](unsigned first, unsigned count) { footprint.reads(Resource::dst, 0, first, count); });
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

/// Words of L1 from an address on, which is cut to 21 bits.
void add_words(Footprint& footprint, const Coprocessor& coprocessor, std::uint32_t address, std::uint32_t words,
               bool accumulates) {
  const std::uint32_t bytes = words * Packer::word_bytes;
  const std::uint32_t before_end = std::min(bytes, pack_address_end - address);
  for (const bool write : {false, true}) {
    if (!write && !accumulates) continue;
    add_l1(footprint, coprocessor, address, before_end, write);
    add_l1(footprint, coprocessor, 0, bytes - before_end, write);
  }
}

/// What is left of another format goes with the end of a tile, too.
std::uint32_t words_left(const Packer::Stream& stream, const PackJob& job) {
  return job.closes && stream.fill != 0 ? 1 : 0;
}

/// What goes to L1. How much of it compression leaves shows at the end: event::Touched.
void add_output(Footprint& footprint, const Coprocessor& coprocessor, const Packer& packer, const PackJob& job,
                const PackStreams& at) {
  if (job.compresses) return;
  const PackOutput output = output_of(packer, job);
  add_words(footprint, coprocessor, at.data, output.data_words, job.accumulates);
  add_words(footprint, coprocessor, at.exponents, std::max(output.exponent_words, words_left(packer.exponents, job)),
            false);
  add_words(footprint, coprocessor, at.row_starts, words_left(packer.row_starts, job), false);
}

/// As the unit's take_addresses() will leave them.
PackStreams streams_of(const Packer& packer, const PackRequest& request) {
  const bool below_16_bits = number::facts(request.job.out).datum_bits < 16;
  return {packer.data.needs_address ? request.data_address : packer.data.address,
          below_16_bits && packer.exponents.needs_address ? request.exponent_address : packer.exponents.address,
          packer.row_starts.address};
}

/// What the packer keeps from one PACR to the next.
void add_state(Footprint& footprint, unsigned packer, const PackJob& job) {
  footprint.updates(Resource::packer, packer, packer_stream);
  if (job.source == PackJob::Source::dst) footprint.updates(Resource::packer, packer, packer_exponents);
  if (job.ends_tile) footprint.updates(Resource::packer, packer, packer_sizes);
  if (job.early_noise || job.late_noise) footprint.updates(Resource::packer, packer, packer_random);
  if (job.steps_context) footprint.updates(Resource::packer, 0, packer_context);
}

void add_packer(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer) {
  const Arch arch = coprocessor.arch;
  const unsigned block = units::pack_settings(coprocessor, candidate, packer);
  const PackSettings& settings = pack_settings_of(arch, block);
  const unsigned bank = config_bank_of(coprocessor.config, arch, candidate.thread);
  const PackRequest request = plan_pack_job(coprocessor, candidate, packer);
  footprint.reads(settings.all, bank, candidate.thread);
  if (request.job.source == PackJob::Source::dst) {
    constexpr const ConfigField& select = "PCK_EDGE_TILE_FACE_SET_SELECT_select"_config;
    const std::uint32_t map = ConfigView(coprocessor.config, arch, candidate.thread).get(select) >> (2 * block) & 3U;
    footprint.reads(settings.edges, bank, candidate.thread);
    footprint.reads(settings.face_map[map], bank, candidate.thread);
  }
  const PackerConfig config(ConfigView(coprocessor.config, arch, candidate.thread), block);
  if (config.own("THCON_SEC0_REG1_Add_l1_dest_addr_offset"_config) != 0)
    footprint.reads(Resource::tdma, 0, tdma_acc_packed_size);
  const PackJob& job = request.job;
  add_rows(footprint, job);
  if (job.source == PackJob::Source::l1)
    add_l1(footprint, coprocessor, job.first, std::int64_t{job.count} * job.l1_datum_bytes, false);
  const Packer& worker = coprocessor.packers.packer[packer];
  add_output(footprint, coprocessor, worker, job, streams_of(worker, request));
  add_state(footprint, packer, job);
}

void pacr(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const Arch arch = coprocessor.arch;
  const PacrWord word{candidate.entry.word, arch};
  if (word.only_resets_context()) return footprint.writes(Resource::packer, 0, packer_context);
  unsigned contexts = 0;
  for (unsigned named = word.packers(); named != 0; named &= named - 1) {
    const auto packer = static_cast<unsigned>(std::countr_zero(named));
    add_packer(footprint, coprocessor, candidate, packer);
    contexts |= 1U << units::pack_counters(coprocessor, candidate, packer);
  }
  constexpr const ConfigField& modifiers = "ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config;
  footprint.reads(Resource::thread_config, candidate.thread,
                  static_cast<unsigned>(modifiers.on(arch).word) + word.addr_mod());
  constexpr const ConfigField& counts = "ENABLE_ACC_STATS_Enable"_thread_config;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    footprint.reads(Resource::thread_config, thread, static_cast<unsigned>(counts.on(arch).word));
  for (; contexts != 0; contexts &= contexts - 1)
    add_counters(footprint, static_cast<unsigned>(std::countr_zero(contexts)),
                 units::pack_addr_mod(coprocessor, candidate));
}

// ---- PACR_SETREG ----

/// What waits in a packer goes to L1, to where its streams stand.
void add_flush(Footprint& footprint, const Coprocessor& coprocessor, unsigned number) {
  const Packer& packer = coprocessor.packers.packer[number];
  PackJob job = packer.job;
  job.source = PackJob::Source::nothing;
  job.padding = PackJob::Padding::none;
  job.closes = true;
  footprint.updates(Resource::packer, number, packer_stream);
  add_output(footprint, coprocessor, packer, job,
             {packer.data.address, packer.exponents.address, packer.row_starts.address});
}

/// The value: Blackhole's was preset; Wormhole multiplies by one of four factors, the last of which has its own register.
void add_register_value(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread) {
  const Arch arch = coprocessor.arch;
  if (PacrSetregWord{0, arch}.may_preset_data()) return footprint.reads(Resource::packer, 0, packer_register_data);
  footprint.reads(pack_settings_of(arch, 0).header, config_bank_of(coprocessor.config, arch, thread), thread);
  footprint.reads(Resource::tdma, 0, tdma_scalers);
  footprint.reads(Resource::tdma, 0, tdma_clk_gate_hyst);
}

void setreg(Footprint& footprint, const Coprocessor& coprocessor, const Candidate& candidate) {
  const PacrSetregWord word{candidate.entry.word, coprocessor.arch};
  if (word.presets_data()) footprint.updates(Resource::packer, 0, packer_register_data);
  if (!word.flushes()) return;
  const unsigned named = occupancies(coprocessor.arch, candidate.entry.word, Occupancy::packer0) >>
                         static_cast<unsigned>(Occupancy::packer0);
  for (unsigned left = named; left != 0; left &= left - 1)
    add_flush(footprint, coprocessor, static_cast<unsigned>(std::countr_zero(left)));
  if (!word.writes()) return;
  footprint.reads(Resource::tdma, 0, tdma_tile_status);
  add_register_value(footprint, coprocessor, candidate.thread);
  const auto address = coprocessor.packers.register_bases.address(word.address_select(), word.address_middle());
  constexpr std::uint32_t end = 0xFFB80000;  // nothing happens from there on
  if (address && *address >= ScalarUnit::first_mmio_address && *address < end)
    add_tile_register(footprint, coprocessor, *address, true);
}

}  // namespace

void units::packer_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint) {
  if (isa::opcode_of(candidate.entry.word) == "PACR"_op)
    pacr(footprint, coprocessor, candidate);
  else
    setreg(footprint, coprocessor, candidate);
}

void add_tile_header(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned packer) {
  const bool exists = packer == 0 || has_several_packers(coprocessor.arch);
  footprint.reads(pack_settings_of(coprocessor.arch, exists ? packer : 0).header,
                  config_bank_of(coprocessor.config, coprocessor.arch, thread), thread);
}

void note_pack_output(const Coprocessor& coprocessor, unsigned number, const PackStreams& from) {
  const Packer& packer = coprocessor.packers.packer[number];
  Footprint footprint(coprocessor.journal->accesses());
  const auto add = [&](std::uint32_t first, const Packer::Stream& stream) {
    const std::uint32_t bytes = (stream.address - first) & (pack_address_end - 1);
    add_words(footprint, coprocessor, first, bytes / Packer::word_bytes, false);
  };
  add(from.data, packer.data);
  add(from.exponents, packer.exponents);
  add(from.row_starts, packer.row_starts);
  coprocessor.journal->add_with_accesses(time::key(packer.job.last, time::Phase::step, time::coprocessor_agent),
                                         event::Touched{.by = event::Touched::By::packer,
                                                        .thread = packer.job.thread,
                                                        .unit = static_cast<std::uint8_t>(number),
                                                        .accepted = coprocessor.in_flight[packer.job.record].accepted});
}

}  // namespace tensim::tensix
