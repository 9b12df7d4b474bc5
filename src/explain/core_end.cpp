#include "explain/core_end.hpp"

#include <array>
#include <cstring>
#include <optional>

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

CoreEnd core_end(const tile::Tile& tile, tile::CoreId id, const program::SourceMap* source) {
  CoreEnd end{.core = id, .view = tile.devices.view_of(id), .stop = *tile.core(id).stop};
  if (source != nullptr) end.stack = call_stack(tile, id, end.stop.pc, *source);
  return end;
}

}  // namespace tensim::explain
