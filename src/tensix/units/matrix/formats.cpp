#include "tensix/units/matrix/formats.hpp"

#include "tensix/coprocessor.hpp"
#include "tensix/units/matrix/config.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;
using number::SrcStyle;

struct StyleOfCode {
  SrcStyle style = SrcStyle::tf32;  // of what the pages do not list, as their last branch has it
  bool is_format = false;
};

consteval auto styles_by_code() {
  std::array<StyleOfCode, 16> styles{};
  for (const number::FormatFacts& row : number::format_facts)
    styles[static_cast<std::size_t>(row.format)] = {row.src_style, true};
  return styles;
}
constexpr std::array<StyleOfCode, 16> style_of_code = styles_by_code();

std::uint8_t implied_code(const Coprocessor& coprocessor, Src file) {
  const auto index = static_cast<std::size_t>(file);
  return coprocessor.src_registers.format[index][coprocessor.src.matrix_bank[index]];
}

unsigned src_a_code(const Coprocessor& coprocessor, const ConfigView& config, Src implied_by) {
  if (has_implied_formats(coprocessor.arch) && config.get_thread("DISABLE_IMPLIED_SRCA_FMT_Base"_thread_config) == 0)
    return implied_code(coprocessor, implied_by);
  return get(config, on_both("ALU_FORMAT_SPEC_REG_SrcA_override"_config)) != 0
             ? get(config, on_both("ALU_FORMAT_SPEC_REG_SrcA_val"_config))
             : get(config, on_both("ALU_FORMAT_SPEC_REG0_SrcA"_config));
}

/// An override is assumed to work as SrcA's does.
unsigned src_b_code(const Coprocessor& coprocessor, const ConfigView& config) {
  if (has_implied_formats(coprocessor.arch) && config.get_thread("DISABLE_IMPLIED_SRCB_FMT_Base"_thread_config) == 0)
    return implied_code(coprocessor, Src::b);
  return get(config, on_both("ALU_FORMAT_SPEC_REG_SrcB_override"_config)) != 0
             ? get(config, on_both("ALU_FORMAT_SPEC_REG_SrcB_val"_config))
             : get(config, on_both("ALU_FORMAT_SPEC_REG1_SrcB"_config));
}

SrcStyle style_of(Coprocessor& coprocessor, const Candidate& candidate, unsigned code) {
  const StyleOfCode& row = style_of_code[code % style_of_code.size()];
  if (!row.is_format) [[unlikely]]
    coprocessor.data_issue(candidate, DataIssue::matrix_format);
  return row.style;
}

/// SrcA decides how both are read (MVMUL.md); between TF32 and BF16, SrcB's own format says whether there are low
/// mantissa bits (reference).
SrcStyle style_of_src_b(Coprocessor& coprocessor, const Candidate& candidate, SrcStyle src_a, unsigned code) {
  const SrcStyle own = style_of(coprocessor, candidate, code);
  if (number::has_5bit_exponent(own) == number::has_5bit_exponent(src_a)) return own;
  coprocessor.data_issue(candidate, DataIssue::matrix_formats);
  return src_a;
}

}  // namespace

MoveFormats move_formats(const Coprocessor& coprocessor, const Candidate& candidate, Src moved) {
  const ConfigView config(coprocessor.config, coprocessor.arch, candidate.thread);
  MoveFormats formats;
  const StyleOfCode& row = style_of_code[src_a_code(coprocessor, config, moved) % style_of_code.size()];
  const bool forced = config.get_thread("FP16A_FORCE_Enable"_thread_config) != 0;
  formats.is_no_format = !row.is_format;
  formats.is_tf32 = row.style == SrcStyle::tf32;
  formats.style = forced ? SrcStyle::fp16 : row.style;
  formats.dst_32b = !forced && (get(config, on_both("ALU_ACC_CTRL_Fp32_enabled"_config)) != 0 ||
                                get(config, on_both("ALU_ACC_CTRL_INT8_math_enabled"_config)) != 0);
  formats.keeps_denormals = get(config, on_both("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config)) != 0;
  return formats;
}

std::optional<number::MatrixMode> matrix_mode(Coprocessor& coprocessor, const Candidate& candidate) {
  const ConfigView config(coprocessor.config, coprocessor.arch, candidate.thread);
  const auto from_thread = [&](const ThreadPlaces& field) {
    return get(coprocessor.config, coprocessor.arch, field, candidate.thread);
  };
  if (get(config, on_both("ALU_ACC_CTRL_Zero_Flag_disabled_dst"_config)) != 0) [[unlikely]] {
    coprocessor.data_issue(candidate, DataIssue::matrix_zero_flag_dst);
    return std::nullopt;
  }
  number::MatrixMode mode;
  mode.arch = coprocessor.arch;
  mode.stochastic = get(config, on_both("ALU_ROUNDING_MODE_Fpu_srnd_en"_config)) != 0;
  if (mode.stochastic) [[unlikely]]
    coprocessor.data_issue(candidate, DataIssue::matrix_stochastic_rounding);
  mode.keep_src_b_denormals = get(config, on_both("ALU_ACC_CTRL_Zero_Flag_disabled_src"_config)) != 0;
  mode.fidelity_phase = (coprocessor.rwcs.thread[candidate.thread].fidelity_phase +
                         from_thread(places("FIDELITY_BASE_Phase"_thread_config))) &
                        3U;
  if (from_thread(places("FP16A_FORCE_Enable"_thread_config)) != 0) {
    mode.src_a = mode.src_b = SrcStyle::fp16;
  } else if (get(config, on_both("ALU_ACC_CTRL_INT8_math_enabled"_config)) != 0) {
    mode.src_a = mode.src_b = SrcStyle::int8;
    mode.dst_32b = true;
  } else {
    mode.src_a = style_of(coprocessor, candidate, src_a_code(coprocessor, config, Src::a));
    mode.src_b = style_of_src_b(coprocessor, candidate, mode.src_a, src_b_code(coprocessor, config));
    mode.dst_32b = get(config, on_both("ALU_ACC_CTRL_Fp32_enabled"_config)) != 0;
  }
  if (!mode.dst_32b && coprocessor.dst.upper_halves) [[unlikely]]
    coprocessor.data_issue(candidate, DataIssue::dst16_upper_halves);
  return mode;
}

}  // namespace tensim::tensix
