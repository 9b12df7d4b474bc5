// Who wrote what is in each byte of L1: a word that somebody polls is a flag, and says what whoever wrote it had done (order rule 26).
// Any word may be polled later, so all are kept.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "insight/byte_marks.hpp"
#include "insight/clocks.hpp"
#include "insight/store_history.hpp"
#include "tile/access.hpp"

namespace tensim::insight {

/// Nobody's, if nobody has written it, as far as is known.
struct L1Flag {
  static constexpr std::uint8_t no_core = 0xFF;
  bool is_of_packet = false;
  std::shared_ptr<const Snapshot> snapshot = {};  // what whoever wrote it knew, unless
  std::uint8_t core = no_core;                    // a core of the tile did,
  std::uint32_t number = 0;                       // with this store

  friend bool operator==(const L1Flag&, const L1Flag&) = default;
};

class L1Flags {
 public:
  /// Stores of a core are numbered on lane `which`.
  explicit L1Flags(unsigned which) : cores_(tile::core_count, Core(which)) {}

  /// A core has issued a store,
  void stored(unsigned core, const Actor& actor, std::uint32_t address, std::uint8_t bytes);
  /// and the oldest `count` of its stores have landed. Stores that were merged land together.
  void landed(unsigned core, unsigned count);
  /// A core has changed a word at once.
  void updated(unsigned core, const Actor& actor, std::uint32_t address);
  /// Somebody else has written a few bytes,
  void written(const L1Flag& by, std::uint32_t address, std::uint32_t bytes);
  /// or many; of these, only the last pieces are kept.
  void written_at_length(const L1Flag& by, std::uint32_t address, std::uint32_t bytes);

  L1Flag at(std::uint32_t address);
  /// Null if it is nobody's.
  std::shared_ptr<const Snapshot> snapshot_of(const L1Flag& flag) {
    return flag.core == L1Flag::no_core ? flag.snapshot : cores_[flag.core].history.at(flag.number);
  }
  std::size_t bytes() const;

 private:
  struct Store {
    std::uint32_t address;
    std::uint8_t bytes;
    std::uint32_t number;
  };
  struct Core {
    explicit Core(unsigned which) : history(which) {}
    StoreHistory history;
    std::size_t most_pieces = least_pieces;  // before those are looked for that nobody can ask for
    std::deque<Store> under_way = {};
  };
  struct Piece {
    std::uint32_t address;
    std::uint32_t bytes;
    L1Flag flag;
  };
  /// Somebody else's flag, while a mark says that it is his.
  struct Other {
    L1Flag flag = {};
    std::uint32_t marks = 0;
  };
  static constexpr std::uint8_t of_other = L1Flag::no_core;
  static constexpr std::size_t least_pieces = 256;  // of a core's history: below 1 MB

  void note(unsigned core, const Actor& actor);
  void set(std::uint32_t address, std::uint32_t bytes, ByteMark mark);
  void release(const ByteMark& mark);
  std::uint32_t number_of(const L1Flag& flag);

  // Of a mark: `kind` is the core, or of_other; `number` that of its store, or of the other's flag; `site` how many pieces had
  // been written before.
  ByteMarks marks_;
  std::vector<Core> cores_;
  std::vector<Other> others_;
  std::vector<std::uint32_t> free_;  // of them
  std::deque<Piece> pieces_;
  std::uint32_t written_pieces_ = 0;
};

}  // namespace tensim::insight
