// How a case of vector_cases.hpp is run on a tile.
#pragma once

#include "tools/reference/vector_cases.hpp"
#include "tools/reference/vector_program.hpp"

namespace tensim::reference {

namespace vector_layout {
inline constexpr unsigned most_tiles = 20;  // as many as fit into one list
inline constexpr std::uint32_t left = GuestLayout::free_base;
inline constexpr std::uint32_t right = left + most_tiles * vector_tile_bytes;
inline constexpr std::uint32_t out = right + most_tiles * vector_tile_bytes;
}  // namespace vector_layout

/// Configuration and state that cases start with: all lanes enabled, lanes' random numbers seeded.
AccessLists vector_case_set_up(Arch arch);

template <class Tile>
std::variant<std::vector<std::uint32_t>, Error> vector_results(Tile& tile, Arch arch, const VectorCase& one,
                                                               std::span<const std::uint32_t> left,
                                                               std::span<const std::uint32_t> right) {
  const auto tiles = static_cast<unsigned>(left.size() / vector_tile_words);
  if (auto error = tile.write_words(vector_layout::left, left)) return *error;
  if (auto error = tile.write_words(vector_layout::right, right)) return *error;
  AccessLists lists;
  for (unsigned i = 0; i < tiles; ++i)
    add_vectors(lists, arch, "SFPLOAD VD=L2, Mod0=4, Imm10=64\n" + one.text,
                vector_layout::left + i * vector_tile_bytes, vector_layout::right + i * vector_tile_bytes,
                vector_layout::out + i * vector_tile_bytes);
  if (auto error = tile.run(lists)) return *error;
  std::vector<std::uint32_t> found(left.size());
  const auto bytes = std::as_writable_bytes(std::span(found));
  if (auto error = tile.read(vector_layout::out, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}))
    return *error;
  return found;
}

}  // namespace tensim::reference
