// Cases of kernels of the Vector Unit: functions, conversions, integers, comparisons, sorting, and a fused product.
#pragma once

#include <vector>

#include "tests/kernels/kernel_cases.hpp"

namespace tensim::test {

void add_vector_cases(std::vector<KernelCase>& cases);

}  // namespace tensim::test
