// The address phase of UNPACR: from configuration and counters to a plan.
#include <algorithm>

#include "number/format.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/unpackers/broadcast.hpp"
#include "tensix/units/unpackers/settings.hpp"
#include "tensix/units/unpackers/transfer.hpp"

namespace tensim::tensix {
namespace {

using namespace tensim::literals;
using number::DataFormat;
using number::l1_word_bytes;

/// Rows of SrcA beyond the last: undefined by the page; Blackhole begins again (so does the reference).
constexpr bool wraps_overridden_rows(Arch arch) {
  return on(arch, false, true);
}

/// Blackhole reads 32 datums of 16 or 32 bits a row (its tilizing kernels, and the reference).
constexpr bool tilizes_long_rows(Arch arch) {
  return on(arch, false, true);
}
namespace fields = unpacker_fields;

constexpr std::int64_t byte_bits = 8;
constexpr unsigned header_rows = 4;  // output rows before the first of SrcA and Dst

/// The 128 bits of UNPACR_Regular.md's table, with the context's own width in place.
struct TileDescriptor {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t z = 1;
  std::uint64_t w = 1;
  unsigned in_format = 0;
  unsigned digest_size = 0;
  unsigned blobs = 0;  // per XY plane
  std::uint32_t blobs_y_start = 0;
  bool is_uncompressed = false;
  bool has_no_exponents = false;
};

TileDescriptor read_descriptor(const UnpackerSettings& settings, bool multi_context, unsigned context) {
  const std::uint32_t word0 = settings.descriptor_word(0);
  const std::uint32_t word1 = settings.descriptor_word(1);
  const std::uint32_t word2 = settings.descriptor_word(2);
  const std::uint32_t word3 = settings.descriptor_word(3);
  TileDescriptor tile;
  tile.in_format = word0 & 0xFU;
  tile.is_uncompressed = (word0 >> 4U & 1U) != 0;
  tile.has_no_exponents = (word0 >> 5U & 1U) != 0;
  tile.blobs = word0 >> 8U & 7U;
  tile.x = word0 >> 16U;
  tile.y = word1 & 0xFFU;
  tile.z = std::max(word1 >> 16U & 0xFFU, 1U);
  tile.w = std::max(word2 & 0xFFU, 1U);
  tile.blobs_y_start = word2 >> 16U | word3 << 16U;
  tile.digest_size = word3 >> 24U;
  if (!multi_context) return tile;
  tile.is_uncompressed = settings.section(fields::is_uncompressed, context) != 0;
  if (settings.unpacker() != 0) return tile;
  tile.x = settings.section(fields::x_dim, context);
  tile.blobs_y_start = settings.get((context & 2U) == 0 ? "UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"_config
                                                        : "UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start"_config);
  return tile;
}

class Planner {
 public:
  Planner(const Coprocessor& coprocessor, unsigned thread, Word word, UnpackIssues& issues)
      : coprocessor_(coprocessor),
        issues_(issues),
        instruction_(UnpackInstruction::of(word)),
        context_(unpack_context(coprocessor, thread, instruction_, issues)),
        settings_(coprocessor.config, coprocessor.arch, thread, instruction_.unpacker),
        tile_(read_descriptor(settings_, instruction_.multi_context, context_.number)),
        own_(coprocessor.adcs.context[thread].unpacker[instruction_.unpacker]),
        chosen_(coprocessor.adcs.context[context_.adc].unpacker[instruction_.unpacker]),
        thread_(thread) {}

  UnpackTransfer plan() {
    find_unmodelled();
    choose_target();
    if (!choose_formats()) return transfer_;
    place_sections();
    choose_datums();
    place_datums();
    place_output();
    choose_modes();
    check_modes();
    choose_unpack_speed(transfer_, settings_, *coprocessor_.timing, tilizes_, issues_);
    return transfer_;
  }

 private:
  void find_unmodelled() {
    if (instruction_.extra && !extra_bit_broadcasts(coprocessor_.arch)) issues_.add(DataIssue::unpack_rareb);
    if (settings_.section("THCON_SEC0_REG10_Unpack_limit_address_en"_config) != 0)
      issues_.add(DataIssue::unpack_limit_enable);
    if (settings_.section("THCON_SEC0_REG8_unpack_tile_offset"_config) != 0) issues_.add(DataIssue::unpack_tile_offset);
  }

  void choose_target() {
    transfer_.target = instruction_.unpacker == 1 ? UnpackTarget::src_b : UnpackTarget::src_a;
    if (instruction_.unpacker == 1) return;
    const std::uint32_t to_dst = instruction_.multi_context ? settings_.section(fields::to_dst, context_.number)
                                                            : settings_.section("THCON_SEC0_REG2_Unpack_If_Sel"_config);
    if (to_dst != 0) transfer_.target = UnpackTarget::dst;
    transfer_.transposes = settings_.section("THCON_SEC0_REG2_Haloize_mode"_config) != 0;
  }

  bool choose_formats() {
    unsigned in = tile_.in_format;
    unsigned out = settings_.section("THCON_SEC0_REG2_Out_data_format"_config);
    if (instruction_.multi_context && settings_.section("THCON_SEC0_REG2_Ovrd_data_format"_config) != 0) {
      in = settings_.section(fields::in_format, context_.number);
      out = settings_.section(fields::out_format, context_.number);
    }
    transfer_.out_format = static_cast<std::uint8_t>(out);
    const auto in_format = number::format_of_code(in);
    const auto out_format = number::format_of_code(out);
    const auto plan = in_format && out_format ? conversion(*in_format, *out_format) : std::nullopt;
    if (!plan) {
      issues_.add(DataIssue::unpack_format);
      return false;
    }
    in_ = *in_format;
    out_ = *out_format;
    transfer_.plan = *plan;
    transfer_.datum_bits = static_cast<std::uint8_t>(number::facts(in_).datum_bits);
    transfer_.moves = true;
    return true;
  }

  std::optional<number::UnpackPlan> conversion(DataFormat in, DataFormat out) const {
    const bool short_exponent = settings_.section("THCON_SEC0_REG1_Unp_LF8_4b_exp"_config) != 0;
    return number::plan_unpack(
        {.in = in,
         .out = out,
         .to_dst = transfer_.target == UnpackTarget::dst,
         .int8_unsigned = settings_.get(fields::is_unsigned) != 0,
         .fp8_exponent = short_exponent ? number::Fp8Exponent::bits_4 : number::Fp8Exponent::bits_5,
         .arch = coprocessor_.arch});
  }

  static std::int64_t up_to_words(std::uint64_t bytes) {
    return static_cast<std::int64_t>((bytes + l1_word_bytes - 1) / l1_word_bytes * l1_word_bytes);
  }

  /// Header, row starts, exponents, datums: where each begins.
  void place_sections() {
    const unsigned context = instruction_.multi_context ? context_.number : 0;
    const std::uint64_t word = std::uint64_t{settings_.section(fields::base, context)} +
                               settings_.section(fields::offset, context) + 1 + tile_.digest_size;
    std::int64_t at = static_cast<std::int64_t>(word * l1_word_bytes);
    if (!tile_.is_uncompressed) {
      row_starts_at_ = at;
      const std::uint64_t rows = (tile_.blobs != 0 ? tile_.blobs : tile_.y) * tile_.z * tile_.w;
      at += up_to_words((rows + 1) * sizeof(std::uint16_t));
    }
    const bool forced = settings_.section("THCON_SEC0_REG2_Force_shared_exp"_config) != 0;
    if (number::is_bfp(in_)) {
      transfer_.reads_exponents = !forced;
      transfer_.forced_exponent = static_cast<std::uint8_t>(settings_.get(fields::forced_exponent));
    }
    if (transfer_.reads_exponents) {
      exponents_at_ = at;
      const bool has_section = transfer_.datum_bits == byte_bits || !tile_.has_no_exponents;
      const std::uint64_t datums = tile_.x * tile_.y * tile_.z * tile_.w;
      if (has_section) at += static_cast<std::int64_t>(number::exponent_section_bytes(in_, datums));
    }
    datums_at_ = at;
  }

  void choose_datums() {
    transfer_.is_compressed = !tile_.is_uncompressed;
    if (transfer_.is_compressed)
      choose_compressed();
    else
      choose_uncompressed();
  }

  void set_count(std::int64_t first, std::int64_t end) {
    if (end < first) issues_.add(DataIssue::unpack_range);
    transfer_.datums = static_cast<std::uint32_t>(std::max<std::int64_t>(end - first, 0));
  }

  std::uint64_t plane() const { return own_.channel[0].w.value * tile_.z + own_.channel[0].z.value; }

  void choose_uncompressed() {
    std::int64_t x = chosen_.channel[0].x.value;
    std::uint64_t y = chosen_.channel[0].y.value;
    std::int64_t end = std::int64_t{chosen_.channel[1].x.value} + 1;
    if (instruction_.row_search) {
      if (tile_.blobs != 0) {
        const unsigned blob = static_cast<unsigned>(y) & 7U;
        const unsigned next = (static_cast<unsigned>(x) & 7U) + 1;
        x = blob_start(blob);
        y = 0;
        end = next == tile_.blobs ? static_cast<std::int64_t>(tile_.x & 0x1F0U) : blob_start(next);
      } else {
        x = 0;
        --end;
      }
    }
    first_datum_ = static_cast<std::int64_t>((plane() * tile_.y + y) * tile_.x) + x;
    set_count(x, end);
  }

  std::int64_t blob_start(unsigned blob) const {
    return blob < 8 ? std::int64_t{tile_.blobs_y_start >> (blob * 4U) & 0xFU} << 4U : 0;
  }

  void choose_compressed() {
    const std::uint64_t rows = instruction_.row_search && tile_.blobs != 0 ? tile_.blobs : tile_.y;
    const std::uint64_t from = plane() * rows;
    const std::uint32_t x = chosen_.channel[0].x.value;
    const std::uint32_t y = chosen_.channel[0].y.value & 0xFFU;
    const std::uint32_t last = chosen_.channel[1].x.value;
    first_datum_ = row_start(from + y);
    if (instruction_.row_search) {
      set_count(first_datum_, row_start(from + (x & 0xFFU) + 1));
    } else if (x == 0 && last + std::uint64_t{1} == tile_.x) {
      set_count(first_datum_, row_start(from + y + 1));
    } else {
      transfer_.datums = UnpackTransfer::unlimited;
      transfer_.drop = x;
      if (last + 1 < x) issues_.add(DataIssue::unpack_range);
      transfer_.most_outputs = last + 1 < x ? 0 : last + 1 - x;
    }
  }

  void note_row_start(std::uint32_t at) {
    const bool is_first = transfer_.row_start_bytes == 0;
    const std::uint32_t first = is_first ? at : std::min(at, transfer_.row_starts_at);
    const std::uint32_t end_before = is_first ? 0 : transfer_.row_starts_at + transfer_.row_start_bytes;
    transfer_.row_starts_at = first;
    transfer_.row_start_bytes = std::max<std::uint32_t>(at + sizeof(std::uint16_t), end_before) - first;
  }

  std::int64_t row_start(std::uint64_t index) {
    const std::uint64_t at = static_cast<std::uint64_t>(row_starts_at_) + index * sizeof(std::uint16_t);
    note_row_start(static_cast<std::uint32_t>(at));
    if (!coprocessor_.memory.holds(at, sizeof(std::uint16_t))) {
      issues_.add(DataIssue::l1_range);
      return 0;
    }
    return coprocessor_.memory.l1[at] | std::int64_t{coprocessor_.memory.l1[at + 1]} << 8U;
  }

  void place_datums() {
    transfer_.wrap_above = std::int64_t{settings_.section("THCON_SEC0_REG2_Unpack_limit_address"_config)} * 16;
    transfer_.wrap_by = std::int64_t{settings_.section("THCON_SEC0_REG2_Unpack_fifo_size"_config)} * 16;
    const std::int64_t bits = transfer_.datum_bits;
    transfer_.exponents_at = wrap((exponents_at_ * 16) + first_datum_, 16);
    transfer_.datums_at = datums_at_ * byte_bits;
    if (!transfer_.is_compressed) {
      transfer_.datums_at = wrap(transfer_.datums_at + first_datum_ * bits, byte_bits);
      return;
    }
    // 32 datums, then their 32 deltas of four bits.
    transfer_.datums_at += first_datum_ / 32 * (32 * bits + 128);
    transfer_.deltas_at = wrap(transfer_.datums_at + 32 * bits + first_datum_ % 32 * 4, byte_bits);
    transfer_.datums_at = wrap(transfer_.datums_at + first_datum_ % 32 * bits, byte_bits);
  }

  std::int64_t wrap(std::int64_t address, std::int64_t unit) const {
    return address > transfer_.wrap_above * unit ? address - transfer_.wrap_by * unit : address;
  }

  void place_output() {
    const AdcChannel& out = own_.channel[1];
    std::uint32_t address = settings_.get(fields::out_base) + out.y.value * settings_.get(fields::y_stride) +
                            out.z.value * settings_.get(fields::z_stride) +
                            out.w.value * settings_.get(fields::w_stride);
    const unsigned shift = output_shift();
    if ((address & ((1U << shift) - 1U)) != 0) issues_.add(DataIssue::unpack_output_alignment);
    address >>= shift;
    if (instruction_.multi_context && instruction_.unpacker == 0) {
      const std::uint32_t of_context = settings_.section(fields::destination, context_.number);
      const bool adds = transfer_.target == UnpackTarget::dst || settings_.get(fields::adds_destination) != 0;
      address = adds ? address + of_context : of_context;
    }
    transfer_.out_address = address;
    choose_rows();
  }

  unsigned output_shift() const {
    switch (out_) {
      case DataFormat::fp32:
      case DataFormat::tf32:
      case DataFormat::int32: return 2;
      case DataFormat::fp16:
      case DataFormat::bf16:
      case DataFormat::int16: return 1;
      default: return 0;
    }
  }

  void choose_rows() {
    const bool overrides = settings_.thread("SRCA_SET_SetOvrdWithAddr"_thread_config) != 0;
    const std::uint8_t src_row = coprocessor_.unpackers.src_row[instruction_.unpacker][thread_];
    switch (transfer_.target) {
      case UnpackTarget::src_b:
        transfer_.src_row = src_row;
        transfer_.row_count = SrcRegisters::rows;
        transfer_.wraps_rows = true;
        break;
      case UnpackTarget::src_a:
        transfer_.src_row = overrides ? 0 : src_row;
        transfer_.row_count = overrides ? SrcRegisters::rows : 16;
        transfer_.wraps_rows = overrides && wraps_overridden_rows(coprocessor_.arch);
        break;
      case UnpackTarget::dst:
        transfer_.row_count = overrides ? 16 : Dst::rows;
        transfer_.wraps_rows = true;
        transfer_.is_32b = output_shift() == 2;
        if (!transfer_.is_32b && coprocessor_.dst.upper_halves) issues_.add(DataIssue::dst16_upper_halves);
        transfer_.addressing = DstAddressing::of(coprocessor_.config, coprocessor_.arch, coprocessor_.dst.upper_halves);
        break;
    }
  }

  void choose_modes() {
    tilizes_ = settings_.section("THCON_SEC0_REG2_Tileize_mode"_config) != 0;
    if (tilizes_ && tilizes_long_rows(coprocessor_.arch) && transfer_.datum_bits > byte_bits) transfer_.row_datums = 32;
    transfer_.row_stride_bits = std::uint32_t{transfer_.row_datums} * transfer_.datum_bits;
    if (tilizes_) {
      transfer_.row_stride_bits =
          (settings_.section(fields::shift_amount, 0) << 4U | settings_.section(fields::shift_amount, 1) << 8U |
           settings_.section(fields::shift_amount, 2) << 12U) *
          8U;
    } else if (instruction_.unpacker == 0) {
      transfer_.column_shift = static_cast<std::uint8_t>(settings_.section(fields::shift_amount, context_.number));
    }
    transfer_.upsample_zeros =
        static_cast<std::uint8_t>((1U << settings_.section("THCON_SEC0_REG2_Upsample_rate"_config)) - 1U);
    transfer_.interleaves = settings_.section("THCON_SEC0_REG2_Upsample_and_interleave"_config) != 0;
    transfer_.writes_zeros = instruction_.writes_zeros;
  }

  void check_modes() {
    constexpr std::int64_t word_bits = l1_word_bytes * byte_bits;
    if ((transfer_.transposes || tilizes_) && transfer_.datums_at % word_bits != 0)
      issues_.add(DataIssue::unpack_input_alignment);
    const bool to_dst = transfer_.target == UnpackTarget::dst;
    // That datums below a byte cannot be tilized is the reference's.
    const bool cannot_tilize =
        transfer_.upsample_zeros != 0 || transfer_.is_compressed || transfer_.datum_bits < byte_bits;
    if ((tilizes_ && cannot_tilize) || (to_dst && (transfer_.column_shift != 0 || transfer_.transposes)))
      issues_.add(DataIssue::unpack_modes);
  }

  const Coprocessor& coprocessor_;
  UnpackIssues& issues_;
  UnpackInstruction instruction_;
  UnpackContext context_;
  UnpackerSettings settings_;
  TileDescriptor tile_;
  const AdcSet& own_;     // of the thread: Z, W and output
  const AdcSet& chosen_;  // by the instruction: X and Y
  unsigned thread_;
  UnpackTransfer transfer_;
  DataFormat in_ = DataFormat::bf16;
  DataFormat out_ = DataFormat::bf16;
  bool tilizes_ = false;
  std::int64_t row_starts_at_ = 0;
  std::int64_t exponents_at_ = 0;
  std::int64_t datums_at_ = 0;
  std::int64_t first_datum_ = 0;
};

}  // namespace

UnpackInstruction UnpackInstruction::of(Word word) {
  namespace words = unpacker_words;
  static_assert(same_place(words::rareb_en, words::srcb_bcast));
  const auto is_set = [word](const isa::Field& field) { return field.get(word) != 0; };
  const auto step = [word](const isa::Field& field) { return static_cast<std::uint8_t>(field.get(word)); };
  return {.unpacker = words::which_unpacker.get(word),
          .context_number = words::context_number.get(word),
          .context_adc = words::context_adc.get(word),
          .multi_context = is_set(words::multi_context_mode),
          .flips_src = is_set(words::flip_src),
          .extra = is_set(words::rareb_en),
          .writes_zeros = is_set(words::all_datums_are_zero),
          .uses_context_counter = is_set(words::use_context_counter),
          .row_search = is_set(words::row_search),
          .y_increment = {step(words::ch0_y_inc), step(words::ch1_y_inc)},
          .z_increment = {step(words::ch0_z_inc), step(words::ch1_z_inc)}};
}

UnpackContext unpack_context(const Coprocessor& coprocessor, unsigned thread, const UnpackInstruction& instruction,
                             UnpackIssues& issues) {
  UnpackContext chosen{.number = 0, .adc = thread};
  if (!instruction.multi_context) return chosen;
  const unsigned unpacker = instruction.unpacker;
  const UnpackerSettings settings(coprocessor.config, coprocessor.arch, thread, unpacker);
  const unsigned counted = instruction.uses_context_counter ? coprocessor.unpackers.context_counter[unpacker][thread]
                                                            : instruction.context_number;
  chosen.number = (counted + settings.thread(fields::context_offset)) & 7U;
  if (unpacker == 1 && chosen.number >= 2) issues.add(DataIssue::unpack_context);
  if (instruction.context_adc >= thread_count)
    issues.add(DataIssue::unpack_adc);
  else
    chosen.adc = instruction.context_adc;
  return chosen;
}

unsigned target_row(const UnpackTransfer& transfer, unsigned row) {
  if (transfer.target == UnpackTarget::src_b) return (row + transfer.src_row) % SrcRegisters::rows;
  if (transfer.target == UnpackTarget::dst) return (row - header_rows) % transfer.row_count;
  if (row < header_rows) return no_row;
  row -= header_rows;
  if (row >= transfer.row_count && !transfer.wraps_rows) return no_row;
  return (row % transfer.row_count + transfer.src_row) % SrcRegisters::rows;
}

UnpackTransfer plan_unpack(const Coprocessor& coprocessor, unsigned thread, Word word, UnpackIssues& issues) {
  return Planner(coprocessor, thread, word, issues).plan();
}

}  // namespace tensim::tensix
