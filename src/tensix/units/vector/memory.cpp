// SFPLOAD, SFPSTORE and SFPLOADI: 32 datums of Dst, the even or odd columns of four rows, to a register or back.
#include "tensix/units/vector/memory.hpp"

#include <bit>
#include <cstring>

#include "number/format.hpp"
#include "number/vector_functions.hpp"
#include "tensix/registers/config_view.hpp"
#include "tensix/units/matrix/config.hpp"
#include "tensix/units/vector/fields.hpp"
#include "tensix/units/vector/work.hpp"

namespace tensim::tensix {

namespace vector_memory {
namespace {

using namespace tensim::literals;

/// The formats of SrcB with which Dst is taken for BF16; with others it is FP16.
constexpr std::uint32_t as_bf16 = [] {
  using enum number::DataFormat;
  std::uint32_t formats = 0;
  for (const number::DataFormat format : {fp32, tf32, bf16, bfp8, bfp4, bfp2, int32, int16})
    formats |= 1U << static_cast<unsigned>(format);
  return formats;
}();

}  // namespace

unsigned resolved_format(const Coprocessor& coprocessor, unsigned thread, unsigned mod0) {
  if (mod0 != srcb) return mod0;
  const ConfigView config(coprocessor.config, coprocessor.arch, thread);
  if (get(config, on_both("ALU_ACC_CTRL_SFPU_Fp32_enabled"_config)) != 0) return fp32;
  const bool overridden = get(config, on_both("ALU_FORMAT_SPEC_REG_SrcB_override"_config)) != 0;
  const std::uint32_t format = overridden ? get(config, on_both("ALU_FORMAT_SPEC_REG_SrcB_val"_config))
                                          : get(config, on_both("ALU_FORMAT_SPEC_REG1_SrcB"_config));
  return (as_bf16 >> (format & 15U) & 1U) != 0 ? bf16 : fp16;
}

bool is_wide_load(unsigned format) {
  return format == fp32 || format == int32 || format == int32_all || format == int32_sm;
}
bool is_wide_store(unsigned format) {
  return is_wide_load(format) || format == lo16 || format == hi16;
}

unsigned dst_address(const Coprocessor& coprocessor, unsigned thread, Word word, unsigned format,
                     unsigned stack_pointer) {
  const bool of_stack = format == int32_all;
  return with_arch(coprocessor.arch, [&]<Arch arch>() {
    return dst_address_on<arch>(coprocessor, thread, word, of_stack, stack_pointer);
  });
}

unsigned stepped_down(const Coprocessor& coprocessor, unsigned thread) {
  constexpr ConfigField::Place increment = "SFPU_STACK_Incr"_thread_config.on(Arch::blackhole);
  const unsigned pointer = coprocessor.vector.stack_pointer[thread];
  return pointer == 0 ? 0 : (pointer - get(coprocessor.config, increment, thread)) & address_bits;
}

unsigned addr_mod_of(Arch arch, Word word) {
  return field_by_arch("SFPLOAD", "", "AddrMod").get(arch, word);
}

}  // namespace vector_memory

namespace vector_data {
namespace {

using namespace vector_memory;
using namespace tensim::literals;
namespace bits = number::lane_bits;

constexpr unsigned group_rows = number::lane_rows;

struct Group {
  unsigned row = 0;     // as the program counts
  unsigned stored = 0;  // the first of the rows of bits
  bool odd = false;
  bool wide = false;
};

[[gnu::always_inline]] inline Group group_at(const Coprocessor& coprocessor, unsigned address, bool wide) {
  const DstAddressing addressing =
      DstAddressing::of(coprocessor.config, coprocessor.arch, coprocessor.dst.upper_halves);
  const unsigned row = address & ~(group_rows - 1);
  return {row, wide ? addressing.row32(row) : addressing.row16(row), (address & 2U) != 0, wide};
}

number::DstPlace place_of(Dst& dst, const Group& group, bool odd) {
  number::DstBitsRow* const high = &dst.bits[group.stored];
  return {high, group.wide ? high + Dst::low_half : high, odd};
}

/// Four flags are one word.
std::uint32_t undefined_rows(const Dst& dst, const Group& group) {
  std::uint32_t flags = 0;
  static_assert(sizeof(flags) == group_rows * sizeof(bool));
  std::memcpy(&flags, &dst.is_undefined[group.stored], sizeof(flags));
  return flags;
}
void define_rows(Dst& dst, const Group& group) {
  std::memset(&dst.is_undefined[group.stored], 0, group_rows * sizeof(bool));
  if (group.wide) std::memset(&dst.is_undefined[group.stored + Dst::low_half], 0, group_rows * sizeof(bool));
}

/// Lanes that take odd columns: all of them by the address, some by their configuration.
LaneMask odd_lanes(const Group& group, LaneMask exchanged) {
  return group.odd ? every_lane : exchanged;
}

void read_bits(VectorWork& work, const Group& group, Lanes& lanes) {
  const number::HostVectors vectors = work.unit().vectors;
  const LaneMask odd = odd_lanes(group, work.registers().config.load_exchange);
  const auto read = [&](bool odd_columns, Lanes& to) {
    const number::DstPlace place = place_of(work.coprocessor.dst, group, odd_columns);
    if (group.wide)
      number::read_dst32(place, to, vectors);
    else
      number::read_dst16(place, to, vectors);
  };
  read(odd == every_lane, lanes);
  if (odd != 0 && odd != every_lane) [[unlikely]] {
    Lanes others;
    read(true, others);
    number::copy_lanes(lanes, others, odd, vectors);
  }
}

/// Rows that ZEROACC has marked: what they hold is undefined (ZEROACC.md). Zero, as the reference has it.
[[gnu::noinline]] void clear_undefined(VectorWork& work, const Group& group, Lanes& lanes) {
  work.issue(DataIssue::vector_undefined_row);
  for (unsigned lane = 0; lane < lane_count; ++lane)
    if (work.coprocessor.dst.is_undefined[group.stored + lane / lane_columns]) lanes[lane] = 0;
}

Cycle readable_from(const Coprocessor& coprocessor, const Group& group) {
  constexpr unsigned block_rows = Dst::rows / MatrixUnit::dst_blocks;
  return coprocessor.matrix.block_readable_from[group.row / block_rows];
}

/// What the Matrix Unit has written may not be there yet: nothing holds SFPLOAD back (SFPLOAD.md).
void check_matrix_writes(VectorWork& work, const Group& group) {
  const Cycle readable = readable_from(work.coprocessor, group);
  if (readable <= work.coprocessor.now) [[likely]]
    return;
  const UnitTiming& timing = *work.coprocessor.timing;
  if (readable + timing.sfpload_after_fpu_gap >= work.coprocessor.now + timing.dst_hazard_spacing)
    work.issue(DataIssue::vector_dst_early);
}

template <class Function>
void convert(Lanes& lanes, Function function) {
  for (std::uint32_t& x : lanes.lane)
    x = function(x);
}

/// Bits of Dst to a register's.
void convert_loaded(VectorWork& work, unsigned format, const Lanes& old, Lanes& lanes) {
  const bool complements = converts_complement(work.coprocessor.arch);
  const number::HostVectors vectors = work.unit().vectors;
  switch (format) {
    case bf16:
      convert(lanes, [](std::uint32_t x) { return x << 16U; });
      number::exponent_above(lanes, vectors);
      break;
    case fp32:
    case int32:
    case int32_all: number::exponent_above(lanes, vectors); break;
    case int32_sm:
      number::exponent_above(lanes, vectors);
      if (complements) convert(lanes, number::twos_complement);
      break;
    case fp16: {
      const LaneMask with_infinity = work.registers().config.fp16_infinity;
      for (unsigned lane = 0; lane < lane_count; ++lane)
        lanes[lane] = number::float_of_dst_fp16(lanes[lane], (with_infinity >> lane & 1U) != 0);
      break;
    }
    case int8: {
      const unsigned bits = on(work.coprocessor.arch, 7U, 8U);
      convert(lanes, [&](std::uint32_t x) { return number::integer_of_dst_int8(x, bits); });
      break;
    }
    case int8_comp:
      convert(lanes, [](std::uint32_t x) { return number::integer_of_dst_int8(x, 10); });
      if (complements) convert(lanes, number::twos_complement);
      break;
    case int16: convert(lanes, number::integer_of_dst_int16); break;
    case hi16: convert(lanes, [](std::uint32_t x) { return x << 16U; }); break;
    case lo16_only:
      for (unsigned lane = 0; lane < lane_count; ++lane)
        lanes[lane] |= old[lane] & 0xFFFF'0000U;
      break;
    case hi16_only:
      for (unsigned lane = 0; lane < lane_count; ++lane)
        lanes[lane] = lanes[lane] << 16U | (old[lane] & 0xFFFFU);
      break;
    case zero: lanes = Lanes{}; break;
    default: break;  // 16 bits as they are
  }
}

/// CAPTURE_DEFAULT_DEST_INDEX: where each datum came from, four registers further.
void capture_index(VectorWork& work, const Group& group, LaneMask lanes) {
  constexpr unsigned index_lregs = 4;
  const LaneConfigMasks& config = work.registers().config;
  const LaneMask captures = lanes & config.dest_index & config.capture_index;
  if (captures == 0 || work.in.vd >= index_lregs) return;
  const LaneMask odd = odd_lanes(group, config.load_exchange);
  work.write(work.in.vd + index_lregs, each_lane([&](unsigned lane) {
               const unsigned column = lane % lane_columns * 2 + (odd >> lane & 1U);
               return (group.row + lane / lane_columns) << 4U | column;
             }),
             captures);
}

void load_from(VectorWork& work, unsigned format, unsigned address) {
  const LaneMask lanes = (format == int32_all ? every_lane : work.enabled) & ~work.registers().config.block_load;
  if (work.in.vd >= general_lregs || lanes == 0) return;
  const Group group = group_at(work.coprocessor, address, is_wide_load(format));
  check_matrix_writes(work, group);
  Lanes& to = work.registers().lreg[work.in.vd];
  Lanes aside;
  // Straight into the register, if nothing of it stays.
  const bool keeps_some = lanes != every_lane || format == lo16_only || format == hi16_only;
  Lanes& loaded = keeps_some ? aside : to;
  read_bits(work, group, loaded);
  if (undefined_rows(work.coprocessor.dst, group) != 0) [[unlikely]]
    clear_undefined(work, group, loaded);
  convert_loaded(work, format, to, loaded);
  if (keeps_some) work.write(work.in.vd, loaded, lanes);
  if (work.registers().config.capture_index != 0) [[unlikely]]
    capture_index(work, group, lanes);
}

void apply_partial_addr_mod(VectorWork& work) {
  Coprocessor& coprocessor = work.coprocessor;
  apply_addr_mod(coprocessor.rwcs, coprocessor.config, coprocessor.arch, work.candidate.thread,
                 addr_mod_of(coprocessor.arch, work.in.word), false);
}

/// A register's bits to Dst's.
void convert_stored(VectorWork& work, unsigned format, Lanes& lanes) {
  const bool complements = converts_complement(work.coprocessor.arch);
  const number::HostVectors vectors = work.unit().vectors;
  switch (format) {
    case bf16:
      convert(lanes, number::flush_denormal);
      number::exponent_below(lanes, vectors);
      convert(lanes, [](std::uint32_t x) { return x >> 16U; });
      break;
    case fp32:
      if (flushes_stored_float32(work.coprocessor.arch)) convert(lanes, number::flush_denormal);
      number::exponent_below(lanes, vectors);
      break;
    case int32:
    case int32_all: number::exponent_below(lanes, vectors); break;
    case int32_sm:
      if (complements) convert(lanes, number::exchange_complement);
      number::exponent_below(lanes, vectors);
      break;
    case fp16: convert(lanes, number::dst_fp16_of_float); break;
    case int8_comp:
      if (complements) convert(lanes, number::exchange_complement);
      [[fallthrough]];
    case int8: convert(lanes, number::dst_int8_of_integer); break;
    case int16: convert(lanes, number::dst_int16_of_integer); break;
    case lo16: convert(lanes, [](std::uint32_t x) { return std::rotl(x, 16); }); break;
    case hi16_only: convert(lanes, [](std::uint32_t x) { return x >> 16U; }); break;
    case zero: lanes = Lanes{}; break;
    default: break;  // the lower 16 bits, or all 32, as they are
  }
}

void store_to(VectorWork& work, unsigned format, unsigned address) {
  const LaneMask wanted = format == int32_all ? work.active : work.enabled;
  const LaneMask lanes = wanted & ~work.registers().config.block_store;
  Lanes stored = work.source(work.in.vd);
  if (lanes == 0) return;
  convert_stored(work, format, stored);
  const Group group = group_at(work.coprocessor, address, is_wide_store(format));
  const LaneMask odd = odd_lanes(group, work.registers().config.store_exchange);
  Dst& dst = work.coprocessor.dst;
  for (const bool odd_columns : {false, true}) {
    const LaneMask here = lanes & (odd_columns ? odd : ~odd);
    if (here == 0) continue;
    const number::DstPlace place = place_of(dst, group, odd_columns);
    if (group.wide)
      number::write_dst32(place, stored, here, work.unit().vectors);
    else
      number::write_dst16(place, stored, here, work.unit().vectors);
  }
  define_rows(dst, group);
}

}  // namespace

unsigned load_and_step(VectorWork& work) {
  Coprocessor& coprocessor = work.coprocessor;
  const unsigned thread = work.candidate.thread;
  const unsigned format = resolved_format(coprocessor, thread, work.in.mod);
  std::uint16_t& pointer = work.unit().stack_pointer[thread];
  if (format == int32_all && has_vector_stack(coprocessor.arch))
    pointer = static_cast<std::uint16_t>(stepped_down(coprocessor, thread));
  const unsigned address = dst_address(coprocessor, thread, work.in.word, format, pointer);
  load_from(work, format, address);
  apply_partial_addr_mod(work);
  return address;
}

void load(VectorWork& work) {
  load_and_step(work);
}

void store(VectorWork& work) {
  if (work.in.scheduled)
    return store_to(work, resolved_format(work.coprocessor, work.in.thread, work.in.mod), work.in.address);
  Coprocessor& coprocessor = work.coprocessor;
  const unsigned thread = work.candidate.thread;
  const unsigned format = resolved_format(coprocessor, thread, work.in.mod);
  std::uint16_t& pointer = work.unit().stack_pointer[thread];
  store_to(work, format, dst_address(coprocessor, thread, work.in.word, format, pointer));
  if (format == int32_all && has_vector_stack(coprocessor.arch)) {
    constexpr ConfigField::Place increment = "SFPU_STACK_Incr"_thread_config.on(Arch::blackhole);
    pointer = static_cast<std::uint16_t>((pointer + get(coprocessor.config, increment, thread)) & 0x3FFU);
  }
  apply_partial_addr_mod(work);
}

void load_immediate(VectorWork& work) {
  const std::uint32_t immediate = vector_words::lower_imm16.get(work.in.word);
  const auto all = [&](std::uint32_t value) { work.write(work.in.vd, number::all_lanes(value)); };
  const auto half = [&](std::uint32_t kept, std::uint32_t value) {
    const Lanes& old = work.registers().lreg[work.in.vd];
    work.write(work.in.vd, each_lane([&](unsigned lane) { return (old[lane] & kept) | value; }));
  };
  if (work.in.vd >= general_lregs) return;
  switch (work.in.mod) {
    case 0: return all(immediate << 16U);
    case 1: return all((immediate & 0x8000U) << 16U | ((immediate & 0x7FFFU) + (bits::fp16_rebias << 10U)) << 13U);
    case 2: return all(immediate);
    case 4: return all(static_cast<std::uint32_t>(static_cast<std::int16_t>(immediate)));
    case 8: return half(0xFFFFU, immediate << 16U);
    case 10: return half(0xFFFF'0000U, immediate);
    default: return work.issue(DataIssue::vector_mode);
  }
}

}  // namespace vector_data

}  // namespace tensim::tensix
