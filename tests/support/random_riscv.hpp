// Random RISC-V programs, the same for the same seed: integer arithmetic, loads and stores, branches and jumps that only
// go forward. A program is plain words that run at any address and end by running off their end.
//
// Its data is one page. x31 points at the middle of the page and is never written. The page's first 32 words are the
// registers: what runs the program loads x1 to x30 from there before, and stores them back after; the program itself
// reads and writes only what follows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arch/arch.hpp"

namespace tensim::testing_support {

inline constexpr std::size_t page_words = 1024;
inline constexpr std::uint32_t page_bytes = page_words * 4;
inline constexpr std::uint32_t page_middle = page_bytes / 2;
using Page = std::array<std::uint32_t, page_words>;

struct RandomProgram {
  std::vector<std::uint32_t> words;
  Page page{};
};

/// About `length` instructions of RV32IM, for Blackhole of Zba and Zbb too.
RandomProgram random_program(Arch arch, std::uint32_t seed, std::size_t length);

// ---- The same programs as a Linux executable for an emulator of RISC-V that others wrote. ----

/// What one executable holds: code and pages are all within the L1 of a tile, where the programs can run too.
inline constexpr std::size_t most_programs = 100;

/// Where program `index` of an executable and its page are.
constexpr std::uint32_t program_address(std::size_t index) {
  return 0x0001'0000 + static_cast<std::uint32_t>(index) * 4096 + 512;
}
constexpr std::uint32_t page_address(std::size_t index) {
  return 0x0008'0000 + static_cast<std::uint32_t>(index) * page_bytes;
}

/// Assembly text of an executable that runs the programs one after the other and writes every page to its output. Link
/// it with -Ttext=0x10000 -Tdata=0x80000. A program has at most 700 words.
std::string executable_source(std::span<const RandomProgram> programs);

}  // namespace tensim::testing_support
