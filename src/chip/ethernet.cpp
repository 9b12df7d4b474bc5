#include "chip/ethernet.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace tensim::chip {
namespace {

struct Word {
  std::uint32_t address;
  std::uint32_t value;
};

// Addresses and values: tt-umd, device/api/umd/device/types/wormhole_eth.hpp.
constexpr std::array wormhole_words{
    Word{0x1104, 2},   // training: failed,
    Word{0x1440, 11},  // because nothing is connected
};

// tt-umd, blackhole_eth.hpp and arch/blackhole_implementation.hpp; the post code: ttsim 1.10.
constexpr std::array blackhole_words{
    Word{0x7CC00, 0xC0DEA000},  // post code: up
    Word{0x7CC04, 2},           // port: down
    Word{0x7CFBC, 0x00010600},  // firmware 1.6.0, a byte each (*assumed*)
};

}  // namespace

void leave_firmware_words(tile::Tile& tile) {
  for (const Word& word : on<std::span<const Word>>(tile.arch, wormhole_words, blackhole_words))
    tile.write(word.address, reinterpret_cast<const std::uint8_t*>(&word.value), sizeof word.value);
}

}  // namespace tensim::chip
