// SFPLOAD and SFPSTORE of floats, or of 32 bits, in every lane: in one go.
#include "tensix/units/vector/at_once.hpp"

#include <cstring>

#include "tensix/registers/addr_mod.hpp"
#include "tensix/units/vector/memory.hpp"

namespace tensim::tensix::vector_data {
namespace {

using namespace vector_memory;

constexpr unsigned group_rows = number::lane_rows;
static_assert(number::avx2::low_half_rows == Dst::low_half);

bool is_float_or_bits32(unsigned format) {
  constexpr unsigned formats = 1U << bf16 | 1U << fp32 | 1U << int32;
  return (formats >> format & 1U) != 0;
}

/// The first of the four rows of bits.
template <Arch arch>
[[gnu::always_inline]] inline unsigned stored_row(const Coprocessor& coprocessor, unsigned row, bool wide) {
  bool is_permuted = coprocessor.dst.upper_halves;
  if constexpr (permutes_dst_rows(arch)) {
    constexpr std::uint32_t permuting = dst_remap.bits() | dst_swizzle.bits();
    is_permuted = is_permuted || (coprocessor.config.bank[0][dst_access_word] & permuting) != 0;
  }
  if (is_permuted) [[unlikely]] {
    const DstAddressing addressing = DstAddressing::of(coprocessor.config, arch, coprocessor.dst.upper_halves);
    return wide ? addressing.row32(row) : addressing.row16(row);
  }
  return wide ? DstAddressing{}.row32(row) : row;
}

/// Whether apply_addr_mod() has anything to do.
template <Arch arch>
[[gnu::always_inline]] inline bool steps_counters(const Coprocessor& coprocessor, unsigned thread, Word word) {
  constexpr isa::Field index = field_of(arch, "SFPLOAD", "", "AddrMod");
  const unsigned preset = preset_of(coprocessor.rwcs.thread[thread], coprocessor.config, arch, thread, index.get(word));
  return !addr_mod(coprocessor.config, arch, thread, preset).does_nothing();
}

[[gnu::noinline]] void step_counters(Coprocessor& coprocessor, unsigned thread, Word word) {
  apply_addr_mod(coprocessor.rwcs, coprocessor.config, coprocessor.arch, thread, addr_mod_of(coprocessor.arch, word),
                 false);
}

struct Access {
  unsigned row = 0;     // as the program counts
  unsigned stored = 0;  // the first of the rows of bits
  bool odd = false;
};

template <Arch arch>
[[gnu::always_inline]] inline Access access_of(const Coprocessor& coprocessor, unsigned thread, Word word, bool wide) {
  const unsigned address =
      dst_address_on<arch>(coprocessor, thread, word, false, coprocessor.vector.stack_pointer[thread]);
  const unsigned row = address & ~(group_rows - 1);
  return {row, stored_row<arch>(coprocessor, row, wide), (address & 2U) != 0};
}

[[gnu::always_inline]] inline void move(Coprocessor& coprocessor, const Access& access, unsigned vd, unsigned format) {
  const Dst::Row* const high = &coprocessor.dst.bits[access.stored];
  Lanes& to = coprocessor.vector.registers.lreg[vd];
  if (format == bf16)
    number::avx2::load_bfloat16(high, access.odd, to);
  else
    number::avx2::load_float32(high, access.odd, to);
}

template <Arch arch>
[[gnu::always_inline]] inline void move_back(Coprocessor& coprocessor, const Access& access, unsigned vd,
                                             unsigned format) {
  Dst& dst = coprocessor.dst;
  Dst::Row* const high = &dst.bits[access.stored];
  const Lanes& from = coprocessor.vector.registers.lreg[vd];
  std::memset(&dst.is_undefined[access.stored], 0, group_rows * sizeof(bool));
  if (format == bf16) return number::avx2::store_bfloat16(high, access.odd, from);
  std::memset(&dst.is_undefined[access.stored + Dst::low_half], 0, group_rows * sizeof(bool));
  if (flushes_stored_float32(arch) && format == fp32)
    number::avx2::store_flushed_float32(high, access.odd, from);
  else
    number::avx2::store_float32(high, access.odd, from);
}

/// What the Matrix Unit has written is there, and nothing that ZEROACC has marked.
[[gnu::always_inline]] inline bool is_readable(const Coprocessor& coprocessor, const Access& access) {
  constexpr unsigned block_rows = Dst::rows / MatrixUnit::dst_blocks;
  std::uint32_t undefined = 0;
  static_assert(sizeof(undefined) == group_rows * sizeof(bool));
  std::memcpy(&undefined, &coprocessor.dst.is_undefined[access.stored], sizeof(undefined));
  return undefined == 0 && coprocessor.matrix.block_readable_from[access.row / block_rows] <= coprocessor.now;
}

/// In a run of vector instructions nobody looks for a record of one that is over with the cycle.
void put_in_flight_if_seen(Coprocessor& coprocessor, const Candidate& candidate) {
  if (!coprocessor.in_vector_run()) put_in_flight_for_a_cycle(coprocessor, candidate);
}

// Whatever needs a call before the lanes are moved is left to the functions that do it closely: without it there is
// nothing to save.

template <Arch arch>
[[gnu::noinline]] void load_closely(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned format = resolved_format(coprocessor, candidate.thread, mod0_of(word));
  const unsigned vd = upper_vd_of(word);
  if (!is_float_or_bits32(format) || vd >= general_lregs || !is_usual_cycle(coprocessor))
    return execute_in_general(coprocessor, candidate);
  const Access access = access_of<arch>(coprocessor, candidate.thread, word, format != bf16);
  if (!is_readable(coprocessor, access)) return execute_in_general(coprocessor, candidate);
  move(coprocessor, access, vd, format);
  step_counters(coprocessor, candidate.thread, word);
  put_in_flight_if_seen(coprocessor, candidate);
}

template <Arch arch>
[[gnu::always_inline]] inline void load(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned format = mod0_of(word);
  const unsigned vd = upper_vd_of(word);
  if (!is_float_or_bits32(format) || vd >= general_lregs || !is_usual_cycle(coprocessor) ||
      !coprocessor.in_vector_run() || steps_counters<arch>(coprocessor, candidate.thread, word)) [[unlikely]]
    return load_closely<arch>(coprocessor, candidate);
  const Access access = access_of<arch>(coprocessor, candidate.thread, word, format != bf16);
  if (!is_readable(coprocessor, access)) [[unlikely]]
    return load_closely<arch>(coprocessor, candidate);
  move(coprocessor, access, vd, format);
}

template <Arch arch>
[[gnu::noinline]] void store_closely(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned format = resolved_format(coprocessor, candidate.thread, mod0_of(word));
  const unsigned vd = upper_vd_of(word);
  if (!is_float_or_bits32(format) || vd >= first_backdoor_vd || !is_usual_cycle(coprocessor) ||
      coprocessor.vector.lreg_stale_until[vd] > coprocessor.now)
    return execute_in_general(coprocessor, candidate);
  const Access access = access_of<arch>(coprocessor, candidate.thread, word, format != bf16);
  move_back<arch>(coprocessor, access, vd, format);
  step_counters(coprocessor, candidate.thread, word);
  put_in_flight_if_seen(coprocessor, candidate);
}

template <Arch arch>
[[gnu::always_inline]] inline void store(Coprocessor& coprocessor, const Candidate& candidate) {
  const Word word = candidate.entry.word;
  const unsigned format = mod0_of(word);
  const unsigned vd = upper_vd_of(word);
  if (!is_float_or_bits32(format) || vd >= first_backdoor_vd || !is_usual_cycle(coprocessor) ||
      !coprocessor.in_vector_run() || coprocessor.vector.lreg_stale_until[vd] > coprocessor.now ||
      steps_counters<arch>(coprocessor, candidate.thread, word)) [[unlikely]]
    return store_closely<arch>(coprocessor, candidate);
  const Access access = access_of<arch>(coprocessor, candidate.thread, word, format != bf16);
  move_back<arch>(coprocessor, access, vd, format);
}

}  // namespace

void execute_load(Coprocessor& coprocessor, const Candidate& candidate) {
  with_arch(coprocessor.arch, [&]<Arch arch>() { load<arch>(coprocessor, candidate); });
}

void execute_store(Coprocessor& coprocessor, const Candidate& candidate) {
  with_arch(coprocessor.arch, [&]<Arch arch>() { store<arch>(coprocessor, candidate); });
}

}  // namespace tensim::tensix::vector_data
