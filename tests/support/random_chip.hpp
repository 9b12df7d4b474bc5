// A chip with random programs on a few of its tiles: requests of every kind, atomics, multicasts, linked transactions, resets
// over the NoC, writes into code that runs; and a host that writes in between.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "chip/chip.hpp"
#include "tests/support/noc_program.hpp"

namespace tensim::test {

/// What a random program does, to know that none is missing.
enum class RandomDeed : std::uint8_t {
  write,
  posted_write,
  masked_write,
  read,
  register_read,
  atomic,
  multicast,
  linked,
  memory,
  stream,
  reset,
  code,
  store,
  count
};

/// Something that the host writes, in this cycle.
struct HostWrite {
  time::Cycle cycle;
  noc::Coordinates tile;
  std::uint32_t address;
  std::uint32_t value;
  bool is_register;
};

class RandomChip {
 public:
  /// How programs of BRISC end: they stay where they are, or count in L1 and poll, for ever.
  enum class Ending : std::uint8_t { stays, beats };
  RandomChip(Arch arch, unsigned seed, Ending ending = Ending::stays);

  std::unique_ptr<chip::Chip> chip() const;
  /// In the order of cycles, before `end`.
  std::vector<HostWrite> host_writes(time::Cycle end);
  static void act(chip::Chip& chip, const HostWrite& write);
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  const std::vector<noc::Coordinates>& tiles() const { return tiles_; }
  unsigned count(RandomDeed deed) const { return deeds_[static_cast<std::size_t>(deed)]; }

 private:
  struct Placed {
    noc::Coordinates tile;
    tile::CoreId core;
    std::uint32_t at;
    std::vector<rv::Word> words;
  };
  /// A program while it is written.
  struct Draft {
    NocProgram code;
    unsigned noc;
    noc::Coordinates own;
    unsigned acknowledged = 0;
    unsigned read = 0;
    unsigned added = 0;
    bool is_broken = false;  // it has left a transaction open: nothing can be sent any more
  };

  bool one_in(unsigned of) { return below(of) == 0; }
  noc::Coordinates any_tile() { return tiles_[below(static_cast<unsigned>(tiles_.size()))]; }
  noc::Coordinates name_of_any() { return plan_.translated(any_tile()); }
  noc::Coordinates bank(unsigned noc);
  static std::uint32_t data(unsigned line) { return 0x10000 + 64 * line; }
  std::uint32_t any_data() { return data(below(64)); }
  std::uint32_t reset_value();
  std::uint32_t atomic_opcode();
  std::vector<rv::Word> victim(tile::CoreId core);
  std::vector<rv::Word> program(noc::Coordinates own, unsigned noc);
  void beat(NocProgram& code);

  void add(Draft& draft, RandomDeed deed);
  void write(Draft& draft, noc::Coordinates to, std::uint32_t ctrl);
  void masked_write(Draft& draft);
  void read(Draft& draft, noc::Coordinates from, std::uint32_t ctrl);
  void register_read(Draft& draft);
  void atomic(Draft& draft, noc::Coordinates to, std::uint32_t ctrl);
  void multicast(Draft& draft);
  void linked(Draft& draft);
  void memory(Draft& draft);
  void write_register(Draft& draft, noc::Coordinates to, std::uint32_t address, std::uint32_t value);
  void stream(Draft& draft);
  void write_code(Draft& draft);

  noc::FloorPlan plan_;
  std::mt19937 random_;
  Ending ending_;
  std::vector<noc::Coordinates> all_;
  std::vector<noc::Coordinates> tiles_;
  std::vector<Placed> programs_;
  std::array<unsigned, static_cast<std::size_t>(RandomDeed::count)> deeds_{};
};

}  // namespace tensim::test
