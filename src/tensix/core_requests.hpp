// Requests of the cores to configuration and GPRs (and, for STALLWAIT's C10 alone, to TDMA-RISC) that are on their way:
// a store leaves its core in one cycle and reaches its unit `core_request_travel` cycles later. A core has as many stores
// to a unit under way as that takes to store once per cycle (store_other_interval); then its next one waits. A load is
// answered when it is asked for, and counts as a request for as long as a store would travel. A request that Auto TTSync
// has to know of carries a ticket. Pages: BackendConfiguration.md, ScalarUnit.md, STALLWAIT.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include "arch/sizes.hpp"
#include "tensix/frontend/auto_ttsync.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tensix/registers/config.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

class CoreRequests {
 public:
  static constexpr unsigned core_count =
      size_of_both("riscv_cores"_size);  // in the order of CoreBit: B, T0, T1, T2, NC

  struct GprStore {
    std::uint8_t thread = 0;
    std::uint8_t reg = 0;
    std::uint32_t value = 0;
  };

  using Ticket = AutoTtSync::Ticket;
  template <class Write>
  struct Taken {
    unsigned core = 0;
    Ticket ticket = AutoTtSync::no_ticket;
    Write write;

    unsigned thread() const { return core - 1; }  // of a T core: others have no tickets
  };

  bool takes_config_store(unsigned core) const { return !config_stores_[core].full(); }
  bool takes_gpr_store(unsigned core) const { return !gpr_stores_[core].full(); }
  bool has_stores() const { return stores_ != 0; }
  /// What the core loads from there is older than what it has stored.
  bool has_config_stores(unsigned core) const { return !config_stores_[core].empty(); }
  bool has_gpr_stores(unsigned core) const { return !gpr_stores_[core].empty(); }
  /// Stores, or anything whose end Auto TTSync waits for.
  bool any() const { return (stores_ | tracked_) != 0; }

  void add(unsigned core, const ConfigStore& write, Cycle due, Ticket ticket);
  void add(unsigned core, const GprStore& write, Cycle due, Ticket ticket);
  /// Something that is only seen by C10 and Auto TTSync, up to and including cycle `last`; so only of T cores.
  void note(unsigned core, Cycle last, Ticket ticket);

  /// The T core of this thread has a request that has not been processed (C10, Wormhole C13).
  bool any_of_thread(unsigned thread, Cycle now) const {
    const unsigned core = thread + 1;
    return !config_stores_[core].empty() || !gpr_stores_[core].empty() || noted_until_[core] > now;
  }

  /// The store to configuration whose turn it is: one that has arrived, cores round-robin (assumed).
  std::optional<Taken<ConfigStore>> take_config_store(Cycle now);
  /// A store to a GPR that has arrived, the lowest core's first; they do not wait for each other (assumed).
  std::optional<Taken<GprStore>> take_gpr_store(Cycle now);
  /// Something noted that ends in this cycle and has a ticket.
  std::optional<Taken<std::monostate>> take_noted(Cycle now);
  bool config_store_has_arrived(Cycle now) const;

  Cycle next_event(Cycle now) const;

 private:
  static constexpr unsigned depth = 2;
  template <class Write>
  struct Pending {
    Cycle due = 0;
    Ticket ticket = AutoTtSync::no_ticket;
    Write write;
  };
  template <class Pendings>
  static auto take(Pendings& pendings, unsigned core) {
    const auto pending = pendings.pop();
    return Taken<decltype(pending.write)>{core, pending.ticket, pending.write};
  }
  unsigned stores_ = 0;   // of all cores
  unsigned tracked_ = 0;  // in noted_
  std::uint8_t last_served_ = core_count - 1;
  std::array<Fifo<Pending<ConfigStore>, depth>, core_count> config_stores_{};
  std::array<Fifo<Pending<GprStore>, depth>, core_count> gpr_stores_{};
  /// With tickets, by thread: in the order in which they end, and no more than there are tickets.
  std::array<Fifo<Pending<std::monostate>, AutoTtSync::max_pending>, thread_count> noted_{};
  std::array<Cycle, core_count> noted_until_{};  // the first cycle in which C10 sees nothing of it any more
  Cycle all_noted_until_ = 0;                    // the last of those
};

}  // namespace tensim::tensix
