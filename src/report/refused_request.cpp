#include "report/refused_request.hpp"

#include <fmt/format.h>

#include "noc/fields.hpp"

namespace tensim::report {
namespace {

using noc::operator""_ctrl;

/// An address that it has, and the tile that its coordinates lead to.
struct Place {
  noc::NocAddress given;
  const std::optional<explain::LedTo>& tile;
};

/// "the tile that NoC 0 calls 2,2 (logical 1,0)", "... 17,15 (DRAM)"
std::string tile_text(unsigned noc, const Place& place) {
  std::string text = fmt::format("the tile that NoC {} calls {},{}", noc, place.given.tile.x, place.given.tile.y);
  if (!place.tile) return text;
  const auto& worker = place.tile->worker;
  return text + (worker ? fmt::format(" (logical {},{})", worker->x, worker->y)
                        : fmt::format(" ({})", noc::name(place.tile->kind)));
}

/// Where a packet goes.
std::string target_text(unsigned noc, std::uint32_t ctrl, const Place& place) {
  if ("NOC_CMD_BRCST_PACKET"_ctrl.get(ctrl) == 0) return tile_text(noc, place);
  return fmt::format("the tiles that NoC {} calls {},{} to {},{}", noc, place.given.start.x, place.given.start.y,
                     place.given.tile.x, place.given.tile.y);
}

std::string amount(const noc::CommandRegisters& registers) {
  if ("NOC_CMD_WR_BE"_ctrl.get(registers.ctrl) == 0) return fmt::format("{} bytes", registers.at_len_be);
  return fmt::format("the bytes of mask {:#x}{:08x}", registers.at_len_be_1, registers.at_len_be);
}

/// Which register is what differs from kind to kind (noc 1.2).
std::string what_it_asks_for(Arch arch, const explain::RefusedRequest& request) {
  const noc::CommandRegisters& given = request.registers;
  const Place targ{noc::noc_address(arch, given.targ_addr_lo, given.targ_addr_mid, given.targ_addr_hi), request.targ};
  const Place ret{noc::noc_address(arch, given.ret_addr_lo, given.ret_addr_mid, given.ret_addr_hi), request.ret};
  constexpr std::uint32_t read = 0;
  constexpr std::uint32_t atomic = 1;
  constexpr std::uint32_t write = 2;
  switch ("NOC_CMD_TYPE"_ctrl.get(given.ctrl)) {
    case read:
      return fmt::format("read of {} bytes from {:#010x} of {} to {:#010x} of {}", given.at_len_be, targ.given.address,
                         tile_text(request.noc, targ), ret.given.address, tile_text(request.noc, ret));
    case atomic:
      return fmt::format("atomic {:#x} on {:#010x} of {}, with the old value to {:#010x} of {}", given.at_len_be,
                         targ.given.address, target_text(request.noc, given.ctrl, targ), ret.given.address,
                         tile_text(request.noc, ret));
    case write:
      if ("NOC_CMD_WR_INLINE"_ctrl.get(given.ctrl) != 0)
        return fmt::format("inline write of {:#x} to {:#010x} of {}", given.at_data, targ.given.address,
                           target_text(request.noc, given.ctrl, targ));
      return fmt::format("write of {} from {:#010x} of this tile to {:#010x} of {}", amount(given), targ.given.address,
                         ret.given.address, target_text(request.noc, given.ctrl, ret));
    default: return "no kind of request that there is";
  }
}

}  // namespace

std::string text_of(Arch arch, const explain::RefusedRequest& request) {
  return fmt::format("{} (command buffer {}, NOC_CTRL {:#x})", what_it_asks_for(arch, request), request.buffer,
                     request.registers.ctrl);
}

}  // namespace tensim::report
