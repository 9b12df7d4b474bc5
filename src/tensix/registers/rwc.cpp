#include "tensix/registers/rwc.hpp"

#include "tensix/registers/addr_mod.hpp"

namespace tensim::tensix {
namespace {

namespace setrwc_fields {
constexpr isa::Field dst_c_to_cr = field_of("SETRWC", "", "DstCtoCr");
constexpr isa::Field dst_cr = field_of("SETRWC", "", "DstCr");
constexpr isa::Field src_b_cr = field_of("SETRWC", "", "SrcBCr");
constexpr isa::Field src_a_cr = field_of("SETRWC", "", "SrcACr");
constexpr isa::Field dst_val = field_of("SETRWC", "", "DstVal");
constexpr isa::Field src_b_val = field_of("SETRWC", "", "SrcBVal");
constexpr isa::Field src_a_val = field_of("SETRWC", "", "SrcAVal");
constexpr isa::Field fidelity = field_of("SETRWC", "", "Fidelity");
constexpr isa::Field dst = field_of("SETRWC", "", "Dst");
constexpr isa::Field src_b = field_of("SETRWC", "", "SrcB");
constexpr isa::Field src_a = field_of("SETRWC", "", "SrcA");
}  // namespace setrwc_fields

namespace incrwc_fields {
constexpr isa::Field dst_cr = field_of("INCRWC", "", "DstCr");
constexpr isa::Field src_b_cr = field_of("INCRWC", "", "SrcBCr");
constexpr isa::Field src_a_cr = field_of("INCRWC", "", "SrcACr");
constexpr isa::Field dst_inc = field_of("INCRWC", "", "DstInc");
constexpr isa::Field src_b_inc = field_of("INCRWC", "", "SrcBInc");
constexpr isa::Field src_a_inc = field_of("INCRWC", "", "SrcAInc");
}  // namespace incrwc_fields

constexpr std::uint32_t fidelity_mask = (1U << size_of_both("rwc_fidelity_bits"_size)) - 1U;
constexpr std::uint32_t effective_bias_bits = 3;  // of the four of BiasIncr, only two are looked at (RWCs.md)

template <class Counter>
void set_or_step_cr(Counter& counter, bool relative_to_cr, std::uint32_t value) {
  if (relative_to_cr)
    counter.step_cr(value);
  else
    counter.set(value);
}

template <class Counter>
void step_or_step_cr(Counter& counter, bool cr, std::uint32_t amount) {
  if (cr)
    counter.step_cr(amount);
  else
    counter.step(amount);
}

}  // namespace

void setrwc(Rwcs& rwcs, unsigned thread, isa::Word word) {
  using namespace setrwc_fields;
  Rwc& rwc = rwcs.thread[thread];
  if (src_a.get(word) != 0) set_or_step_cr(rwc.src_a, src_a_cr.get(word) != 0, src_a_val.get(word));
  if (src_b.get(word) != 0) set_or_step_cr(rwc.src_b, src_b_cr.get(word) != 0, src_b_val.get(word));
  if (dst_c_to_cr.get(word) != 0)  // also without the Dst bit
    rwc.dst.step_to_cr(dst_val.get(word));
  else if (dst.get(word) != 0)
    set_or_step_cr(rwc.dst, dst_cr.get(word) != 0, dst_val.get(word));
  if (fidelity.get(word) != 0) rwc.fidelity_phase = 0;
}

void incrwc(Rwcs& rwcs, unsigned thread, isa::Word word) {
  using namespace incrwc_fields;
  Rwc& rwc = rwcs.thread[thread];
  step_or_step_cr(rwc.src_a, src_a_cr.get(word) != 0, src_a_inc.get(word));
  step_or_step_cr(rwc.src_b, src_b_cr.get(word) != 0, src_b_inc.get(word));
  step_or_step_cr(rwc.dst, dst_cr.get(word) != 0, dst_inc.get(word));
}

unsigned addr_mod_section(const Rwcs& rwcs, const BackendConfig& config, Arch arch, unsigned thread, unsigned index) {
  return preset_of(rwcs.thread[thread], config, arch, thread, index);
}

void apply_addr_mod(Rwcs& rwcs, const BackendConfig& config, Arch arch, unsigned thread, unsigned index,
                    bool update_fidelity) {
  using namespace addr_mod_fields;
  Rwc& rwc = rwcs.thread[thread];
  const AddrMod modifier = addr_mod(config, arch, thread, preset_of(rwc, config, arch, thread, index));
  if (modifier.does_nothing()) return;
  const auto [ab, dst, bias] = modifier;

  if (src_a_clear.get(ab) != 0)
    rwc.src_a.set(0);
  else
    step_or_step_cr(rwc.src_a, src_a_cr.get(ab) != 0, src_a_incr.get(ab));

  if (src_b_clear.get(ab) != 0)
    rwc.src_b.set(0);
  else
    step_or_step_cr(rwc.src_b, src_b_cr.get(ab) != 0, src_b_incr.get(ab));

  const std::uint32_t dst_step = dest_incr.get(dst);
  if (dest_clear.get(dst) != 0)
    rwc.dst.set(0);
  else if (dest_c_to_cr.get(dst) != 0)
    rwc.dst.step_to_cr(dst_step);
  else
    step_or_step_cr(rwc.dst, dest_cr.get(dst) != 0, dst_step);

  if (update_fidelity) {
    const bool clear = fidelity_clear.get(dst) != 0;
    const std::uint32_t next = rwc.fidelity_phase + fidelity_incr.get(dst);
    rwc.fidelity_phase = static_cast<std::uint8_t>(clear ? 0U : next & fidelity_mask);
  }

  if (bias_clear.get(bias) != 0)
    rwc.extra_addr_mod_bit = 0;
  else if ((bias_incr.get(bias) & effective_bias_bits) != 0)
    rwc.extra_addr_mod_bit ^= 1U;
}

}  // namespace tensim::tensix
