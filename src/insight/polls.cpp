#include "insight/polls.hpp"

#include <optional>

#include "riscv/polling_load.hpp"

namespace tensim::insight {

IsPoll polls_of(const tile::Tile& tile) {
  return [&tile](unsigned, std::uint32_t pc) {
    const auto code = [&](std::uint32_t address) -> std::optional<std::uint32_t> {
      std::uint32_t word = 0;
      if (!tile.read(address, reinterpret_cast<std::uint8_t*>(&word), sizeof word)) return std::nullopt;
      return word;
    };
    return riscv::is_polling_load(tile.arch, code, pc);
  };
}

}  // namespace tensim::insight
