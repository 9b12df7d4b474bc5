#include "explain/core_end.hpp"

#include <array>
#include <cstring>
#include <optional>

#include "noc/registers.hpp"
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

/// A request that the store at `address` was to initiate; nothing if it is no NOC_CMD_CTRL.
std::optional<RefusedRequest> refused_request(const tile::Tile& tile, std::uint32_t address) {
  for (unsigned noc = 0; noc < noc::noc_count; ++noc) {
    const auto found = noc::niu_register_at(tile.arch, address - (noc::niu_base + noc * noc::niu_stride));
    if (!found || found->row->part != noc::NiuRegister::Part::go) continue;
    const tile::Niu& niu = tile.devices.nius.niu[noc];
    return RefusedRequest{noc, found->buffer, tile::command_registers(tile.arch, niu, found->buffer)};
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
