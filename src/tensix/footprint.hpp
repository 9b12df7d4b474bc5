// What state an instruction reads and writes, exactly, given the state in which it is accepted: what a race detector or
// a reordering asks. Each unit's rows name the function; the cycle never calls it. Where the range depends on what is
// not modelled (L1 addresses, unpackers' and packers' settings) the access covers all it could be.
#pragma once

#include <cstdint>

#include "arch/fixed_list.hpp"
#include "event/access.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/registers/gpr_use.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct Candidate;

using event::Access;
using event::Resource;

/// Counters and their Cr copies: 8 for each of unpacker 0, unpacker 1 and packer; 4 for each channel; X, Y, Z, W.
constexpr unsigned adc_counter(unsigned set, unsigned channel, unsigned dimension) {
  return set * 8 + channel * 4 + dimension;
}

enum RwcCounter : std::uint8_t { rwc_dst, rwc_src_a, rwc_src_b, rwc_fidelity, rwc_extra_addr_mod_bit, rwc_counters };

inline constexpr unsigned whole_l1 = 1;
inline constexpr unsigned src_rows = static_cast<unsigned>(size_of_both("src_rows"_size));
inline constexpr unsigned dst_rows = static_cast<unsigned>(size_of_both("dst_rows"_size));
inline constexpr unsigned lreg_count = 16;  // those that a register field can name

class Footprint {
 public:
  static constexpr std::size_t capacity = 64;

  void reads(Resource resource, unsigned owner, unsigned first, unsigned count = 1) {
    add(resource, owner, first, count, false);
  }
  void writes(Resource resource, unsigned owner, unsigned first, unsigned count = 1) {
    add(resource, owner, first, count, true);
  }
  void updates(Resource resource, unsigned owner, unsigned first, unsigned count = 1) {
    reads(resource, owner, first, count);
    writes(resource, owner, first, count);
  }

  const Access* begin() const { return accesses_.begin(); }
  const Access* end() const { return accesses_.end(); }
  std::size_t size() const { return accesses_.size(); }
  bool empty() const { return accesses_.empty(); }
  /// There was room for every access. No instruction has more; tests and fuzzing look.
  bool is_complete() const { return is_complete_; }

 private:
  void add(Resource resource, unsigned owner, unsigned first, unsigned count, bool write);
  FixedList<Access, capacity> accesses_;
  bool is_complete_ = true;
};

// ---- what several units have in common ----

/// The GPRs that the word names.
void add_gprs(Footprint& footprint, unsigned thread, Word word);

/// The word of a thread configuration field, if the chip has it.
void add_thread_field(Footprint& footprint, Arch arch, unsigned thread, const ConfigField& field);
void add_thread_field(Footprint& footprint, Arch arch, unsigned thread, const ConfigSections& field, unsigned section);

/// What applying address modifier `index` reads and moves.
void add_addr_mod(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned index,
                  bool update_fidelity);

/// Words of the bank that the thread uses, and the choice of it.
void add_config(Footprint& footprint, const Coprocessor& coprocessor, unsigned thread, unsigned first, unsigned count,
                bool write);

namespace units {
Footprint configuration_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint matrix_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint miscellaneous_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint mover_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint packer_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint scalar_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint sync_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint unpacker_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
Footprint vector_footprint(const Coprocessor& coprocessor, const Candidate& candidate);
}  // namespace units

}  // namespace tensim::tensix
