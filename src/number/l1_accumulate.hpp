// A packer's L1 += datum (Pack_L1_Acc). The pages say that it exists; the bits are the reference's. Integers only: no host
// floating point, so no host rounding mode.
//
//   FP32  IEEE addition, ties to even, denormals taken and left as zeros, every NaN the same one.
//   BF16  likewise, but a NaN in L1 is a huge number, a NaN from the packer the number its bits spell, and a result that
//         would be denormal is zero even if rounding would make it normal.
//   FP16  without infinities and NaNs. Underflow and some cancellations give the largest number.
//   INT32 sign and magnitude, saturating (L1.md); a sum of zero is plus zero (assumed).
#pragma once

#include <cstdint>

namespace tensim::number {

std::uint32_t l1_accumulate_fp32(std::uint32_t l1, std::uint32_t datum);
std::uint16_t l1_accumulate_bf16(std::uint16_t l1, std::uint16_t datum);
std::uint16_t l1_accumulate_fp16(std::uint16_t l1, std::uint16_t datum);
std::uint32_t l1_accumulate_int32(std::uint32_t l1, std::uint32_t datum);

}  // namespace tensim::number
