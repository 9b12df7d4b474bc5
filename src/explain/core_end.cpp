#include "explain/core_end.hpp"

#include <array>
#include <cstring>
#include <optional>

#include "program/unwind.hpp"
#include "riscv/engine.hpp"

namespace tensim::explain {

CoreEnd core_end(const tile::Tile& tile, tile::CoreId id, const program::SourceMap* source) {
  const riscv::Core& core = tile.core(id);
  CoreEnd end{.core = id, .stop = *core.stop};
  if (source == nullptr) return end;
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
  end.stack = program::call_stack(*source, end.stop.pc, core.x, load);
  return end;
}

}  // namespace tensim::explain
