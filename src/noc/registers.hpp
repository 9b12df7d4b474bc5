// The registers of an NIU, a row each: what it is, where either chip has it, and who may do what to it. Pages:
// NoC/MemoryMap.md of either chip; names and offsets as in noc_parameters.h of tt-metal (noc 1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arch/address_map.hpp"
#include "arch/arch.hpp"
#include "arch/row_index.hpp"

namespace tensim::noc {

/// Registers from an offset on; none if the chip does not have it. Offsets are from the NIU's base, in the window of command
/// buffer 0.
struct NiuPlaces {
  std::uint16_t offset = 0;
  std::uint8_t count = 0;
};

struct NiuRegister {
  /// How often it is there.
  enum class Scope : std::uint8_t {
    command_buffer,  // once in each of the four windows
    everywhere,      // one register that all four windows show
    niu,             // in the first window alone
  };
  /// What becomes of it.
  enum class Part : std::uint8_t {
    request,        // storage: software describes its request, and hardware may advance it
    go,             // a store of 1 initiates the request
    identity,       // fixed: where the NIU is
    errors,         // counts of parity and header errors, and their control
    clear,          // a store zeroes transaction id counters
    status,         // of the command buffers
    configuration,  // storage that the NIU or its router obeys
    counter,        // NoC/Counters.md; counter_rows
    interrupt,      // Blackhole: transaction id counters that have returned to zero
    debug,          // of NIU and router, without documentation
    security,       // Blackhole: fences, without documentation
  };
  std::string_view name;
  NiuPlaces wormhole;
  NiuPlaces blackhole;
  Scope scope;
  Part part;
  Region::Access access;
  std::string_view what;

  constexpr NiuPlaces on(Arch arch) const { return tensim::on(arch, wormhole, blackhole); }
};

inline constexpr unsigned command_buffers = 4;
constexpr std::uint32_t command_buffer_stride(Arch arch) {
  return on(arch, 0x400U, 0x800U);
}
constexpr std::uint32_t niu_bytes(Arch arch) {
  return command_buffers * command_buffer_stride(arch);
}
/// In the address space of tiles with cores: NoC 0's and NoC 1's.
inline constexpr std::uint32_t niu_base = 0xFFB2'0000;
inline constexpr std::uint32_t niu_stride = 0x1'0000;

namespace detail {

using Scope = NiuRegister::Scope;
using Part = NiuRegister::Part;
using Access = Region::Access;
inline constexpr NiuPlaces absent{};

constexpr NiuPlaces at(unsigned offset, unsigned count = 1) {
  return {static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(count)};
}

/// A register of a command buffer that describes a request.
constexpr NiuRegister request(std::string_view name, NiuPlaces wormhole, NiuPlaces blackhole, std::string_view what) {
  return {name, wormhole, blackhole, Scope::command_buffer, Part::request, Access::read_write, what};
}

constexpr NiuRegister configuration(std::string_view name, NiuPlaces wormhole, NiuPlaces blackhole,
                                    std::string_view what) {
  return {name, wormhole, blackhole, Scope::niu, Part::configuration, Access::read_write, what};
}

}  // namespace detail

inline constexpr auto niu_registers = [] {
  using namespace detail;
  return std::array{
      request("NOC_TARG_ADDR_LO", at(0x0), at(0x0), "target: low 32 bits of the address"),
      request("NOC_TARG_ADDR_MID", at(0x4), at(0x4),
              "target: Wormhole 4 bits of address, then coordinates; Blackhole the upper 32 bits of the address"),
      request("NOC_TARG_ADDR_HI", at(0x8), at(0x8), "target: Blackhole's coordinates; on Wormhole nobody reads it"),
      request("NOC_RET_ADDR_LO", at(0xC), at(0xC), "return: low 32 bits of the address"),
      request("NOC_RET_ADDR_MID", at(0x10), at(0x10), "return: as NOC_TARG_ADDR_MID"),
      request("NOC_RET_ADDR_HI", at(0x14), at(0x14), "return: as NOC_TARG_ADDR_HI"),
      request("NOC_PACKET_TAG", at(0x18), at(0x18), "transaction id and rare flags; the upper half reads 0"),
      request("NOC_CTRL", at(0x1C), at(0x1C), "kind of request and its flags"),
      request("NOC_AT_LEN_BE", at(0x20), at(0x20), "length, byte mask, or atomic opcode with its operands"),
      request("NOC_AT_LEN_BE_1", absent, at(0x24), "upper half of a length or a byte mask"),
      request("NOC_AT_DATA", at(0x24), at(0x28), "immediate of inline writes and atomics"),
      request("NOC_BRCST_EXCLUDE", absent, at(0x2C), "a quadrant that a broadcast leaves out"),
      request("NOC_L1_ACC_AT_INSTRN", absent, at(0x30), "atomic of writes that accumulate, which hardware cannot do"),
      request("NOC_SEC_CTRL", absent, at(0x34), "security level"),
      NiuRegister{"NOC_CMD_CTRL", at(0x28), at(0x40), Scope::command_buffer, Part::go, Access::read_write,
                  "a store of 1 initiates the request; reads 1 until it is accepted"},
      NiuRegister{"NOC_NODE_ID", at(0x2C), at(0x44), Scope::everywhere, Part::identity, Access::read_only,
                  "raw coordinates on this NoC, and its size"},
      NiuRegister{"NOC_ENDPOINT_ID", at(0x30), at(0x48), Scope::everywhere, Part::identity, Access::read_only,
                  "kind of tile and its number"},
      NiuRegister{"NUM_MEM_PARITY_ERR", at(0x40), at(0x50), Scope::niu, Part::errors, Access::read_only,
                  "errors so far"},
      NiuRegister{"NUM_HEADER_1B_ERR", at(0x44), at(0x54), Scope::niu, Part::errors, Access::read_only,
                  "errors so far"},
      NiuRegister{"NUM_HEADER_2B_ERR", at(0x48), at(0x58), Scope::niu, Part::errors, Access::read_only,
                  "errors so far"},
      NiuRegister{"ECC_CTRL", at(0x4C), at(0x5C), Scope::niu, Part::errors, Access::read_write,
                  "bits 2:0 clear interrupts, 5:3 force errors"},
      NiuRegister{"NOC_CLEAR_OUTSTANDING_REQ_CNT", at(0x50), at(0x60), Scope::niu, Part::clear, Access::write_only,
                  "bit i zeroes NIU_MST_REQS_OUTSTANDING_ID(i)"},
      NiuRegister{"CMD_BUF_STATUS", at(0x54), absent, Scope::niu, Part::status, Access::read_only,
                  "bit i is bit 0 of command buffer i's NOC_CMD_CTRL"},
      NiuRegister{
          "CMD_BUF_AVAIL", absent, at(0x64), Scope::everywhere, Part::status, Access::read_only,
          "room in the request FIFO: five bits per command buffer, at 0, 8, 16 and 24; 0 while it is off (assumed: "
          "what a later chip's header gives this register at reset)"},
      NiuRegister{"CMD_BUF_OVFL", absent, at(0x68), Scope::everywhere, Part::status, Access::read_only,
                  "the request FIFO was too full"},
      configuration("NIU_CFG_0", at(0x100), at(0x100), "switches: niu_cfg_0_rows"),
      configuration("ROUTER_CFG_0", at(0x104), at(0x104), "clock gating, back-off and error checks of the router"),
      configuration("ROUTER_CFG_1", at(0x108), at(0x108), "columns that take no broadcasts, by x"),
      configuration("ROUTER_CFG_2", at(0x10C), at(0x10C), "for general use"),
      configuration("ROUTER_CFG_3", at(0x110), at(0x110), "rows that take no broadcasts, by y"),
      configuration("ROUTER_CFG_4", at(0x114), at(0x114), "for general use"),
      configuration("NOC_X_ID_TRANSLATE_TABLE", at(0x118, 4), at(0x118, 6), "32 entries: x on this NoC"),
      configuration("NOC_Y_ID_TRANSLATE_TABLE", at(0x128, 4), at(0x130, 6), "32 entries: y on this NoC"),
      configuration("NOC_ID_LOGICAL", at(0x138), at(0x148), "the tile's translated coordinates: x in 5:0, y in 11:6"),
      configuration("MEMORY_SHUTDOWN_CONTROL", absent, at(0x14C), "shutdown, deep sleep, retention"),
      configuration("NOC_ID_TRANSLATE_COL_MASK", absent, at(0x150), "columns whose y is not translated"),
      configuration("NOC_ID_TRANSLATE_ROW_MASK", absent, at(0x154), "rows whose x is not translated"),
      configuration("DDR_COORD_TRANSLATE_TABLE", absent, at(0x158, 6),
                    "32 entries: y in columns of DRAM; bits 10 and 11 of the last switch it on"),
      configuration("DDR_COORD_TRANSLATE_COL_SWAP", absent, at(0x170), "rows in which columns of DRAM change places"),
      NiuRegister{"DEBUG_COUNTER_RESET", absent, at(0x174), Scope::niu, Part::debug, Access::write_only,
                  "bit 0 zeroes flit counters, bit 4 the overflow flag; both go back to 0"},
      NiuRegister{"NIU_TRANS_COUNT_RTZ_CFG", absent, at(0x178), Scope::niu, Part::interrupt, Access::read_write,
                  "bits 15:0 let a transaction id that returned to zero interrupt; bit 28: reading NUM clears nothing"},
      NiuRegister{"NIU_TRANS_COUNT_RTZ_CLR", absent, at(0x17C), Scope::niu, Part::interrupt, Access::write_only,
                  "clears bits of NIU_TRANS_COUNT_RTZ_SOURCE; reads 0"},
      NiuRegister{"NOC_STATUS", at(0x200, 64), at(0x200, 64), Scope::niu, Part::counter, Access::read_only,
                  "counters: counter_rows"},
      NiuRegister{"ROUTER_DEBUG", at(0x300, 32), at(0x300, 30), Scope::niu, Part::debug, Access::read_only,
                  "of the router, without documentation"},
      NiuRegister{"NIU_TRANS_COUNT_RTZ_NUM", absent, at(0x378), Scope::niu, Part::interrupt, Access::read_only,
                  "a transaction id that returned to zero and may interrupt; reading may clear its bit"},
      NiuRegister{"NIU_TRANS_COUNT_RTZ_SOURCE", absent, at(0x37C), Scope::niu, Part::interrupt, Access::read_only,
                  "transaction ids that returned to zero"},
      NiuRegister{"NIU_DEBUG", at(0x380, 32), at(0x380, 32), Scope::niu, Part::debug, Access::read_only,
                  "of the NIU, without documentation"},
      NiuRegister{"NOC_SEC_FENCE_RANGE", absent, at(0x400, 32), Scope::niu, Part::security, Access::read_write,
                  "address ranges"},
      NiuRegister{"NOC_SEC_FENCE_ATTRIBUTE", absent, at(0x480, 8), Scope::niu, Part::security, Access::read_write,
                  "of the ranges"},
      NiuRegister{"NOC_SEC_FENCE_MASTER_LEVEL", absent, at(0x4A0), Scope::niu, Part::security, Access::read_write,
                  "security level"},
      NiuRegister{"NOC_SEC_FENCE_FIFO_STATUS", absent, at(0x4A4), Scope::niu, Part::security, Access::read_only,
                  "of recorded violations"},
      NiuRegister{"NOC_SEC_FENCE_FIFO_RDDATA", absent, at(0x4A8), Scope::niu, Part::security, Access::read_only,
                  "recorded violations"},
      NiuRegister{"PORT1_FLIT_COUNTER", absent, at(0x500, 32), Scope::niu, Part::debug, Access::read_only,
                  "flits that left by x, 64 bits per virtual channel"},
      NiuRegister{"PORT2_FLIT_COUNTER", absent, at(0x580, 32), Scope::niu, Part::debug, Access::read_only,
                  "flits that left by y, 64 bits per virtual channel"},
  };
}();

/// The row of this name, at compile time.
consteval const NiuRegister& operator""_niu(const char* name, std::size_t length) {
  return niu_registers[tensim::detail::row_named<niu_registers>({name, length})];
}

/// A register that an offset is.
struct NiuRegisterAt {
  const NiuRegister* row;
  unsigned buffer;  // whose window; 0 for those that are there once
  unsigned index;   // which of the row's
};
/// `offset` is from the NIU's base. Nothing if no register is there.
std::optional<NiuRegisterAt> niu_register_at(Arch arch, std::uint32_t offset);

}  // namespace tensim::noc
