#include "tile/print_ring.hpp"

#include <algorithm>
#include <cstring>

#include "tile/tile.hpp"

namespace tensim::tile {
namespace {

std::uint32_t word_at(std::span<const std::uint8_t> l1, std::uint32_t address) {
  std::uint32_t word = 0;
  std::memcpy(&word, l1.data() + address, sizeof word);
  return word;
}

/// The last `count` bytes before `written`.
std::string text_in(std::span<const std::uint8_t> l1, const PrintRing& ring, std::uint32_t written,
                    std::uint32_t count) {
  std::string text;
  text.reserve(count);
  for (std::uint32_t i = written - count; i != written; ++i)
    text.push_back(static_cast<char>(l1[ring.address + PrintRing::data_offset + i % ring.capacity]));
  return text;
}

}  // namespace

void PrintRings::look(std::span<const std::uint8_t> l1, std::uint32_t address, std::uint32_t bytes, Cycle cycle) {
  for (unsigned core = 0; core < core_count; ++core) {
    if (!of[core]) continue;
    PrintRing& ring = *of[core];
    const std::uint32_t count_at = ring.address + PrintRing::written_offset;
    if (count_at < address || count_at >= address + bytes) continue;
    const std::uint32_t written = word_at(l1, count_at);
    const std::uint32_t count = written - ring.taken;
    if (count == 0) continue;
    ring.taken = written;
    const std::uint32_t there = std::min(count, ring.capacity);
    if (texts.empty()) kept = 0;
    kept += sizeof(PrintedText) + there;
    if (kept > most_bytes) {
      ++dropped;
      continue;
    }
    texts.push_back({static_cast<CoreId>(core), cycle, text_in(l1, ring, written, there), count - there});
  }
}

bool attach_print_ring(Tile& tile, CoreId core, std::uint32_t address) {
  const std::span<const std::uint8_t> l1 = tile.l1;
  if (address % 4 != 0 || std::uint64_t{address} + PrintRing::data_offset > l1.size()) return false;
  if (word_at(l1, address) != PrintRing::magic) return false;
  const std::uint32_t capacity = word_at(l1, address + 4);
  if (capacity == 0 || capacity > PrintRing::largest_capacity) return false;
  if (std::uint64_t{address} + PrintRing::data_offset + capacity > l1.size()) return false;
  tile.print_rings.of[static_cast<unsigned>(core)] =
      PrintRing{address, capacity, word_at(l1, address + PrintRing::written_offset)};
  tile.print_rings.any = true;
  return true;
}

}  // namespace tensim::tile
