// The programs of examples/guest on a tile: loads them, runs them, and says how it ended.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "program/image.hpp"
#include "tests/places.hpp"
#include "tile/tile.hpp"

namespace tensim::test {

inline constexpr std::array<std::string_view, tile::core_count> core_files{"brisc", "trisc0", "trisc1", "trisc2",
                                                                           "ncrisc"};

struct GuestProgram {
  tile::CoreId core;
  std::string file;  // below the directory of the chip, without .elf
};

/// All programs of an example that has them named after their cores.
std::vector<GuestProgram> inline programs_of(std::string_view example) {
  std::vector<GuestProgram> programs;
  for (unsigned core = 0; core < tile::core_count; ++core)
    programs.push_back({static_cast<tile::CoreId>(core), std::string(example) + "/" + std::string(core_files[core])});
  return programs;
}

class GuestExample {
 public:
  enum class Outcome { finished, deadlocked, stopped, running };

  /// Programs whose files are not there are left out. `first` is let go.
  GuestExample(Arch arch, const std::vector<GuestProgram>& programs, tile::CoreId first) : tile(arch) {
    for (const GuestProgram& program : programs)
      load(arch, program);
    if (!images[index(first)]) throw std::runtime_error("no program for the core that starts");
    tile.release(first, images[index(first)]->entry);
  }

  Outcome run(tile::Cycle budget) {
    switch (tile.run_until(budget)) {
      case tile::Tile::Halt::reached:
      case tile::Tile::Halt::met: return Outcome::running;
      case tile::Tile::Halt::core_stopped:
      case tile::Tile::Halt::noc_fault:
      case tile::Tile::Halt::coprocessor_fault: return Outcome::stopped;
      case tile::Tile::Halt::nothing_left: break;
    }
    tile.idle_until(budget);
    return all_parked() ? Outcome::finished : Outcome::deadlocked;
  }

  /// Every core that has a program has come to its end.
  bool all_parked() const {
    for (unsigned core = 0; core < tile::core_count; ++core)
      if (images[core] && tile.cores[core].pc != images[core]->source->symbol("tensim_park")->address) return false;
    return true;
  }

  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, tile.l1.data() + address, sizeof value);
    return value;
  }
  /// The word of `shared`, at `index`.
  std::uint32_t shared(unsigned word_index) const { return word(0x20000 + 4 * word_index); }

  std::string printed() const {
    std::string text;
    for (const tile::PrintedText& part : tile.print_rings.texts)
      text += part.text;
    return text;
  }

  tile::Tile tile;
  std::array<std::optional<program::Image>, tile::core_count> images;

 private:
  static unsigned index(tile::CoreId core) { return static_cast<unsigned>(core); }

  void load(Arch arch, const GuestProgram& program) {
    const std::string path =
        std::string(TENSIM_GUEST_EXAMPLES "/") + std::string(name(arch)) + "/" + program.file + ".elf";
    std::ifstream stream(path, std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (bytes.empty()) return;
    auto read = program::read_elf_image(bytes, path);
    if (const auto* error = std::get_if<std::string>(&read)) throw std::runtime_error(*error);
    program::Image& image = images[index(program.core)].emplace(std::get<program::Image>(std::move(read)));
    for (const program::Segment& segment : image.segments)
      if (!segment.load_bytes().empty() &&
          !tile.write(segment.load_address, segment.load_bytes().data(), segment.load_bytes().size()))
        throw std::runtime_error(path + ": a segment does not lie in L1");
    if (const program::Symbol* ring = image.source->symbol("tensim_print_ring"))
      if (!attach_print_ring(tile, program.core, ring->address)) throw std::runtime_error(path + ": no print ring");
  }
};

}  // namespace tensim::test
