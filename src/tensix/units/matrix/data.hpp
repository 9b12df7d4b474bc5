// What the Matrix Unit's instructions do to Src and Dst. All is read and written when the instruction is accepted: the
// pipe is in order, and the hazards in matrix.cpp keep the time.
#pragma once

#include "tensix/units/matrix/operands.hpp"

namespace tensim::tensix::matrix_data {

using Action = void (*)(Coprocessor&, const Candidate&, const MatrixOperands&);

// ---- arithmetic ----
void multiply(Coprocessor& coprocessor, const Candidate& candidate,
              const MatrixOperands& operands);  // MVMUL, DOTPV, GAPOOL
void multiply_elements(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);  // ELWMUL
void add_elements(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);       // ELWADD
void subtract_elements(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);  // ELWSUB
void max_pool(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);           // GMPOOL
void add_zero(Coprocessor& coprocessor, const Candidate& candidate,
              const MatrixOperands& operands);  // CONV3S1 and its like
void legacy_max_pool(Coprocessor& coprocessor, const Candidate& candidate,
                     const MatrixOperands& operands);  // MPOOL3S1, MPOOL3S2

// ---- moves ----
void move_a_to_dst(Coprocessor& coprocessor, const Candidate& candidate,
                   const MatrixOperands& operands);  // MOVA2D, MOVDBGA2D
void move_b_to_dst(Coprocessor& coprocessor, const Candidate& candidate,
                   const MatrixOperands& operands);  // MOVB2D, MOVDBGB2D
void move_dst_to_a(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);  // MOVD2A
void move_dst_to_b(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);  // MOVD2B
void move_b_to_a(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);    // MOVB2A
void transpose_b(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);    // TRNSPSRCB
void shift_a(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);        // SHIFTXA
void shift_b(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);        // SHIFTXB

// ---- clearing ----
void zero_dst(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);  // ZEROACC
void zero_src(Coprocessor& coprocessor, const Candidate& candidate, const MatrixOperands& operands);  // ZEROSRC

}  // namespace tensim::tensix::matrix_data
