// What the Mod0, Mod1 and rounding fields of the vector instructions select; names from their pages (SFP*.md).
#pragma once

#include "arch/symbol.hpp"

namespace tensim::isa::table::vector_parts {

inline constexpr SymbolSet dst_formats{SymbolSet::Kind::enumeration,
                                       {{0, "FMT_SRCB"},
                                        {1, "FMT_FP16"},
                                        {2, "FMT_BF16"},
                                        {3, "FMT_FP32"},
                                        {4, "FMT_INT32"},
                                        {5, "FMT_INT8"},
                                        {6, "FMT_UINT16"},
                                        {7, "FMT_HI16"},
                                        {8, "FMT_INT16"},
                                        {9, "FMT_LO16"},
                                        {10, "FMT_INT32_ALL"},
                                        {11, "FMT_ZERO"},
                                        {12, "FMT_INT32_SM"},
                                        {13, "FMT_INT8_COMP"},
                                        {14, "FMT_LO16_ONLY"},
                                        {15, "FMT_HI16_ONLY"}}};
inline constexpr SymbolSet sfploadi_mod0{
    SymbolSet::Kind::enumeration,
    {{0, "FLOATB"}, {1, "FLOATA"}, {2, "USHORT"}, {4, "SHORT"}, {8, "UPPER"}, {10, "LOWER"}}};
inline constexpr SymbolSet sfplut_mod0{SymbolSet::Kind::mask, {{4, "SGN_RETAIN"}, {8, "INDIRECT_VD"}}};
inline constexpr SymbolSet sfpmuli_mod1{SymbolSet::Kind::mask, {{8, "INDIRECT_VD"}}};
inline constexpr SymbolSet sfpmuli_mod1_blackhole{SymbolSet::Kind::mask, {{2, "NEGATE_VC"}, {8, "INDIRECT_VD"}}};
inline constexpr SymbolSet sfpdivp2_mod1{SymbolSet::Kind::mask, {{1, "ADD"}}};
inline constexpr SymbolSet sfpexexp_mod1{SymbolSet::Kind::mask,
                                         {{1, "NODEBIAS"}, {2, "SET_CC_SGN_EXP"}, {8, "SET_CC_COMP_EXP"}}};
inline constexpr SymbolSet sfpexman_mod1{SymbolSet::Kind::mask, {{1, "PAD9"}}};
inline constexpr SymbolSet sfpiadd_mod1{SymbolSet::Kind::mask,
                                        {{1, "ARG_IMM"}, {2, "ARG_2SCOMP_LREG_DST"}, {4, "CC_NONE"}, {8, "CC_GTE0"}}};
inline constexpr SymbolSet sfpshft_mod1{SymbolSet::Kind::mask, {{1, "ARG_IMM"}}};
inline constexpr SymbolSet sfpshft_mod1_blackhole{SymbolSet::Kind::mask,
                                                  {{1, "ARG_IMM"}, {2, "ARITHMETIC"}, {4, "ARG_IMM_USE_VC"}}};
inline constexpr SymbolSet sfpsetcc_mod1{
    SymbolSet::Kind::enumeration,
    {{1, "IMM_BIT0"}, {8, "CLEAR"}, {0, "LREG_LT0"}, {2, "LREG_NE0"}, {4, "LREG_GTE0"}, {6, "LREG_EQ0"}}};
inline constexpr SymbolSet sfpmov_mod1{SymbolSet::Kind::enumeration,
                                       {{1, "NEGATE"}, {2, "ALL_LANES_ENABLED"}, {8, "FROM_SPECIAL"}}};
inline constexpr SymbolSet sfpabs_mod1{SymbolSet::Kind::mask, {{1, "FLOAT"}}};
inline constexpr SymbolSet sfpand_mod1{SymbolSet::Kind::mask, {{1, "USE_VB"}}};
inline constexpr SymbolSet sfplz_mod1{SymbolSet::Kind::mask, {{2, "CC_NE0"}, {4, "NOSGN_MASK"}, {8, "CC_COMP"}}};
inline constexpr SymbolSet sfpsetexp_mod1{SymbolSet::Kind::mask, {{1, "ARG_IMM"}, {2, "ARG_EXPONENT"}}};
inline constexpr SymbolSet sfpmad_mod1{SymbolSet::Kind::mask, {{4, "INDIRECT_VA"}, {8, "INDIRECT_VD"}}};
inline constexpr SymbolSet sfpmad_mod1_blackhole{
    SymbolSet::Kind::mask, {{1, "NEGATE_VB"}, {2, "NEGATE_VC"}, {4, "INDIRECT_VA"}, {8, "INDIRECT_VD"}}};
inline constexpr SymbolSet sfpencc_imm2{SymbolSet::Kind::mask, {{1, "E"}, {2, "R"}}};
inline constexpr SymbolSet sfpencc_mod1{SymbolSet::Kind::mask, {{1, "EC"}, {2, "EI"}, {8, "RI"}}};
inline constexpr SymbolSet sfpstochrnd_mod1{SymbolSet::Kind::enumeration,
                                            {{0, "FP32_TO_FP16A"},
                                             {1, "FP32_TO_FP16B"},
                                             {2, "FP32_TO_UINT8"},
                                             {3, "FP32_TO_INT8"},
                                             {4, "INT32_TO_UINT8"},
                                             {5, "INT32_TO_INT8"},
                                             {6, "FP32_TO_UINT16"},
                                             {7, "FP32_TO_INT16"}}};
inline constexpr SymbolSet sfpstochrnd_rounding_mode{SymbolSet::Kind::enumeration,
                                                     {{0, "RND_NEAREST"}, {1, "RND_STOCH"}, {2, "RND_ZERO"}}};
inline constexpr SymbolSet sfpcast_mod1{SymbolSet::Kind::mask, {{1, "RND_STOCH"}}};
inline constexpr SymbolSet sfpcast_mod1_blackhole{
    SymbolSet::Kind::enumeration,
    {{0, "SM32_TO_FP32_RNE"}, {1, "SM32_TO_FP32_RNS"}, {2, "INT32_ABS"}, {3, "INT32_SM32"}}};
inline constexpr SymbolSet sfpconfig_mod1{
    SymbolSet::Kind::mask,
    {{1, "IMM16_IS_VALUE"}, {2, "BITWISE_OR"}, {4, "BITWISE_AND"}, {6, "BITWISE_XOR"}, {8, "IMM16_IS_LANE_MASK"}}};
inline constexpr SymbolSet sfpswap_mod1{SymbolSet::Kind::enumeration,
                                        {{0, "SWAP"},
                                         {1, "VEC_MIN_MAX"},
                                         {2, "SUBVEC_MIN01_MAX23"},
                                         {3, "SUBVEC_MIN02_MAX13"},
                                         {4, "SUBVEC_MIN03_MAX12"},
                                         {5, "SUBVEC_MIN0_MAX123"},
                                         {6, "SUBVEC_MIN1_MAX023"},
                                         {7, "SUBVEC_MIN2_MAX013"},
                                         {8, "SUBVEC_MIN3_MAX012"}}};
inline constexpr SymbolSet sfpshft2_mod1{SymbolSet::Kind::enumeration,
                                         {{0, "COPY4"},
                                          {1, "SUBVEC_CHAINED_COPY4"},
                                          {2, "SUBVEC_SHFLROR1_AND_COPY4"},
                                          {3, "SUBVEC_SHFLROR1"},
                                          {4, "SUBVEC_SHFLSHR1"},
                                          {5, "SHFT_LREG"},
                                          {6, "SHFT_IMM"}}};
inline constexpr SymbolSet sfplutfp32_mod1{SymbolSet::Kind::mask,
                                           {{2, "FP16_6ENTRY_TABLE1"},
                                            {3, "FP16_6ENTRY_TABLE2"},
                                            {4, "SGN_RETAIN"},
                                            {8, "INDIRECT_VD"},
                                            {10, "FP16_3ENTRY_TABLE"}}};
inline constexpr SymbolSet sfple_mod1{SymbolSet::Kind::mask,
                                      {{1, "SET_CC"}, {2, "MUTATE_STACK"}, {4, "MUTATE_OR"}, {8, "SET_VD"}}};
inline constexpr SymbolSet sfpmul24_mod1{SymbolSet::Kind::mask, {{1, "UPPER"}, {4, "INDIRECT_VA"}, {8, "INDIRECT_VD"}}};
inline constexpr SymbolSet sfparecip_mod1{SymbolSet::Kind::enumeration, {{0, "RECIP"}, {1, "COND_RECIP"}, {2, "EXP"}}};

}  // namespace tensim::isa::table::vector_parts
