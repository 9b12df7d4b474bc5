// What state an instruction reads and writes, exactly, given the state in which it is accepted: what a race check asks, and
// the cycle only where one listens. Each unit's rows name the function, which asks the same plans as execution does.
// Configuration is listed by the bits of the fields that are used, L1 by bytes. What is not known yet when an instruction
// passes its gate is noted when it is: event::BankFilled has the rows of Src that an unpacker writes, event::Touched the rest.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "event/access.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/registers/gpr_use.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct Candidate;
struct MemoryOperation;

using event::Access;
using event::Resource;

// ---- what `first` of an access means ----

/// Counters and their Cr copies: 8 for each of unpacker 0, unpacker 1 and packer; 4 for each channel; X, Y, Z, W.
constexpr unsigned adc_counter(unsigned set, unsigned channel, unsigned dimension) {
  return set * 8 + channel * 4 + dimension;
}

/// The last is the pointer of SFPLOAD and SFPSTORE to the stack in Dst (Blackhole).
enum RwcCounter : std::uint8_t { rwc_dst, rwc_src_a, rwc_src_b, rwc_fidelity, rwc_extra_addr_mod_bit, rwc_stack };

/// Of the Vector Unit: flags with which of them count, LaneConfig, random numbers, saved flags, and the lanes that Wormhole's
/// SFPSHFT2 shifts in by mistake.
enum LaneState : std::uint8_t { lane_flags, lane_config, lane_random, lane_flag_stack, lanes_rotated };

/// Of the Matrix Unit: the row that a later SHIFTXA takes, and the random numbers of stochastic rounding. Who only writes the
/// row does not mind another that does.
enum MatrixState : std::uint8_t { matrix_src_a_row, matrix_random };

/// Of an unpacker, by thread: the context that comes next, and the row of Src at which a transfer begins; then the sum that
/// UNPACR_NOP writes to registers.
constexpr unsigned unpacker_context(unsigned thread) {
  return thread;
}
constexpr unsigned unpacker_row(unsigned thread) {
  return thread_count + thread;
}
inline constexpr unsigned unpacker_sum = 2 * thread_count;

/// Of a packer: what waits in it for the next PACR with the place in the tile; exponents counted, and the largest; sizes of
/// tiles; random numbers. Of packer 0 alone: the context that comes next, and what PACR_SETREG will write (Blackhole).
enum PackerState : std::uint8_t {
  packer_stream,
  packer_exponents,
  packer_sizes,
  packer_random,
  packer_context,
  packer_register_data
};

/// Words of TDMA-RISC's registers that reach the units (TDMA-RISC.md).
enum TdmaWord : std::uint8_t {
  tdma_acc_packed_size = 7,
  tdma_clk_gate_en = 9,
  tdma_clk_gate_hyst = 10,
  tdma_tile_status = 14,
  tdma_scalers = 15
};

inline constexpr unsigned src_rows = static_cast<unsigned>(size_of_both("src_rows"_size));
inline constexpr unsigned dst_rows = static_cast<unsigned>(size_of_both("dst_rows"_size));

/// Fields that an instruction reads, as accesses that lack nothing but their owner. Made once for each chip.
class Settings {
 public:
  explicit Settings(Arch arch) : arch_(arch) {}

  /// A field of Config, `plus` words further; nothing if the chip does not have it.
  Settings& add(const ConfigField& field, std::size_t plus = 0);
  /// The bits of `mask` in the word of a field, or in one further on.
  Settings& add_bits(const ConfigField& field, std::uint32_t mask, std::size_t plus = 0);
  /// The word of a field of the thread's own.
  Settings& add_thread(const ConfigField& field);

 private:
  friend class Footprint;
  void add(Resource resource, std::size_t word, std::uint32_t mask);

  Arch arch_;
  // Config of the thread's bank, Config that both banks share, ThreadConfig.
  std::vector<Access> accesses_;
  std::size_t of_bank_ = 0;
  std::size_t of_config_ = 0;
};

/// Both chips' of what `make` gives for one.
template <class Make>
auto for_each_arch(Make make) {
  return std::array{make(Arch::wormhole), make(Arch::blackhole)};
}

class Footprint {
 public:
  /// Adds to the end of the list.
  explicit Footprint(std::vector<Access>& to) : to_(to) {}

  void reads(Resource resource, unsigned owner, std::uint32_t first, std::uint32_t count = 1) {
    add(resource, owner, first, count, false);
  }
  void writes(Resource resource, unsigned owner, std::uint32_t first, std::uint32_t count = 1) {
    add(resource, owner, first, count, true);
  }
  void updates(Resource resource, unsigned owner, std::uint32_t first, std::uint32_t count = 1) {
    reads(resource, owner, first, count);
    writes(resource, owner, first, count);
  }
  void add(Resource resource, unsigned owner, std::uint32_t first, std::uint32_t count, bool write,
           std::uint32_t mask = Access::whole) {
    if (count != 0 && mask != 0) to_.push_back({resource, static_cast<std::uint8_t>(owner), write, first, count, mask});
  }
  /// Of the write of one word that was added last.
  void changes_only(std::uint32_t bits) {
    if (!to_.empty() && to_.back().resource == Resource::config && to_.back().write && to_.back().count == 1)
      to_.back().changed = bits;
  }
  /// Each run of set bits is one access.
  void add_runs(Resource resource, unsigned owner, std::uint64_t bits, bool write) {
    for (unsigned at = 0; bits != 0;) {
      const auto zeros = static_cast<unsigned>(std::countr_zero(bits));
      bits >>= zeros;
      const auto ones = static_cast<unsigned>(std::countr_one(bits));
      add(resource, owner, at + zeros, ones, write);
      at += zeros + ones;
      bits = ones == 64 ? 0 : bits >> ones;
    }
  }
  /// What a thread that uses this bank reads.
  void reads(const Settings& settings, unsigned bank, unsigned thread);

 private:
  std::vector<Access>& to_;
};

// ---- what several units have in common ----

/// The GPRs that the word names.
void add_gprs(Footprint& footprint, unsigned thread, Word word);

/// The word of a thread configuration field, if the chip has it.
void add_thread_field(Footprint& footprint, Arch arch, unsigned thread, const ConfigField& field);
void add_thread_field(Footprint& footprint, Arch arch, unsigned thread, const ConfigSections& field, unsigned section);

/// What applying address modifier `index` reads and moves, beyond reading all counters.
void add_addr_mod(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned index,
                  bool update_fidelity);

/// Words of the bank that the thread uses, and the choice of it.
void add_config(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned first, unsigned count,
                bool write, std::uint32_t mask = Access::whole);
/// The choice of a bank alone.
void add_bank_choice(Footprint& footprint, Arch arch, unsigned thread);
/// All that storing does: a bank may be reset, generators of random numbers may be seeded. `mask`: the bits that change.
void add_config_store(Footprint& footprint, Arch arch, const ConfigStore& store, std::uint32_t mask = Access::whole);

/// A register of the tile, as the Scalar Unit, a packer or an unpacker reaches it at `address`.
void add_tile_register(Footprint& footprint, const Coprocessor& coprocessor, std::uint32_t address, bool write);

/// The settings that a tile header has of a packer (SETDMAREG).
void add_tile_header(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned packer);

/// What the mover reads and writes, whoever asked for it.
void add_memory_operation(Footprint& footprint, const Coprocessor& coprocessor, const MemoryOperation& operation);

/// Bytes of L1, as far as there is one.
void add_l1(Footprint& footprint, const Coprocessor& coprocessor, std::int64_t first, std::int64_t bytes, bool write);

namespace units {
void configuration_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void matrix_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void miscellaneous_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void mover_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void packer_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void scalar_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void sync_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void unpacker_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
void vector_footprint(const Coprocessor& coprocessor, const Candidate& candidate, Footprint& footprint);
}  // namespace units

}  // namespace tensim::tensix
