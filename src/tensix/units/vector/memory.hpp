// Where SFPLOAD, SFPSTORE and SFPLOADMACRO work in Dst, and in which format.
#pragma once

#include "arch/config_registers.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/vector/fields.hpp"

namespace tensim::tensix::vector_memory {

/// Mod0 of SFPLOAD and SFPSTORE.
enum Format : std::uint8_t {
  srcb = 0,
  fp16 = 1,
  bf16 = 2,
  fp32 = 3,
  int32 = 4,
  int8 = 5,
  uint16 = 6,
  hi16 = 7,
  int16 = 8,
  lo16 = 9,
  int32_all = 10,  // all lanes, and another address
  zero = 11,
  int32_sm = 12,
  int8_comp = 13,
  lo16_only = 14,
  hi16_only = 15,
};

/// The format itself, or for `srcb` the one that the configuration names.
unsigned resolved_format(const Coprocessor& coprocessor, unsigned thread, unsigned mod0);
/// Whether the format takes Dst for rows of 32 bits.
bool is_wide_load(unsigned format);
bool is_wide_store(unsigned format);

inline constexpr unsigned address_bits = 0x3FF;

/// Loads and stores of int32_all move a pointer of the thread, which is part of their address.
constexpr bool has_vector_stack(Arch arch) {
  return on(arch, false, true);
}
/// Between int32_sm, or int8_comp, and a register's two's complement; otherwise the bits are taken as they are.
constexpr bool converts_complement(Arch arch) {
  return on(arch, true, false);
}
constexpr bool flushes_stored_float32(Arch arch) {
  return on(arch, false, true);
}

/// dst_address() where the chip is known at compile time; `of_stack`: the format is int32_all.
template <Arch arch>
[[gnu::always_inline]] inline unsigned dst_address_on(const Coprocessor& coprocessor, unsigned thread, Word word,
                                                      bool of_stack, unsigned stack_pointer) {
  // All that counts of the stack's offset in other formats, and the other way round.
  constexpr unsigned column_bits = 3;
  constexpr ConfigField::Place math_offset = "DEST_TARGET_REG_CFG_MATH_Offset"_thread_config.on(arch);
  constexpr ConfigField::Place base = "DEST_REGW_BASE_Base"_config.on(arch);
  const BackendConfig& config = coprocessor.config;
  const auto& own = config.thread[thread];
  // config_bank_of(), without the call
  constexpr ConfigField::Place state_id = "CFG_STATE_ID_StateID"_thread_config.on(arch);
  const auto& bank = config.bank[state_id.get(own[static_cast<std::size_t>(state_id.word)])];
  const unsigned offset =
      coprocessor.rwcs.thread[thread].dst.value + base.get(bank[static_cast<std::size_t>(base.word)]);
  unsigned address = vector_words::dst_address.get(word) +
                     math_offset.get(own[static_cast<std::size_t>(math_offset.word)]) +
                     (of_stack ? offset & column_bits : offset);
  if constexpr (has_vector_stack(arch)) {
    constexpr ConfigField::Place stack_base = "DEST_SP_BASE_Base"_config.on(arch);
    const unsigned stack_offset = stack_pointer + stack_base.get(bank[static_cast<std::size_t>(stack_base.word)]);
    address += of_stack ? stack_offset : stack_offset & column_bits;
  }
  return address & address_bits;
}

/// The ten bits of an address in Dst: a group of four rows, odd columns, and one that means nothing. `stack_pointer` is
/// the thread's before the instruction, or, for a load that steps it, after the step.
unsigned dst_address(const Coprocessor& coprocessor, unsigned thread, Word word, unsigned format,
                     unsigned stack_pointer);
/// The stack pointer after the step that a load in format int32_all begins with.
unsigned stepped_down(const Coprocessor& coprocessor, unsigned thread);

unsigned addr_mod_of(Arch arch, Word word);

}  // namespace tensim::tensix::vector_memory
