#include "reference/model_tile.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace tensim::reference {
namespace {

std::optional<Error> out_of_range(std::uint32_t address, std::size_t bytes) {
  return Error{ErrorKind::out_of_range, fmt::format("{} bytes at {:#010x} are not in memory", bytes, address)};
}

std::string why(const tile::Tile& tile, tile::Tile::Halt halt) {
  if (const auto core = tile.stopped_core()) return fmt::format("{} has stopped", name(*core));
  if (halt == tile::Tile::Halt::coprocessor_fault) return "an instruction that is undefined or not modelled";
  return halt == tile::Tile::Halt::reached ? "the budget is used up" : "a deadlock";
}

}  // namespace

ModelTile::ModelTile(Arch arch) : tile_(std::make_unique<tile::Tile>(arch)) {
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const auto core = static_cast<tile::CoreId>(thread + 1);
    write_words(default_start(core), guest_program(arch, thread));
    tile_->release(core, default_start(core));
  }
}

std::optional<Error> ModelTile::write(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  return tile_->write(address, bytes.data(), bytes.size()) ? std::nullopt : out_of_range(address, bytes.size());
}

std::optional<Error> ModelTile::write_words(std::uint32_t address, std::span<const std::uint32_t> words) {
  const auto bytes = std::as_bytes(words);
  return write(address, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::optional<Error> ModelTile::read(std::uint32_t address, std::span<std::uint8_t> to) const {
  return tile_->read(address, to.data(), to.size()) ? std::nullopt : out_of_range(address, to.size());
}

std::optional<Error> ModelTile::read_dst(std::uint32_t first_row, std::span<DstRow> to) const {
  if (first_row + to.size() > tensix::Dst::rows)
    return Error{ErrorKind::out_of_range, fmt::format("Dst has {} rows", tensix::Dst::rows)};
  std::copy_n(tile_->coprocessor.dst.bits.begin() + first_row, to.size(), to.begin());
  return std::nullopt;
}

std::optional<Error> ModelTile::run(const AccessLists& lists, std::uint64_t budget) {
  const auto placed = place_lists(lists);
  if (const auto* problem = std::get_if<std::string>(&placed)) return Error{ErrorKind::out_of_range, *problem};
  for (const PlacedWords& words : std::get<std::vector<PlacedWords>>(placed))
    if (auto error = write_words(words.address, words.words)) return error;
  // With the lists done the cores poll words that nobody writes: nothing is left to happen.
  const tile::Tile::Halt halt = tile_->run_until(tile_->now() + budget);
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    std::array<std::uint8_t, 4> doorbell{};
    tile_->read(GuestLayout::doorbell(thread), doorbell.data(), doorbell.size());
    if (std::ranges::any_of(doorbell, [](std::uint8_t byte) { return byte != 0; }))
      return Error{ErrorKind::ended,
                   fmt::format("the list of T{} has not come to its end: {}", thread, why(*tile_, halt))};
  }
  return std::nullopt;
}

std::optional<Error> ModelTile::run_words(unsigned thread, std::span<const isa::Word> words, std::uint64_t budget) {
  AccessLists lists;
  lists.at(thread).push(words);
  return run(lists, budget);
}

}  // namespace tensim::reference
