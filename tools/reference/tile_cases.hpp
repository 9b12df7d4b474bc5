// The tiles that are put to a reference and to us alike: formats, operations and inputs.
#pragma once

#include <array>
#include <span>
#include <variant>
#include <vector>

#include "reference/error.hpp"
#include "tools/reference/tile_program.hpp"

namespace tensim::reference {

struct FormatCase {
  const char* name;
  TileFormats formats;
};
std::span<const FormatCase> format_cases();

struct OperationCase {
  const char* name;
  TileOperation operation;
  unsigned phases;
};
std::span<const OperationCase> operation_cases();

/// Pairs of tiles, the same for the same seed. Random bits, or numbers that are neither tiny nor huge.
std::vector<std::uint32_t> tile_inputs(std::uint32_t seed, const TileFormats& formats, unsigned tiles, bool all_bits);

/// FNV-1a: results are kept as this, not bit by bit.
constexpr std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::uint8_t byte : bytes)
    hash = (hash ^ byte) * 0x100000001B3;
  return hash;
}

inline constexpr std::uint32_t tile_place_bytes = 4096 + 64;  // of the largest tile
inline constexpr std::uint32_t tile_base = GuestLayout::free_base;

/// The same on any tile: inputs, set-up, tiles; then all that was written to.
template <class Tile>
std::variant<std::vector<std::uint8_t>, Error> tile_results(Tile& tile, const FormatCase& format,
                                                            const OperationCase& operation,
                                                            std::span<const std::uint32_t> inputs, unsigned tiles) {
  if (auto error = tile.write_words(tile_base, inputs)) return *error;
  if (auto error = tile.run(tile_set_up(tile.arch(), operation.operation, format.formats))) return *error;
  AccessLists lists;
  for (unsigned i = 0; i < tiles; ++i)
    add_tile(lists, tile.arch(), operation.operation, tile_base + 2 * i * tile_place_bytes,
             tile_base + (2 * i + 1) * tile_place_bytes, tile_base + (2 * tiles + i) * tile_place_bytes,
             operation.phases);
  if (auto error = tile.run(lists)) return *error;
  std::vector<std::uint8_t> bytes(std::size_t{tiles} * tile_place_bytes);
  if (auto error = tile.read(tile_base + 2 * tiles * tile_place_bytes, bytes)) return *error;
  return bytes;
}

}  // namespace tensim::reference
