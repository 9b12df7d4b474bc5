// Our own tile behind the same functions as ReferenceTile, so that a test can run the same lists on both.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "reference/access_list.hpp"
#include "reference/error.hpp"
#include "reference/reference_tile.hpp"
#include "tile/tile.hpp"

namespace tensim::reference {

class ModelTile {
 public:
  explicit ModelTile(Arch arch);

  Arch arch() const { return tile_->arch; }
  std::optional<Error> write(std::uint32_t address, std::span<const std::uint8_t> bytes);
  std::optional<Error> write_words(std::uint32_t address, std::span<const std::uint32_t> words);
  std::optional<Error> read(std::uint32_t address, std::span<std::uint8_t> to) const;
  std::optional<Error> read_dst(std::uint32_t first_row, std::span<DstRow> to) const;
  /// Every thread's list to its end. A tile that has stopped stays so: make another.
  std::optional<Error> run(const AccessLists& lists, std::uint64_t budget = ReferenceTile::default_budget);
  std::optional<Error> run_words(unsigned thread, std::span<const isa::Word> words,
                                 std::uint64_t budget = ReferenceTile::default_budget);

  tile::Tile& tile() { return *tile_; }

 private:
  std::unique_ptr<tile::Tile> tile_;
};

}  // namespace tensim::reference
