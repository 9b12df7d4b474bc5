// What a PACR asks of a packer. Pages: Packers/InputAddressGenerator.md, OutputAddressGenerator.md, FormatConversion.md.
#include <bit>

#include "tensix/coprocessor.hpp"
#include "tensix/units/packers/config.hpp"
#include "tensix/units/packers/pacr_word.hpp"
#include "tensix/units/packers/steps.hpp"
#include "tensix/units/packers/unit.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;
using number::DataFormat;
using number::EarlyRule;
using number::PackMode;

/// Wormhole's page says how; of Blackhole nothing does.
constexpr bool can_pack_from_l1(Arch arch) {
  return on(arch, true, false);
}
/// A read interface gives a row at most.
constexpr bool interface_limits_count(Arch arch) {
  return on(arch, false, true);
}

constexpr std::uint32_t dst_datums = Dst::rows * Dst::columns;
constexpr std::uint32_t most_per_interface = 16;  // Blackhole

/// The low two bits of a format's code say how Dst is addressed.
struct DatumSize {
  std::uint32_t bytes;
  std::uint32_t x_mask;  // within 16 bytes only X counts
};
constexpr DatumSize datum_size(std::uint32_t format) {
  switch (format & 3U) {
    case 0: return {4, 0x3};
    case 1: return {2, 0x7};
    default: return {1, 0xF};
  }
}

std::uint32_t input_bytes(const ConfigView& common, const AdcChannel& adc) {
  return common.get("PCK0_ADDR_BASE_REG_0_Base"_config) +
         adc.x.value * (common.get("PCK0_ADDR_CTRL_XY_REG_0_Xstride"_config) & 0xFU) +
         adc.y.value * common.get("PCK0_ADDR_CTRL_XY_REG_0_Ystride"_config) +
         adc.z.value * common.get("PCK0_ADDR_CTRL_ZW_REG_0_Zstride"_config) +
         adc.w.value * common.get("PCK0_ADDR_CTRL_ZW_REG_0_Wstride"_config);
}

DatumSize input_size(const PackerConfig& config) {
  return datum_size(config.own("THCON_SEC0_REG1_In_data_format"_config));
}

/// A datum of Dst.
std::uint32_t dst_address(const PackerConfig& config, const AdcChannel& adc) {
  const DatumSize size = input_size(config);
  const std::uint32_t bytes = input_bytes(config.common(), adc);
  const std::uint32_t datum = ((bytes / size.bytes) & ~size.x_mask) + (adc.x.value & size.x_mask);
  const std::uint32_t offset = config.numbered("DEST_TARGET_REG_CFG_PACK_SEC0_Offset"_config);
  return (datum + offset * Dst::columns) % dst_datums;
}

/// A byte of L1.
std::uint32_t l1_address(const PackerConfig& config, const AdcChannel& adc) {
  constexpr std::uint32_t counted = 0x3FFFF;
  constexpr std::uint32_t l1_mask = 0x1FFFFF;
  const DatumSize size = input_size(config);
  const std::uint32_t high = config.own("THCON_SEC0_REG1_L1_source_addr"_config) << 18U;
  const std::uint32_t at = high + (input_bytes(config.common(), adc) & counted);
  return ((at & ~0xFU) + size.bytes * (adc.x.value & size.x_mask)) & l1_mask;
}

/// From Channel 1's counters. Wormhole counts it in words of L1, of which the low four bits are lost; Blackhole in bytes
/// (reference).
std::uint32_t counted_words(const ConfigView& common, const AdcChannel& adc) {
  const std::uint32_t sum = common.get("PCK0_ADDR_BASE_REG_1_Base"_config) +
                            adc.y.value * common.get("PCK0_ADDR_CTRL_XY_REG_1_Ystride"_config) +
                            adc.z.value * common.get("PCK0_ADDR_CTRL_ZW_REG_1_Zstride"_config) +
                            adc.w.value * common.get("PCK0_ADDR_CTRL_ZW_REG_1_Wstride"_config);
  return on(common.arch(), sum & ~0xFU, sum >> 4U);
}

std::uint32_t tile_word(const PackerConfig& config) {
  const bool has_header = config.own("THCON_SEC0_REG1_Sub_l1_tile_header_size"_config) == 0;
  return config.own("THCON_SEC0_REG1_L1_Dest_addr"_config) + (has_header ? 1U : 0U);
}

/// The first word of the packer's output, before what its sections take.
std::uint32_t output_word(const PackerConfig& config, const AdcChannel& adc, std::uint16_t dest_offset) {
  constexpr std::uint32_t others_are_relative = 1U << 31U;
  std::uint32_t word = tile_word(config);
  if (config.packer() != 0 && has_several_packers(config.common().arch())) {
    const std::uint32_t first = tile_word(PackerConfig(config.common(), 0));
    if ((first & others_are_relative) != 0) word += first;
  }
  word += counted_words(config.common(), adc);
  if (config.own("THCON_SEC0_REG1_Add_l1_dest_addr_offset"_config) != 0) word += dest_offset;
  if (word > config.limit_address() * 2 + 1) word -= config.fifo_size() * 2;
  return word;
}

constexpr std::uint32_t byte_address(std::uint32_t word) {
  return (word & 0x1FFFFU) << 4U;
}

void set_addresses(PackRequest& request, const PackerConfig& config, const AdcChannel& adc, std::uint16_t dest_offset) {
  std::uint32_t word = output_word(config, adc, dest_offset);
  request.row_start_address = byte_address(word);
  if (request.job.compresses) word += config.own("THCON_SEC0_REG1_Row_start_section_size"_config);
  request.exponent_address = byte_address(word);
  const bool below_16_bits = (config.own("THCON_SEC0_REG1_Out_data_format"_config) & 2U) != 0;
  if (below_16_bits) word += config.own("THCON_SEC0_REG1_Exp_section_size"_config);
  request.data_address = byte_address(word);
}

std::uint32_t intermediate_code(const ConfigView& common) {
  return common.get("ALU_FORMAT_SPEC_REG_Dstacc_override"_config) != 0
             ? common.get("ALU_FORMAT_SPEC_REG_Dstacc_val"_config)
             : common.get("ALU_FORMAT_SPEC_REG2_Dstacc"_config);
}

PackMode pack_mode(const PackerConfig& config) {
  const ConfigView& common = config.common();
  PackMode mode;
  mode.arch = common.arch();
  mode.read_32b = common.get("PCK_DEST_RD_CTRL_Read_32b_data"_config) != 0;
  mode.round_10b_mantissa = common.get("PCK_DEST_RD_CTRL_Round_10b_mant"_config) != 0;
  mode.read_raw = common.get("PCK_DEST_RD_CTRL_Read_int8"_config) != 0;
  mode.read_unsigned = common.get("PCK_DEST_RD_CTRL_Read_unsigned"_config) != 0;
  if (common.get("INT_DESCALE_Enable"_config) != 0)
    mode.shift = static_cast<std::uint8_t>(common.get("INT_DESCALE_VALUES_SEC0_Value"_config));
  mode.relu = static_cast<number::Relu>(common.get("STACC_RELU_ApplyRelu"_config) & 3U);
  mode.relu_threshold = static_cast<std::uint16_t>(common.get("STACC_RELU_ReluThreshold"_config));
  mode.exponent_threshold_enabled = config.own("THCON_SEC0_REG1_Exp_threshold_en"_config) != 0;
  mode.exponent_threshold = static_cast<std::uint8_t>(config.own("THCON_SEC0_REG1_Exp_threshold"_config));
  const bool four_bits = config.own("THCON_SEC0_REG1_Pac_LF8_4b_exp"_config) != 0;
  mode.fp8_exponent = four_bits ? number::Fp8Exponent::bits_4 : number::Fp8Exponent::bits_5;
  return mode;
}

/// Gasket_srnd_en is for the conversion from Dst's format, Packer_srnd_en for that to L1's, of which only BFP rounds
/// (the vendor's kernels say which is which).
void set_noise(PackJob& job, const ConfigView& common) {
  job.early_noise = job.source == PackJob::Source::dst && number::detail::rounds(job.plan.early) &&
                    common.get("ALU_ROUNDING_MODE_Gasket_srnd_en"_config) != 0;
  job.late_noise = number::is_bfp(job.out) && common.get("ALU_ROUNDING_MODE_Packer_srnd_en"_config) != 0;
}

bool can_accumulate(DataFormat out) {
  return out == DataFormat::fp32 || out == DataFormat::fp16 || out == DataFormat::bf16 || out == DataFormat::int32;
}

/// Formats and conversions; zeros where no page defines any.
DataIssue set_conversion(PackJob& job, const PackerConfig& config) {
  const auto out = number::format_of_code(config.own("THCON_SEC0_REG1_Out_data_format"_config));
  const auto intermediate = number::format_of_code(intermediate_code(config.common()));
  job.out = out.value_or(DataFormat::fp32);
  PackMode mode = pack_mode(config);
  mode.late_to = job.out;
  mode.intermediate = intermediate.value_or(DataFormat::fp32);
  const auto plan = out && intermediate ? number::plan_pack(mode) : std::nullopt;
  if (job.source != PackJob::Source::dst) return out ? DataIssue::none : DataIssue::pack_format;
  if (!plan) {
    job.source = PackJob::Source::zeros;
    return DataIssue::pack_format;
  }
  job.plan = *plan;
  job.read_32b = mode.read_32b;
  const ConfigView& common = config.common();
  const bool shifts = plan->early == EarlyRule::int32_to_int8 || plan->early == EarlyRule::int32_to_uint8;
  if (shifts && common.get("INT_DESCALE_Enable"_config) != 0 && common.get("INT_DESCALE_Mode"_config) != 0)
    return DataIssue::pack_descale_mode;
  return DataIssue::none;
}

/// From L1 there is no early conversion and no ReLU: the plan is that of bits taken as they are. Formats must agree, or
/// nobody knows what happens.
DataIssue set_conversion_from_l1(PackJob& job, const PackerConfig& config) {
  const std::uint32_t in = config.own("THCON_SEC0_REG1_In_data_format"_config);
  const auto format = number::format_of_code(in);
  const auto out = number::format_of_code(config.own("THCON_SEC0_REG1_Out_data_format"_config));
  if (!format || !out || in != intermediate_code(config.common())) return DataIssue::pack_from_l1;
  PackMode mode = pack_mode(config);
  mode.intermediate = *format;
  mode.late_to = *out;
  mode.relu = number::Relu::none;
  mode.read_raw = true;
  mode.read_unsigned = false;
  mode.round_10b_mantissa = false;
  mode.read_32b = input_size(config).bytes == 4;
  const auto plan = *format == DataFormat::tf32 ? std::nullopt : number::plan_pack(mode);
  if (!plan) return DataIssue::pack_from_l1;
  job.out = *out;
  job.plan = *plan;
  job.l1_format = *format;
  job.l1_datum_bytes = static_cast<std::uint8_t>(input_size(config).bytes);
  return DataIssue::none;
}

/// Minus infinity, as the packer holds it between the conversions.
std::uint32_t held_minus_infinity(const number::PackPlan& plan) {
  switch (plan.held) {
    case number::Held::fp32: return number::fp32_sign | number::fp32_infinity;
    case number::Held::fp16:
      if (plan.early == EarlyRule::round_fp16_to_e5m6) return 0xFFF0;
      if (plan.early == EarlyRule::truncate_fp16) return 0xFFFFU << (10U - plan.mantissa_bits) & 0xFFFFU;
      return number::fp16_sign | number::fp16_largest;
    case number::Held::int32: return 0xFFFFFFFF;
    case number::Held::int16: return 0xFFFF;
    case number::Held::int8: return 0xFF;
  }
  return 0;
}

DataIssue set_edges(PackJob& job, const PackerConfig& config) {
  const ConfigView& common = config.common();
  EdgeMasks& edges = job.edges;
  const auto of_packer = [&](const ConfigField& field) { return common.get(field) >> (2 * config.packer()) & 3U; };
  for (unsigned i = 0; i < edges.mask.size(); ++i) {
    edges.mask[i] = static_cast<std::uint16_t>(config.word("PCK_EDGE_OFFSET_SEC0_mask"_config, i));
    edges.row_mapping[i] = config.word("TILE_ROW_SET_MAPPING_0_row_set_mapping_0"_config, i);
  }
  edges.by_face = common.get("PCK_EDGE_TILE_FACE_SET_SELECT_enable"_config) != 0;
  edges.row_set = static_cast<std::uint8_t>(of_packer("PCK_EDGE_TILE_ROW_SET_SELECT_select"_config));
  edges.face_mapping = config.word("TILE_FACE_SET_MAPPING_0_face_set_mapping_0"_config,
                                   of_packer("PCK_EDGE_TILE_FACE_SET_SELECT_select"_config));
  edges.z_offset = static_cast<std::uint8_t>(config.numbered("DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset"_config));
  job.reads_per_plane = static_cast<std::uint8_t>(config.numbered("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config));
  job.yz_transposed = config.numbered("PACK_COUNTERS_SEC0_pack_yz_transposed"_config) != 0;
  if (common.get("PCK_EDGE_MODE_mode"_config) == 0) return DataIssue::none;
  edges.replacement = held_minus_infinity(job.plan);
  const bool integer = job.plan.held != number::Held::fp32 && job.plan.held != number::Held::fp16;
  const bool replaces = std::ranges::any_of(edges.mask, [](auto mask) { return mask != EdgeMasks::all_columns; });
  return integer && replaces ? DataIssue::pack_integer_infinity : DataIssue::none;
}

/// What nobody models: settings without a page, and those whose page leaves the bits open.
DataIssue unmodelled(const PacrWord& pacr, const PackerConfig& config) {
  const auto is_set = [&](const ConfigField& field) { return config.own(field) != 0; };
  if (pacr.keeps_own_context()) return DataIssue::pack_context_kept;
  if (is_set("THCON_SEC0_REG1_Enable_out_fifo"_config)) return DataIssue::pack_metadata;
  if (!can_pack_from_l1(pacr.arch) && is_set("THCON_SEC0_REG1_Source_interface_selection"_config))
    return DataIssue::pack_from_l1;
  const auto out = number::format_of_code(config.own("THCON_SEC0_REG1_Out_data_format"_config));
  if (out && number::is_bfp(*out) && is_set("THCON_SEC0_REG1_Dis_shared_exp_assembler"_config))
    return DataIssue::pack_setting;
  for (const ConfigField* field :
       {&"THCON_SEC0_REG1_Force_pack_per_max_xy_plane"_config, &"THCON_SEC0_REG1_Read_mode"_config,
        &"THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel"_config, &"THCON_SEC0_REG1_pack_start_intf_pos"_config})
    if (is_set(*field)) return DataIssue::pack_setting;
  const bool accumulates = is_set("THCON_SEC0_REG1_Pack_L1_Acc"_config);
  if (accumulates && out && !can_accumulate(*out)) return DataIssue::pack_accumulate_format;
  // Compression.md has datums of 4 bits and more; what adding to counts would do nobody says.
  const bool can_compress = !accumulates && (!out || number::facts(*out).datum_bits >= 4);
  return units::pack_compresses(config) && !can_compress ? DataIssue::pack_compression : DataIssue::none;
}

/// How many datums, and from which interfaces.
DataIssue set_extent(PackJob& job, const PacrWord& pacr, const AdcSet& adc, bool remap) {
  const std::uint32_t from = pacr.is_zero_run() ? 0 : adc.channel[0].x.value;
  const std::uint32_t to = adc.channel[1].x.value;
  job.interfaces = static_cast<std::uint8_t>(pacr.is_zero_run() ? 1 : pacr.interfaces());
  // Interfaces are eight rows apart after DEST_ACCESS_CFG's permutation, which puts row 16 at row 8.
  constexpr unsigned stride = 8;
  job.row_step = static_cast<std::uint8_t>(!pacr.strided() ? 1 : remap ? 2 * stride : stride);
  if (pacr.flush()) return DataIssue::none;
  if (to < from) return DataIssue::pack_x_range;
  job.count = to - from + 1;
  if (!interface_limits_count(pacr.arch) || pacr.is_zero_run() || job.count <= most_per_interface)
    return DataIssue::none;
  job.count = most_per_interface;
  return DataIssue::pack_x_range;
}

bool any_thread_counts(const BackendConfig& config, Arch arch) {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if (thread_field(config, arch, thread, "ENABLE_ACC_STATS_Enable"_thread_config) != 0) return true;
  return false;
}

PackJob::Source source_of(const PacrWord& pacr, const PackerConfig& config) {
  if (pacr.flush()) return PackJob::Source::nothing;
  if (pacr.zero_write()) return PackJob::Source::zeros;
  const bool from_l1 = config.packer() == 0 && config.own("THCON_SEC0_REG1_Source_interface_selection"_config) != 0;
  return from_l1 ? PackJob::Source::l1 : PackJob::Source::dst;
}

PackJob::Padding padding_of(const PacrWord& pacr) {
  if (!pacr.pads()) return PackJob::Padding::none;
  return pacr.pads_total() ? PackJob::Padding::total : PackJob::Padding::each_row;
}

/// The first that is there; what stops the run comes first.
constexpr DataIssue worst(DataIssue a, DataIssue b) {
  return a == DataIssue::none || (is_modelled(a) && !is_modelled(b)) ? b : a;
}

}  // namespace

bool units::pack_compresses(const PackerConfig& config) {
  const ConfigView& common = config.common();
  const bool for_all = has_several_packers(common.arch()) &&
                       common.get("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd"_config) != 0;
  if (!for_all) return config.own("THCON_SEC0_REG1_Disable_zero_compress"_config) == 0;
  return (common.get("THCON_SEC0_REG1_All_pack_disable_zero_compress"_config) >> config.packer() & 1U) == 0;
}

std::uint32_t PackJob::fetched() const {
  return source == Source::nothing ? 0 : count * static_cast<std::uint32_t>(std::popcount(interfaces));
}

std::uint32_t PackJob::packed() const {
  const auto kept_before = [this](std::uint32_t position) {
    const auto of_16 = static_cast<std::uint32_t>(std::popcount(downsample_mask));
    const std::uint32_t rest = downsample_mask & ((1U << position % 16) - 1U);
    return position / 16 * of_16 + static_cast<std::uint32_t>(std::popcount(rest));
  };
  if (padding != Padding::each_row) return kept_before(fetched());
  std::uint32_t total = 0;
  for (std::uint32_t at = 0; at < fetched(); at += count)
    total += (kept_before(at + count) - kept_before(at) + 15) / 16 * 16;
  return total;
}

unsigned units::pack_counters(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer) {
  const PacrWord pacr{candidate.entry.word, coprocessor.arch};
  if (!pacr.overrides_thread()) return candidate.thread;
  const PackerConfig config(ConfigView(coprocessor.config, coprocessor.arch, candidate.thread), packer);
  const unsigned named =
      pacr_has_modes(pacr.arch) ? pacr.counter_context() : config.own("THCON_SEC0_REG1_Addr_cnt_context"_config);
  return named < coprocessor.adcs.context.size() ? named : 0;
}

unsigned units::pack_settings(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer) {
  const PacrWord pacr{candidate.entry.word, coprocessor.arch};
  if (has_several_packers(pacr.arch)) return packer;
  return pacr.uses_own_context() ? coprocessor.packers.context : pacr.config_context();
}

namespace {

/// A function for each chip, with all that it calls in it: then the compiler knows where each of some sixty settings is.
template <Arch arch>
[[gnu::flatten]] PackRequest plan_on(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer) {
  const PacrWord pacr{candidate.entry.word, arch};
  const PackerConfig config(ConfigView(coprocessor.config, arch, candidate.thread),
                            units::pack_settings(coprocessor, candidate, packer));
  const AdcSet& adc = coprocessor.adcs.context[units::pack_counters(coprocessor, candidate, packer)].packer;
  PackRequest request;
  PackJob& job = request.job;
  job.addressing = DstAddressing::of(coprocessor.config, arch, coprocessor.dst.upper_halves);
  job.source = source_of(pacr, config);
  job.padding = padding_of(pacr);
  job.closes = pacr.last() || pacr.flush();
  job.ends_tile = pacr.last();
  job.compresses = units::pack_compresses(config);
  job.ends_row = !pacr.concat();
  job.counts_header = config.own("THCON_SEC0_REG1_Add_tile_header_size"_config) != 0;
  job.steps_context = pacr.uses_own_context();
  job.planes_per_context =
      static_cast<std::uint8_t>(config.numbered("PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt"_config));
  job.thread = static_cast<std::uint8_t>(candidate.thread);
  job.entry = candidate.entry;
  const bool from_l1 = job.source == PackJob::Source::l1;
  job.first = from_l1 ? l1_address(config, adc.channel[0]) : dst_address(config, adc.channel[0]);
  job.accumulates = config.own("THCON_SEC0_REG1_Pack_L1_Acc"_config) != 0;
  job.counts_exponents = any_thread_counts(coprocessor.config, arch);
  const std::uint32_t mask = config.own("THCON_SEC0_REG1_Downsample_mask"_config);
  job.downsample_mask = static_cast<std::uint16_t>(mask == 0 ? 0xFFFFU : mask);
  request.issue = pacr.mask_is_defined() ? DataIssue::none : DataIssue::pack_mask;
  request.issue = worst(request.issue, unmodelled(pacr, config));
  request.issue = worst(request.issue, set_extent(job, pacr, adc, job.addressing.remap));
  request.issue = worst(request.issue, from_l1 ? set_conversion_from_l1(job, config) : set_conversion(job, config));
  if (job.source == PackJob::Source::dst) request.issue = worst(request.issue, set_edges(job, config));
  set_noise(job, config.common());
  if (job.early_noise || job.late_noise) request.issue = worst(request.issue, DataIssue::pack_stochastic_rounding);
  if (!has_several_packers(pacr.arch) && config.packer() != 0)
    request.issue = worst(request.issue, DataIssue::pack_context);
  set_addresses(request, config, adc.channel[1], coprocessor.packers.l1_dest_addr_offset[packer]);
  return request;
}

}  // namespace

PackRequest plan_pack_job(const Coprocessor& coprocessor, const Candidate& candidate, unsigned packer) {
  switch (coprocessor.arch) {
    case Arch::wormhole: return plan_on<Arch::wormhole>(coprocessor, candidate, packer);
    case Arch::blackhole: return plan_on<Arch::blackhole>(coprocessor, candidate, packer);
  }
  __builtin_unreachable();
}

PackOutput output_of(const Packer& packer, const PackJob& job) {
  const auto words = [&](std::uint32_t bytes, const Packer::Stream& stream) {
    const std::uint32_t all = bytes + stream.fill;
    return (all + (job.closes ? Packer::word_bytes - 1 : 0)) / Packer::word_bytes;
  };
  const number::FormatFacts& format = number::facts(job.out);
  std::uint32_t datums = job.packed();
  if (job.padding == PackJob::Padding::total) datums = (packer.datums + datums + 15) / 16 * 16 - packer.datums;
  if (!format.shared_exponent) return {words(datums * format.datum_bits / 8, packer.data), 0};
  datums += packer.block_fill;
  const std::uint32_t blocks = (datums + (job.closes ? Packer::block_datums - 1 : 0)) / Packer::block_datums;
  return {words(blocks * Packer::block_datums * format.datum_bits / 8, packer.data), words(blocks, packer.exponents)};
}

}  // namespace tensim::tensix
