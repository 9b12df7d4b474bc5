// The two ports through which the cores write to L1 (L1.md; its diagram, errata 50): B, T0 and NC share one, T1 and T2
// the other. A store narrower than 16 bytes is a read-modify-write that holds its port and its bank for five cycles. A
// free port takes, in turn, a core whose bank is free; a bank takes the ports in turn. Blackhole's map is not published,
// but its figures say the same (silicon rv_store_spread). A load takes its port for a cycle, and a store does not begin in
// it; loads themselves are not held up, neither by stores nor by each other (assumed: else a core that polls could never
// be left alone while its neighbours work).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "riscv/order.hpp"
#include "tile/access.hpp"

namespace tensim::tile {

class L1Ports {
 public:
  /// When port and bank are free for a store of the core to the block at `address`. It waits for them from now on.
  riscv::Cycle free_from(unsigned core, std::uint32_t address) {
    const unsigned bank = bank_of(address);
    waits_for_[core] = static_cast<std::uint8_t>(bank);
    waiting_ = static_cast<std::uint8_t>(waiting_ | 1U << core);
    return std::max(port_free_[port_of(core)], bank_free_[bank]);
  }
  /// Port and bank are free. `cycle`: the store goes now, and holds them for `hold` cycles. Otherwise: when to ask again.
  riscv::Cycle ask(unsigned core, std::uint32_t address, riscv::Cycle cycle, riscv::Cycle hold) {
    const unsigned bank = bank_of(address);
    const unsigned port = port_of(core);
    if (another_comes_first(core, cycle)) return cycle + 1;
    waiting_ = static_cast<std::uint8_t>(waiting_ & ~(1U << core));
    port_free_[port] = bank_free_[bank] = cycle + hold;
    last_core_[port] = static_cast<std::uint8_t>(core);
    last_port_[bank] = static_cast<std::uint8_t>(port);
    return cycle;
  }
  static constexpr bool share_port(unsigned core, unsigned other) { return port_of(core) == port_of(other); }
  /// In reset, it asks for nothing.
  void forget(unsigned core) { waiting_ = static_cast<std::uint8_t>(waiting_ & ~(1U << core)); }

  bool operator==(const L1Ports&) const = default;

 private:
  static constexpr unsigned block_bytes = 16;
  static constexpr unsigned bank_count = 16;
  static constexpr unsigned port_count = 2;

  static constexpr unsigned bank_of(std::uint32_t address) { return address / block_bytes % bank_count; }
  static constexpr unsigned port_of(unsigned core) {
    const auto id = static_cast<CoreId>(core);
    return id == CoreId::trisc1 || id == CoreId::trisc2 ? 1 : 0;
  }
  bool another_comes_first(unsigned core, riscv::Cycle cycle) const {
    for (unsigned other = 0; other < core_count; ++other) {
      if (other == core || (waiting_ >> other & 1U) == 0) continue;
      const unsigned bank = waits_for_[other];
      const bool could_go = port_free_[port_of(other)] <= cycle && bank_free_[bank] <= cycle;
      if (!could_go) continue;
      if (port_of(other) == port_of(core)) {
        const unsigned last = last_core_[port_of(core)];
        const auto turn = [&](unsigned who) { return (who + core_count - last - 1) % core_count; };
        if (turn(other) < turn(core)) return true;
      } else if (bank == waits_for_[core] && last_port_[bank] == port_of(core)) {
        return true;
      }
    }
    return false;
  }

  std::array<riscv::Cycle, port_count> port_free_{};
  std::array<riscv::Cycle, bank_count> bank_free_{};
  std::array<std::uint8_t, port_count> last_core_{core_count - 1, core_count - 1};
  std::array<std::uint8_t, bank_count> last_port_{};
  std::array<std::uint8_t, core_count> waits_for_{};  // a bank
  std::uint8_t waiting_ = 0;                          // cores that have asked in vain
};

}  // namespace tensim::tile
