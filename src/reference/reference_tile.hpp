// One Tensix tile of a reference library: memory, registers, resets and the clock. What a reference does in how many of
// its clocks means nothing here; what it leaves in memory does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/access_list.hpp"
#include "reference/child.hpp"
#include "tensix/registers/dst.hpp"
#include "tile/access.hpp"

namespace tensim::reference {

/// How a run ended.
struct RunEnd {
  bool met = false;  // every condition; else the clocks are used up
  std::uint64_t clocks = 0;
};

using DstRow = std::array<std::uint16_t, tensix::Dst::columns>;

class ReferenceTile {
 public:
  /// All cores are held in reset.
  static std::variant<ReferenceTile, Error> open(const OpenOptions& options);
  /// A fresh device in a fresh process: after a reference has ended, or to forget everything.
  std::optional<Error> reopen();

  Arch arch() const { return options_.arch; }
  std::uint32_t l1_bytes() const;

  // ---- memory: any part of L1, or a word of a register ----
  std::optional<Error> write(std::uint32_t address, std::span<const std::uint8_t> bytes);
  std::optional<Error> write_words(std::uint32_t address, std::span<const std::uint32_t> words);
  std::optional<Error> write_word(std::uint32_t address, std::uint32_t word);
  std::optional<Error> read(std::uint32_t address, std::span<std::uint8_t> to);
  std::variant<std::uint32_t, Error> read_word(std::uint32_t address);
  /// Dst as it stands in its 1024 rows of 16 bits.
  std::optional<Error> read_dst(std::uint32_t first_row, std::span<DstRow> to);

  // ---- cores ----
  /// Where the core starts when it is let go. Blackhole has registers for that, except for BRISC; elsewhere a jump is
  /// written to where the core starts, unless it starts there anyway.
  std::optional<Error> set_start(tile::CoreId core, std::uint32_t pc);
  /// The bytes that set_start has written into L1: where, and how many.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& jumps() const { return jumps_; }
  /// Writes SOFT_RESET_0: bits of cores that are held (tile::CoreId as the number of a bit).
  std::optional<Error> hold(std::uint8_t cores);

  // ---- time ----
  std::optional<Error> clock(std::uint64_t clocks);
  /// Clocks until all words have their values, or `budget` clocks are used up.
  std::variant<RunEnd, Error> run_until(std::span<const Condition> words, std::uint64_t budget);

  // ---- threads: T cores that walk access lists ----
  /// Every thread's list to its end; the core of an empty list does nothing. The first call puts the programs into L1
  /// (GuestLayout) and lets the T cores go. Lists that do not end within `budget` clocks are an error.
  std::optional<Error> run(const AccessLists& lists, std::uint64_t budget = default_budget);
  /// Pushes words to one thread and waits until it has nothing in flight.
  std::optional<Error> run_words(unsigned thread, std::span<const isa::Word> words,
                                 std::uint64_t budget = default_budget);
  static constexpr std::uint64_t default_budget = 10'000'000;

 private:
  ReferenceTile(OpenOptions options, Child child) : options_(std::move(options)), child_(std::move(child)) {}
  std::optional<Error> check(std::uint32_t address, std::size_t bytes) const;
  std::optional<Error> start_guests();

  OpenOptions options_;
  Child child_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_;
  bool has_guests_ = false;
};

/// Where a core starts if nobody says otherwise.
constexpr std::uint32_t default_start(tile::CoreId core) {
  constexpr std::array<std::uint32_t, tile::core_count> starts{0x0, 0x6000, 0xA000, 0xE000, 0x12000};
  return starts[static_cast<unsigned>(core)];
}

inline constexpr std::uint8_t all_cores = 0b11111;

}  // namespace tensim::reference
