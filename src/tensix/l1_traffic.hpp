// Where transfers of the coprocessor's units and stores of the cores meet in L1 (L1.md; docs/architecture/tile.md says what
// of it is assumed). A transfer is a sequence of steps, one a cycle; each uses some banks, and perhaps a port that cores
// share. A store of a core holds a bank and its port for a while: a step that would use either waits, and all that comes
// behind it.
//
// Nothing here happens by itself: a transfer is brought up to date when a store asks, or when its speed changes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

inline constexpr unsigned most_l1_banks = 32;
inline constexpr unsigned l1_core_port_count = 2;  // of the 16; see tile/l1_ports.hpp

/// Words of 16 bytes lie in the banks in turn (assumed; silicon rv_store_spread agrees).
constexpr unsigned l1_bank_of(Arch arch, std::int64_t address) {
  constexpr auto mask = [](Arch of) { return static_cast<std::uint8_t>(size(of, "l1_banks"_size) - 1); };
  constexpr std::uint8_t wormhole = mask(Arch::wormhole);
  constexpr std::uint8_t blackhole = mask(Arch::blackhole);
  static_assert(larger_size("l1_banks"_size) <= most_l1_banks);
  return static_cast<unsigned>(address >> 4) & on(arch, wormhole, blackhole);
}

/// Connections of units to L1.
enum class L1Client : std::uint8_t {
  unpacker,
  exponents,  // of either unpacker
  packer0,
  packer1,
  packer2,
  packer3,
  packer0_reads,
  mover_reads,
  mover_writes,
};

/// Which of the cores' ports a client shares, as a mask. Wormhole's are those of the diagram (errata 50); Blackhole's are
/// not published: there only banks count (assumed).
constexpr std::uint8_t core_ports_of(Arch arch, L1Client client) {
  constexpr std::uint8_t none = 0;
  constexpr std::uint8_t first = 1;   // with B, T0 and NC
  constexpr std::uint8_t second = 2;  // with T1 and T2
  constexpr std::array<std::uint8_t, 9> wormhole{none, first, none, none, first, second, first, first, second};
  return on(arch, wormhole[static_cast<std::size_t>(client)], none);
}

/// How a client reaches L1.
struct L1Connection {
  Arch arch;
  std::uint8_t ports;  // of the cores', a mask

  constexpr L1Connection(Arch chip, L1Client client) : arch(chip), ports(core_ports_of(chip, client)) {}
};

/// Banks and cores' ports, as masks.
struct L1Use {
  std::uint32_t banks = 0;
  std::uint8_t ports = 0;

  void add(std::int64_t address, const L1Connection& by) {
    banks |= 1U << l1_bank_of(by.arch, address);
    ports = static_cast<std::uint8_t>(ports | by.ports);
  }
  bool meets(unsigned bank, unsigned port) const { return (banks >> bank & 1U) != 0 || (ports >> port & 1U) != 0; }
};

/// What a step of a transfer uses: words that begin in it, and words that began earlier and are not done.
struct L1Step {
  L1Use begins;
  L1Use goes_on;
};

/// Words that are spread evenly over the steps of a transfer; each holds its bank for `length` of them.
struct L1Pace {
  std::uint32_t words = 0;
  std::uint32_t steps = 1;
  std::uint32_t length = 1;

  /// The first word that begins in `step` or later.
  std::uint32_t first_in(std::uint32_t step) const {
    const std::uint64_t first = (std::uint64_t{step} * words + steps - 1) / steps;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(first, words));
  }
  /// Adds what `step` uses; `address_of` says where a word is.
  template <class AddressOf>
  void add(L1Step& use, std::uint32_t step, const L1Connection& by, AddressOf address_of) const {
    const std::uint32_t begin = first_in(step);
    for (std::uint32_t word = first_in(step < length ? 0 : step - length + 1); word < begin; ++word)
      use.goes_on.add(address_of(word), by);
    for (std::uint32_t word = begin; word < first_in(step + 1); ++word)
      use.begins.add(address_of(word), by);
  }
};

/// How far a transfer has come: `step` is what it does in cycle `at`, if nothing is in its way.
struct L1Progress {
  Cycle at = 0;
  std::uint32_t step = 0;
  std::uint32_t steps = 0;

  bool is_done() const { return step >= steps; }
};

/// What the last store through a cores' port holds, and who has had a turn since. One word: stores are many, and most meet
/// nothing.
class L1Hold {
 public:
  constexpr L1Hold() = default;
  /// Until (not including) a cycle.
  constexpr L1Hold(unsigned bank, Cycle until) : word_(until << 13U | Cycle{bank} << 8U) {}

  Cycle until() const { return word_ >> 13U; }
  unsigned bank() const { return static_cast<unsigned>(word_ >> 8U) % most_l1_banks; }
  /// The next store need not let the transfer of this number pass once more.
  bool had_turn(unsigned transfer) const { return (word_ >> transfer & 1U) != 0; }
  void give_turn(unsigned transfer) { word_ |= Cycle{1} << transfer; }

 private:
  Cycle word_ = 0;
};

struct L1Traffic {
  std::array<L1Hold, l1_core_port_count> holds{};
  Cycle busy_until = 0;  // the last cycle of any transfer so far

  Cycle held_until() const { return std::max(holds[0].until(), holds[1].until()); }
  bool stops(const L1Use& use, Cycle cycle) const {
    for (unsigned port = 0; port < l1_core_port_count; ++port)
      if (holds[port].until() > cycle && use.meets(holds[port].bank(), port)) return true;
    return false;
  }

  /// Brings a transfer to cycle `to`; `use_of` says what a step of it uses.
  template <class UseOf>
  void advance(L1Progress& progress, Cycle to, const UseOf& use_of) const {
    if (held_until() > progress.at) walk(progress, std::min(to, held_until()), use_of);
    if (progress.at >= to) return;
    const Cycle left = progress.steps - progress.step;
    progress.step += static_cast<std::uint32_t>(std::min(to - progress.at, left));
    progress.at = to;
  }

  /// The last cycle of a transfer that has not ended, if no more stores come.
  template <class UseOf>
  Cycle last_cycle(L1Progress progress, const UseOf& use_of) const {
    if (held_until() > progress.at) walk(progress, held_until(), use_of);
    return progress.at + (progress.steps - progress.step) - 1;
  }

  /// Likewise of one that begins.
  template <class UseOf>
  Cycle begin(const L1Progress& progress, const UseOf& use_of) {
    const Cycle last = last_cycle(progress, use_of);
    busy_until = std::max(busy_until, last);
    return last;
  }

 private:
  /// Cycle by cycle to `to`, or to the transfer's end. Seldom needed: it stays out of its callers' way.
  template <class UseOf>
  [[gnu::noinline]] void walk(L1Progress& progress, Cycle to, const UseOf& use_of) const {
    for (; progress.at < to && !progress.is_done(); ++progress.at)
      if (!stops(use_of(progress.step).begins, progress.at)) ++progress.step;
  }
};

}  // namespace tensim::tensix
