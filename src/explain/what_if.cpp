#include "explain/what_if.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tensim::explain {
namespace {

using chip::Chip;
using tile::Tile;
using What = ChipWait::What;

constexpr std::size_t most_copies = 24;         // of the chip: more waits than that nobody reads,
constexpr std::size_t fewest_copies = 4;        // but of a whole chip,
constexpr std::size_t most_tiles_copied = 512;  // which would take seconds
constexpr time::Cycle most_cycles = 50'000;     // that one of them runs on

/// Packets that change what is waited for.
class WouldArrive : public event::PacketObserver {
 public:
  WouldArrive(const std::vector<ChipWait>& waits, std::size_t first, std::vector<std::vector<WouldBring>>& found)
      : waits_(waits), first_(first), found_(found) {}

  void packet(const event::Packet& packet) override {
    const noc::Issuer& issuer = packet.message->issuer;
    const CoreOfChip by{issuer.tile, static_cast<tile::CoreId>(issuer.core)};
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (!changes(waits_[i], packet)) continue;
      const auto is_same = [&](const WouldBring& other) { return other.by == by && other.pc == issuer.pc; };
      if (std::ranges::none_of(found_[i], is_same))
        found_[i].push_back({.by = by, .kind = packet.message->kind, .pc = issuer.pc, .first = first_});
    }
  }

 private:
  const std::vector<ChipWait>& waits_;
  std::size_t first_;
  std::vector<std::vector<WouldBring>>& found_;
};

/// As if it had come. False for what a chip cannot be given that way.
bool satisfy(Chip& chip, const ChipWait& wait) {
  chip::Slot& slot = *chip.find(wait.who.tile);
  Tile& tile = *slot.tile;
  const std::uint32_t value = satisfied(*wait.word.need, wait.word.value);
  switch (wait.what) {
    case What::l1_word: {
      std::array<std::uint8_t, sizeof value> bytes{};
      std::memcpy(bytes.data(), &value, sizeof value);
      tile.write(wait.word.address, bytes.data(), wait.word.size_bytes);
      break;
    }
    case What::counter:
      tile.idle_until(tile.now());  // nobody sleeps over the old value
      tile.devices.nius.niu[wait.noc].counters[wait.number] = value;
      break;
    default: return false;
  }
  slot.is_idle = false;
  return true;
}

std::uint32_t word_at(const Chip& chip, const ChipWait& wait) {
  std::uint32_t value = 0;
  std::memcpy(&value, chip.find(wait.who.tile)->tile->l1.data() + wait.word.address, wait.word.size_bytes);
  return value;
}

/// Words of a tile that a core of the same tile would have written by itself.
void add_own_stores(const Chip& after, const std::vector<ChipWait>& waits, std::size_t first,
                    std::vector<std::vector<WouldBring>>& found) {
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const bool can_be = i != first && waits[i].what == What::l1_word && waits[i].who.tile == waits[first].who.tile;
    if (!can_be || !found[i].empty() || word_at(after, waits[i]) == waits[i].word.value) continue;
    found[i].push_back({.by = waits[first].who, .is_packet = false, .first = first});
  }
}

}  // namespace

std::vector<std::vector<WouldBring>> what_would_come(const Chip& chip, const std::vector<ChipWait>& waits) {
  std::vector<std::vector<WouldBring>> found(waits.size());
  std::size_t copies_left =
      std::clamp(most_tiles_copied / std::max<std::size_t>(chip.slots().size(), 1), fewest_copies, most_copies);
  for (std::size_t i = 0; i < waits.size() && copies_left != 0; ++i) {
    if (!waits[i].word.need) continue;
    Chip copy = chip;
    if (!satisfy(copy, waits[i])) continue;
    --copies_left;
    WouldArrive observer(waits, i, found);
    copy.observe(&observer);
    copy.run_until_idle(copy.now() + most_cycles);
    add_own_stores(copy, waits, i, found);
  }
  return found;
}

}  // namespace tensim::explain
