// The two ports through which the cores write to L1 (L1.md; its diagram, errata 50): B, T0 and NC share one, T1 and T2
// the other. A store narrower than 16 bytes is a read-modify-write that holds its port and its bank for five cycles. A
// free port takes, in turn, a core whose bank is free; a bank takes the ports in turn. Blackhole's map is not published,
// but its figures say the same (silicon rv_store_spread). A load takes its port for a cycle, and a store does not begin in
// it; loads themselves are not held up, neither by stores nor by each other (assumed: else a core that polls could never
// be left alone while its neighbours work).
//
// Stores do not ask for a port: each port knows what its cores want, and plans whose turn is next. What the coprocessor's
// units do in L1 meanwhile is elsewhere (tensix/l1_traffic.hpp): the tile asks there before a store goes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tensix/l1_traffic.hpp"
#include "tile/access.hpp"
#include "tile/load_history.hpp"
#include "time/order.hpp"

namespace tensim::tile {

/// A port of L1 and the cores that share it, by number (CoreId), in the order of their turns.
struct L1CorePort {
  unsigned core_count = 0;
  std::array<std::uint8_t, 3> cores{};
};
inline constexpr std::array<L1CorePort, tensix::l1_core_port_count> l1_core_ports{
    {{.core_count = 3, .cores = {0, 1, 4}}, {.core_count = 2, .cores = {2, 3}}}};

consteval auto l1_ports_by_core() {
  std::array<std::uint8_t, core_count> ports{};
  for (unsigned port = 0; port < l1_core_ports.size(); ++port)
    for (unsigned place = 0; place < l1_core_ports[port].core_count; ++place)
      ports[l1_core_ports[port].cores[place]] = static_cast<std::uint8_t>(port);
  return ports;
}
inline constexpr std::array<std::uint8_t, core_count> l1_port_by_core = l1_ports_by_core();

class L1Ports {
 public:
  static constexpr unsigned port_count = tensix::l1_core_port_count;

  /// Whose store goes next, and when.
  struct Plan {
    time::Cycle cycle = time::never;
    unsigned core = core_count;
    unsigned place = 0;  // of the core in L1CorePort::cores
  };

  explicit L1Ports(Arch arch) : arch_(arch) {}

  static constexpr unsigned port_of(unsigned core) { return l1_port_by_core[core]; }

  /// The oldest store of the core goes to the block at `address`, and is ready in `ready`; `never`: there is none. True if
  /// that is news.
  bool want(unsigned core, time::Cycle ready, std::uint32_t address) {
    const Want now{ready, tensix::l1_bank_of(arch_, address)};
    if (wants_[core] == now) return false;
    wants_[core] = now;
    return true;
  }
  bool wants(unsigned core) const { return wants_[core].ready != time::never; }

  const Plan& plan(unsigned port) const { return plans_[port]; }
  /// The bank that the planned store goes to.
  unsigned bank(unsigned port) const { return wants_[plans_[port].core].bank; }
  const Plan& plan_anew(unsigned port) { return port == 0 ? plan_anew<0>() : plan_anew<1>(); }
  /// When the store of a core that wants its port can go at the earliest, whatever it and the others do.
  time::Cycle earliest(unsigned core) const {
    const unsigned port = port_of(core);
    const Plan& next = plans_[port];
    const bool is_passed = core != next.core && wants_[core].ready <= next.cycle;
    const time::Cycle free = free_from(port, core);
    return is_passed ? std::max(next.cycle, free) : free;
  }

  /// A core loads through the port in `cycle`.
  void load(unsigned port, time::Cycle cycle) { loads_[port].add(cycle); }
  bool has_load(unsigned port, time::Cycle cycle) const { return loads_[port].has(cycle); }

  /// Both ports want one bank in one cycle, and it is the other's turn.
  bool lets_other_port_pass(unsigned port) const {
    const Plan& own = plans_[port];
    const Plan& other = plans_[1 - port];
    if (own.cycle != other.cycle || other.core == core_count) return false;
    const unsigned bank = wants_[own.core].bank;
    return wants_[other.core].bank == bank && last_port_[bank] == port;
  }
  /// The planned store goes, and holds port and bank for `hold` cycles.
  void go(unsigned port, time::Cycle hold) {
    const Plan& now = plans_[port];
    const unsigned bank = wants_[now.core].bank;
    port_free_[port] = bank_free_[bank] = now.cycle + hold;
    last_place_[port] = static_cast<std::uint8_t>(now.place);
    last_port_[bank] = static_cast<std::uint8_t>(port);
    last_bank_[port] = static_cast<std::uint8_t>(bank);
    wants_[now.core] = {};
  }
  /// Whether the other port wants the bank that this one used last.
  bool wants_bank_of(unsigned port) const {
    const Plan& other = plans_[1 - port];
    return other.core != core_count && wants_[other.core].bank == last_bank_[port];
  }
  /// The planned store does not go in its cycle, but in a later one.
  void miss(unsigned port) { port_free_[port] = plans_[port].cycle + 1; }

  /// Whether stores from `now` on find ports and banks as those did that came `cycles` earlier.
  bool recurs(const L1Ports& before, time::Cycle cycles, time::Cycle now) const {
    const auto is_alike = [&](time::Cycle at, time::Cycle was) {
      return at == time::never || was == time::never ? at == was : std::max(at, now) == std::max(was + cycles, now);
    };
    const auto is_wanted_alike = [&](const Want& want, const Want& was) {
      return want.bank == was.bank && is_alike(want.ready, was.ready);
    };
    return std::ranges::equal(port_free_, before.port_free_, is_alike) &&
           std::ranges::equal(bank_free_, before.bank_free_, is_alike) &&
           std::ranges::equal(wants_, before.wants_, is_wanted_alike) && last_place_ == before.last_place_ &&
           last_port_ == before.last_port_ && last_bank_ == before.last_bank_;
  }
  /// Moves all times on by `cycles`, in which nobody stores but who does the same again and again. Then ports are planned anew.
  void shift(time::Cycle cycles) {
    for (time::Cycle& free : port_free_)
      free += cycles;
    for (time::Cycle& free : bank_free_)
      free += cycles;
    for (Want& want : wants_)
      if (want.ready != time::never) want.ready += cycles;
  }

 private:
  static constexpr unsigned bank_count = tensix::most_l1_banks;

  struct Want {
    time::Cycle ready = time::never;
    unsigned bank = 0;
    bool operator==(const Want&) const = default;
  };

  template <unsigned port>
  const Plan& plan_anew() {
    constexpr L1CorePort shared = l1_core_ports[port];
    // Who can go first; of several, whose turn comes first behind the one who went last.
    const time::Cycle free = port_free_[port];
    time::Cycle first = time::never;
    unsigned chosen = 0;
    for (unsigned i = 0; i < shared.core_count; ++i) {
      const Want& want = wants_[shared.cores[i]];
      const time::Cycle from = std::max(std::max(want.ready, free), bank_free_[want.bank]);
      const bool is_next_round = i <= last_place_[port];
      const bool chosen_is_next_round = chosen <= last_place_[port];
      const bool is_better = from < first || (from == first && !is_next_round && chosen_is_next_round);
      first = is_better ? from : first;
      chosen = is_better ? i : chosen;
    }
    plans_[port] = first == time::never ? Plan{} : Plan{first, shared.cores[chosen], chosen};
    return plans_[port];
  }

  /// When the port and the bank that the core wants are both free.
  time::Cycle free_from(unsigned port, unsigned core) const {
    return std::max(port_free_[port], bank_free_[wants_[core].bank]);
  }

  Arch arch_;
  std::array<time::Cycle, port_count> port_free_{};
  std::array<time::Cycle, bank_count> bank_free_{};
  std::array<std::uint8_t, port_count> last_place_{2, 1};  // in L1CorePort::cores, of the core that went last
  std::array<std::uint8_t, bank_count> last_port_{};
  std::array<std::uint8_t, port_count> last_bank_{};
  std::array<Want, core_count> wants_{};
  std::array<Plan, port_count> plans_{};
  std::array<LoadHistory, port_count> loads_{};
};

}  // namespace tensim::tile
