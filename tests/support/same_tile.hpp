// Whether two tiles are in the same state, and what differs first.
#pragma once

#include <algorithm>
#include <string>

#include "tile/tile.hpp"

namespace tensim::test {

class TileComparison {
 public:
  TileComparison(const tile::Tile& a, const tile::Tile& b) {
    check("now", a.now(), b.now());
    for (unsigned core = 0; core < tile::core_count; ++core) {
      where_ = std::string(tile::core_names[core]) + " ";
      compare(a.cores[core], b.cores[core]);
    }
    where_.clear();
    check_all("L1", a.l1, b.l1);
    check_all("IRAM", a.iram, b.iram);
    compare(a.devices, b.devices);
    compare(a.coprocessor, b.coprocessor);
    compare_reports(a, b);
  }
  /// "TRISC0 x[5]: 3 and 4"; empty if nothing differs.
  const std::string& first_difference() const { return difference_; }

 private:
  template <class T>
  void check(const std::string& what, const T& a, const T& b) {
    if (!difference_.empty() || a == b) return;
    difference_ = where_ + what;
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      difference_ +=
          ": " + std::to_string(static_cast<std::int64_t>(a)) + " and " + std::to_string(static_cast<std::int64_t>(b));
  }
  template <class Range>
  void check_all(const std::string& what, const Range& a, const Range& b) {
    if (!difference_.empty() || a == b) return;
    check("size of " + what, a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      check(what + "[" + std::to_string(i) + "]", a[i], b[i]);
  }

  void compare(const riscv::Core& a, const riscv::Core& b) {
    check("pc", a.pc, b.pc);
    check("clock", a.clock, b.clock);
    check("status", a.status, b.status);
    check("retired", a.retired, b.retired);
    check_all("x", a.x, b.x);
    check_all("f", a.f, b.f);
    check_all("account", a.account.cycles, b.account.cycles);
    check_all("local RAM", a.local_ram, b.local_ram);
    check("L0", a.l0, b.l0);
    check_all("CSR", a.csrs.stored, b.csrs.stored);
    check("instruction cache fills", a.fills, b.fills);
    check("stop", a.stop.has_value(), b.stop.has_value());
    if (a.stop && b.stop) {
      check("stop reason", a.stop->reason, b.stop->reason);
      check("stop cycle", a.stop->cycle, b.stop->cycle);
      check("stop address", a.stop->address, b.stop->address);
    }
    if (a.status == riscv::Core::Status::in_reset) return;  // what it had under way is gone
    compare(left(a), left(b));
    compare(back(a), back(b));
  }
  /// Stores to local RAM leave the queue when somebody looks: here, now.
  static riscv::StoreQueue left(const riscv::Core& core) {
    riscv::StoreQueue stores = core.stores;
    stores.pass_local(core.clock);
    return stores;
  }
  void compare(const riscv::StoreQueue& a, const riscv::StoreQueue& b) {
    check("stores", a.size(), b.size());
    for (unsigned i = 0; i < std::min(a.size(), b.size()); ++i) {
      check("store's address", a[i].address, b[i].address);
      check("store's value", a[i].value, b[i].value);
      check("store's mask", a[i].mask, b[i].mask);
      check("store's time", a[i].earliest, b[i].earliest);
      check("store's bytes", a[i].bytes, b[i].bytes);
    }
  }
  /// Loads that are back are forgotten when somebody looks: here, now.
  static riscv::LoadQueue back(const riscv::Core& core) {
    riscv::LoadQueue loads = core.loads;
    loads.retire(core.clock);
    return loads;
  }
  void compare(const riscv::LoadQueue& a, const riscv::LoadQueue& b) {
    check("loads", a.size(), b.size());
    for (unsigned i = 0; i < std::min(a.size(), b.size()); ++i) {
      check("load's number", a[i].number, b[i].number);
      check("load's ready", a[i].ready, b[i].ready);
      check("load's address", a[i].address, b[i].address);
    }
  }

  void compare(const tile::Devices& a, const tile::Devices& b) {
    tile::Mailboxes mail_a = a.mailboxes;
    tile::Mailboxes mail_b = b.mailboxes;
    for (unsigned i = 0; i < 16; ++i) {
      const auto from = static_cast<tile::CoreId>(i / 4);
      const auto to = static_cast<tile::CoreId>(i % 4);
      const std::string what = "mailbox of " + std::string(name(from)) + " to " + std::string(name(to));
      check(what, mail_a.takes_from(from), mail_b.takes_from(from));
      while (!mail_a.is_empty(from, to) && !mail_b.is_empty(from, to))
        check(what, mail_a.pop(from, to), mail_b.pop(from, to));
      check(what, mail_a.is_empty(from, to), mail_b.is_empty(from, to));
    }
    for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
      const auto& buffer_a = a.pc_buffers.of[thread];
      const auto& buffer_b = b.pc_buffers.of[thread];
      check("PCBuf", buffer_a.fifo.size(), buffer_b.fifo.size());
      for (unsigned i = 0; i < std::min(buffer_a.fifo.size(), buffer_b.fifo.size()); ++i)
        check("word of PCBuf", buffer_a.fifo[i], buffer_b.fifo[i]);
      check("PCBuf's reader", buffer_a.reader_waits, buffer_b.reader_waits);
    }
    check_all("tile control", a.control.words, b.control.words);
    check("TDMA-RISC's queue", a.tdma.queue.size(), b.tdma.queue.size());
    check("memory operations", a.memory_operations.size(), b.memory_operations.size());
    check("messages sent", a.nius.sequence, b.nius.sequence);
    for (unsigned noc = 0; noc < noc::noc_count; ++noc) {
      const tile::Niu& niu_a = a.nius.niu[noc];
      const tile::Niu& niu_b = b.nius.niu[noc];
      check_all("NIU's counter", niu_a.counters, niu_b.counters);
      check_all("NIU's configuration", niu_a.configuration, niu_b.configuration);
      check("busy command buffers", niu_a.busy, niu_b.busy);
      check("requests that wait", niu_a.waiting.size(), niu_b.waiting.size());
      check("reads that wait", niu_a.serving.size(), niu_b.serving.size());
    }
  }

  void compare(const tensix::Coprocessor& a, const tensix::Coprocessor& b) {
    check("coprocessor's now", a.now, b.now);
    for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
      where_ = "thread " + std::to_string(thread) + " ";
      check_all("account", a.accounts[thread].cycles, b.accounts[thread].cycles);
      check_all("GPR", a.gprs.value[thread], b.gprs.value[thread]);
      check_all("configuration", a.config.thread[thread], b.config.thread[thread]);
      check("idle", a.thread_is_idle(thread), b.thread_is_idle(thread));
      check("can push", a.can_push(thread), b.can_push(thread));
    }
    where_.clear();
    for (unsigned i = 0; i < a.sync.semaphores().size(); ++i)
      check("semaphore " + std::to_string(i), a.sync.semaphores()[i], b.sync.semaphores()[i]);
    check_all("mutex", a.sync.mutex_owner, b.sync.mutex_owner);
    for (unsigned bank = 0; bank < tensix::config_bank_count; ++bank)
      check_all("configuration", a.config.bank[bank], b.config.bank[bank]);
    check("coprocessor's reports", a.reports.size(), b.reports.size());
    for (std::size_t i = 0; i < std::min(a.reports.size(), b.reports.size()); ++i) {
      check("coprocessor's report's category", a.reports[i].category, b.reports[i].category);
      check("coprocessor's report's cycle", a.reports[i].cycle, b.reports[i].cycle);
    }
    check("mover free", a.mover.free_from, b.mover.free_from);
    for (unsigned packer = 0; packer < tensix::Packers::count; ++packer)
      check("packer free", a.packers.packer[packer].free_from, b.packers.packer[packer].free_from);
    for (unsigned file = 0; file < 2; ++file)
      check("unpacker's jobs", a.unpackers.pipes[file].jobs, b.unpackers.pipes[file].jobs);
    check("fault", a.fault.has_value(), b.fault.has_value());
  }

  void compare_reports(const tile::Tile& a, const tile::Tile& b) {
    check("reports", a.reports.size(), b.reports.size());
    for (std::size_t i = 0; i < std::min(a.reports.size(), b.reports.size()); ++i) {
      const auto& x = a.reports[i].report;
      const auto& y = b.reports[i].report;
      check("report's core", a.reports[i].core, b.reports[i].core);
      check("report's category", x.category, y.category);
      check("report's cycle", x.cycle, y.cycle);
      check("report's pc", x.pc, y.pc);
      check("report's value", x.value, y.value);
      check("report's memory", x.memory, y.memory);
    }
  }

  std::string where_;
  std::string difference_;
};

inline std::string first_difference(const tile::Tile& a, const tile::Tile& b) {
  return TileComparison(a, b).first_difference();
}

}  // namespace tensim::test
