// The control and status registers of Blackhole's cores, described (Wormhole's have none). What they do in a core is in
// csr_file.hpp. Page: BabyRISCV/CSRs.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arch/arch.hpp"

namespace tensim::riscv {

struct CsrField {
  std::string_view name = {};
  std::uint8_t low = 0;
  std::uint8_t width = 1;
  std::string_view meaning = {};

  constexpr std::uint32_t get(std::uint32_t value) const {
    return (value >> low) & static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1U);
  }
};

struct Csr {
  /// Who changes the value besides CSR instructions.
  enum class Source : std::uint8_t {
    software,      // nobody
    constant,      // nobody, and CSR instructions do not either
    counter,       // the core, as it counts
    coprocessor,   // the Tensix coprocessor's state; frozen while cfg0's DisTTStatusReg is set
    scratch_on_b,  // of B and NC: nobody; elsewhere: a NoC Overlay stream
    interrupt,     // the core, as it takes an interrupt
    vector,        // T2's vector configuration
  };
  std::uint16_t number = 0;
  std::string_view name = {};
  Source source = Source::software;
  std::uint32_t reset = 0;
  std::uint32_t writable = 0;  // the bits a CSR instruction changes
  std::uint16_t alias_of = 0;  // the number of the CSR this is another name of; 0: none
  std::span<const CsrField> fields = {};
  std::string_view note = {};
};

/// All CSRs of an architecture, by number; empty for Wormhole.
std::span<const Csr> csrs(Arch arch);

/// The CSR with this number; null if there is none (what the hardware then does is not documented).
const Csr* find_csr(Arch arch, std::uint16_t number);

}  // namespace tensim::riscv
