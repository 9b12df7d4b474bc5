// Where SFPLOAD, SFPSTORE and SFPLOADMACRO work in Dst, and in which format.
#pragma once

#include "tensix/coprocessor.hpp"

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

/// `srcb` becomes what the configuration says.
unsigned resolved_format(const Coprocessor& coprocessor, unsigned thread, unsigned mod0);
/// Dst is taken for 32 bits.
bool is_wide_load(unsigned format);
bool is_wide_store(unsigned format);

/// The ten bits: a group of four rows, odd columns, and one that means nothing. `stack_pointer` is the thread's as the
/// instruction finds it, or after a load has stepped it.
unsigned dst_address(const Coprocessor& coprocessor, unsigned thread, Word word, unsigned format,
                     unsigned stack_pointer);
/// A load in the mode of the stack steps it first.
unsigned stepped_down(const Coprocessor& coprocessor, unsigned thread);

unsigned addr_mod_of(Arch arch, Word word);

}  // namespace tensim::tensix::vector_memory
