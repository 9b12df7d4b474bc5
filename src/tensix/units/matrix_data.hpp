// What the Matrix Unit's instructions do to Src and Dst. All is read and written when the instruction is accepted: the
// pipe is in order, and the hazards in matrix.cpp keep the time.
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {
struct Coprocessor;
struct Candidate;
}  // namespace tensim::tensix

namespace tensim::tensix::matrix_data {

using Action = void (*)(Coprocessor&, const Candidate&);

// ---- arithmetic ----
void multiply(Coprocessor& coprocessor, const Candidate& candidate);           // MVMUL, DOTPV, GAPOOL
void multiply_elements(Coprocessor& coprocessor, const Candidate& candidate);  // ELWMUL
void add_elements(Coprocessor& coprocessor, const Candidate& candidate);       // ELWADD
void subtract_elements(Coprocessor& coprocessor, const Candidate& candidate);  // ELWSUB
void max_pool(Coprocessor& coprocessor, const Candidate& candidate);           // GMPOOL
void add_zero(Coprocessor& coprocessor, const Candidate& candidate);           // CONV3S1 and its like
void legacy_max_pool(Coprocessor& coprocessor, const Candidate& candidate);    // MPOOL3S1, MPOOL3S2

// ---- moves ----
void move_a_to_dst(Coprocessor& coprocessor, const Candidate& candidate);  // MOVA2D, MOVDBGA2D
void move_b_to_dst(Coprocessor& coprocessor, const Candidate& candidate);  // MOVB2D
void move_dst_to_a(Coprocessor& coprocessor, const Candidate& candidate);  // MOVD2A
void move_dst_to_b(Coprocessor& coprocessor, const Candidate& candidate);  // MOVD2B
void move_b_to_a(Coprocessor& coprocessor, const Candidate& candidate);    // MOVB2A
void transpose_b(Coprocessor& coprocessor, const Candidate& candidate);    // TRNSPSRCB
void shift_a(Coprocessor& coprocessor, const Candidate& candidate);        // SHIFTXA
void shift_b(Coprocessor& coprocessor, const Candidate& candidate);        // SHIFTXB

// ---- clearing ----
void zero_dst(Coprocessor& coprocessor, const Candidate& candidate);  // ZEROACC
void zero_src(Coprocessor& coprocessor, const Candidate& candidate);  // ZEROSRC

}  // namespace tensim::tensix::matrix_data
