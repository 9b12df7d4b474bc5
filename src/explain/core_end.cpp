#include "explain/core_end.hpp"

#include <array>
#include <cstring>
#include <optional>

#include "noc/fields.hpp"
#include "noc/registers.hpp"
#include "noc/workers.hpp"
#include "program/unwind.hpp"
#include "riscv/engine.hpp"

namespace tensim::explain {

std::vector<std::uint32_t> call_stack(const tile::Tile& tile, tile::CoreId id, std::uint32_t pc,
                                      const program::SourceMap& source) {
  const riscv::Core& core = tile.core(id);
  const auto load = [&](std::uint32_t address) -> std::optional<std::uint32_t> {
    std::uint32_t word = 0;
    const std::uint32_t local = address - riscv::local_ram_base;
    if (local + 4 <= core.local_bytes && local < core.local_bytes) {
      std::memcpy(&word, core.local_ram.data() + local, 4);
      return word;
    }
    std::array<std::uint8_t, 4> bytes{};
    if (!tile.read(address, bytes.data(), bytes.size())) return std::nullopt;
    std::memcpy(&word, bytes.data(), 4);
    return word;
  };
  return program::call_stack(source, pc, core.x, load);
}

namespace {

std::optional<LedTo> led_to(const tile::Tile& tile, unsigned noc, noc::Coordinates given) {
  const tile::Niu& niu = tile.devices.nius.niu[noc];
  const noc::FloorPlan& plan = *tile.devices.nius.place.plan;
  const noc::Translation translation = tile::translation_of(tile.arch, niu);
  const auto raw = noc::lead_to(plan, noc, tile::translates(tile.arch, niu) ? &translation : nullptr, given);
  if (!raw) return std::nullopt;
  return LedTo{plan.kind(*raw), noc::logical(plan, *raw)};
}

/// A request that the store at `address` was to initiate; nothing if it is no NOC_CMD_CTRL.
std::optional<RefusedRequest> refused_request(const tile::Tile& tile, std::uint32_t address) {
  for (unsigned noc = 0; noc < noc::noc_count; ++noc) {
    const auto found = noc::niu_register_at(tile.arch, address - (noc::niu_base + noc * noc::niu_stride));
    if (!found || found->row->part != noc::NiuRegister::Part::go) continue;
    const tile::Niu& niu = tile.devices.nius.niu[noc];
    const noc::CommandRegisters given = tile::command_registers(tile.arch, niu, found->buffer);
    return RefusedRequest{
        .noc = noc,
        .buffer = found->buffer,
        .registers = given,
        .targ = led_to(tile, noc,
                       noc::noc_address(tile.arch, given.targ_addr_lo, given.targ_addr_mid, given.targ_addr_hi).tile),
        .ret = led_to(tile, noc,
                      noc::noc_address(tile.arch, given.ret_addr_lo, given.ret_addr_mid, given.ret_addr_hi).tile)};
  }
  return std::nullopt;
}

}  // namespace

CoreEnd core_end(const tile::Tile& tile, tile::CoreId id, const program::SourceMap* source) {
  CoreEnd end{.core = id, .view = tile.devices.view_of(id), .stop = *tile.core(id).stop};
  if (end.stop.reason == riscv::CoreStop::Reason::access && end.stop.is_store)
    end.request = refused_request(tile, end.stop.address);
  if (source != nullptr) end.stack = call_stack(tile, id, end.stop.pc, *source);
  return end;
}

}  // namespace tensim::explain
