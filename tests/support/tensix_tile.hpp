// A tile whose cores are held: words are pushed into its threads by the test. For units that reach the tile's memories
// and registers.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "arch/config_registers.hpp"
#include "tests/support/three_threads.hpp"
#include "tile/tile.hpp"

namespace tensim::test {

using namespace tensim::literals;

class TensixTile {
 public:
  explicit TensixTile(Arch arch, bool in_lockstep = false) : tile(arch), arch_(arch) {
    tile.walk_in_lockstep(in_lockstep);
    tile.tell(&recorder);
  }
  TensixTile(const TensixTile&) = delete;

  /// Pushes the program, waiting for room, and runs on until nothing is left to do, or for `most` cycles.
  tile::Tile::Halt run(unsigned thread, const std::string& program, tile::Cycle most = 2000) {
    const isa::Assembly assembly = isa::assemble(arch_, program, "test");
    if (!assembly.ok()) ADD_FAILURE() << to_text(assembly.diagnostics.front());
    const tile::Cycle end = tile.now() + most;
    for (const auto& word : assembly.words) {
      while (!tile.coprocessor.can_push(thread) && tile.now() < end)
        tile.run_until(tile.now() + 1);
      tile.coprocessor.push(thread, word.word, 0);
    }
    return run_on(end);
  }
  tile::Tile::Halt run_on(tile::Cycle end) {
    tile::Tile::Halt halt = tile::Tile::Halt::reached;
    while (tile.now() < end && halt == tile::Tile::Halt::reached && !tile.coprocessor.is_idle())
      halt = tile.run_until(tile.now() + 1);
    return halt;
  }

  std::uint32_t& gpr(unsigned reg, unsigned thread = 0) { return tile.coprocessor.gprs.value[thread][reg]; }
  std::uint32_t word(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, &tile.l1[address], sizeof value);
    return value;
  }
  void set_word(std::uint32_t address, std::uint32_t value) {
    std::uint8_t bytes[4];
    std::memcpy(bytes, &value, sizeof bytes);
    tile.write(address, bytes, sizeof bytes);
  }
  void set(const ConfigField& field, std::uint32_t value) {
    const ConfigField::Place& place = field.on(arch_);
    std::uint32_t& word = tile.coprocessor.config.bank[0][static_cast<std::size_t>(place.word)];
    word = (word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift;
  }
  void set_thread(const ConfigField& field, std::uint32_t value, unsigned thread = 0) {
    const ConfigField::Place& place = field.on(arch_);
    std::uint16_t& word = tile.coprocessor.config.thread[thread][static_cast<std::size_t>(place.word)];
    word = static_cast<std::uint16_t>((word & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift);
  }
  /// The cycle of the thread's n-th issue.
  Cycle issued(unsigned thread, std::size_t n) const {
    return n < recorder.issues[thread].size() ? recorder.issues[thread][n].cycle : tensix::never;
  }
  bool reported(tensix::DataIssue issue) const {
    for (const Report& report : tile.coprocessor.reports)
      if (report.issue == issue) return true;
    return false;
  }
  tensix::DataIssue fault() const {
    return tile.coprocessor.fault ? tile.coprocessor.fault->issue : tensix::DataIssue::none;
  }

  tile::Tile tile;
  Recorder recorder;

 private:
  Arch arch_;
};

}  // namespace tensim::test
