// The host's side of a tile: memory between runs, and letting cores go.
#include <algorithm>
#include <cstring>

#include "tensix/coprocessor.hpp"
#include "tensix/units/hooks.hpp"
#include "tile/soft_reset.hpp"
#include "tile/tile.hpp"

namespace tensim::tile {
namespace {

/// The plain memory that holds [address, address + bytes), and where in it; nullptr if none does.
template <class Memory>
auto* memory_at(Memory& memory, std::uint32_t base, std::uint32_t address, std::size_t bytes) {
  const bool fits = address >= base && std::uint64_t{address} - base + bytes <= memory.size();
  return fits ? memory.data() + (address - base) : nullptr;
}

constexpr std::uint32_t iram_base = 0xFFC00000;

}  // namespace

bool Tile::read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) const {
  const std::uint8_t* from = memory_at(l1, 0, address, bytes);
  if (from == nullptr) from = memory_at(iram, iram_base, address, bytes);
  if (from == nullptr) return false;
  std::copy_n(from, bytes, to);
  return true;
}

bool Tile::write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) {
  std::uint8_t* to = memory_at(l1, 0, address, bytes);
  if (to == nullptr) to = memory_at(iram, iram_base, address, bytes);
  if (to == nullptr) return false;
  settle_sleepers();  // they may poll it
  std::copy_n(from, bytes, to);
  if (now_ != 0) tensix::units::l1_changed(coprocessor, address, static_cast<std::uint32_t>(bytes), now_ - 1);
  return true;
}

void Tile::release(CoreId id, std::uint32_t pc) {
  settle_sleepers();
  const unsigned number = static_cast<unsigned>(id);
  held_ = static_cast<std::uint8_t>(held_ & ~(1U << number));
  std::uint32_t& soft_reset = devices.control.words[debug_word("SOFT_RESET_0")];
  apply_soft_reset(devices, coprocessor, soft_reset, soft_reset & ~reset_bit(id));
  soft_reset &= ~reset_bit(id);
  cores[number].release(pc, now_, false);
}

}  // namespace tensim::tile
